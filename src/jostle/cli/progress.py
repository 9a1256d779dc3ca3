"""Progress on the terminal: a live line where there is one, plain lines elsewhere. Always on standard error."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from jostle.cli.text import in_words, printable
from jostle.progress import Finished, LimitMet, Note, Progress, Started, Stepped

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar


_LONGEST = 100
"""Characters of what is being done; a typed text may be long."""


class Terminal:
    """A progress listener for people. Use as a context, so that the live line is taken away whatever happens."""

    def __init__(self, stream: TextIO | None = None, *, every: float = 2.0) -> None:
        """`every`: least seconds between two plain lines about steps."""
        self._stream = stream or sys.stderr
        self._every = every
        self._live = _Live(self._stream) if self._stream.isatty() else None
        self._work = Started(what="")
        self._limits: set[str] = set()
        self._began = self._told = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live:
            self._live.end()

    def __call__(self, progress: Progress, /) -> None:
        match progress:
            case Started():
                self._work = progress
                self._began = self._told = time.monotonic()
                if self._live:
                    self._live.begin(printable(progress.what), progress.total)
                else:
                    self._line(f"{progress.what} ...")
            case Stepped():
                self._step(progress)
            case Note():
                self._line(progress.text)
            case LimitMet():
                if progress.text not in self._limits:  # it may be met at every step
                    self._limits.add(progress.text)
                    self._line(f"Not controlled: {progress.text}")
            case Finished():
                if self._live:
                    self._live.end()
                verb = "interrupted after" if progress.interrupted else "in"
                self._line(f"{progress.summary} ({verb} {in_words(time.monotonic() - self._began)})")

    def _step(self, step: Stepped) -> None:
        what = step.what if len(step.what) <= _LONGEST else f"{step.what[: _LONGEST - 1]}…"
        if self._live:
            self._live.step(step.done, printable(what))
        elif time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            of = f" of {self._work.total}" if self._work.total else ""
            self._line(f"{self._work.what}: {step.done}{of}{f' {what}' if what else ''}")

    def _line(self, text: str) -> None:
        if self._live:
            self._live.line(printable(text))
        else:
            self._stream.write(f"{printable(text)}\n")
            self._stream.flush()


class _Live:
    """The live line, drawn by rich; imported only when there is one to draw."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._console: Console | None = None
        self._bar: Bar | None = None

    def begin(self, what: str, total: int | None) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        self.end()
        # markup=False: a page's text must not be read as formatting.
        columns = [SpinnerColumn(), TextColumn("{task.description}", markup=False)]
        columns += [BarColumn(bar_width=20), MofNCompleteColumn()] if total else [TextColumn("{task.completed}")]
        columns += [TimeElapsedColumn(), TextColumn("{task.fields[now]}", markup=False)]
        self._bar = Bar(*columns, console=self._on(), transient=True)
        self._bar.add_task(what, total=total, now="")
        self._bar.start()

    def step(self, done: int, now: str) -> None:
        if self._bar:
            self._bar.update(self._bar.task_ids[0], completed=done, now=now)

    def line(self, text: str) -> None:
        self._on().print(text, markup=False, highlight=False, soft_wrap=True)

    def end(self) -> None:
        if self._bar:
            self._bar.stop()
            self._bar = None

    def _on(self) -> Console:
        from rich.console import Console

        self._console = self._console or Console(file=self._stream)
        return self._console
