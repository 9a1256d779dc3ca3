"""The orders in which a repair is tried: the bad one, the good one, and others that a user or a network may bring
about. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from jostle.browser.user import LEAVE
from jostle.events import Effect, Kind, Step, Trace
from jostle.repair.witness import Witness

BAD = "the bad order"
GOOD = "the good order"
ALONE = "the first action alone"
EAGER = "all actions at once, then all that they led to"
LAST = "what is late comes last of all"
SOONER = "the action as early as possible"
_KEPT_BACK = (Kind.NETWORK, Kind.PARSE, Kind.MESSAGE)


class TriedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order that is tried with a repair and without."""

    name: str
    steps: tuple[Step, ...]
    bad: bool = False
    """It is answered as the bad order was; otherwise as the good one was."""


def orders_of(witness: Witness) -> tuple[TriedOrder, TriedOrder, tuple[TriedOrder, ...]]:
    """The bad order, the good one, and the others."""
    bad, good = _steps(witness.bad.trace), _steps(witness.good.trace)
    others: dict[tuple[str, ...], TriedOrder] = {}
    for each in _others(witness, good, bad):
        others.setdefault(tuple(step.event.key for step in each.steps), each)
    known = {tuple(step.event.key for step in steps) for steps in (bad, good)}
    return (
        TriedOrder(name=BAD, steps=bad, bad=True),
        TriedOrder(name=GOOD, steps=good),
        tuple(each for keys, each in others.items() if keys not in known),
    )


def without_second(witness: Witness) -> TriedOrder | None:
    """The good order in which the user does not do the second thing: what remains when a policy discards it."""
    second = witness.second
    if second is None or witness.alone:
        return None
    good = _steps(witness.good.trace)
    places = [n for n, step in enumerate(good) if step.event.by_user and step.event.what == second.what]
    if not places:
        return None
    lead = places[-1]
    return TriedOrder(name=ALONE, steps=(*good[:lead], *good[lead + 1 :]))


def _others(witness: Witness, good: tuple[Step, ...], bad: tuple[Step, ...]) -> Iterator[TriedOrder]:
    first = witness.first
    if first is not None and witness.second is not None and not witness.alone:
        yield TriedOrder(name=EAGER, steps=_eager(good, first.key))
    late = {event.key for event in witness.late}
    if late and witness.second is not None:
        held = (step for step in bad if step.event.key in late)
        rest = (step for step in bad if step.event.key not in late)
        yield TriedOrder(name=LAST, steps=(*rest, *held), bad=True)
    if first is not None and witness.second is None and any(step.event.key == first.key for step in bad):
        yield TriedOrder(name=SOONER, steps=_sooner(bad), bad=True)


def _eager(steps: Sequence[Step], first: str) -> tuple[Step, ...]:
    """All that the user does from the first of the two on comes before all else from there on."""
    place = next((n for n, step in enumerate(steps) if step.event.key == first), len(steps))
    rest = steps[place:]
    return (
        *steps[:place],
        *(step for step in rest if step.event.by_user),
        *(step for step in rest if not step.event.by_user),
    )


def _sooner(steps: Sequence[Step]) -> tuple[Step, ...]:
    """What the user does comes right after the document; what is not possible so early is done when it is."""
    document = next((n for n, step in enumerate(steps) if step.event.request.resource == "document"), 0)
    users = tuple(step for step in steps if step.event.by_user)
    begin = tuple(step for step in steps[: document + 1] if not step.event.by_user)
    return (*begin, *users, *(step for step in steps[document + 1 :] if not step.event.by_user))


def _steps(trace: Trace) -> tuple[Step, ...]:
    """What happened, without the pointer's leaving the page, which ends every run. What could have happened and did
    not, because the page was left before, comes after all else."""
    done = tuple(step for step in trace.steps if step.event.action.type != LEAVE.action.type)
    happened = {step.event.key for step in trace.steps}
    possible = (*trace.initial, *(event for step in trace.steps for event in step.effect.created))
    left = {event.key: event for event in possible if event.key not in happened and event.kind in _KEPT_BACK}
    end = done[-1].at if done else 0.0
    return (*done, *(Step(event=event, effect=Effect(), at=end) for event in left.values()))
