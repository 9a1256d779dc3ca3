"""A Playwright script or test at work in a browser that we watch."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from jostle.browser.chromium import Chromium
from jostle.browser.connection import Disconnected
from jostle.browser.find import find
from jostle.errors import CouldNotRun, UsageProblem

_LAUNCH_TIMEOUT = 60.0
_END_TIMEOUT = 5.0


class Script:
    """The process of the script."""

    def __init__(self, process: asyncio.subprocess.Process, name: str, ready: Path) -> None:
        self._process = process
        self._name = name
        self._ready = ready

    async def go(self) -> None:
        """We watch: the script may begin."""
        self._ready.touch()

    async def wait(self) -> None:
        await self._process.wait()

    @property
    def ended(self) -> bool:
        return self._process.returncode is not None

    @property
    def failure(self) -> str:
        """What to tell when it did not go well; empty when it did."""
        code = self._process.returncode
        if code is None:
            return f"{self._name} was stopped: the time was up"
        return f"{self._name} failed (exit code {code}); what it did until then is recorded" if code else ""

    async def end(self) -> None:
        """Its process and whatever it started are gone afterwards."""
        if self.ended:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_END_TIMEOUT):
                    await self._process.wait()
                return
            os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()


@contextlib.asynccontextmanager
async def scripted(script: Path, executable: str | None) -> AsyncIterator[tuple[Chromium, Script]]:
    """Start the script; give the browser it has launched, before it has opened a page."""
    if script.suffix != ".py":
        advice = "Scripts and tests for Playwright in Python can be recorded."
        raise UsageProblem(f"{script} is not a Python file.", advice=advice)
    port = _free_port()
    with tempfile.TemporaryDirectory(prefix="jostle-script-") as folder:
        ready = Path(folder) / "ready"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "jostle.recording.scripted"),
            *(str(port), str(ready), str(find(executable).path), str(script)),
            start_new_session=True,
        )
        running = Script(process, str(script), ready)
        try:
            async with contextlib.AsyncExitStack() as stack:
                yield await _browser(stack, port, running), running
        finally:
            await running.end()


async def _browser(stack: contextlib.AsyncExitStack, port: int, script: Script) -> Chromium:
    address = f"http://127.0.0.1:{port}"
    try:
        async with asyncio.timeout(_LAUNCH_TIMEOUT):
            while not script.ended:
                try:
                    return await stack.enter_async_context(Chromium.connect(address))
                except Disconnected:
                    await asyncio.sleep(0.05)
    except TimeoutError:
        raise CouldNotRun(f"The script launched no Chromium within {_LAUNCH_TIMEOUT:g} s.") from None
    raise CouldNotRun(
        "The script ended without launching a Chromium.",
        advice="It must use Playwright for Python: playwright.chromium.launch(), or the fixtures of pytest-playwright.",
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
