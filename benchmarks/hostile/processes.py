"""jostle in a process of its own, with everything it starts: so that nothing is left behind, whatever happens to it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

_LEFT_SECONDS = 10.0
"""In which the browser of a process that was killed has to be gone."""


class Ended(msgspec.Struct, kw_only=True):
    """A process that has ended."""

    code: int
    seconds: float
    """Since it began, or since it was told to end."""
    said: str
    """On standard error."""
    left: list[int] = []
    """Processes that it left behind."""


class Place(msgspec.Struct, kw_only=True):
    """Where a process runs: a folder of its own, which all that it starts have in their command line."""

    folder: Path

    @property
    def run(self) -> Path | None:
        """The directory of its run, if there is one."""
        return next((self.folder / ".jostle" / "runs").glob("*-*"), None)

    def start(self, words: Sequence[str]) -> subprocess.Popen[str]:
        (self.folder / "tmp").mkdir(exist_ok=True)
        return subprocess.Popen(
            [sys.executable, "-m", "jostle.cli.main", *words],
            cwd=self.folder,
            env={**os.environ, "TMPDIR": str(self.folder / "tmp"), "COLUMNS": "200"},
            stdin=subprocess.DEVNULL,
            stdout=(self.folder / "stdout").open("wb"),
            stderr=(self.folder / "stderr").open("wb"),
            text=True,
        )

    def said(self) -> str:
        return (self.folder / "stderr").read_text("utf-8", "replace")

    def ended(self, process: subprocess.Popen[str], *, at: float, number: signal.Signals | None, most: float) -> Ended:
        """Wait, send a signal `at` so many seconds, and wait again, at most so long."""
        began = time.monotonic()
        if number is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(at)
            began = time.monotonic()
            if process.poll() is None:
                process.send_signal(number)
        try:
            process.wait(most)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        seconds = time.monotonic() - began
        return Ended(code=process.returncode, seconds=seconds, said=self.said(), left=self._left())

    def _left(self) -> list[int]:
        deadline = time.monotonic() + _LEFT_SECONDS
        while (left := list(self._started())) and time.monotonic() < deadline:
            time.sleep(0.1)
        for each in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        return left

    def _started(self) -> Iterator[int]:
        own = str(self.folder / "tmp").encode()
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if own in (process / "cmdline").read_bytes():
                    yield int(process.name)


@contextlib.contextmanager
def place() -> Iterator[Place]:
    with tempfile.TemporaryDirectory(prefix="hostile-", ignore_cleanup_errors=True) as folder:
        yield Place(folder=Path(folder))
