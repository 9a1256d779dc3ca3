"""How long to wait for answers, some of which take their time on purpose: long polls."""

from __future__ import annotations

import time

BRIEFLY = 0.3
"""Seconds that are given to what has once kept us waiting in vain."""


class Patience:
    """Remembers over all runs of an application which requests are not answered in time.

    An endpoint is what is asked, and where, without what differs from one time to the next.
    """

    def __init__(self, briefly: float = BRIEFLY) -> None:
        """`briefly`: see `BRIEFLY`."""
        self._briefly = briefly
        self._lost: set[str] = set()

    def lose(self, endpoint: str) -> bool:
        """It was waited for in vain. True for the first time."""
        new = endpoint not in self._lost
        self._lost.add(endpoint)
        return new

    def waits(self, endpoint: str, asked_at: float) -> bool:
        """Whether it is still worth waiting for what was asked at this time."""
        return endpoint not in self._lost or time.monotonic() < asked_at + self._briefly
