"""Progress on the terminal: a live line for each piece of work where there can be one, plain lines elsewhere.

Always on standard error.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from jostle.progress import FindingCounts, Finished, LimitMet, Note, Started, Stepped
from jostle.search.stream import RunEvent
from jostle.text import in_words, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import TaskID


_LONGEST = 100
"""Characters of what is being done; a typed text may be long."""
_FOUND = "found so far: "


class _Work:
    """A piece of work under way."""

    def __init__(self, started: Started) -> None:
        self.started = started
        self.total = started.total
        self.began = self.told = time.monotonic()


class Terminal:
    """A consumer for people. Use as a context, so that live lines are taken away whatever happens."""

    def __init__(self, stream: TextIO | None = None, *, every: float = 2.0) -> None:
        """`every`: least seconds between two plain lines about steps of one piece of work."""
        self._stream = stream or sys.stderr
        self._every = every
        self._live = _Live(self._stream) if self._stream.isatty() else None
        self._works: dict[str, _Work] = {}
        """By who does them."""
        self._limits: set[str] = set()
        self._found: FindingCounts | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.still()

    def still(self) -> None:
        """Take live lines away, for something else to be written."""
        if self._live:
            self._live.end()

    def __call__(self, progress: RunEvent, /) -> None:
        match progress:
            case Started():
                self._works[progress.by] = _Work(progress)
                if self._live:
                    self._live.begin(progress.by, printable(progress.what), progress.total)
                else:
                    self.say(f"{progress.what} ...")
            case Stepped():
                self._step(progress)
            case Note():
                self.say(progress.text)
            case LimitMet():
                if progress.text not in self._limits:  # it may be met at every step
                    self._limits.add(progress.text)
                    self.say(f"Not controlled: {progress.text}")
            case FindingCounts():
                self._found = progress
                if self._live:
                    self._live.found(str(progress))
            case Finished():
                if self._live:
                    self._live.finish(progress.by)
                verb = "interrupted after" if progress.interrupted else "in"
                work = self._works.pop(progress.by, None)
                took = time.monotonic() - work.began if work is not None else 0.0
                self.say(f"{progress.summary} ({verb} {in_words(took)})")
            case _:
                pass  # findings are announced by notes, and summed up at the end

    def _step(self, step: Stepped) -> None:
        what = step.what if len(step.what) <= _LONGEST else f"{step.what[: _LONGEST - 1]}…"
        work = self._works.get(step.by)
        if work is None:
            return
        work.total = step.total or work.total
        if self._live:
            self._live.step(step.by, step.done, work.total, printable(what))
        elif time.monotonic() - work.told >= self._every:
            work.told = time.monotonic()
            of = f" of {work.total}" if work.total else ""
            found = f" ({_FOUND}{self._found})" if self._found is not None else ""
            self.say(f"{work.started.what}: {step.done}{of}{f' {what}' if what else ''}{found}")

    def say(self, text: str) -> None:
        """A line of its own."""
        if self._live:
            self._live.line(printable(text))
        else:
            self._stream.write(f"{printable(text)}\n")
            self._stream.flush()


class _Live:
    """The live lines, drawn by rich; imported only when there is one to draw."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._console: Console | None = None
        self._bar: Bar | None = None
        self._tasks: dict[str, TaskID] = {}

    def begin(self, by: str, what: str, total: int | None) -> None:
        bar = self._drawn()
        self.finish(by, keep=True)
        self._tasks[by] = bar.add_task(what, total=total, count="", now="")

    def step(self, by: str, done: int, total: int | None, now: str) -> None:
        if self._bar is not None and by in self._tasks:
            count = f"{done} of {total}" if total else f"{done}"
            self._bar.update(self._tasks[by], completed=done, total=total, count=count, now=now)

    def found(self, words: str) -> None:
        bar = self._drawn()
        if _FOUND not in self._tasks:
            self._tasks[_FOUND] = bar.add_task(_FOUND, total=None, count="", now="")
        bar.update(self._tasks[_FOUND], description=f"{_FOUND}{words}")

    def line(self, text: str) -> None:
        self._on().print(text, markup=False, highlight=False, soft_wrap=True)

    def finish(self, by: str, *, keep: bool = False) -> None:
        """`keep`: another piece of work begins at once."""
        if self._bar is None or by not in self._tasks:
            return
        if len(self._tasks) == 1 and not keep:
            self.end()
        else:
            self._bar.remove_task(self._tasks.pop(by))

    def end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            self._tasks.clear()

    def _drawn(self) -> Bar:
        if self._bar is None:
            from rich.progress import Progress as Bar
            from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

            # markup=False: a page's text must not be read as formatting.
            columns = (
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                TextColumn("{task.fields[count]}", markup=False),
                TimeElapsedColumn(),
                TextColumn("{task.fields[now]}", markup=False),
            )
            self._bar = Bar(*columns, console=self._on(), transient=True)
            self._bar.start()
        return self._bar

    def _on(self) -> Console:
        from rich.console import Console

        self._console = self._console or Console(file=self._stream)
        return self._console
