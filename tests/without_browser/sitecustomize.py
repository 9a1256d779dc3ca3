"""While `JOSTLE_TEST_WITHOUT_BROWSER` names a file, starting a browser raises an error and is noted in that file.

Python imports a module of this name by itself when it starts, so that processes which a test starts are watched as the
test is: see `tests/conftest.py`. Playwright's driver counts as a browser: it is started for nothing else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

VARIABLE = "JOSTLE_TEST_WITHOUT_BROWSER"
_STARTS = {"subprocess.Popen", "os.posix_spawn", "os.exec"}
"""Audit events with a program and its arguments."""
_PRETENDING = "/pytest-of-"
"""In the path of a program that a test has made: it only pretends to be a browser."""


def is_browser(arguments: Sequence[object]) -> bool:
    words = [os.fsdecode(each) if isinstance(each, bytes | os.PathLike) else str(each) for each in arguments]
    if not words or _PRETENDING in words[0]:
        return False
    return "/playwright/driver/" in words[0] or any(
        word.startswith(("--user-data-dir=", "--remote-debugging-")) for word in words
    )


def refuse(what: str) -> None:
    """Raise and note it if browsers are not allowed now."""
    if notes := os.environ.get(VARIABLE):
        with Path(notes).open("a") as file:
            file.write(f"{what}\n")
        raise RuntimeError(f"A test without the marker `browser` starts a browser: {what}")


def _heard(event: str, details: tuple[object, ...]) -> None:
    if event in _STARTS and VARIABLE in os.environ:
        arguments = details[1]
        if isinstance(arguments, Sequence) and not isinstance(arguments, str | bytes) and is_browser(arguments):
            refuse(" ".join(map(str, arguments[:2])))


sys.addaudithook(_heard)
