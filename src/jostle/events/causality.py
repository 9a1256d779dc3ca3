"""Happens-before: which events of a run can never change places.

Rules (numbers as in the R4 paper's detector; `A < B` means B can never happen before A):

=====  ==============================================================================================
H1     the event that created B < B
H2     the user's events form one chain, whoever the user is (H11: an automatic explorer too)
H3     what feeds or blocks the parser of a document (the document's own answer, blocking scripts and
       styles) and its earlier parse steps < its next parse step. Where the parser waits only for a moment,
       what comes after the event that led it there comes after the next step, if it is the user's or a
       timer of more than `MOMENT`
H4     parse steps, blocking scripts < deferred scripts of the document; deferred scripts in document order
H5     parse steps, blocking and deferred scripts < DOMContentLoaded < load; answers that delay load < load;
       load of a nested document < load of the document it is in
H6     what brought the target of B into the page < B: when the browser knows it, it says so in `after`
H7/H9  events of one channel, answers of one request (segments, redirects), animation frames of one
       document: in order
H8     firings of one interval: in order. Timers A, B of one document: registration of A <= registration
       of B and delay of A <= delay of B  =>  A < B
H10    the last user event < an event whose creator is not known (not in the trace, and the event was not
       possible from the start)
=====  ==============================================================================================

A rule is only applied forwards: what happened in a certain order could happen in that order, so an event is
never put before one that preceded it in the trace.

The rules read `Event.detail` (see `jostle.events.detail`); all of it is optional, and those without a `document` are
taken for a document of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import inf

from jostle.events.event import Event, Kind, LifecycleEvent, NetworkEvent, ParseEvent
from jostle.events.trace import Trace

LOAD_DELAYING = frozenset({"script", "style", "image", "font"})
"""Resources whose answers the load event of their document waits for."""

MOMENT = 250.0
"""Milliseconds that the parser waits at most where it waits for a moment."""
_START = -1
"""Where an event was registered that was possible from the start."""

# Stages of loading a document (H3 to H5), and what must be over before each.
_PARSE, _BLOCKING, _DEFERRED, _READY, _DELAYING, _LOAD = "parse", "blocking", "deferred", "ready", "delaying", "load"
_AFTER: Mapping[str, tuple[str, ...]] = {
    _PARSE: (_PARSE, _BLOCKING),
    _DEFERRED: (_PARSE, _BLOCKING),
    _READY: (_PARSE, _BLOCKING, _DEFERRED),
    _LOAD: (_PARSE, _BLOCKING, _DEFERRED, _READY, _DELAYING),
}


class Causality:
    """The happens-before relation of one run. Events are named by their keys.

    Each event has the set of all its predecessors as one integer, a bit per step. That is n*n/8 bytes (2 MB for
    4,000 events), a union is one `|`, and a query one shift: with thousands of events faster in Python than vector
    clocks over a chain decomposition, which need a loop over the chains for every event.
    """

    def __init__(self, trace: Trace) -> None:
        events = trace.events
        self.keys: tuple[str, ...] = tuple(event.key for event in events)
        """The events of the run, in the order in which they happened."""
        self._position = {key: position for position, key in enumerate(self.keys)}
        if len(self._position) < len(self.keys):
            twice = next(key for position, key in enumerate(self.keys) if self._position[key] != position)
            raise ValueError(
                f"{twice} happens twice in the trace ({events[self._position[twice]]}): "
                "events of the same kind, descriptor and creator need different occurrence numbers"
            )
        self._before = self._close(events, {event.key for event in trace.initial})

    def before(self, a: str, b: str) -> bool:
        """Whether b can never happen before a. Never true of an event and itself. KeyError for one not in the trace."""
        return self._before[self._position[b]] >> self._position[a] & 1 == 1

    @property
    def sets(self) -> Sequence[int]:
        """For each event of the run all those before it, as the bits of an integer: bit n is the n-th event."""
        return self._before

    def concurrent(self, a: str, b: str) -> bool:
        """Whether two different events are not ordered."""
        return a != b and not self.before(a, b) and not self.before(b, a)

    def predecessors(self, a: str) -> tuple[str, ...]:
        """All events before a, in the order in which they happened."""
        return tuple(self.keys[position] for position in _members(self._before[self._position[a]]))

    def enabled_after(self, prefix: Iterable[str]) -> tuple[str, ...]:
        """Events of the run that are not in the prefix and all of whose predecessors are, in the order of the run."""
        done = 0
        for key in prefix:
            done |= 1 << self._position[key]
        return tuple(
            key
            for position, key in enumerate(self.keys)
            if not done >> position & 1 and not self._before[position] & ~done
        )

    def _close(self, events: Sequence[Event], initial: set[str]) -> list[int]:
        """The set of all predecessors of each event."""
        creators = [self._creator(position, event, initial) for position, event in enumerate(events)]
        edges = self._edges(events, creators)
        timers = _Timers(events, creators)
        closed: list[int] = []
        registered: list[int] = []  # by each event and its predecessors: a set of timers
        brief: list[tuple[int, int]] = []  # parse steps after a moment's wait, each with what led the parser there
        for position, edge in enumerate(edges):
            candidates = (edge | timers.sooner(position, registered)) & ((1 << position) - 1)
            predecessors = 0
            timers_so_far = timers.registered_at(position) | timers.registered_at(_START)
            # The latest candidate is before none of the others: take it with all that is before it, then the latest
            # of those left. So only the last of each chain is looked at.
            while candidates:
                latest = candidates.bit_length() - 1
                predecessors |= closed[latest] | 1 << latest
                timers_so_far |= registered[latest]
                candidates &= ~predecessors
            event = events[position]
            if event.by_user or (event.timer.delay or 0) > MOMENT:  # H3
                for led, step in brief:
                    if predecessors >> led & 1 and not predecessors >> step & 1:
                        predecessors |= closed[step] | 1 << step
                        timers_so_far |= registered[step]
            elif isinstance(event, ParseEvent) and event.detail.brief:
                brief += [(self._position[key], position) for key in event.detail.after if key in self._position]
            closed.append(predecessors)
            registered.append(timers_so_far)
        return closed

    def _creator(self, position: int, event: Event, initial: set[str]) -> int | None:
        """Where in the trace the event was created; _START for those possible from the start, None if not known."""
        creator = self._position.get(event.creator)
        if creator is not None and creator < position:
            return creator
        return _START if self.keys[position] in initial else None

    def _edges(self, events: Sequence[Event], creators: Sequence[int | None]) -> list[int]:
        """The direct predecessors of each event by every rule but the timer rule; later events may be among them."""
        last: dict[tuple[Hashable, ...], int] = {}
        stages: defaultdict[tuple[str, Hashable], int] = defaultdict(int)
        deferred: defaultdict[Hashable, dict[int, float]] = defaultdict(dict)
        for position, event in enumerate(events):
            if _stage(event) == _DEFERRED:
                deferred[event.detail.document][position] = event.request.registered
        earlier_deferred: dict[int, int] = {}
        for ranks in deferred.values():
            earlier_deferred |= _not_above(ranks)

        edges: list[int] = []
        for position, (event, creator) in enumerate(zip(events, creators, strict=True)):
            this, edge = 1 << position, 0
            if creator is None and not event.by_user:  # H10
                edge |= _bit(last.get(("user",)))
            if creator is not None and creator != _START:  # H1
                edge |= 1 << creator
            for key in event.detail.after:  # H6
                edge |= _bit(self._position.get(key))
            for chain in _chains(event):  # H2, H7, H8, H9
                edge |= _bit(last.get(chain))
                last[chain] = position
            if stage := _stage(event):  # H3, H4, H5
                document = event.detail.document
                for earlier in _AFTER.get(stage, ()):
                    edge |= stages[earlier, document]
                edge |= earlier_deferred.get(position, 0)
                stages[stage, document] |= this
                if stage == _LOAD and isinstance(event, LifecycleEvent) and event.detail.parent_document is not None:
                    stages[_DELAYING, event.detail.parent_document] |= this
            if _delays_load(event):
                stages[_DELAYING, event.detail.document] |= this
            edges.append(edge)
        return edges


class _Timers:
    """The timer rule (H8): sets of timers by where they were registered, and how long they take."""

    def __init__(self, events: Sequence[Event], creators: Sequence[int | None]) -> None:
        self._registration: dict[int, Hashable] = {}
        ranks: defaultdict[Hashable, dict[int, float]] = defaultdict(dict)
        delays: defaultdict[Hashable, dict[int, float]] = defaultdict(dict)
        firings: dict[tuple[Hashable, ...], int] = {}
        for position, event in enumerate(events):
            timer = event.timer
            if timer.delay is None:
                continue
            # A creator outside the trace is still one and the same event for all that it created.
            registration: Hashable = event.creator if creators[position] is None else creators[position]
            rank: float = timer.registered or 0
            if interval := _interval(event):
                if interval in firings:  # armed again at the end of the firing before, after all that one registered
                    registration, rank = firings[interval], inf
                firings[interval] = position
            self._registration[position] = registration
            if registration != "":
                ranks[registration][position] = rank
            delays[timer.document][position] = max(0, timer.delay)
        self._at = {registration: _set(timers) for registration, timers in ranks.items()}
        self._no_later: dict[int, int] = {}  # registered in the same event, and not later
        self._no_longer: dict[int, int] = {}  # in the same document, with no longer a delay
        for group in ranks.values():
            self._no_later |= _not_above(group)
        for group in delays.values():
            self._no_longer |= _not_above(group)

    def registered_at(self, position: int) -> int:
        return self._at.get(position, 0)

    def sooner(self, position: int, registered: Sequence[int]) -> int:
        """Timers that fire before the one at this position by the rule, given what each earlier event and its
        predecessors registered."""
        if position not in self._registration:
            return 0
        registration = self._registration[position]
        earlier = self.registered_at(_START)
        if isinstance(registration, int):
            if registration != _START:
                earlier = registered[registration]
            earlier &= ~self.registered_at(registration)
        return (earlier | self._no_later.get(position, 0)) & self._no_longer[position]


def _chains(event: Event) -> Iterator[tuple[Hashable, ...]]:
    """The chains an event is part of."""
    if event.by_user:
        yield ("user",)
    if event.kind is Kind.FRAME:
        yield ("frame", event.detail.document)
    if event.detail.channel:
        yield ("channel", event.detail.channel)
    if event.request.request:
        yield ("request", event.request.request)
    if interval := _interval(event):
        yield interval


def _interval(event: Event) -> tuple[Hashable, ...]:
    """Which interval the event is a firing of; empty when of none."""
    timer = event.timer
    if timer.interval and timer.registered is not None:
        return ("interval", timer.document, timer.registered)
    return ()


def _stage(event: Event) -> str:
    """The part of an event in the loading of its document; empty when it has none the parser knows of."""
    match event:
        case ParseEvent():
            return _PARSE
        case LifecycleEvent():
            return {"DOMContentLoaded": _READY, "load": _LOAD}.get(event.detail.type, "")
        case NetworkEvent() if event.detail.blocking or event.detail.resource == "document":
            return _BLOCKING
        case NetworkEvent() if event.detail.defer and not event.detail.asynchronous:
            return _DEFERRED
    return ""


def _delays_load(event: Event) -> bool:
    if event.kind is not Kind.NETWORK:
        return False
    told = event.request.delays_load
    return event.request.resource in LOAD_DELAYING if told is None else told


def _not_above(ranks: Mapping[int, float]) -> dict[int, int]:
    """For each position the set of those whose rank is not higher."""
    sets: dict[int, int] = {}
    so_far = 0
    for _, equal in groupby(sorted(ranks, key=ranks.__getitem__), key=ranks.__getitem__):
        positions = list(equal)
        so_far |= _set(positions)
        sets |= dict.fromkeys(positions, so_far)
    return sets


def _set(positions: Iterable[int]) -> int:
    members = 0
    for position in positions:
        members |= 1 << position
    return members


def _bit(position: int | None) -> int:
    return 0 if position is None else 1 << position


def _members(positions: int) -> Iterator[int]:
    while positions:
        lowest = positions & -positions
        yield lowest.bit_length() - 1
        positions ^= lowest
