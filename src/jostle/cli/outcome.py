"""An analysing command at work: its run directory, who consumes its stream, and its exit code."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jostle.cli.options import Options
from jostle.cli.process import check_files
from jostle.consumers.document import JsonFile
from jostle.consumers.run_keeper import RunKeeper
from jostle.consumers.terminal import Terminal
from jostle.errors import Exit, told
from jostle.progress import Note
from jostle.runs import RunDirectory, Status
from jostle.search.redacting import UNREDACTED, Redaction
from jostle.search.run import Environment
from jostle.search.stream import Consumer, RunEnded, RunEvent, RunStarted, SearchEnded


class Work:
    """What a command needs while it works. `emit` takes a stream, for all who consume it."""

    def __init__(self, run: RunDirectory, consumers: list[Consumer], terminal: Terminal, redaction: Redaction) -> None:
        self.run = run
        self.redaction = redaction
        self.consumers = consumers
        """Add to these what else is to be made of the stream."""
        self.terminal = terminal
        self._coming: deque[RunEvent] = deque()
        self._handing = False
        self.stats: dict[str, Any] = {}
        """Figures for the JSON document; fill in as you go, so that an interrupted run has them too."""
        self.exit_code = Exit.NOTHING_FOUND
        """Set when the work is over."""
        self.given_up = False
        """Something could not be looked for: that nothing was found is not the whole truth then."""

    def emit(self, event: RunEvent) -> None:
        """What a consumer tells meanwhile comes when all have had this. The end of a run reaches all of them, also when
        one fails; what that one raised is raised afterwards."""
        self._coming.append(event)
        if self._handing:
            return
        self._handing = True
        try:
            while self._coming:
                self._hand_round(self.redaction.event(self._coming.popleft()))
        finally:
            self._handing = False

    def _hand_round(self, event: RunEvent) -> None:
        if isinstance(event, SearchEnded):
            self.stats |= event.stats
            self.given_up = self.given_up or bool(event.summary.given_up)
        failed: Exception | None = None
        for consumer in tuple(self.consumers):
            try:
                consumer(event)
            except Exception as error:
                if not isinstance(event, RunEnded):
                    raise
                failed = failed or error
        if failed is not None:
            raise failed

    def outcome(self, *, found: bool) -> Exit:
        """The exit code of work that came to its end."""
        if found:
            return Exit.FINDINGS
        return Exit.COULD_NOT_RUN if self.given_up else Exit.NOTHING_FOUND

    def note(self, text: str) -> None:
        self.emit(Note(text=text))

    def wrote_report(self, file: Path) -> None:
        self.note(f"The report: {file}")

    @contextmanager
    def application(self, options: Options) -> Iterator[Environment]:
        """The application under test is up inside."""
        environment = self.environment(options)
        with environment.application:
            yield environment

    def environment(self, options: Options) -> Environment:
        """With the application under test as it happens to be: nothing is started."""
        application = options.server.application(
            self.run.path / "application.log", self.emit, clean=self.redaction.text
        )
        return Environment(
            loaded=options.loaded,
            application=application,
            browser=options.browser.with_arguments(*application.browser_arguments(options.configuration.url or "")),
            cache=options.out / "scripts",
            verifying=options.verifying,
            judged=options.server.judged,
        )


@contextmanager
def working(command: str, options: Options, url: str | None = None, **more: Any) -> Iterator[Work]:
    """Do the work of an analysing command inside.

    Whatever happens inside is kept: the stream always ends with a `RunEnded`, which says whether the run was finished,
    interrupted or failed. `more` are the command's own options, kept with the run. Afterwards `exit_code` is set:

        with working("record", options, url, walk=30) as work:
            ...
        return work.exit_code
    """
    check_files()
    began = time.monotonic()
    asked = {
        "budget": options.budget,
        "workers": options.workers,
        "headed": options.headed,
        "connect": options.connect,
        "config": str(options.loaded.file) if options.loaded.file else None,
        **more,
    }
    redaction = Redaction.configured(options.configuration, on=options.redacted)
    shown = redaction.text(url) if url is not None else None
    with (
        RunDirectory.create(options.out, command, url=shown, seed=options.seed, options=redaction.told(asked)) as run,
        Terminal() as terminal,
    ):
        json = [JsonFile(options.json)] if options.json is not None else []
        work = Work(run, [RunKeeper(run), terminal, *json], terminal, redaction)

        def end(status: Status, error: str | None = None) -> None:
            seconds = time.monotonic() - began
            work.emit(RunEnded(status=status, seconds=seconds, error=error, stats=work.stats))

        work.emit(RunStarted(command=command, url=url, seed=options.seed))
        if not options.redacted:
            work.note(UNREDACTED)
        try:
            yield work
        except (KeyboardInterrupt, asyncio.CancelledError):
            with _only_said(terminal):
                end(Status.INTERRUPTED)
            raise
        except Exception as error:
            with _only_said(terminal):
                end(Status.FAILED, str(error))
            raise
        else:
            end(Status.FINISHED)
            work.exit_code = work.outcome(found=bool(run.findings))
        finally:
            terminal.say(f"The run is kept in {run.path}")


@contextmanager
def _only_said(terminal: Terminal) -> Iterator[None]:
    """What goes wrong inside does not hide why a run has ended."""
    try:
        yield
    except Exception as error:
        terminal.say(told(error))
