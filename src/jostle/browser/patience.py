"""How long to wait for answers, some of which take their time on purpose: long polls."""

from __future__ import annotations

import time
from typing import Protocol

BRIEFLY = 0.3
"""Seconds that are given to what has once kept us waiting in vain."""


class Asking(Protocol):
    """A request that was sent."""

    at: float

    @property
    def endpoint(self) -> str:
        """What it asks, and where, without what differs from one time to the next."""
        ...


class Patience:
    """Remembers over all runs of an application which requests are not answered in time."""

    def __init__(self) -> None:
        self._lost: set[str] = set()

    def lost(self, asking: Asking) -> bool:
        """It was waited for in vain. True for the first time."""
        new = asking.endpoint not in self._lost
        self._lost.add(asking.endpoint)
        return new

    def waits(self, asking: Asking) -> bool:
        """Whether it is still worth waiting for."""
        return asking.endpoint not in self._lost or time.monotonic() < asking.at + BRIEFLY
