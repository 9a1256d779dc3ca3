"""Does a policy make the bad order of a race impossible? (Section 10.4 of the paper.)

Watching the repaired page tells nothing: a detector does not know what the controller waits for, and goes on reporting
the race. Instead the happens-before relation of a recorded run is extended by what the policy forces: the race is
prevented if its two events are ordered then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from jostle.events import Event, Kind, Trace
from jostle.events.causality import Causality
from jostle.events.event import LifecycleEvent, MessageEvent, NetworkEvent, TimerEvent, UserEvent
from jostle.repair.decide import PageEvent, address_matches, extended, matches
from jostle.repair.policy import Action, Arrived, Do, EventKind, Extension, On, Parsed, Policy, Rule

Selects = Callable[[Event, str], bool]
"""Whether the element of a user's event matches a CSS selector."""


class Race(msgspec.Struct, frozen=True):
    """Two events of a run that are not ordered, by their keys."""

    first: str
    second: str


def prevents(policy: Policy, trace: Trace, race: Race, selects: Selects | None = None) -> bool:
    """Whether the policy orders the two events of the race. `trace` is a run that could happen under the policy.

    False where it cannot be told: rules that wait for a state of the page (`until = function ...`) are not judged.
    Without `selects`, a selector matches an element that the run names by just that selector. KeyError for an event
    that is not in the trace.
    """
    known = Causality(trace)
    if not known.concurrent(race.first, race.second):
        return race.first != race.second
    run = _Run(trace, selects or _named_so)
    return _ordered(known, list(run.edges(policy)), race.first, race.second)


class _Run:
    """A run as rules see it: when each event came into being, and when it began."""

    def __init__(self, trace: Trace, selects: Selects) -> None:
        self._selects = selects
        self.events = trace.events
        self._place = {event.key: position for position, event in enumerate(self.events)}
        self.forked = [self._place.get(event.creator, -1) for event in self.events]
        """Where in the run: in the handlers of that event; -1 for before the first."""
        self.parsed = next(
            (
                position
                for position, event in enumerate(self.events)
                if isinstance(event, LifecycleEvent) and event.detail.type == "DOMContentLoaded"
            ),
            None,
        )
        self._seen = [self._as_rules_see_it(position) for position in range(len(self.events))]

    def edges(self, policy: Policy) -> Iterator[tuple[str, str]]:
        """What the policy forces to come one after the other."""
        for rule in policy.rules:
            forced = self._begins(rule) if rule.match.on is On.BEGIN else self._forks(rule)
            for first, second in forced:
                yield self.events[first].key, self.events[second].key

    def _matching(self, rule: Rule, on: On) -> list[int]:
        return [
            place
            for place, event in enumerate(self._seen)
            if event is not None and self._matches(rule, on, event, place)
        ]

    def _matches(self, rule: Rule, on: On, event: PageEvent, place: int) -> bool:
        selector = rule.match.selector
        if selector:
            at = self._by_whom(place)
            if at is None or not self._selects(self.events[at], selector):
                return False
            event = msgspec.structs.replace(event, selectors=(selector,))
        return matches(rule.match, on, event)

    def _by_whom(self, place: int) -> int | None:
        """The event of the user that it is, or follows from."""
        at = place
        while at >= 0:
            if self.events[at].by_user:
                return at
            at = self.forked[at]
        return None

    def _begins(self, rule: Rule) -> Iterator[tuple[int, int]]:
        if rule.action is Action.DISPATCH:
            return
        for place in self._matching(rule, On.BEGIN):
            for awaited in self._awaited(rule):
                if awaited != place:
                    yield awaited, place

    def _awaited(self, rule: Rule) -> Iterator[int]:
        if isinstance(rule.until, Parsed) and self.parsed is not None:
            yield self.parsed
        if isinstance(rule.until, Arrived) and rule.until.url:
            for place, event in enumerate(self.events):
                if address_matches(rule.until.url, event.request.url):
                    yield place
                    return  # it waits for the first

    def _forks(self, rule: Rule) -> Iterator[tuple[int, int]]:
        places = self._matching(rule, On.FORK)
        if isinstance(rule.until, Parsed) and self.parsed is not None:
            places = [place for place in places if self.forked[place] <= self.parsed]
        places.sort(key=lambda place: (self.forked[place], self._order(place)))
        for extension in rule.then:
            match extension.do:
                case Do.WAIT_FOR:
                    yield from self._waiting(extension, places)
                case Do.WAIT_RECURSIVELY:
                    yield from self._waiting(extension, self._closure(rule, places))
                case Do.ORDER_NEXT | Do.ABORT_OLDER:
                    yield from self._in_order(extension, places)

    def _order(self, place: int) -> float:
        """Among what one event brought into being."""
        event = self.events[place]
        return event.timer.registered or event.request.registered or 0

    def _closure(self, rule: Rule, places: Sequence[int]) -> list[int]:
        """With all that matches and was forked before one of them had arrived, and so on."""
        candidates = self._matching(msgspec.structs.replace(rule, until=Rule().until), On.FORK)
        closed = list(places)
        while more := [
            one
            for one in candidates
            if one not in closed and any(self.forked[each] <= self.forked[one] <= each for each in closed)
        ]:
            closed += more
        return closed

    def _waiting(self, extension: Extension, places: Sequence[int]) -> Iterator[tuple[int, int]]:
        (rule,) = extended(
            msgspec.structs.replace(extension, do=Do.WAIT_FOR), Rule(), PageEvent(id=0, kind=EventKind.TIMER)
        )
        if rule.action is Action.DISPATCH:
            return
        users = self._matching(rule, On.BEGIN)
        for place in places:
            # One that follows from the awaited event is behind it anyway; one before its fork waits for nothing.
            yield from ((place, user) for user in users if user > self.forked[place])

    def _in_order(self, extension: Extension, places: Sequence[int]) -> Iterator[tuple[int, int]]:
        last: dict[str, int] = {}
        for place in places:
            event = self._seen[place]
            lane = event.lane if event is not None and extension.lanes else ""
            before = last.get(lane)
            if before is not None and before > self.forked[place]:  # it had not arrived yet
                yield before, place
            last[lane] = place

    def _as_rules_see_it(self, place: int) -> PageEvent | None:
        event = self.events[place]
        kind: EventKind | None
        types: tuple[str, ...] = ()
        url, delay = "", 0.0
        match event:
            case UserEvent():
                kind, types = EventKind.USER, _TYPES.get(event.detail.type, (event.detail.type,))
            case TimerEvent():
                kind, delay = EventKind.TIMER, event.detail.delay or 0
                types = ("interval" if event.detail.interval else "timeout",)
            case NetworkEvent():
                kind, url = _KINDS.get(event.detail.resource), event.detail.url
                if event.detail.in_frame:
                    kind = EventKind.FRAME
                elif kind is EventKind.SCRIPT and (event.detail.blocking or event.detail.defer):
                    return None  # the parser's: the controller does not see it
                types = ("load",) if kind is not EventKind.RESPONSE else (event.detail.resource,)
            case MessageEvent():
                kind, types, url = EventKind.MESSAGE, ("message",), event.detail.address
            case _:
                return None
        if kind is None:
            return None
        creator = self.forked[place]
        return PageEvent(
            id=place + 1,
            kind=kind,
            types=types,
            url=url,
            lane=lane_of(event.request.method, url) if kind is EventKind.RESPONSE else "",
            delay=delay,
            nested=creator >= 0 and self.events[creator].kind is Kind.TIMER,
        )


_GESTURE = ("pointerdown", "mousedown", "pointerup", "mouseup", "click")
_ENTRY = ("keydown", "keypress", "beforeinput", "input", "keyup", "change")
_TYPES = {
    "click": _GESTURE, "check": _GESTURE, "uncheck": _GESTURE, "dblclick": (*_GESTURE, "dblclick"), "type": _ENTRY,
    "fill": _ENTRY, "press": _ENTRY, "select": ("input", "change"), "hover": ("mouseover", "pointerover"),
}  # fmt: skip
"""The events of JavaScript that an action of the user consists of."""
_KINDS = {
    "xhr": EventKind.RESPONSE, "fetch": EventKind.RESPONSE, "script": EventKind.SCRIPT, "image": EventKind.IMAGE,
}  # fmt: skip


def lane_of(method: str, url: str) -> str:
    """The lane of a request, as the controller names it."""
    path = re.sub(r"^[a-z]+://[^/]*", "", url.partition("?")[0])
    return f"{method.upper()} {re.sub('[0-9]+', '*', path)}"


def _named_so(event: Event, selector: str) -> bool:
    locator = event.action.locator
    return locator is not None and locator.css == selector


def _ordered(known: Causality, edges: Sequence[tuple[str, str]], first: str, second: str) -> bool:
    """Whether one of the two is reached from the other."""
    return _reaches(known, edges, first, second) or _reaches(known, edges, second, first)


def _reaches(known: Causality, edges: Sequence[tuple[str, str]], start: str, goal: str) -> bool:
    def at_or_before(one: str, other: str) -> bool:
        return one == other or known.before(one, other)

    seen: set[str] = set()
    ahead = [start]
    while ahead:
        at = ahead.pop()
        if at_or_before(at, goal):
            return True
        for source, target in edges:
            if target not in seen and at_or_before(at, source):
                seen.add(target)
                ahead.append(target)
    return False
