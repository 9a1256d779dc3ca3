"""Stateless model checking (R4): run what the recording could have been, one reversed conflict at a time.

From the conflicts of each run come reordered sequences, which are kept where they branch off from it. The next to be
run is the one that has most in common with the present run, so that only one run and its branches are in memory at a
time; or, `best_first`, the one with the fewest reversals. `bound` says how many reversals a run may be away from the
recording.

For a run `a x b y c` with a relevant conflict of x and y, the sequence is `w y x (b-w) c` after `a`: y is pulled before
x together with `w`, all in between that y depends on. For a run `a x s` in which x made e impossible it is `e x s`.

Differences from the printed algorithm:

- a run has the depth of the sequence that was asked for, whatever was skipped in it; of two equal sequences the smaller
  depth counts; a run's own continuation is no reversal;
- the first event of a sequence counts as tried from where it branches off before it is tried, so that it is not tried
  again and again when it is not possible. When something later makes the reversal impossible, it counts as not tried;
- a sequence begins with an event that is possible where it branches off, as far as runs through that place tell; if
  that has been tried there, the sequence is dropped;
- conflicts within the part a run shares with the one it branched off from were looked at there;
- the pair just reversed is not reversed back if its events are neighbours and nothing else has changed before them
  (`Redundancy.NEIGHBOURS`);
- user events that were not possible in a run are asked for again at the end of its children.

What is promised: no order is run twice. Orders that differ in nothing but the order of independent events may both be
run. With `Redundancy.SLEEP_SETS` (without a bound, depth first) they are not: of each class of equivalent orders
exactly one is run to its end, and a run that turns out to become equivalent to an earlier one is cut short.

With no bound, for an application that is deterministic, comes to an end, and tells all it reads and writes, with runs
that go on until nothing is possible any more, every state in which the application can end is reached.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import AsyncIterator, Callable
from enum import Enum
from itertools import count
from typing import NamedTuple

import msgspec

from jostle.races.schedules.branches import Asleep, Branch, Sequence, signature
from jostle.races.schedules.conflicts import Conflict, Conflicts
from jostle.races.schedules.filters import Filters
from jostle.races.schedules.run import PlannedOrder, Runner, ScheduleRun, again


class Redundancy(Enum):
    """What is done against running equivalent orders."""

    NOTHING = "nothing"
    NEIGHBOURS = "neighbours"
    SLEEP_SETS = "sleep sets"


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """A run of a search, and the one it differs from by one reversal."""

    run: ScheduleRun
    parent: ScheduleRun
    """Its steps have their accesses only where they take part in a relevant conflict."""
    conflict: Conflict
    """The one that was reversed."""
    depth: int
    """How many reversals it is away from the recording."""
    number: int
    """Runs are numbered in the order in which they were made; the recording is 1."""
    parent_number: int


class Counts(msgspec.Struct):
    """How far a search has come."""

    explored: int = 1
    """Orders that were run to their end, the recording among them."""
    failed: int = 0
    """Orders that proved impossible."""
    cut: int = 0
    """Runs that were stopped because they became equivalent to an earlier one."""
    repeated: int = 0
    """Runs that, because of what had to be skipped, were the same as an earlier one."""
    pending: int = 0
    """Orders known and not yet run: there are at least so many more."""
    beyond: int = 0
    """Reversals that were seen in runs at the bound, and not followed."""


class _Unwatched(NamedTuple):
    """A run of which is not known what its events read and write."""

    branch: Branch
    not_back: tuple[int, int] | None


class ModelCheck:
    """A search. `explore()` once; `counts` tell at any time how far it is."""

    def __init__(
        self,
        runner: Runner,
        recording: ScheduleRun,
        *,
        bound: int | None = 1,
        limit: int | None = None,
        deadline: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        filters: Filters | None = None,
        redundancy: Redundancy = Redundancy.NEIGHBOURS,
        best_first: bool = False,
        lazily: bool = False,
        prefer: Callable[[Conflict], float] = lambda conflict: 0,
    ) -> None:
        """At most `limit` runs are made, and none is begun when the clock has passed the `deadline`.

        `prefer`: with `best_first`, of sequences with equally many reversals the one with the lowest value is first.
        `lazily`, with `best_first`: what a run reads and writes is asked for when its own reversals are to be tried, by
        running it once more. For runs that take much longer when they are watched; few of them get that far.
        """
        if lazily and not best_first:
            raise ValueError("only a search best first can wait with what a run reads and writes")
        if redundancy is Redundancy.SLEEP_SETS and (best_first or bound is not None):
            raise ValueError("sleep sets hold only for a search depth first and without a bound")
        self._runner = runner
        self._bound = bound
        self._limit = limit
        self._deadline = deadline
        self._clock = clock
        self._filters = filters or Filters()
        self._redundancy = redundancy
        self._prefer = prefer
        self._lazily = lazily
        self._queue: list[tuple[int, float, int, int, Sequence | _Unwatched]] | None = [] if best_first else None
        self._inserted = count()
        self.counts = Counts()
        self._branch = Branch(recording, number=1, depth=0)
        self.conflicts = self._analyse(self._branch, recording)
        """The conflicts of the recording."""

    async def explore(self) -> AsyncIterator[Tried]:
        """The runs, each as soon as it is over."""
        number = 1
        while (sequence := self._next()) is not None:
            if self._limit is not None and number > self._limit:
                return
            if self._deadline is not None and self._clock() >= self._deadline:
                return
            if isinstance(sequence, _Unwatched):
                await self._watch(sequence)
                continue
            number += 1
            if (tried := await self._try(sequence, number)) is not None:
                yield tried

    async def _try(self, sequence: Sequence, number: int) -> Tried | None:
        node = sequence.branch.node(sequence.place)
        sequence = min((each for each in node.pending if each.same_as(sequence)), key=lambda each: each.depth)
        branch, place, head, source = sequence.branch, sequence.place, sequence.head, sequence.source
        assert head is not None
        self._drop(sequence)
        node.tried[head] = None
        asleep = Asleep(place, branch.sleeping(place)) if self._sleep_sets else None
        order = sequence.order(asleep)
        if self._lazily:
            order = msgspec.structs.replace(order, watched=False)
        run = await self._runner.run(order, source.run)
        tried = Tried(
            run=run,
            parent=source.run,
            conflict=sequence.conflict,
            depth=sequence.depth,
            number=number,
            parent_number=source.number,
        )
        if run.failed:
            self.counts.failed += 1
            if run.keys[place : place + 1] == (head,):
                del node.tried[head]  # it may still be tried with another continuation
            return tried
        new = self._attach(run, sequence, number)
        if new is None:
            self.counts.repeated += 1
            return None
        if asleep is not None:
            new.sleep = asleep.kept
        not_back = self._not_back(sequence, new)
        if not self._lazily:
            self._analyse(new, run, not_back)
        elif self._queue is not None and (self._bound is None or sequence.depth < self._bound):
            rank = (sequence.depth + 1, self._prefer(sequence.conflict), 0, next(self._inserted))
            heapq.heappush(self._queue, (*rank, _Unwatched(new, not_back)))
        self._push_down(new)  # behind what was found in the run itself: of two equal ones its own comes first
        self._branch = new
        if run.cut:
            self.counts.cut += 1
            return None
        self.counts.explored += 1
        return tried

    async def _watch(self, unwatched: _Unwatched) -> None:
        """The same once more, to see what its events read and write. Where it does not go the same way, it is left."""
        branch = unwatched.branch
        events = tuple(map(again, branch.run.trace.steps))
        run = await self._runner.run(PlannedOrder(events=events, exact=len(events)), branch.run)
        if not run.failed and run.keys == branch.keys:
            branch.run = msgspec.structs.replace(branch.run, trace=run.trace)
            self._analyse(branch, run, unwatched.not_back)

    @property
    def _sleep_sets(self) -> bool:
        return self._redundancy is Redundancy.SLEEP_SETS

    def _attach(self, run: ScheduleRun, sequence: Sequence, number: int) -> Branch | None:
        """A branch for the run where it leaves those before; None when it is nothing but a repetition."""
        keys, branch, place = run.keys, sequence.branch, sequence.place
        if keys[:place] != branch.keys[:place]:
            return None
        # Behind events that had to be skipped it may go on as another one did.
        while keys[place : place + 1] != (sequence.head,) and place < len(keys):
            tried = branch.node(place).tried
            if keys[place] not in tried:
                break
            following = tried[keys[place]]
            if following is None:
                return None
            branch, place = following, place + 1
        if place >= len(keys):
            return None
        new = Branch(run, number=number, depth=sequence.depth, origin=branch, start=place)
        branch.node(place).tried[keys[place]] = new
        return new

    def _push_down(self, new: Branch) -> None:
        """Sequences that begin as the new branch does: what they have in common is done."""
        for sequence in list(new.node(new.start).pending):
            if sequence.head != new.keys[new.start]:
                continue
            self._drop(sequence)
            sequence.move(new)
            while sequence.head in new.keys[sequence.place : sequence.place + 1]:
                sequence.move(new)
            self._keep(sequence)

    def _not_back(self, sequence: Sequence, branch: Branch) -> tuple[int, int] | None:
        """The places of the two events just reversed, when to reverse them again would lead back to an order that is
        equivalent to that of the run they were found in: they are neighbours, and nothing else is new before them."""
        if self._redundancy is not Redundancy.NEIGHBOURS or not sequence.as_found(branch.keys):
            return None
        return sequence.start + sequence.needed, sequence.start + sequence.needed + 1

    def _analyse(self, branch: Branch, run: ScheduleRun, not_back: tuple[int, int] | None = None) -> Conflicts:
        """Find the conflicts of a run, and keep the sequences that they lead to."""
        conflicts = Conflicts(run.trace, filters=self._filters)
        keys = branch.keys
        for first, second in conflicts.uncovered:
            if second < branch.start or (first, second) == not_back:
                continue  # found in the run it has this from, or just reversed
            needed = tuple(keys[place] for place in conflicts.needed(first, second))
            sequence = Sequence(branch, first, (*needed, keys[second], keys[first]), len(needed), branch.depth + 1)
            if self._insertable(sequence):
                sequence.conflict = conflicts.conflict(first, second)
                self._keep(sequence)
        for place, key in conflicts.cancelled():
            if place < branch.start or not branch.next_of_user(key, place):
                continue
            for front in self._fronts(conflicts, keys, place, key):
                sequence = Sequence(branch, place, front, 0, branch.depth + 1)
                if self._insertable(sequence):
                    sequence.conflict = Conflict(first=keys[place], second=key)
                    self._keep(sequence)
        if self._sleep_sets:
            for place in range(branch.start, len(keys)):
                branch.node(place).signatures[keys[place]] = signature(run.trace.steps[place])
        branch.keep({place for pair in conflicts.uncovered for place in pair})
        return conflicts

    def _fronts(self, conflicts: Conflicts, keys: tuple[str, ...], place: int, key: str) -> list[tuple[str, ...]]:
        """What comes before an event that made another impossible: that other one, and with sleep sets also some of
        what happened later and could have happened before. For where the one that makes it impossible sleeps, runs
        that begin with it have been made, and it is not seen again that it does."""
        if not self._sleep_sets:
            return [(key,)]
        free = [keys[n] for n in range(place + 1, len(keys)) if not conflicts.dependent(place, n)]
        return [(*free[:n], key) for n in range(len(free) + 1)]

    def _insertable(self, sequence: Sequence) -> bool:
        """Whether it leads to something new, within the bound."""
        sequence.settle()
        if sequence.head is None or sequence.head in sequence.branch.node(sequence.place).tried:
            return False
        if self._bound is not None and sequence.depth > self._bound:
            self.counts.beyond += 1
            return False
        return True

    def _keep(self, sequence: Sequence) -> None:
        """Put it where it branches off."""
        if sequence.head is None:
            return
        sequence.alive = True
        sequence.branch.node(sequence.place).pending.append(sequence)
        self.counts.pending += 1
        if self._queue is not None:
            rank = (sequence.depth, self._prefer(sequence.conflict), -sequence.place, next(self._inserted), sequence)
            heapq.heappush(self._queue, rank)

    def _drop(self, sequence: Sequence) -> None:
        sequence.alive = False
        sequence.branch.node(sequence.place).pending.remove(sequence)
        self.counts.pending -= 1

    def _next(self) -> Sequence | _Unwatched | None:
        """The sequence to be tried next, which stays where it is, or the run that has to be watched before."""
        if self._queue is not None:
            while self._queue:
                sequence = self._queue[0][-1]
                if isinstance(sequence, _Unwatched):
                    heapq.heappop(self._queue)
                    return sequence
                if sequence.alive and self._worthwhile(sequence):
                    return sequence
                heapq.heappop(self._queue)
            return None
        while True:
            for place in sorted(self._branch.nodes, reverse=True):
                for sequence in list(self._branch.nodes[place].pending):
                    if self._worthwhile(sequence):
                        return sequence
            if self._branch.origin is None:
                return None
            self._branch.over()
            self._branch = self._branch.origin

    def _worthwhile(self, sequence: Sequence) -> bool:
        """Whether it still begins with something new; if not, it is dropped."""
        branch, place, head = sequence.branch, sequence.place, sequence.head
        if head not in branch.node(place).tried and not (self._sleep_sets and head in branch.sleeping(place)):
            return True
        self._drop(sequence)
        return False
