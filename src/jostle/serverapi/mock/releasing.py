"""In which order responses leave a mock, whatever order the requests came in."""

from __future__ import annotations

import asyncio
import random
from enum import StrEnum

import msgspec

_APART = 0.01
"""Seconds between two responses, so that a browser sees one before the other."""


class Order(StrEnum):
    """Of the responses to requests that are open at the same time."""

    SENT = "sent"
    """Each as soon as it is ready."""
    REVERSED = "reversed"
    """The last one first."""
    RANDOM = "random"
    MANUAL = "manual"
    """Each when it is told to: `POST /.jostle/release?number=2`."""


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A response that waits."""

    number: int
    request: str
    """Method, path and query."""


class Releasing:
    """Lets responses go in an order. Everything happens in one event loop."""

    def __init__(self, order: Order, *, gather: float = 0.05, longest: float = 300.0, seed: int = 0) -> None:
        """`gather`: requests belong together when no more than so many seconds lie between one and the next. `longest`:
        seconds after which a response goes in any case."""
        self._order = order
        self._gather = gather
        self._longest = longest
        self._chance = random.Random(f"{seed} order")
        self._number = 0
        self._waiting: dict[int, tuple[str, asyncio.Event]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._free = asyncio.Lock()

    @property
    def held(self) -> tuple[Held, ...]:
        """What waits, in the order in which it came."""
        return tuple(Held(number=number, request=request) for number, (request, _) in self._waiting.items())

    async def turn(self, request: str) -> None:
        """Until it is the turn of this response."""
        if self._order is Order.SENT:
            return
        self._number += 1
        number, go = self._number, asyncio.Event()
        self._waiting[number] = request, go
        if self._order is not Order.MANUAL:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(self._gather, self._release_all)
        try:
            async with asyncio.timeout(self._longest):
                await go.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting.pop(number, None)
        async with self._free:  # one after the other, in the order in which they were told to go
            await asyncio.sleep(_APART)

    def release(self, number: int | None = None) -> bool:
        """Let one response go, or all in their order. False where none of this number waits."""
        if number is None:
            for _, go in self._waiting.values():
                go.set()
            return True
        if number not in self._waiting:
            return False
        self._waiting[number][1].set()
        return True

    def _release_all(self) -> None:
        numbers = list(self._waiting)
        if self._order is Order.REVERSED:
            numbers.reverse()
        else:
            self._chance.shuffle(numbers)
        for number in numbers:
            self._waiting[number][1].set()
