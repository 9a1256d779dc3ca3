"""Which functions run more often every time, however much else goes on.

A framework runs thousands of blocks for a click, some more or fewer each time. The one listener too many is lost in
that sum, but not in the counts of its own function: those rise by one every time.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)

FEWEST = 5
"""Before so many times nothing is called steady: the first does not count, and three rises in a row may be chance."""
MISSES = 8
"""Of so many times, one may be off."""


class Steady(Generic[Name]):
    """Told what ran each time, knows what rose every time. The first does not count: things are made that stay."""

    def __init__(self) -> None:
        self._series: list[Mapping[Name, int]] = []
        self._highest: dict[Name, int] = {}
        self._missed: dict[Name, int] = {}

    def add(self, ran: Mapping[Name, int]) -> None:
        """How often each function ran this time; a copy that nobody changes."""
        self._series.append(ran)
        times = len(self._series)
        if times <= 2:
            self._highest = dict(ran)
            return
        if times == 3:  # what ran now for the first time may be what piles up
            self._highest = {name: self._highest.get(name, 0) for name in ran}
        for name, highest in list(self._highest.items()):
            count = ran.get(name, 0)
            if count > highest:
                self._highest[name] = count
                continue
            self._missed[name] = self._missed.get(name, 0) + 1
            if self._missed[name] > times // MISSES:
                del self._highest[name]

    @property
    def functions(self) -> frozenset[Name]:
        """Those that rose all the time; none before there are `FEWEST` times to tell by."""
        return frozenset(self._highest) if len(self._series) >= FEWEST else frozenset()

    @property
    def undecided(self) -> bool:
        """Whether there are too few times to tell, and something may yet be steady."""
        return 0 < len(self._series) < FEWEST and bool(self._highest)

    @property
    def costs(self) -> list[float]:
        """What these functions cost each time, from the second on."""
        functions = self.functions
        return [float(sum(ran.get(name, 0) for name in functions)) for ran in self._series[1:]] if functions else []
