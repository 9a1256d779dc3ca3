"""Errors meant for people, and the exit code each of them gives."""

from __future__ import annotations

import os
import traceback
from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    """Exit codes of the `jostle` command."""

    NOTHING_FOUND = 0
    FINDINGS = 1
    WRONG_USAGE = 2
    COULD_NOT_RUN = 3
    INTERRUPTED = 130


_LONGEST = 4000
"""Characters of a message. Nobody reads more."""


class Problem(Exception):
    """Something the user has to know: what went wrong and where, and what to do about it.

    The command line shows the message and the advice without a traceback and ends with `exit_code`.
    """

    exit_code: Exit = Exit.COULD_NOT_RUN

    def __init__(self, message: str, *, advice: str = "") -> None:
        if len(message) > _LONGEST:  # it repeats what somebody else has written
            message = f"{message[:_LONGEST]}…"
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.partial: Any = None
        """Where a search of the library failed: the `jostle.SearchResult` with what it had found by then."""

    def __str__(self) -> str:
        return f"{self.message}\n{self.advice}" if self.advice else self.message


class UsageProblem(Problem):
    """The command was called wrongly: a wrong argument, or a file that is not what it should be."""

    exit_code = Exit.WRONG_USAGE


class ConfigurationProblem(UsageProblem):
    """The configuration file is wrong."""


class CouldNotRun(Problem):
    """The work could not be done: no browser, application unreachable, output not writable ..."""


class NoBrowser(CouldNotRun):
    """No Chromium was found, or the one found does not start."""


class ApplicationProblem(CouldNotRun):
    """The application under test could not be started, reset or reached."""


class ApplicationDied(ApplicationProblem):
    """The application under test stopped answering after something that was done in it."""


class RunProblem(CouldNotRun):
    """The run directory cannot be written or read."""


def debugging() -> bool:
    """Whether tracebacks are wanted: `jostle --debug`, or JOSTLE_DEBUG=1."""
    return os.environ.get("JOSTLE_DEBUG", "0") not in ("", "0")


def told(error: Exception) -> str:
    """An error in words, as it is told when the work goes on without what failed; the traceback too for who debugs."""
    words = str(error) if isinstance(error, Problem) else f"jostle itself failed: {type(error).__name__}: {error}"
    return "\n".join([words, *traceback.format_exception(error)]).rstrip() if debugging() else words
