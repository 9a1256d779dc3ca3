"""How much a search may do, and what it has done."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec


class Budget:
    """At most so many events, and no later than `deadline`, a time of `clock`."""

    def __init__(
        self,
        *,
        events: int | None = None,
        deadline: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._events = events
        self._deadline = deadline
        self._clock = clock
        self.done = 0
        """Events done so far."""

    @property
    def spent(self) -> str:
        """Why no more may be done, in words; empty while more may be done."""
        if self._events is not None and self.done >= self._events:
            return f"all {self._events} events were done"
        if self._deadline is not None and self._clock() > self._deadline:
            return "the time was up"
        return ""

    def part(self, share: float, least: float) -> Budget:
        """So much of the time that is left, but no less than `least` seconds as long as these are left."""
        if self._deadline is None:
            return Budget(events=self._events, clock=self._clock)
        now = self._clock()
        deadline = min(self._deadline, now + max(least, share * (self._deadline - now)))
        return Budget(events=self._events, deadline=deadline, clock=self._clock)


class Tally(msgspec.Struct):
    """How much it took to reach the targets."""

    events: int = 0
    targets: int = 0
    reached: int = 0
    restarts: int = 0

    @property
    def events_per_target(self) -> float:
        return self.events / self.reached if self.reached else 0.0

    @property
    def share(self) -> float:
        """The share of targets that were reached."""
        return self.reached / self.targets if self.targets else 1.0
