"""Running generated tests as their user would: pytest and Playwright in a process of their own.

One process runs one test after the other: to start it, and its browser, takes longer than most tests do.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Mapping
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import msgspec

from jostle import export
from jostle.browser.find import find, sandbox_arguments, short_place
from jostle.errors import NoBrowser
from jostle.export.reason import PytestOutcome
from jostle.search.browsers import BrowserChoice

CHOOSES = "either"
"""The function that a draft may call to choose its locators: see `Draft.probing`."""
_COMMAND = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", ".")
_PLUGINS = ("base_url", "playwright")
"""What a generated test needs, as far as it is installed; other plugins might change what it does."""
_TO_END = 1.5
"""Seconds that pytest gets to close its browser."""
_LONGEST_LINE = 1_000_000
_OUTPUT = 2000
"""Characters of what pytest says that may be told."""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """How a test ended, and which locators of its draft Playwright does not find by their names."""

    outcome: PytestOutcome
    by_place: tuple[int, ...] = ()


def can_run_tests() -> bool:
    """Whether what generated tests need is installed."""
    return all(find_spec(name) is not None for name in ("pytest", "playwright", "pytest_playwright"))


class PytestProcess:
    """A pytest that is handed tests; begun with the first, and again after one that had to be ended."""

    def __init__(self, choice: BrowserChoice) -> None:
        self._choice = choice
        self._session: _Session | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._end()

    async def tried(
        self,
        test: str,
        *,
        beside: Mapping[str, bytes] | None = None,
        context: Mapping[str, Any] | None = None,
        seconds: float,
    ) -> Trial:
        """Run a test, in a folder of its own, for at most so long.

        `beside`: files that must lie beside it, by name. `context`: further arguments of its browser context.
        """
        try:
            async with asyncio.timeout(seconds):
                if self._session is None:
                    self._session = await _Session.begun(self._choice)
                answer = await self._session.tried(test, beside or {}, context or {})
        except TimeoutError:
            await self._end()
            return Trial(outcome=PytestOutcome(when="call", timed_out=seconds))
        except BaseException:
            await self._end()
            raise
        if answer is not None:
            return answer
        said = self._session.said
        await self._end()
        return Trial(outcome=PytestOutcome(when="setup", error="pytest", message=said))

    async def _end(self) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            await session.end()


class _Session:
    """One process, from its start to its end."""

    def __init__(self, folder: tempfile.TemporaryDirectory[str]) -> None:
        self._scratch = folder
        self._folder = Path(folder.name)
        self._server: asyncio.Server | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._connected: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = (
            asyncio.get_running_loop().create_future()
        )
        self._number = 0

    @classmethod
    async def begun(cls, choice: BrowserChoice) -> Self:
        session = cls(tempfile.TemporaryDirectory(prefix="jostle-test-", dir=short_place()))
        try:
            await session._begin(choice)
        except BaseException:
            await session.end()
            raise
        return session

    async def _begin(self, choice: BrowserChoice) -> None:
        folder = self._folder
        (folder / "conftest.py").write_bytes(Path(export.__path__[0], "trial_conftest.py").read_bytes())
        (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
        self._server = await asyncio.start_unix_server(self._hears, folder / "trials", limit=_LONGEST_LINE)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= {
            "JOSTLE_TRIALS": str(folder / "trials"),
            "JOSTLE_LAUNCH": msgspec.json.encode(_launch(choice)).decode(),
        }
        with (folder / "said").open("wb") as said:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *_COMMAND,
                *(
                    word
                    for each in entry_points(group="pytest11")
                    if each.name in _PLUGINS
                    for word in ("-p", each.name)
                ),
                cwd=folder,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=said,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )

    def _hears(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._connected.done():
            self._connected.set_result((reader, writer))

    async def tried(self, test: str, beside: Mapping[str, bytes], context: Mapping[str, Any]) -> Trial | None:
        """None when the process ended without a word."""
        assert self._process is not None
        self._number += 1
        own = self._folder / str(self._number)
        own.mkdir()
        file = own / f"test_{self._number}.py"
        file.write_text(test, "utf-8")
        for name, data in beside.items():
            (own / Path(name).name).write_bytes(data)
        gone = asyncio.ensure_future(self._process.wait())
        try:
            await asyncio.wait((gone, self._connected), return_when=asyncio.FIRST_COMPLETED)
            if not self._connected.done():
                return None
            reader, writer = self._connected.result()
            writer.write(msgspec.json.encode({"file": str(file), "context": dict(context)}) + b"\n")
            told = await reader.readline()
        except ConnectionError:
            return None
        finally:
            gone.cancel()
        try:
            return msgspec.json.decode(told, type=Trial)
        except msgspec.MsgspecError:
            return None

    @property
    def said(self) -> str:
        """The end of what pytest said."""
        return (self._folder / "said").read_text("utf-8", errors="replace")[-_OUTPUT:]

    async def end(self) -> None:
        """Without tests to come it ends, and closes its browser; else it is ended with all that it started."""
        if self._connected.done():
            self._connected.result()[1].close()
        if self._server is not None:
            self._server.close()
        if self._process is not None and self._process.returncode is None:
            await _end(self._process)
        with contextlib.suppress(OSError):
            self._scratch.cleanup()


def _launch(choice: BrowserChoice) -> dict[str, Any]:
    """How Playwright starts the browser that searches use; its own where there is none."""
    arguments = [*choice.arguments, *sandbox_arguments()]
    try:
        return {"executable_path": str(find(choice.path).path), "args": arguments}
    except NoBrowser:
        return {"args": arguments}


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let it close its browser, then end it with all that it started."""
    for sent in (0, signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sent)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_TO_END):
                await process.wait()
                return
