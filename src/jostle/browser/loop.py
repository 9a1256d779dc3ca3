"""The event loop: libuv's, on which the way to the browser and back takes a fifth less time than on Python's own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import uvloop

_Result = TypeVar("_Result")

GRACE = 2.0
"""Seconds for putting things in order after Ctrl-C: a browser that hangs would keep us waiting for each answer."""
PRESSING = 0.3
"""Seconds after which whatever is still waited for is given up, and so on until all has ended."""
PRESSED = 30
"""How often."""


def new() -> asyncio.AbstractEventLoop:
    return uvloop.new_event_loop()


def run(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Like `asyncio.run`, but that work which was interrupted comes to an end soon, whatever it waits for."""
    with asyncio.Runner(loop_factory=new) as runner:
        return runner.run(_ending_soon(work))


async def _ending_soon(work: Coroutine[Any, Any, _Result]) -> _Result:
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait([task], timeout=GRACE)
        for _ in range(PRESSED):
            if task.done():
                break
            task.cancel()  # the next wait of its cleaning up
            await asyncio.wait([task], timeout=PRESSING)
        if task.done() and not task.cancelled() and (error := task.exception()) is not None:
            raise error from None
        raise
    return task.result()
