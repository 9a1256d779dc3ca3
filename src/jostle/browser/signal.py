"""Waiting for something that a message of the browser will bring about."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

_LONGEST = 0.05
"""Seconds after which a condition is looked at again although nothing was heard: it may depend on time."""


class Signal:
    """Call it when something may have changed; whoever waits then looks again."""

    def __init__(self) -> None:
        self._waiters: list[asyncio.Future[None]] = []

    def __call__(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._waiters.clear()

    async def until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        """Wait for a condition. Raises TimeoutError, which says what was waited for."""
        loop = asyncio.get_running_loop()
        deadline = time.monotonic() + timeout
        while not condition():
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"waited {timeout:g} s for {what}")
            waiter: asyncio.Future[None] = loop.create_future()
            self._waiters.append(waiter)
            alarm = loop.call_later(min(left, _LONGEST), self)
            try:
                await waiter
            finally:
                alarm.cancel()
