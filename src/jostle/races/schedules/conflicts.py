"""Which events of a run conflict: races, and those among them that can be reversed on their own.

Two events race when happens-before does not order them and one of them writes a location that the other touches. For
each location only neighbours are paired: an access with the write before it, a read with the write after it. All other
races are chains of these.

A race is *covered* when a chain of races and of happens-before leads from its first event to its second by way of a
third: reversing it would take reversing another one too. Those that are not covered are the relevant conflicts; a
search reverses them one at a time, and reaches the covered ones in runs in which they are no longer covered.

Dependence is happens-before and races, transitively closed. As in `Causality` each event has one integer, the set of
all it depends on. A race is uncovered when it is an edge of the transitive reduction of that relation, which falls out
of closing it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import attrgetter

import msgspec

from jostle.events.access import Access
from jostle.events.causality import Causality
from jostle.events.location import Location
from jostle.events.trace import Trace
from jostle.races.schedules.filters import Filters
from jostle.races.schedules.tags import Tag, tags
from jostle.races.schedules.touches import Mode, Touch, touches


class Racing(msgspec.Struct, frozen=True, kw_only=True):
    """A location two events race for."""

    location: Location
    first: Access
    second: Access
    modes: tuple[Mode, Mode]
    tags: tuple[Tag, ...] = ()

    @property
    def name(self) -> str:
        return self.first.name or self.second.name or str(self.location)


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """Two events whose order may matter."""

    first: str
    """Key of the event that came first in this run."""
    second: str
    racing: tuple[Racing, ...] = ()
    """All they race for. Empty when the first made the second impossible, which so never happened."""

    @property
    def cancels(self) -> bool:
        return not self.racing


class Dropped(msgspec.Struct, frozen=True, kw_only=True):
    """Races for a location that a filter left out."""

    location: Location
    name: str
    filters: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    """Keys of the events that would race."""


class Conflicts:
    """The conflicts of one run. Positions are places in the run, from 0."""

    def __init__(self, trace: Trace, causality: Causality | None = None, filters: Filters | None = None) -> None:
        self.causality = causality or Causality(trace)
        self.dropped: list[Dropped] = []
        """What the filters left out, where it would have raced."""
        self.depends: list[int] = []
        """For each event the set of events it depends on, as bits."""
        self.races: dict[tuple[int, int], tuple[Location, ...]] = {}
        """Neighbouring accesses that race: pairs of positions, with the locations."""
        self.uncovered: list[tuple[int, int]] = []
        """The races that are relevant conflicts, by their second event, the latest first event first."""
        self._trace = trace
        self._keys = self.causality.keys
        self._touches: dict[Location, Sequence[Touch]] = {}
        self._find(filters or Filters())
        self._cover()

    def conflict(self, first: int, second: int) -> Conflict:
        """A race with all that is known about it."""
        places = []
        for location in self.races[first, second]:
            one, two = self._touch(location, first), self._touch(location, second)
            one_access, two_access = _meeting(one, two)
            places.append(
                Racing(
                    location=location,
                    first=one_access,
                    second=two_access,
                    modes=(one.mode, two.mode),
                    tags=self.tags(location),
                )
            )
        return Conflict(first=self._keys[first], second=self._keys[second], racing=tuple(places))

    @property
    def relevant(self) -> Iterator[Conflict]:
        """The conflicts that can be reversed on their own."""
        return (self.conflict(first, second) for first, second in self.uncovered)

    @property
    def covered(self) -> Iterator[Conflict]:
        uncovered = set(self.uncovered)
        return (self.conflict(*pair) for pair in self.races if pair not in uncovered)

    def cancelled(self) -> Iterator[tuple[int, str]]:
        """Events that another one made impossible: the position of that one, and the key of what never happened then.

        Never two user events, whose order is the user's.
        """
        kinds = {event.key: event.by_user for event in self._trace.initial}
        for position, step in enumerate(self._trace.steps):
            for key in step.effect.removed:
                if key in kinds and not (kinds[key] and step.event.by_user):
                    yield position, key
            kinds |= {event.key: event.by_user for event in step.effect.created}

    def needed(self, first: int, second: int) -> tuple[int, ...]:
        """What lies between two events and must come before the second when that is pulled before the first."""
        between = self.depends[second] >> (first + 1) << (first + 1)
        return tuple(_members(between))

    def dependent(self, first: int, second: int) -> bool:
        """Whether the later of two events depends on the earlier, perhaps by way of others."""
        return self.depends[second] >> first & 1 == 1

    def tags(self, location: Location) -> tuple[Tag, ...]:
        """What EventRacer would say about the races for a location."""
        found = self._tags.get(location)
        if found is None:
            races = self._by_location.get(location, ())
            uncovered = self._uncovered
            found = self._tags[location] = tags(
                location,
                self._touches[location],
                [(first, second, (first, second) in uncovered) for first, second in races],
                self._trace,
                self.causality.sets,
            )
        return found

    @cached_property
    def _tags(self) -> dict[Location, tuple[Tag, ...]]:
        return {}

    @cached_property
    def _uncovered(self) -> frozenset[tuple[int, int]]:
        return frozenset(self.uncovered)

    @cached_property
    def _by_location(self) -> dict[Location, list[tuple[int, int]]]:
        found: dict[Location, list[tuple[int, int]]] = {}
        for pair, locations in self.races.items():
            for location in locations:
                found.setdefault(location, []).append(pair)
        return found

    def _touch(self, location: Location, position: int) -> Touch:
        all_touches = self._touches[location]
        return all_touches[bisect_left(all_touches, position, key=attrgetter("event"))]

    def _find(self, filters: Filters) -> None:
        before = self.causality.sets
        found: dict[tuple[int, int], list[Location]] = {}
        for location, all_touches in touches(self._trace).items():
            raw = _races(all_touches, before)
            if not raw:
                continue
            left, used = filters.apply(location, all_touches)
            races = _races(left, before) if used else raw
            if used and (lost := [pair for pair in raw if pair not in races]):
                self.dropped.append(
                    Dropped(
                        location=location,
                        name=all_touches[0].access.name or str(location),
                        filters=used,
                        pairs=tuple((self._keys[first], self._keys[second]) for first, second in lost),
                    )
                )
            if races:
                self._touches[location] = left
            for pair in races:
                found.setdefault(pair, []).append(location)
        self.races = {pair: tuple(locations) for pair, locations in found.items()}

    def _cover(self) -> None:
        racing = [0] * len(self._keys)
        for first, second in self.races:
            racing[second] |= 1 << first
        for position, before in enumerate(self.causality.sets):
            candidates, depends = before | racing[position], 0
            # The latest candidate depends on none of the others, so what is left of them after taking it with all it
            # depends on is reached by no longer way: the latest of them is the next edge of the transitive reduction.
            while candidates:
                latest = candidates.bit_length() - 1
                if not before >> latest & 1:
                    self.uncovered.append((latest, position))
                depends |= self.depends[latest] | 1 << latest
                candidates &= ~depends
            self.depends.append(depends)


def _races(all_touches: Sequence[Touch], before: Sequence[int]) -> dict[tuple[int, int], None]:
    """Neighbours that are not ordered: (earlier, later)."""
    if len(all_touches) < 2:
        return {}
    found: dict[tuple[int, int], None] = {}
    writer = -1
    readers: list[int] = []  # since that write
    for touch in all_touches:
        position = touch.event
        ordered = before[position]
        if writer >= 0 and not ordered >> writer & 1:
            found[writer, position] = None
        if touch.write is not None:
            for reader in readers:
                if not ordered >> reader & 1:
                    found[reader, position] = None
            readers.clear()
            writer = position
        else:
            readers.append(position)
    return found


def _meeting(one: Touch, two: Touch) -> tuple[Access, Access]:
    """The accesses of two events that meet: a write with what the other read of it, if it did."""
    if one.write is not None and two.read is not None and two.reads_first:
        return one.write, two.read
    if one.write is None and one.read is not None and two.write is not None:
        return one.read, two.write
    return one.access, two.access


def _members(positions: int) -> Iterator[int]:
    while positions:
        lowest = positions & -positions
        yield lowest.bit_length() - 1
        positions ^= lowest
