"""Several things done in one load: most of what is suspected is harmless, and one load shows that for many. Pure.

A sweep refutes, it never shows: where something is wrong in it, each thing is tried on its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from jostle.events import Milestone, PageError, Step
from jostle.findings import FindingKind
from jostle.findings.evidence import LoadRacePart
from jostle.model.page import is_page
from jostle.oracles.problems import plain
from jostle.races.loading.loaded import FieldValue, led_to
from jostle.races.loading.observation import Listening
from jostle.races.loading.patterns import UPGRADE, LoadRaceCandidate, Probe

_FEWEST = 3
"""Fewer are tried one by one at once: what is wrong takes one load less then."""
_MOST = 24


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """What is done in one load."""

    kind: FindingKind
    position: int | None
    """Of the boundary at which it is done; None: after everything has loaded."""
    probes: tuple[Probe, ...]


class Swept(msgspec.Struct, frozen=True, kw_only=True):
    """What a sweep came to."""

    steps: tuple[Step, ...]
    done: dict[str, int]
    """Positions of what could be done, by the key of the event."""
    entered: dict[str, FieldValue | None] = {}
    """Fields right after they were filled in, by the key of the event."""
    left: dict[str, FieldValue | None] = {}
    """The same in the end."""


Refuted = tuple[FindingKind, int, str]
"""What need not be tried: a kind of race, when, and the key of what the user does."""


def sweeps(kind: FindingKind, tried: Iterable[tuple[LoadRaceCandidate, Probe]]) -> Iterator[Sweep]:
    """The sweeps that are worth their load. `tried`: what would be tried one by one."""
    places: dict[int | None, dict[str, Probe]] = {}
    for candidate, probe in tried:
        if _is_alone(candidate, probe, kind):
            continue
        position = None if kind is FindingKind.LATE_HANDLER else probe.position
        places.setdefault(position, {}).setdefault(probe.event.key, probe)
    for position, probes in places.items():
        together = list(probes.values())
        for begin in range(0, len(together), _MOST):
            part = tuple(together[begin : begin + _MOST])
            if len(part) >= _FEWEST:
                yield Sweep(kind=kind, position=position, probes=part)


def _is_alone(candidate: LoadRaceCandidate, probe: Probe, kind: FindingKind) -> bool:
    """What must be tried on its own: it would leave the page, or more than a look at it is needed to judge it."""
    action = probe.event.action
    if kind is FindingKind.LATE_HANDLER:
        upgraded = isinstance(candidate.deed, Listening) and candidate.deed.type == UPGRADE
        return upgraded or candidate.part is not LoadRacePart.USER or bool(action.target)
    if kind is FindingKind.FORM_INPUT_OVERWRITTEN and candidate.part is not LoadRacePart.WRITE:
        return True
    return bool(probe.first or probe.sends or action.href)


def leaves(step: Step) -> bool:
    """Whether the page may be another one after this: nothing more can be done in it."""
    effect = step.effect
    refused = any(each.name == Milestone.REFUSED for each in effect.lifecycle)
    return effect.commits or bool(effect.hung) or refused or any(is_page(each) for each in effect.created)


def refuted(sweep: Sweep, swept: Swept, known: Sequence[PageError]) -> Iterator[Refuted]:
    """What a sweep before a boundary has shown to be harmless. `known`: what is thrown while loading when nobody does
    anything."""
    if sweep.position is None:
        raise ValueError("what is done after loading is judged by what it did")
    usual = {plain(error.message) for error in known}
    failing = {
        step.event.key
        for step in swept.steps
        if any(error.kind != "console" and plain(error.message) not in usual for error in step.effect.errors)
    }
    by_users = {key: {step.event.key for step in led_to(swept.steps, at)} for key, at in swept.done.items()}
    others_fail = bool(failing - set().union(*by_users.values()))
    for key in swept.done:
        if sweep.kind is FindingKind.FORM_INPUT_OVERWRITTEN:
            entered, left = swept.entered.get(key), swept.left.get(key)
            harmless = entered is not None and left is not None and entered.value == left.value
        else:
            harmless = not others_fail and not failing & by_users[key]
        if harmless:
            yield (sweep.kind, sweep.position, key)
