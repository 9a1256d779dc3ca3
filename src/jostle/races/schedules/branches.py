"""The tree of runs of a search: where runs part, and what is still to be tried there.

Runs share their beginnings. A branch is a run from where it left another one; a node is a place between two events of a
branch, and exists only where something was tried or waits to be tried. So a run of thousands of events costs one list
of keys, and a waiting sequence hardly more than the two events that it reverses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import NamedTuple

import msgspec

from jostle.events.event import Event
from jostle.events.location import Location
from jostle.events.trace import Step, Trace
from jostle.races.schedules.conflicts import Conflict
from jostle.races.schedules.run import PlannedOrder, ScheduleRun, again


class Signature(NamedTuple):
    """What an event does, as far as it matters to others."""

    reads: frozenset[Location]
    writes: frozenset[Location]
    by_user: bool

    def independent(self, other: Signature) -> bool:
        if self.by_user and other.by_user:
            return False
        return self.writes.isdisjoint(other.reads | other.writes) and self.reads.isdisjoint(other.writes)


def signature(step: Step) -> Signature:
    accesses = step.effect.accesses
    return Signature(
        frozenset(access.location for access in accesses if not access.write),
        frozenset(access.location for access in accesses if access.write),
        step.event.by_user,
    )


class Asleep:
    """Events that were tried from a place and need not be tried again before something happens that they depend on.

    `kept`: what slept after so many steps.
    """

    def __init__(self, place: int, sleeping: Mapping[str, Signature]) -> None:
        self._place = place
        self._steps = 0
        self._sleeping = dict(sleeping)
        self.kept: dict[int, dict[str, Signature]] = {}

    def sleeps(self, key: str) -> bool:
        return self._steps >= self._place and key in self._sleeping

    def stepped(self, step: Step) -> None:
        self._steps += 1
        if self._steps <= self._place or not self._sleeping:
            return
        done, gone = signature(step), {step.event.key, *step.effect.removed}
        self._sleeping = {
            key: each for key, each in self._sleeping.items() if key not in gone and each.independent(done)
        }
        self.kept[self._steps] = self._sleeping


class Node:
    """A place between two events."""

    def __init__(self) -> None:
        self.tried: dict[str, Branch | None] = {}
        """What was tried next from here, and the branch it led into; None when that is over, or there was none."""
        self.pending: list[Sequence] = []
        self.signatures: dict[str, Signature] = {}
        """What the events that were tried from here did, when that is needed."""


class Branch:
    """A run, from where it left another one. Places are numbers of events that have happened."""

    def __init__(
        self, run: ScheduleRun, *, number: int, depth: int, origin: Branch | None = None, start: int = 0
    ) -> None:
        self.run = run
        self.number = number
        self.depth = depth
        self.origin = origin
        self.start = start
        """Up to this place it is the same as its origin."""
        self.keys = run.keys
        self.nodes: dict[int, Node] = {}
        self.sleep: Mapping[int, Mapping[str, Signature]] = {}
        self._possible = _possible(run.trace)

    def node(self, place: int) -> Node:
        owner = self._owner(place)
        node = owner.nodes.get(place)
        if node is None:
            node = owner.nodes[place] = Node()
            if place < len(owner.keys):
                node.tried[owner.keys[place]] = owner
        return node

    def _owner(self, place: int) -> Branch:
        branch = self
        while branch.origin is not None and place <= branch.start:
            branch = branch.origin
        return branch

    def sleeping(self, place: int) -> dict[str, Signature]:
        """What need not be tried from a place."""
        owner = self._owner(place)
        return {**owner.sleep.get(place, {}), **owner.node(place).signatures}

    def over(self) -> None:
        """Nothing is left to be tried from it."""
        if self.origin is not None:
            self.origin.node(self.start).tried[self.keys[self.start]] = None

    def keep(self, places: Collection[int]) -> None:
        """Forget what was read and written, but for the events at these places."""
        steps = tuple(
            step if place in places else _without_accesses(step) for place, step in enumerate(self.run.trace.steps)
        )
        trace = msgspec.structs.replace(self.run.trace, steps=steps)
        self.run = msgspec.structs.replace(self.run, trace=trace)

    def possible(self, key: str, place: int) -> bool:
        """Whether an event was possible at a place, as far as the run tells."""
        changes = self._possible.get(key)
        if changes is None:  # not everybody tells what the user could do
            return self.events_by_user.get(key, False)
        return bisect_right(changes, place) % 2 == 1

    def next_of_user(self, key: str, place: int) -> bool:
        """Whether an event may be tried at a place without changing the order of the user's; system events may."""
        if key not in self.events_by_user or not self.events_by_user[key]:
            return True
        scenario = [event.key for event in self.run.asked if event.by_user] or [
            event.key for event in self.run.trace.events if event.by_user
        ]
        done = set(self.keys[:place])
        return next((each for each in scenario if each not in done), None) == key

    @cached_property
    def events(self) -> dict[str, Event]:
        """All events the run knows of, as they are asked for in another one."""
        found = {event.key: event for event in (*self.run.asked, *self.run.trace.initial)}
        for step in self.run.trace.steps:
            found |= {event.key: event for event in step.effect.created}
        return found | {step.event.key: again(step) for step in self.run.trace.steps}

    @cached_property
    def events_by_user(self) -> dict[str, bool]:
        return {key: event.by_user for key, event in self.events.items()}

    @cached_property
    def put_off(self) -> tuple[Event, ...]:
        """What the user would still have done at the end."""
        done = set(self.keys)
        asked = [event for event in self.run.asked if event.by_user]
        last = max((place for place, event in enumerate(asked) if event.key in done), default=-1)
        return tuple(event for event in asked[last + 1 :] if event in self.run.skipped)


class Sequence:
    """What is to be tried from a place: some events in front, then the rest of the run in which it was found."""

    def __init__(self, source: Branch, place: int, front: tuple[str, ...], needed: int, depth: int) -> None:
        self.source = source
        self.front = front
        self.needed = needed
        """So many of those in front are there because the one behind them depends on them."""
        self.depth = depth
        self.conflict: Conflict
        self.branch = source
        self.place = place
        self.alive = False
        self.start = place
        """Where it was found; it may be put off to a later place."""
        self._taken = 0

    @property
    def head(self) -> str | None:
        """The event to begin with; None when nothing is left."""
        if self._taken < len(self.front):
            return self.front[self._taken]
        return next(iter(self.keys()), None)

    def keys(self) -> tuple[str, ...]:
        front = set(self.front)
        rest = (key for key in self.source.keys[self.start :] if key not in front)
        return (*self.front, *rest)[self._taken :]

    def as_found(self, keys: tuple[str, ...]) -> bool:
        """Whether these events begin with the reversal, exactly as it was meant where it was found."""
        moved = self.start + self.needed
        expected = (*self.front, self.source.keys[self.start])[: self.needed + 2]
        return keys[: self.start] == self.source.keys[: self.start] and keys[self.start : moved + 2] == expected

    def same_as(self, other: Sequence) -> bool:
        return self.head == other.head and self.keys() == other.keys()

    def settle(self) -> None:
        """Leave out events at the beginning that are not possible where the sequence is to be tried."""
        if (head := self.head) is None or self.branch.possible(head, self.place):
            return
        keys = self.keys()
        possible = (n for n, key in enumerate(keys) if self.branch.possible(key, self.place))
        self._taken += next(possible, len(keys))

    def move(self, branch: Branch) -> None:
        """Its first event has happened in this branch."""
        self.branch = branch
        self.place += 1
        self._taken += 1
        self.settle()

    def order(self, asleep: Asleep | None = None) -> PlannedOrder:
        before = self.place + max(0, self.needed - self._taken)
        keys = self.keys()
        events = [self.branch.events[key] for key in self.branch.keys[: self.place]]
        events += [self.source.events[key] for key in keys]
        events += [event for event in self.source.put_off if event.key not in keys]
        return PlannedOrder(
            events=tuple(events),
            exact=before,
            known=self.place,
            moved=before if self._taken <= self.needed else None,
            asleep=asleep,
        )


def _possible(trace: Trace) -> dict[str, list[int]]:
    """For each event the places from which it was possible and from which it no longer was, in turn."""
    changes: dict[str, list[int]] = {event.key: [0] for event in trace.initial}
    for place, step in enumerate(trace.steps, 1):
        key = step.event.key
        _no_longer(changes.setdefault(key, [0]), place)  # not told before: it may have been possible all the time
        for gone in step.effect.removed:
            if gone in changes:
                _no_longer(changes[gone], place)
        for event in step.effect.created:
            known = changes.setdefault(event.key, [])
            if len(known) % 2 == 0:
                known.append(place)
    return changes


def _no_longer(changes: list[int], place: int) -> None:
    if len(changes) % 2 == 1:
        changes.append(place)


def _without_accesses(step: Step) -> Step:
    if not step.effect.accesses:
        return step
    return msgspec.structs.replace(step, effect=msgspec.structs.replace(step.effect, accesses=()))
