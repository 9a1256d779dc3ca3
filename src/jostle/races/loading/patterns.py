"""The patterns of races while loading, looked for in one observed load. Pure: what they find is still to be tried.

P1'  a field that can be filled in, then an event that may take long, then a script writes the field or moves the focus
P2   an element that can be seen, then an event that may take long, then somebody begins to listen at it
P3a  a handler that is there before an event that may take long: does it fail then?

In P1' and P2 the delay must be proved: the element is in the page before the long event, and that before the script's
deed, in every possible order. What is not proved is told apart (`proved`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from jostle.events import Causality, Event, Field, Kind, UserEvent
from jostle.findings.evidence import LoadRacePart
from jostle.races.loading.observation import (
    DOCUMENT,
    WINDOW,
    Boundary,
    Element,
    FocusMove,
    Listening,
    Observation,
    Write,
    is_script,
)

_PRESSES = ("click", "check", "tap")
_ENTRIES = ("type", "fill", "check", "select")
GESTURES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"), _PRESSES),
    **dict.fromkeys(("input", "change", "beforeinput"), _ENTRIES),
    **dict.fromkeys(("keydown", "keyup", "keypress"), ("type", "press")),
    "dblclick": ("dblclick",),
    "contextmenu": ("rightclick",),
    **dict.fromkeys(("mouseover", "mouseenter", "pointerover", "pointerenter"), ("hover",)),
}
"""What a user does for an event to come about. A form that is sent is a matter of its own."""
UPGRADE = "upgrade"
_NOTICED = {name: n for n, name in enumerate(("submit", "click", "input", "change"))}
"""What handlers are mostly for; of several listeners at one root, that for the first of these stands for all."""
_UNHURRIED = frozenset(("mouseover", "mouseenter", "pointerover", "pointerenter"))
"""The pointer stays there, and comes again."""
_TEXTS = ("type", "fill")
_MOST_ENTRIES = 6
"""Fields of a form that are filled in before it is sent."""
_LOADING = ("img", "iframe", "script", "link", "video", "audio", "object", "embed", "frame")


class Probe(msgspec.Struct, frozen=True):
    """When to do what."""

    position: int
    """Of a boundary; for the loading of the page itself, of the event that ends it."""
    event: Event
    """The user's event; without a user, the one that is to come before this position or after it."""
    first: tuple[Event, ...] = ()
    """What the user does before: filling in a form."""
    sends: bool = False
    """The user sends a form."""

    @property
    def done(self) -> tuple[str, ...]:
        """The keys of what the user does."""
        return (*(event.key for event in self.first), self.event.key)


class LoadRaceCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """Something that matches a pattern, and how it might be shown."""

    part: LoadRacePart
    target: str
    """Id of the element that the user acts on; without a user, of what loads: an element, `document` or `window`."""
    probes: tuple[Probe, ...]
    """How to try it, the most promising first."""
    deed: Write | FocusMove | Listening
    """What the script does after the delay; the handler, for one that may fail."""
    proved: bool = True
    delegated: bool = False
    """Who listens is not the element itself, nor its form: a framework at the root of what it draws."""


class Patterns:
    """Looks for all patterns in one observation."""

    def __init__(self, seen: Observation) -> None:
        self._seen = seen
        self._causality = Causality(seen.trace)
        self._position = {key: position for position, key in enumerate(self._causality.keys)}
        self._ends: dict[tuple[str, str, int], list[int]] = {}
        for gone in seen.unlistening:
            ends = self._ends.setdefault((gone.target, gone.type, gone.listener), [])
            ends.append(self._position.get(gone.event, -1))
        self._delayed: dict[str, list[Boundary]] = {}

    # P1'

    def overwritten(self) -> Iterator[LoadRaceCandidate]:
        """Fields that a script writes after the user could have filled them in; one candidate for each place."""
        told = set()
        for write in self._seen.writes:
            if write.target not in self._seen.elements:
                continue
            for target in self._filled_in(write):
                probes = self._entries(target, write.event, _other_than(write.value))
                if probes and (target, write.event) not in told:
                    told.add((target, write.event))
                    yield from self._split(LoadRacePart.WRITE, target, probes, write)

    def unfocused(self) -> Iterator[LoadRaceCandidate]:
        """Fields that lose the focus to another while the user may be typing."""
        for move in self._seen.focus_moves:
            fields = dict.fromkeys(
                target
                for boundary in self._seen.boundaries
                for target, events in boundary.offers.items()
                if target != move.target and any(event.action.type == "type" for event in events)
            )
            for target in fields:
                probes = self._entries(target, move.event, lambda event: event.action.type == "type")
                if probes:
                    yield from self._split(LoadRacePart.FOCUS, target, probes, move)
                    break  # the first field stands for all

    def _filled_in(self, write: Write) -> Iterator[str]:
        """The fields in which the user's entry is lost by the write: of radio buttons, the others."""
        element = self._seen.elements.get(write.target)
        group = element.group if element is not None else ""  # it may never have been in the page
        others = [each.id for each in self._seen.elements.values() if group and each.group == group]
        yield from [each for each in others if each != write.target] or [write.target]

    def _entries(self, target: str, event: str, wanted: Callable[[Event], bool]) -> list[Probe]:
        found = []
        for rank in range(2):
            for boundary in self._delays(event):
                events = _of(boundary.offers.get(target, ()), _ENTRIES)
                events.sort(key=lambda each: not wanted(each))
                found += [Probe(boundary.position, each) for each in events[rank : rank + 1]]
        return found

    # P2

    def late(self) -> Iterator[LoadRaceCandidate]:
        """Handlers for what a user could have done before they were there."""
        at_root: dict[tuple[str, str, str, str], LoadRaceCandidate] = {}
        for listening in sorted(self._seen.listening, key=lambda each: _NOTICED.get(each.type, len(_NOTICED))):
            if listening.markup or listening.type in _UNHURRIED:
                continue
            probes: dict[str, list[Probe]] = {}
            for boundary in self._delays(listening.event):
                for target, probe in self._gestures(boundary, listening, constructed=True):
                    probes.setdefault(target, []).append(probe)
            for target, found in probes.items():
                for each in self._split(LoadRacePart.USER, target, found, listening):
                    if not self._is_delegated(target, listening):
                        yield each
                    else:  # who listens at a root listens for everything: what the user does is done once
                        key = (listening.event, listening.target, target, each.probes[0].event.key)
                        at_root.setdefault(key, msgspec.structs.replace(each, delegated=True))
        yield from at_root.values()

    def _is_delegated(self, target: str, listening: Listening) -> bool:
        if listening.type == UPGRADE or target == listening.target:
            return False
        element, at = self._seen.elements.get(target), self._seen.elements.get(listening.target)
        return not (listening.type == "submit" and element is not None and at is not None and element.form == at.path)

    def unheard(self) -> Iterator[LoadRaceCandidate]:
        """Handlers for the load event of an element that may have loaded before they were there."""
        for listening in self._seen.listening:
            target = self._seen.elements.get(listening.target)
            if listening.type not in ("load", "error") or target is None or target.kind not in _LOADING:
                continue
            answer = self._answer_for(target)
            if answer is None:
                continue
            probes = [Probe(boundary.position, answer) for boundary in self._delays(listening.event)]
            if probes:
                yield from self._split(LoadRacePart.SYSTEM, target.id, probes, listening)

    def missed(self) -> Iterator[LoadRaceCandidate]:
        """Handlers for the loading of the page itself, registered by a script that may come after it, and did."""
        passed: dict[str, int] = {}
        for position, step in enumerate(self._seen.trace.steps):
            for milestone in step.effect.lifecycle:
                passed.setdefault(milestone.name, position)
        for listening in self._seen.listening:
            over, at = passed.get(listening.type), self._position.get(listening.event)
            if listening.target not in (DOCUMENT, WINDOW) or over is None or at is None or at <= over:
                continue
            script = self._seen.trace.steps[at].event
            if is_script(script) and self._position.get(script.creator, over) < over:
                probe = Probe(over, script)
                yield LoadRaceCandidate(
                    part=LoadRacePart.SYSTEM, target=listening.target, probes=(probe,), deed=listening
                )

    def _answer_for(self, element: Element) -> Event | None:
        for event in self._seen.trace.events:
            if element.src and event.kind is Kind.NETWORK and _address(event.request.url) == _address(element.src):
                return event
        return None

    # P3a

    def early(self) -> Iterator[LoadRaceCandidate]:
        """Handlers that are there before the page is ready, to be tried then."""
        for listening in self._seen.listening:
            if listening.type == UPGRADE:
                continue
            probes: dict[str, list[Probe]] = {}
            for boundary in self._seen.boundaries:
                if self._listens_at(listening, boundary):
                    for target, probe in self._gestures(boundary, listening, constructed=False):
                        probes.setdefault(target, []).append(probe)
            for target, found in probes.items():
                found.sort(key=lambda probe: not is_script(self._seen.trace.steps[probe.position].event))
                yield LoadRaceCandidate(part=LoadRacePart.USER, target=target, probes=tuple(found), deed=listening)

    def _listens_at(self, listening: Listening, boundary: Boundary) -> bool:
        began = self._position.get(listening.event, -1)
        ends = self._ends.get((listening.target, listening.type, listening.listener), ())
        return began < boundary.position and not any(began <= end < boundary.position for end in ends)

    # What they have in common.

    def _delays(self, event: str) -> list[Boundary]:
        """The boundaries whose long event comes before this one, or is it; the nearest first."""
        if event not in self._delayed:
            self._delayed[event] = [
                boundary
                for boundary in reversed(self._seen.boundaries)
                if event in self._position
                and ((long := self._seen.after(boundary).key) == event or self._causality.before(long, event))
            ]
        return self._delayed[event]

    def _there(self, target: str, position: int) -> bool:
        """Whether the element is always in the page before the event at this position happens."""
        element, long = self._seen.elements.get(target), self._seen.trace.steps[position].event
        if element is None or long.request.url in element.behind:
            return False
        return element.born not in self._position or self._causality.before(element.born, long.key)

    def _present(self, element: Element, boundary: Boundary) -> bool:
        """Whether it was in the page at that time."""
        return self._position.get(element.born, -1) < boundary.position

    def _split(
        self, part: LoadRacePart, target: str, probes: Sequence[Probe], deed: Write | FocusMove | Listening
    ) -> Iterator[LoadRaceCandidate]:
        """Of several moments the nearest and the farthest are tried; proved ones, if there are any."""
        proved = [probe for probe in probes if self._there(target, probe.position)]
        chosen = proved or probes
        ends = {max(probe.position for probe in chosen), min(probe.position for probe in chosen)}
        tried = tuple(probe for probe in chosen if probe.position in ends)
        yield LoadRaceCandidate(part=part, target=target, probes=tried, deed=deed, proved=bool(proved))

    def _gestures(self, boundary: Boundary, listening: Listening, *, constructed: bool) -> Iterator[tuple[str, Probe]]:
        """What a user can do at the boundary for the listener to hear it, by element. `constructed`: also with an
        element that nothing shows yet to be for use."""
        target, kind = listening.target, listening.type
        if kind == "submit":
            yield from self._sent(boundary, listening)
            return
        wanted = GESTURES.get(kind, ()) if kind != UPGRADE else (*_PRESSES, *_ENTRIES)
        if not wanted:
            return
        inside: Iterable[str] = boundary.offers if target in (DOCUMENT, WINDOW) else listening.within
        offered = False
        for each in (target, *(each for each in inside if each != target)):
            for event in _of(boundary.offers.get(each, ()), wanted)[:1]:
                offered = True
                yield each, self._filled(boundary, each, event)
        element = self._seen.elements.get(target)
        if constructed and not offered and element is not None and self._present(element, boundary):
            made = _made(element, wanted[0])
            if made is not None:
                yield target, Probe(boundary.position, made)

    def _sent(self, boundary: Boundary, listening: Listening) -> Iterator[tuple[str, Probe]]:
        """Sending a form that is filled in: by its button, or by Enter in one of its fields."""
        form = self._seen.elements.get(listening.target)
        inside = set(listening.within)
        ways: dict[str, list[tuple[str, Event]]] = {}
        for target, events in boundary.offers.items():
            element = self._seen.elements.get(target)
            if element is None or not element.form:
                continue
            if form is not None and element.form != form.path and target not in inside:
                continue
            sending = ways.setdefault(element.form, [])
            for event in events:
                if event.action.type == "press" and event.action.value == "Enter":
                    sending.append((target, event))
                elif event.action.type == "click" and element.sends:
                    sending.insert(0, (target, event))
        for sending in ways.values():
            if sending:
                target, event = sending[0]
                yield target, self._filled(boundary, target, event)

    def _filled(self, boundary: Boundary, target: str, event: Event) -> Probe:
        """A form is filled in before it is sent: one that is not would be refused, as it should be."""
        element, action = self._seen.elements.get(target), event.action
        enters = action.type == "press" and action.value == "Enter"
        if element is None or not element.form or not (enters or (action.type == "click" and element.sends)):
            return Probe(boundary.position, event)
        entries: dict[str, Event] = {}
        for other, events in boundary.offers.items():
            field = self._seen.elements.get(other)
            if field is None or field.form != element.form:
                continue
            for each in events:
                kind = each.action.type
                if kind in _TEXTS or (kind in _ENTRIES and (each.action.field or Field()).required):
                    entries.setdefault(other, each)
        return Probe(boundary.position, event, tuple(entries.values())[:_MOST_ENTRIES], sends=True)


def _address(url: str) -> str:
    return url.partition("#")[0]


def _of(events: Iterable[Event], wanted: Sequence[str]) -> list[Event]:
    return [event for event in events if event.action.type in wanted]


def _other_than(value: str) -> Callable[[Event], bool]:
    """Whether an entry differs from what the script writes."""
    return lambda event: event.action.value not in (value, value.lower())


_VERBS = {"click": "click", "dblclick": "double-click", "rightclick": "right-click"}


def _made(element: Element, action: str) -> Event | None:
    """The user's event for an element that nobody has offered."""
    verb, locator = _VERBS.get(action), element.standing.locator
    if verb is None or locator is None:
        return None
    return UserEvent(what=f"{verb} {locator.words}", detail=msgspec.structs.replace(element.standing, type=action))
