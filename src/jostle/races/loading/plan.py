"""What to try first. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest

import msgspec

from jostle.exploring.alike import kin
from jostle.findings import FindingKind
from jostle.findings.evidence import LoadRacePart
from jostle.races.loading.observation import Listening, Observation, is_script
from jostle.races.loading.patterns import UPGRADE, LoadRaceCandidate, Patterns

_PREVENTS = re.compile(r"preventDefault|returnValue|return\s+false|return!1")
_DATA = re.compile(r"\"[^\"]*\"|'[^']*'|\b\d+(?:\.\d+)?\b")
"""Texts and numbers: what tells the handlers of the items of one list apart."""
_FAMILIES = re.compile(r"^(mouse|pointer|touch)|click$")


def without_data(source: str) -> str:
    """Code as it is the same for all items of a list."""
    return _DATA.sub("", source)


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """Candidates of one kind that look alike: when one of them shows a race, it is that of all."""

    kind: FindingKind
    candidates: tuple[LoadRaceCandidate, ...]
    """Those that differ most come first."""
    rank: int

    @property
    def first(self) -> LoadRaceCandidate:
        return self.candidates[0]


def plan(seen: Observation) -> list[Task]:
    """What to try, the most promising first; last, what matches a pattern but for the proof of the delay."""
    patterns = Patterns(seen)
    tasks: list[Task] = []
    for kind, found in (
        (FindingKind.FORM_INPUT_OVERWRITTEN, [*patterns.overwritten(), *patterns.unfocused()]),
        (FindingKind.LATE_HANDLER, [*patterns.late(), *patterns.unheard(), *patterns.missed()]),
        (FindingKind.ACCESS_BEFORE_DEFINITION, list(patterns.early())),
    ):
        groups: dict[tuple[object, ...], list[LoadRaceCandidate]] = {}
        for each in found:
            groups.setdefault((each.proved, *_alike(each, kind, seen)), []).append(each)
        for group in groups.values():
            ordered = tuple(_varied(group, seen))
            tasks.append(Task(kind=kind, candidates=ordered, rank=min(_rank(each, kind, seen) for each in ordered)))
    return sorted(tasks, key=lambda task: (not task.first.proved, task.rank))


def known_as(task: Task, seen: Observation) -> tuple[str, ...]:
    """The same for the same code that listens or writes at the same element, or at entries of one list, on whatever
    page."""
    candidate, deed = task.first, task.first.deed
    element = seen.elements.get(candidate.target)
    if candidate.part is LoadRacePart.USER:
        who = kin(candidate.probes[0].event)
    else:
        who = re.sub(r"\d+", "#", element.name) if element is not None else candidate.target
    code = (deed.type, deed.site or without_data(deed.source)) if isinstance(deed, Listening) else ("", deed.site)
    return (task.kind.value, candidate.part.value, *code, who)


def _alike(candidate: LoadRaceCandidate, kind: FindingKind, seen: Observation) -> tuple[str, ...]:
    deed = candidate.deed
    if not isinstance(deed, Listening):
        return (candidate.part, candidate.target, deed.site or deed.event)
    family = "press" if _FAMILIES.search(deed.type) else deed.type
    if candidate.part is LoadRacePart.SYSTEM:
        return (candidate.part, deed.type, candidate.target, deed.event)
    if candidate.delegated:
        return (candidate.part, deed.event, deed.target, *_at_root(candidate, seen))
    return (candidate.part, family, without_data(deed.source), deed.site)


class _Use(StrEnum):
    """What a user does with an element of a root that listens for all."""

    SEND = "send"
    """A form: the browser would send it."""
    ENTER = "enter"
    """A field: it would keep what is entered."""
    FOLLOW = "follow"
    """A link: it would follow it."""
    PRESS = "press"
    """Anything else: it would do nothing."""


_HANDLED = {
    _Use.SEND: ("submit", "click"),
    _Use.ENTER: ("input", "change", "click", "beforeinput", "keydown"),
    _Use.FOLLOW: ("click", "mousedown", "pointerdown"),
    _Use.PRESS: ("click", "mousedown", "pointerdown", "mouseup", "pointerup"),
}


def _use(candidate: LoadRaceCandidate) -> _Use:
    probe = candidate.probes[0]
    action = probe.event.action
    if probe.sends:
        return _Use.SEND
    if action.type in ("type", "fill", "check", "select"):
        return _Use.ENTER
    return _Use.FOLLOW if action.href else _Use.PRESS


def _wired(candidate: LoadRaceCandidate, seen: Observation) -> str | None:
    """The source of the handler that is kept for the element. None when there is none, or nothing is known of it."""
    kept = {each.type: each.source for each in reversed(seen.wired.get(candidate.target, ()))}
    return next((kept[name] for name in _HANDLED[_use(candidate)] if name in kept), None)


def _at_root(candidate: LoadRaceCandidate, seen: Observation) -> tuple[str, ...]:
    """What tells apart those for whom one root listens. Presses that are lost are lost for one and the same reason;
    what the browser does by itself with a form, a field or a link is a matter of each."""
    use, handler, element = _use(candidate), _wired(candidate, seen), seen.elements.get(candidate.target)
    known = "" if handler is None else "wired"
    if use is _Use.PRESS or element is None:
        return (use, known)
    code = without_data(handler) if handler is not None else re.sub(r"\[\d+\]", "", element.path)
    if use is _Use.SEND:  # of forms alike in code and place, the button says what they are for
        return (use, known, code, kin(candidate.probes[0].event))
    return (use, known, code, element.kind)


def _varied(group: Sequence[LoadRaceCandidate], seen: Observation) -> Iterator[LoadRaceCandidate]:
    """One element of each kind, and one for each handler, then the second of each ..."""
    kinds: dict[tuple[str, str], list[LoadRaceCandidate]] = {}
    for each in group:
        element = seen.elements.get(each.target)
        handler = without_data(_wired(each, seen) or "") if each.delegated else ""
        kinds.setdefault((element.kind if element is not None else "", handler), []).append(each)
    for row in zip_longest(*kinds.values()):
        yield from filter(None, row)


def _rank(candidate: LoadRaceCandidate, kind: FindingKind, seen: Observation) -> int:
    deed = candidate.deed
    if kind is FindingKind.FORM_INPUT_OVERWRITTEN:
        return 0 if candidate.part is LoadRacePart.WRITE else 1
    assert isinstance(deed, Listening)
    if kind is FindingKind.LATE_HANDLER:
        if candidate.part is LoadRacePart.SYSTEM:
            return 4
        if candidate.delegated and seen.wired:
            return _AT_ROOT[_use(candidate)] if _wired(candidate, seen) is not None else 8
        if candidate.probes[0].sends:
            return 2
        return 2 if deed.type in (UPGRADE, "submit") or _PREVENTS.search(deed.source) else 6
    if not any(is_script(seen.trace.steps[probe.position].event) for probe in candidate.probes):
        return 7  # what else comes late seldom defines anything
    return 3 if deed.markup else 5


_AT_ROOT = {_Use.SEND: 2, _Use.FOLLOW: 3, _Use.ENTER: 3, _Use.PRESS: 4}


def words(candidates: Iterable[LoadRaceCandidate], seen: Observation) -> list[str]:
    """The elements of candidates, for people."""
    return list(
        dict.fromkeys(str(seen.elements[each.target].name) for each in candidates if each.target in seen.elements)
    )
