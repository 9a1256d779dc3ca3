"""Exploration by whole orders (WAVE): run the feasible orders of a recording, the most promising first."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from itertools import takewhile

import msgspec

from jostle.events.causality import Causality
from jostle.races.schedules.linear_extensions import LinearExtensions
from jostle.races.schedules.prioritise import Priority, prioritised
from jostle.races.schedules.run import PlannedOrder, Runner, ScheduleRun, again


class Ordered(msgspec.Struct, frozen=True, kw_only=True):
    """A run in another feasible order."""

    run: ScheduleRun
    number: int
    """The recording is 1."""
    order: tuple[int, ...]
    """Places in the recording, in the order in which they were asked for."""


class Wave:
    """A search. `explore()` once; `explored` and `feasible` tell how far it is."""

    def __init__(
        self,
        runner: Runner,
        recording: ScheduleRun,
        *,
        strategy: Priority = Priority.PRECEDENCE,
        seed: int = 0,
        limit: int | None = None,
        deadline: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        causality: Causality | None = None,
    ) -> None:
        """At most `limit` runs are made, and none is begun when the clock has passed the `deadline`."""
        self._runner = runner
        self._recording = recording
        self._limit = limit
        self._deadline = deadline
        self._clock = clock
        extensions = LinearExtensions((causality or Causality(recording.trace)).sets)
        self._orders = prioritised(extensions, strategy, seed=seed)
        self.feasible: int | None = extensions.count()
        """How many orders there are, the recording's among them; None when they are too many to be counted."""
        self.explored = 1
        self.failed = 0
        self.finished = False
        """Whether all of them have been run."""

    async def explore(self) -> AsyncIterator[Ordered]:
        """The runs, each as soon as it is over. What cannot be done in an order is `skipped` in its run."""
        events = tuple(again(step) for step in self._recording.trace.steps)
        number = 1
        for order in self._orders:
            if (self._limit is not None and number > self._limit) or (
                self._deadline is not None and self._clock() >= self._deadline
            ):
                return
            number += 1
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], enumerate(order)))
            asked = PlannedOrder(events=tuple(events[place] for place in order), exact=same)
            run = await self._runner.run(asked, self._recording)
            if run.failed:
                self.failed += 1
            else:
                self.explored += 1
            yield Ordered(run=run, number=number, order=order)
        self.finished = True
