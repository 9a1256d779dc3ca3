"""One way to talk to Playwright for tests of both its APIs.

What jostle does around an action of a test is written once, as coroutines that await nothing but a `PlaywrightCall`. In
a test of the synchronous API they are driven step by step, and each call blocks; in one of the asynchronous API it is
awaited.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import ContextVar
from typing import Any, TypeVar

from jostle.errors import UsageProblem

T = TypeVar("T")


_asynchronous: ContextVar[bool] = ContextVar("asynchronous", default=False)


class PlaywrightCall:
    """A call of Playwright's, to be made by whoever drives."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call

    def __await__(self) -> Generator[Any, Any, Any]:
        if not _asynchronous.get():
            return (yield self)
        answer = self.call()
        return (yield from answer.__await__()) if inspect.isawaitable(answer) else answer


class Pause(PlaywrightCall):
    """Some time that goes by, with events being heard."""

    def __init__(self, seconds: float) -> None:
        super().__init__(lambda: asyncio.sleep(seconds))
        self.seconds = seconds


def is_async(playwright_object: object) -> bool:
    return any(each.__module__.startswith("playwright.async_api") for each in type(playwright_object).__mro__)


def drive(awaitable: Awaitable[T], heard: object | None = None) -> T:
    """For the synchronous API. `heard`: any object of Playwright's, whose events are heard during a pause."""
    work = _coroutine(awaitable)
    value: Any = None
    error: BaseException | None = None
    while True:
        try:
            asked = work.throw(error) if error is not None else work.send(value)
        except StopIteration as end:
            result: T = end.value
            return result
        value = error = None
        try:
            if isinstance(asked, Pause):
                _pause(asked.seconds, heard)
            else:
                value = _checked(asked).call()
        except BaseException as raised:
            error = raised


async def drive_async(work: Awaitable[T]) -> T:
    """For the asynchronous API, where whatever can be awaited is."""
    token = _asynchronous.set(True)
    try:
        return await work
    finally:
        _asynchronous.reset(token)


def drive_now(work: Coroutine[Any, Any, T], of: object) -> T | None:
    """Outside of the test's own code: between its end and that of its fixtures. None when nobody can do it any more."""
    if not is_async(of):
        return drive(work, of)
    loop = getattr(of, "_loop", None)
    if loop is None or loop.is_closed() or loop.is_running():
        work.close()
        return None
    done: T = loop.run_until_complete(drive_async(work))
    return done


def _coroutine(awaitable: Awaitable[T]) -> Coroutine[Any, Any, T]:
    async def waited() -> T:
        return await awaitable

    return awaitable if isinstance(awaitable, Coroutine) else waited()


def _checked(asked: object) -> PlaywrightCall:
    if isinstance(asked, PlaywrightCall):
        return asked
    raise UsageProblem(
        f"A condition waits for {type(asked).__name__}, which not every suite can.",
        advice="Await nothing in a condition but the words of its ground: `ground.send`, `ground.pause` ...",
    )


def _pause(seconds: float, heard: object | None) -> None:
    wait = getattr(heard, "_sync", None)
    if wait is None:
        time.sleep(seconds)
    else:
        wait(asyncio.sleep(seconds))
