"""Doing what is planned: as many jobs side by side as there are browsers, until nothing is left or the time is up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from jostle.checking.plan import Plan, PlannedSearch, Turn

Go = Callable[[Turn], Awaitable[bool]]
"""Does a turn of a job, and tells whether it could go on if there were time."""
HARDLY = 1.0
"""Seconds. A job that gave back a further turn after less than this gets no other: it does not get on."""


class Engine:
    """`add` jobs before and while it runs. What goes wrong with one job leaves the others alone."""

    def __init__(
        self,
        plan: Plan,
        *,
        workers: int,
        failed: Callable[[PlannedSearch, Exception], None],
        grace: float | None = None,
        found: Callable[[str], int] = lambda search: 0,
        short: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`failed` is told of a job that raised something, be it a Problem or a mistake of our own. `grace`: what is
        under way so many seconds after the time is up is ended from outside. `found`: how much a search has found.
        `workers`: how many there are at most; the plan says how many may work. `short` is told when more could."""
        self._plan = plan
        self._workers = workers
        self._failed = failed
        self._grace = grace
        self._found = found
        self._short = short
        self._clock = clock
        self._began = self._clock()
        self._jobs: dict[str, PlannedSearch] = {}
        self._go: dict[str, Go] = {}
        self._changed = asyncio.Event()
        self.ended_early: list[PlannedSearch] = []
        """Jobs that were ended from outside because the time was up."""

    def add(self, job: PlannedSearch, go: Go) -> None:
        self._jobs[job.name] = job
        self._go[job.name] = go
        self._plan.add(job)
        self._changed.set()

    def __contains__(self, name: object) -> bool:
        """Whether a job of that name was ever added."""
        return name in self._jobs

    def resize(self, workers: int) -> None:
        """From now on so many may work at the same time."""
        self._plan.resize(workers)
        self._changed.set()

    def again(self, name: str) -> None:
        """A job that had come to its end has more to do."""
        self._plan.add(self._jobs[name])
        self._changed.set()

    def expect(self, *searches: str) -> None:
        """Jobs of these searches are still to come, from jobs that are under way."""
        self._plan.expect(searches)
        self._changed.set()

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._began

    async def run(self) -> None:
        """Until all is done or the time is up. Only an interruption ends all jobs."""
        self._began = self._clock()
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._workers):
                    group.create_task(self._worker())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None  # the others came of it

    async def _worker(self) -> None:
        while True:
            turn = self._plan.take(self.now)
            if turn is not None:
                await self._do(turn)
            elif self._plan.is_idle(self.now) or self._plan.is_over(self.now):
                self._changed.set()
                return
            else:
                if self._plan.is_short(self.now):
                    self._short()
                self._changed.clear()
                await self._changed.wait()

    def _at_most(self) -> float | None:
        """Seconds. Between turns nobody is interrupted: what is half done would have been in vain."""
        left = self._plan.left(self.now)
        return None if left is None or self._grace is None else left + self._grace

    async def _do(self, turn: Turn) -> None:
        began, more, known = self.now, False, self._found(turn.job.search)
        try:
            async with asyncio.timeout(self._at_most()) as bound:
                more = await self._go[turn.job.name](turn)
        except Exception as error:  # the others may still have something to tell
            if isinstance(error, TimeoutError) and bound.expired():  # what it found until then is kept
                self.ended_early.append(turn.job)
            else:
                self._failed(turn.job, error)
        finally:
            seconds = self.now - began
            idle = turn.again and seconds < HARDLY
            found = self._found(turn.job.search) - known
            more = more and turn.seconds is not None and not idle
            self._plan.ended(turn.job, more=more, found=max(0, found), seconds=seconds)
            self._changed.set()
