"""Runs pytest, and what failed once more by itself: what passes only then is named at the end.

    python -m tests.repeating [options of pytest]

A plugin of pytest at the same time, which notes what failed and tells what did so only once. The exit code is that of
the last run, and so is the last line.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

_HERE = Path(__file__).parent.parent


def main(options: Sequence[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="jostle-failed-") as folder:
        failed = Path(folder, "failed")
        code = _run("--note-failed", str(failed), *options)
        if code != pytest.ExitCode.TESTS_FAILED or not failed.exists():
            return code
        return _run("--repeated", f"@{failed}")


def _run(*arguments: str) -> int:
    path = os.pathsep.join(filter(None, (str(_HERE), os.environ.get("PYTHONPATH"))))
    program = [sys.executable, "-m", "pytest", "-p", "tests.repeating", *arguments]
    return subprocess.run(program, env={**os.environ, "PYTHONPATH": path}).returncode


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("repeating", "once more what failed")
    group.addoption("--note-failed", metavar="FILE", help="write there which tests failed")
    group.addoption("--repeated", action="store_true", help="what runs has failed: tell what passes")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """In the process that people see, not in those of pytest-xdist."""
    stats = terminalreporter.stats
    failed = {report.nodeid for outcome in ("failed", "error") for report in stats.get(outcome, ())}
    if (noted := config.getoption("--note-failed")) and failed:
        Path(noted).write_text("".join(f"{name}\n" for name in sorted(failed)))
    if config.getoption("--repeated"):
        for name in sorted({report.nodeid for report in stats.get("passed", ())} - failed):
            terminalreporter.write_line(f"passed only when repeated: {name}", yellow=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
