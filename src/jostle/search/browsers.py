"""Browsers for searches: started when they are first needed, kept open for the next one, gone at the end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Self

import msgspec

from jostle.browser.chromium import MOST_MEMORY, Chromium
from jostle.browser.connection import Disconnected
from jostle.errors import NoBrowser


class BrowserChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Which browser to use: one of our own, or one that is already running."""

    path: str | None = None
    """Of the program; None: the first that is found."""
    arguments: tuple[str, ...] = ()
    headed: bool = False
    memory: int = MOST_MEMORY
    """Megabytes that one may take before it is started anew for the next run."""
    connect: str | None = None
    """The remote debugging address of a running browser, `http://127.0.0.1:9222`; nothing is started then."""

    def with_arguments(self, *more: str) -> BrowserChoice:
        return msgspec.structs.replace(self, arguments=(*self.arguments, *more))


class Browsers:
    """A pool: starting a browser takes as long as trying something, so one that is no longer used is kept."""

    def __init__(self, choice: BrowserChoice | None = None) -> None:
        self.choice = choice or BrowserChoice()
        self._idle: dict[tuple[str, ...], list[Chromium]] = {}
        self._ends: list[tuple[asyncio.Event, asyncio.Task[None]]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        for end, _ in self._ends:
            end.set()
        await asyncio.gather(*(task for _, task in self._ends), return_exceptions=True)

    @contextlib.asynccontextmanager
    async def lent(self, *arguments: str) -> AsyncIterator[Chromium]:
        """One that nobody uses, started with these arguments. Kept for others unless something went wrong with it."""
        idle = self._idle.setdefault(arguments, [])
        while idle and not idle[-1].alive:
            idle.pop()
        chromium = idle.pop() if idle else await self._started(*arguments)
        yield chromium
        idle.append(chromium)

    async def _started(self, *arguments: str) -> Chromium:
        """Each is kept open by a task of its own: whoever needs it first does not see it end."""
        ready: asyncio.Future[Chromium] = asyncio.get_running_loop().create_future()
        end = asyncio.Event()

        async def kept() -> None:
            try:
                async with _opened(self.choice, *arguments) as chromium:
                    if not ready.cancelled():
                        ready.set_result(chromium)
                        await end.wait()
            except BaseException as error:
                if ready.done():
                    raise
                ready.set_exception(error)

        self._ends.append((end, asyncio.create_task(kept())))
        return await ready


@contextlib.asynccontextmanager
async def _opened(choice: BrowserChoice, *arguments: str) -> AsyncIterator[Chromium]:
    if choice.connect:
        try:
            async with Chromium.connect(choice.connect) as chromium:
                yield chromium
        except Disconnected as gone:
            raise NoBrowser(str(gone)) from gone
        return
    started_with = (*choice.arguments, *arguments)
    launching = Chromium.launch(choice.path, headed=choice.headed, arguments=started_with, memory=choice.memory)
    async with launching as chromium:
        yield chromium
