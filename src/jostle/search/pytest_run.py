"""Running a generated test by itself, as its user would: pytest and Playwright in a process of their own."""

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
from typing import Any

import msgspec

from jostle import export
from jostle.browser.find import find, sandbox_arguments, short_place
from jostle.errors import NoBrowser
from jostle.export.reason import PytestOutcome
from jostle.search.browsers import BrowserChoice

CHOOSES = "either"
"""The function that a draft may call to choose its locators: see `Draft.probing`."""
_COMMAND = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no")
_PLUGINS = ("base_url", "playwright")
"""What a generated test needs, as far as it is installed; other plugins might change what it does."""
_TO_END = 1.5
"""Seconds that a test which took too long gets to close its browser."""
_OUTPUT = 2000
"""Characters of what pytest says that may be told."""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """How a test ended, and which locators of its draft Playwright does not find by their names."""

    outcome: PytestOutcome
    by_place: tuple[int, ...] = ()


def can_run_tests() -> bool:
    """Whether what generated tests need is installed."""
    return all(find_spec(name) is not None for name in ("pytest", "playwright", "pytest_playwright"))


async def tried(
    test: str,
    choice: BrowserChoice,
    *,
    beside: Mapping[str, bytes] | None = None,
    context: Mapping[str, Any] | None = None,
    seconds: float,
) -> Trial:
    """Run a test, in a folder of its own, for at most so long.

    `beside`: files that must lie beside it, by name. `context`: further arguments of its browser context.
    """
    with tempfile.TemporaryDirectory(prefix="jostle-test-", dir=short_place()) as scratch:
        folder = Path(scratch)
        given = {"launch": _launch(choice), "context": dict(context or {})}
        (folder / "given.json").write_bytes(msgspec.json.encode(given))
        (folder / "conftest.py").write_bytes(Path(export.__path__[0], "trial_conftest.py").read_bytes())
        (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
        (folder / "test_it.py").write_text(test, "utf-8")
        for name, data in (beside or {}).items():
            (folder / Path(name).name).write_bytes(data)
        said = await _run(folder, seconds)
        if said is None:
            return Trial(outcome=PytestOutcome(when="call", timed_out=seconds))
        try:
            return msgspec.json.decode((folder / "outcome.json").read_bytes(), type=Trial)
        except (OSError, msgspec.MsgspecError):
            return Trial(outcome=PytestOutcome(when="setup", error="pytest", message=said[-_OUTPUT:]))


def _launch(choice: BrowserChoice) -> dict[str, Any]:
    """How Playwright starts the browser that searches use; its own where there is none."""
    arguments = [*choice.arguments, *sandbox_arguments()]
    try:
        return {"executable_path": str(find(choice.path).path), "args": arguments}
    except NoBrowser:
        return {"args": arguments}


async def _run(folder: Path, seconds: float) -> str | None:
    """What pytest said; None when it had to be ended."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *_COMMAND,
        *(word for each in entry_points(group="pytest11") if each.name in _PLUGINS for word in ("-p", each.name)),
        "test_it.py",
        cwd=folder,
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds):
            said, _ = await process.communicate()
        return said.decode(errors="replace")
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let it close its browser, then end it with all that it started."""
    for sent, patience in ((signal.SIGINT, _TO_END), (signal.SIGKILL, _TO_END)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, sent)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                await process.wait()
                return
