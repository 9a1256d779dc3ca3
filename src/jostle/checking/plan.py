"""Who gets how much of the time, and in what order. Pure: it is told the time, and asks nobody.

Every search has a weight. When one of its jobs has its first turn, it gets a part of the share of what is left that its
weight is of the weights of all that still wait, are expected to come, or had a turn and could go on. What a job does
not use is there for the others, because shares are reckoned anew at each turn. The rest goes, in further turns, to jobs
that came to no end for want of time: to the one whose search has found most in its time so far, for a while, and so on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

_AT_FIRST = 0.7
"""Of its share, how much a job gets at first: the rest of the time goes where it pays."""
_WHILE = 30.0
"""Seconds of a further turn, at most: then it is seen anew where time pays."""
_TRUST = 30.0
"""Seconds. What is expected beforehand counts as much as what was seen in so long."""


class PlannedSearch(msgspec.Struct, frozen=True, kw_only=True):
    """Something to be tried."""

    name: str
    """No two have the same."""
    search: str
    """Jobs of one search share its weight."""
    rank: float = 0.0
    """What is cheap or likely to find something has a low one and comes first."""
    least: float = 0.0
    """Seconds. With less left it is not worth beginning."""
    last: bool = False
    """Whether all others that could go on come first when it had its turn."""


class Turn(msgspec.Struct, frozen=True):
    """It is the turn of this job."""

    job: PlannedSearch
    seconds: float | None
    """How long it may take; None for as long as it likes."""
    again: bool = False
    """Whether it had one before."""


class _Yield(msgspec.Struct):
    """What came of some time."""

    found: int = 0
    seconds: float = 0.0

    def after(self, expected: float) -> float:
        """Findings a second, where so many were expected beforehand."""
        return (expected * _TRUST + self.found) / (_TRUST + self.seconds)


class Plan:
    """`add` jobs at any time, `take` turns, and tell with `ended` how each went."""

    def __init__(
        self, weights: Mapping[str, float], *, seconds: float | None, workers: int = 1, least: float = 3.0
    ) -> None:
        """`least`: with less time left than this, nothing is begun any more. `seconds`: None for no bound."""
        if workers < 1 or any(weight <= 0 for weight in weights.values()):
            raise ValueError("there is at least one worker, and every weight is more than nothing")
        self._weights = dict(weights)
        self._seconds = seconds
        self._workers = workers
        self._least = least
        self._waiting: list[PlannedSearch] = []
        self._again: list[PlannedSearch] = []
        self._going: dict[str, float] = {}
        """When each of those that are under way ends at the latest."""
        self._expected: set[str] = set()
        self._yields: defaultdict[str, _Yield] = defaultdict(_Yield)
        """By searches, and by the names of jobs."""

    def add(self, *jobs: PlannedSearch) -> None:
        """Jobs that are to have their turn. A job that had its turn may be added again when there is more for it."""
        for job in jobs:
            if job.search not in self._weights:
                raise ValueError(f"the search {job.search} has no weight")
            if job.name in self._going or any(job.name == each.name for each in self._waiting):
                raise ValueError(f"the job {job.name} is under way or waits already")
            self._again = [each for each in self._again if each.name != job.name]
            self._waiting.append(job)

    def resize(self, workers: int) -> None:
        """From now on so many may be under way. Those that are more go on until their turns are over."""
        self._workers = max(1, workers)

    def expect(self, searches: Iterable[str]) -> None:
        """Searches whose jobs are not known yet: time is kept back for them."""
        self._expected = set(searches)

    @property
    def waiting(self) -> list[PlannedSearch]:
        """Those that had no turn yet, the best first."""
        return sorted(self._waiting, key=lambda job: job.rank)

    @property
    def unfinished(self) -> list[PlannedSearch]:
        """Those that had a turn and could go on."""
        return list(self._again)

    def has(self, name: str) -> bool:
        """Whether a job of this name waits or is under way."""
        return name in self._going or any(name == job.name for job in (*self._waiting, *self._again))

    def is_idle(self, now: float) -> bool:
        """Whether nothing is under way, and nothing waits that is worth beginning."""
        return not self._going and self._next(now) == (None, False)

    def is_short(self, now: float) -> bool:
        """Whether something could begin if there were more workers."""
        return len(self._going) >= self._workers and not self.is_over(now) and self._next(now)[0] is not None

    def left(self, now: float) -> float | None:
        """Seconds until the time is up; None when there is no bound."""
        return None if self._seconds is None else self._seconds - now

    def is_over(self, now: float) -> bool:
        """Whether the time is up for beginning anything. `now`: seconds since the beginning."""
        return self._seconds is not None and self._seconds - now < self._least

    def take(self, now: float) -> Turn | None:
        """The next turn; None when nothing waits, all browsers are in use, or the time is up."""
        if len(self._going) >= self._workers or self.is_over(now):
            return None
        job, again = self._next(now)
        if job is None:
            return None
        (self._again if again else self._waiting).remove(job)
        seconds = self._share(job, again, now)
        self._going[job.name] = now + seconds if seconds is not None else float("inf")
        return Turn(job, seconds, again)

    def _next(self, now: float) -> tuple[PlannedSearch | None, bool]:
        """The best that waits and is worth beginning; one that had a turn only when no other is waited for."""
        left = self._seconds - now if self._seconds is not None else float("inf")
        for job in self.waiting:
            if job.least <= left:
                return job, False
        if not self._expected:
            for job in sorted(self._again, key=lambda job: (job.last, -self._pays(job))):
                if job.least <= left:
                    return job, True
        return None, False

    def _pays(self, job: PlannedSearch) -> float:
        """Findings a second that are to be expected of a job: by the weight of its search at first, then by what the
        search has found, and the job itself."""
        whole = self._yields[job.search].after(self._weights[job.search] / _TRUST / sum(self._weights.values()))
        return self._yields[job.name].after(whole)

    def ended(self, job: PlannedSearch, *, more: bool, found: int = 0, seconds: float = 0.0) -> None:
        """The turn is over. `more`: it could go on if there were time. `found`: how much it found in how many
        seconds."""
        del self._going[job.name]
        for name in (job.search, job.name):
            self._yields[name].found += found
            self._yields[name].seconds += seconds
        if more:
            self._again.append(job)

    def _share(self, job: PlannedSearch, again: bool, now: float) -> float | None:
        """Its part of what is left: of the time of all browsers, without what those under way may still take."""
        if self._seconds is None:
            return None
        left = self._seconds - now
        taken = sum(max(0.0, min(until, self._seconds) - now) for until in self._going.values())
        free = max(0.0, left * self._workers - taken)
        if again:
            return min(left, max(self._least, job.least, min(_WHILE, free)))
        alike = 1 + sum(each.search == job.search for each in self._waiting)
        # Who had a turn and could go on has a claim to what is left, too.
        claims = (*self._waiting, *(each for each in self._again if not each.last))
        searches = {job.search, *(each.search for each in claims), *self._expected}
        whole = sum(self._weights[each] for each in searches)
        alone = len(searches) == 1 and not self._again and not self._going
        part = 1.0 if alone else _AT_FIRST
        return min(left, max(self._least, job.least, part * free * self._weights[job.search] / whole / alike))
