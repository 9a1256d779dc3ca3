"""The event loop: libuv's, on which the way to the browser and back takes a fifth less time than on Python's own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

import uvloop

from jostle.browser.watchdog import Stuck, Watchdog

_Result = TypeVar("_Result")

GRACE = 1.5
"""Seconds for putting things in order after Ctrl-C: a browser that hangs would keep us waiting for each answer."""
PRESSING = 0.3
"""Seconds after which whatever is still waited for is given up, and so on until all has ended."""
PRESSED = 5
"""How often."""
_CLOSING = 0.5
"""Seconds for what was left behind in a loop."""
_watchdogs: list[Watchdog] = []
"""Of the loops that run, the innermost last."""


def new() -> asyncio.AbstractEventLoop:
    return uvloop.new_event_loop()


def run(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Like `asyncio.run`, but that work which was interrupted comes to an end soon, whatever it waits for or does."""
    if threading.current_thread() is not threading.main_thread():  # where no signals are heard
        with asyncio.Runner(loop_factory=new) as runner:
            return runner.run(_ending_soon(work, None))
    runner = asyncio.Runner(loop_factory=new)
    try:
        watchdog = Watchdog(runner.get_loop())
        _watchdogs.append(watchdog)
        try:
            with watchdog.on_duty():
                return runner.run(_ending_soon(work, watchdog))
        except (asyncio.CancelledError, Stuck):
            if watchdog.interrupted:
                raise KeyboardInterrupt from None
            raise
        finally:
            _watchdogs.remove(watchdog)
    finally:
        _close(runner)


def interrupt() -> None:
    """End what runs, as Ctrl-C does. For handlers of other signals that mean the same; called in the main thread."""
    if not _watchdogs:
        raise KeyboardInterrupt
    _watchdogs[-1].interrupt()


async def within(work: Coroutine[Any, Any, _Result], seconds: float | None) -> _Result | None:
    """What comes of the work; None when it was ended because that took longer. None is no bound.

    It ends soon after that, whatever it waits for, and whatever it does in a loop that `run` runs.
    """
    if seconds is None:
        return await work
    task = asyncio.ensure_future(work)
    watched = _watchdogs[-1].deadline(time.monotonic() + seconds) if _watchdogs else contextlib.nullcontext()
    with watched:
        try:
            await asyncio.wait([task], timeout=seconds)
            if not task.done():
                await _press(task)
                if not task.done() or task.cancelled():
                    return None
        except asyncio.CancelledError:
            await _press(task)
            raise
    return task.result()


async def _ending_soon(work: Coroutine[Any, Any, _Result], watchdog: Watchdog | None) -> _Result:
    task = asyncio.ensure_future(work)
    if watchdog is not None and (own := asyncio.current_task()) is not None:
        watchdog.watches(own)
    try:
        await asyncio.wait([task])
    except asyncio.CancelledError:
        await _press(task)
        if task.done() and not task.cancelled() and (error := task.exception()) is not None:
            raise error from None
        raise
    return task.result()


async def _press(task: asyncio.Future[Any]) -> None:
    """End a task, give it time for putting things in order, and press it when that takes long."""
    task.cancel()
    await asyncio.wait([task], timeout=GRACE)
    for _ in range(PRESSED):
        if task.done():
            break
        task.cancel()  # the next wait of its cleaning up
        await asyncio.wait([task], timeout=PRESSING)


def _close(runner: asyncio.Runner) -> None:
    """As the runner does, but for who does not want to end."""
    loop = runner.get_loop()

    async def end_all() -> None:
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=_CLOSING)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING):
                await loop.shutdown_asyncgens()

    try:
        with contextlib.suppress(KeyboardInterrupt):
            loop.run_until_complete(end_all())
    finally:
        asyncio.set_event_loop(None)
        loop.close()
