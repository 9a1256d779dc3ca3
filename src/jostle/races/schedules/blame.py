"""Which operations are to blame for an order that breaks an application, and in what way.

- Order violation: two operations that need a certain order came in the other one.
- Atomicity violation: an operation came between two others that belong together.

Of the pairs of events that race in the bad order, and that came in the other order in the good one, one is blamed: that
in which an error is new, else one whose race the user can see, else the first.

It is an atomicity violation when one event of this pair, c, lies between two others, a and b, in the bad order and not
in the good one, and there is a location they race for such that

- a and b touch it, and a comes before b, whatever the order: one created the other, or both are the user's, or they
  take one parser further;
- no event between a and b in the good order touches it: they followed each other;
- what c does to it is seen by b, or c sees what only b was to complete: it comes with a write between two accesses, or
  with a read between two writes, the first of which wrote something. (A write between two writes changes nothing for
  anybody.)

It is one as well when c, which a script in a step a of a parser has set going (a timer, a request), needs what a later
step b of the same parser brings: whoever wrote the page took the two for one, and something made the parser pause in
between.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from enum import StrEnum
from itertools import pairwise

import msgspec

from jostle.events.causality import Causality
from jostle.events.event import Kind
from jostle.events.location import Location, located
from jostle.events.trace import Step
from jostle.races.schedules.conflicts import Conflict, Conflicts
from jostle.races.schedules.filters import Filters, is_something
from jostle.races.schedules.run import ScheduleRun
from jostle.races.schedules.touches import Touch, touches

_ASKED_BY_SCRIPTS = ("fetch", "xhr")
_ANY_ELEMENT = located("tree:<*>")


class Violation(StrEnum):
    ORDER = "order violation"
    ATOMICITY = "atomicity violation"


class Blame(msgspec.Struct, frozen=True, kw_only=True):
    """Events by their keys."""

    early: str
    """The one that came too early."""
    late: str
    """The one that it overtook."""
    between: str = ""
    """For an atomicity violation: the one that came in between, which is one of these two."""
    together: tuple[str, str] | None = None
    """For an atomicity violation: the two that belong together."""
    location: Location | None = None
    """What it is about, if that is known."""
    name: str = ""
    """The same for people."""

    @property
    def violation(self) -> Violation:
        return Violation.ATOMICITY if self.between else Violation.ORDER


def blame(
    good: ScheduleRun, bad: ScheduleRun, conflict: Conflict | None = None, filters: Filters | None = None
) -> Blame | None:
    """What is to blame for the difference between two runs; None when they have no two events in different orders.

    `conflict`: the one that was reversed, when the two runs differ by one reversal.
    """
    runs = _Runs(good, bad)
    pairs = list(runs.given(conflict) if conflict is not None else runs.racing(filters))
    if not pairs:
        pairs = list(runs.reversed_neighbours())
    if not pairs:
        return None
    chosen = next(iter(_by_error(pairs, good, bad)), None) or next((pair for pair in pairs if pair.visible), pairs[0])
    return runs.intruder(chosen) or Blame(
        early=chosen.early, late=chosen.late, location=chosen.location, name=chosen.name
    )


class _Pair(msgspec.Struct, frozen=True):
    early: str
    late: str
    locations: tuple[tuple[Location, str], ...] = ()
    """With their names for people, those first that the user can see."""
    visible: bool = False

    @property
    def location(self) -> Location | None:
        return self.locations[0][0] if self.locations else None

    @property
    def name(self) -> str:
        return self.locations[0][1] if self.locations else ""


def _pair(early: str, late: str, conflict: Conflict) -> _Pair:
    racing = sorted(conflict.racing, key=lambda each: not each.first.visible)
    return _Pair(
        early,
        late,
        tuple((each.location, each.name) for each in racing),
        any(each.first.visible for each in racing),
    )


def _by_error(pairs: Iterable[_Pair], good: ScheduleRun, bad: ScheduleRun) -> Iterator[_Pair]:
    """Pairs with an event that failed in the bad order and not in the good one."""

    def errors(run: ScheduleRun) -> dict[str, set[str]]:
        return {step.event.key: {error.message for error in step.effect.errors} for step in run.trace.steps}

    before, after = errors(good), errors(bad)
    failed = {key for key, messages in after.items() if messages - before.get(key, set())}
    return (pair for pair in pairs if pair.early in failed or pair.late in failed)


class _Runs:
    def __init__(self, good: ScheduleRun, bad: ScheduleRun) -> None:
        self._good = good
        self._bad = bad
        self._in_good = {key: place for place, key in enumerate(good.keys)}
        self._in_bad = {key: place for place, key in enumerate(bad.keys)}
        self._events = {event.key: event for event in good.trace.events}
        self._parsed = {step.event.key: _parsed(step) for step in good.trace.steps}
        self._causality = Causality(good.trace)
        self._touches = touches(good.trace)
        self._touches_in_bad = touches(bad.trace)

    def given(self, conflict: Conflict) -> Iterator[_Pair]:
        yield _pair(conflict.second, conflict.first, conflict)

    def racing(self, filters: Filters | None) -> Iterator[_Pair]:
        """Events that race in the bad order, and came the other way round in the good one."""
        conflicts = Conflicts(self._bad.trace, filters=filters)
        keys = self._bad.keys
        for first, second in conflicts.uncovered:
            if self._reversed(keys[first], keys[second]):
                yield _pair(keys[first], keys[second], conflicts.conflict(first, second))

    def reversed_neighbours(self) -> Iterator[_Pair]:
        """When nothing is known of what events read and write."""
        known = [key for key in self._bad.keys if key in self._in_good]
        for early, late in pairwise(known):
            if self._reversed(early, late):
                yield _Pair(early, late)

    def _reversed(self, early: str, late: str) -> bool:
        return early in self._in_good and late in self._in_good and self._in_good[late] < self._in_good[early]

    def intruder(self, pair: _Pair) -> Blame | None:
        """The blame for an atomicity violation, if it is one."""
        for location, name in pair.locations:
            for between, first, second in (
                *((pair.early, before, pair.late) for before in self._touching(location)),
                *((pair.late, pair.early, after) for after in self._touching(location)),
            ):
                if self._belong_together(first, second, location) and self._intrudes(between, first, second, location):
                    return Blame(
                        early=pair.early,
                        late=pair.late,
                        between=between,
                        together=(first, second),
                        location=location,
                        name=name,
                    )
        return self._while_parsing(pair)

    def _while_parsing(self, pair: _Pair) -> Blame | None:
        """The blame when what one step of a parser set going came before a later step that it needs."""
        early, late = self._events.get(pair.early), self._events.get(pair.late)
        if early is None or late is None or early.by_user:
            return None
        if early.kind is Kind.NETWORK and early.request.resource not in _ASKED_BY_SCRIPTS:
            return None  # the parser goes its own way with what stands in the page
        creator = self._events.get(early.creator)
        if creator is None or not self._one_parser(creator.key, late.key) or not self._needs(pair):
            return None
        return Blame(
            early=pair.early,
            late=pair.late,
            between=pair.early,
            together=(creator.key, late.key),
            location=pair.location,
            name=pair.name,
        )

    def _one_parser(self, first: str, second: str) -> bool:
        """Whether both take the parser of one document further, in this order in the good run."""
        document = self._parsed.get(first)
        return (
            document is not None
            and document == self._parsed.get(second)
            and self._in_good[first] < self._in_good[second]
        )

    def _needs(self, pair: _Pair) -> bool:
        """Whether the early event reads what the late one writes."""
        for location, _ in pair.locations:
            early = self._touch(pair.early, location) or self._touch(pair.early, location, in_bad=True)
            late = self._touch(pair.late, location)
            if early is not None and late is not None and early.reads_first and late.writes:
                return True
        return False

    def _touching(self, location: Location) -> list[str]:
        keys = self._good.keys
        return [keys[touch.event] for touch in self._touches.get(location, ())]

    def _belong_together(self, first: str, second: str, location: Location) -> bool:
        """One comes before the other, and they follow each other at the location in the good order."""
        if first not in self._in_good or second not in self._in_good:
            return False
        if not self._causality.before(first, second) and not self._one_parser(first, second):
            return False
        users = self._touching(location)
        if first not in users or second not in users:
            return False
        return users.index(second) == users.index(first) + 1

    def _intrudes(self, between: str, first: str, second: str, location: Location) -> bool:
        if between in (first, second) or between not in self._in_bad or first not in self._in_bad:
            return False
        place = self._in_bad[between]
        # An event that never happened any more would have come last.
        if not self._in_bad[first] < place < self._in_bad.get(second, len(self._in_bad)):
            return False
        one, two = self._touch(first, location), self._touch(second, location)
        intruder = self._touch(between, location, in_bad=True) or self._touch(between, location)
        if one is None or two is None or intruder is None:
            return False
        if one.write is not None and not two.reads_first:
            # Who reads what was only declared before it is given its value comes too early, and between nothing.
            return is_something(one.write.value) and intruder.read is not None and intruder.reads_first
        return intruder.writes

    def _touch(self, key: str, location: Location, *, in_bad: bool = False) -> Touch | None:
        places, found = (self._in_bad, self._touches_in_bad) if in_bad else (self._in_good, self._touches)
        place = places.get(key)
        return next((touch for touch in found.get(location, ()) if touch.event == place), None)


def _parsed(step: Step) -> Hashable:
    """The document whose parser an event took further, None if it did not. A script that the parser waits for does so
    in its turn, whenever it came."""
    event = step.event
    if event.kind is not Kind.PARSE and event.kind is not Kind.NETWORK:
        return None
    parses = (
        event.kind is Kind.PARSE
        or event.request.blocking
        or event.request.resource == "document"
        # What came into the document without any script doing it was put there by the parser.
        or any(each.location == _ANY_ELEMENT and each.write and not each.source for each in step.effect.accesses)
    )
    return event.detail.document if parses else None
