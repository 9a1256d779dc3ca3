"""Browsers that tests borrow: starting one takes as long as most tests do.

`lending` puts a lender in the place of `launched`, by which everything in this process gets its browsers: commands that
run in process, and `Chromium.launch` in tests. A browser comes back as it was: without pages, contexts and cookies.
Each borrower has a connection of its own, so that a browser can go from one event loop to another.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from unittest import mock

from jostle.browser import chromium
from jostle.browser.connection import Connection, Disconnected, NoAnswer, ProtocolError
from jostle.browser.find import find
from jostle.browser.launch import _Process, _start
from jostle.browser.launch import launched as started
from jostle.browser.transport import PipeTransport
from tests.without_browser.sitecustomize import refuse

_TIDYING = 5.0
"""Seconds; a browser that takes longer to become as it was is ended."""
_TIMES = 40
"""How often a browser is lent: what it keeps in mind of earlier pages must not decide what is found."""


class _Kept:
    """A running browser and the two ends of its pipe."""

    def __init__(self, process: _Process, read: int, write: int) -> None:
        self.process = process
        self.page = ""
        """One that nobody uses: a browser without pages might end."""
        self.times = 0
        self._ends = (read, write)

    async def connected(self) -> Connection:
        read, write = (os.dup(end) for end in self._ends)
        connection = Connection(await PipeTransport.open(read, write))
        connection.pid = self.process.pid
        return connection

    async def tidied(self, connection: Connection) -> bool:
        """Whether it is as it was. The last answer is the last that is said: nothing is left for the next borrower."""
        try:
            async with asyncio.timeout(_TIDYING):
                await connection.send("Target.setAutoAttach", {"autoAttach": False, "waitForDebuggerOnStart": False})
                contexts = (await connection.send("Target.getBrowserContexts"))["browserContextIds"]
                for context in contexts:
                    await connection.send("Target.disposeBrowserContext", {"browserContextId": context})
                for page in await self._pages(connection):
                    if page != self.page:
                        await connection.send("Target.closeTarget", {"targetId": page})
                await connection.send("Storage.clearCookies")
                while (pages := await self._pages(connection)) != [self.page]:
                    if self.page not in pages:
                        return False
                    await asyncio.sleep(0.005)
        except (Disconnected, NoAnswer, ProtocolError, TimeoutError):
            return False
        return True

    async def _pages(self, connection: Connection) -> list[str]:
        targets = (await connection.send("Target.getTargets"))["targetInfos"]
        return [each["targetId"] for each in targets if each["type"] in ("page", "iframe")]

    async def begin(self, connection: Connection) -> None:
        created = await connection.send("Target.createTarget", {"url": "about:blank"})
        self.page = str(created["targetId"])

    def end(self) -> None:
        for end in self._ends:
            os.close(end)
        self.process.kill()


class Lender:
    """One browser for each set of arguments; another one only while that one is used. Others than the usual one of
    this machine, and those with a window, are not kept."""

    def __init__(self) -> None:
        self._usual = find().path
        self._idle: dict[tuple[object, ...], list[_Kept]] = {}

    @contextlib.asynccontextmanager
    async def launched(
        self,
        executable: str | None = None,
        *,
        headed: bool = False,
        site_isolation: bool = False,
        arguments: Sequence[str] = (),
    ) -> AsyncIterator[Connection]:
        """In the place of `jostle.browser.launch.launched`."""
        path = find(executable).path
        if headed or path != self._usual:
            async with started(executable, headed=headed, site_isolation=site_isolation, arguments=arguments) as own:
                yield own
            return
        refuse("Chromium.launch")
        idle = self._idle.setdefault((site_isolation, *arguments), [])
        if idle:
            kept = idle.pop()
            connection = await kept.connected()
        else:
            kept = _Kept(*await asyncio.to_thread(_start, str(path), False, site_isolation, arguments))
            connection = await kept.connected()
            await kept.begin(connection)
        kept.times += 1
        fit = False
        try:
            yield connection
            fit = kept.times < _TIMES
        finally:
            fit = fit and await kept.tidied(connection)
            await connection.close()
            if fit:
                idle.append(kept)
            else:
                kept.end()


def launched() -> contextlib.AbstractAsyncContextManager[Connection]:
    """A connection to a browser, for tests that need nothing else of it: borrowed, where browsers are."""
    return chromium.launched()  # type: ignore[attr-defined]


@contextlib.contextmanager
def lending() -> Iterator[None]:
    """Browsers are borrowed within."""
    with mock.patch.object(chromium, "launched", Lender().launched):
        yield


@contextlib.contextmanager
def not_lending() -> Iterator[None]:
    """Within, a browser is started for whoever needs one, and ended."""
    with mock.patch.object(chromium, "launched", started):
        yield
