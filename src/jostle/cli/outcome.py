"""An analysing command at work: its run directory, its progress, its JSON document and its exit code."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from jostle.cli.options import Options
from jostle.cli.progress import Terminal
from jostle.errors import Exit
from jostle.progress import Listener, Note, together
from jostle.runs import Document, RunDirectory, Status
from jostle.writing import write_whole


class Work:
    """What a command needs while it works."""

    def __init__(self, run: RunDirectory, listener: Listener, still: Callable[[], None] = lambda: None) -> None:
        self.run = run
        self.listener = listener
        """Takes the engine's progress events."""
        self.still = still
        """Takes live lines of progress away, for something else to be written."""
        self.stats: dict[str, Any] = {}
        """Figures for the JSON document; fill in as you go, so that an interrupted run has them too."""
        self.exit_code = Exit.NOTHING_FOUND
        """Set when the work is over."""


@contextmanager
def working(command: str, options: Options, url: str | None = None, **more: Any) -> Iterator[Work]:
    """Do the work of an analysing command inside.

    Whatever happens inside is kept: the run directory is marked finished, interrupted or failed, and the JSON document
    is written in each case. `more` are the command's own options, kept with the run. Afterwards `exit_code` is set:

        with working("record", options, url, walk=30) as work:
            ...
        return work.exit_code
    """
    began = time.monotonic()
    asked = {
        "budget": options.budget,
        "workers": options.workers,
        "headed": options.headed,
        "connect": options.connect,
        "config": str(options.loaded.file) if options.loaded.file else None,
        **more,
    }
    with (
        RunDirectory.create(options.out, command, url=url, seed=options.seed, options=asked) as run,
        Terminal() as told,
    ):
        work = Work(run, together([told, run.listen]), told.still)
        try:
            yield work
        except (KeyboardInterrupt, asyncio.CancelledError):
            run.finish(Status.INTERRUPTED)
            raise
        except Exception as error:
            run.finish(Status.FAILED, error=str(error))
            raise
        else:
            run.finish()
            work.exit_code = Exit.FINDINGS if run.findings else Exit.NOTHING_FOUND
        finally:
            write_document(run.document(seconds=time.monotonic() - began, stats=work.stats), options.json)
            told(Note(text=f"The run is kept in {run.path}"))


def write_document(document: Document, file: Path | None) -> None:
    """Write what `--json` asked for; the file is complete or not there."""
    if file is None:
        return
    if file == Path("-"):
        click.echo(document.to_json().decode(), nl=False)
        return
    write_whole(file, document.to_json())
