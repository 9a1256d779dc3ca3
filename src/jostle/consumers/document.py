"""The JSON document of a run."""

from __future__ import annotations

from pathlib import Path

import click

from jostle.runs.document import Document, Suppressed
from jostle.search.result import Result
from jostle.search.stream import RunEnded, RunEvent, RunStarted
from jostle.version import __version__
from jostle.writing import write_whole


class DocumentCollector:
    """Collects a stream; `document` is there when it has ended."""

    def __init__(self) -> None:
        self.result = Result()
        self._started = RunStarted(command="", url=None, seed=0)
        self._ended: RunEnded | None = None

    def __call__(self, event: RunEvent) -> None:
        match event:
            case RunStarted():
                self._started = event
            case RunEnded():
                self._ended = event
            case _:
                self.result(event)

    @property
    def document(self) -> Document:
        ended, started, result = self._ended, self._started, self.result
        assert ended is not None, "the stream has not ended"
        return Document(
            jostle=__version__,
            command=started.command,
            url=started.url,
            seed=started.seed,
            seconds=round(ended.seconds, 3),
            status=ended.status,
            error=ended.error,
            findings=result.findings,
            suppressed=tuple(Suppressed(finding=finding, filter=why) for finding, why in result.dismissed),
            limits=result.limits,
            stats=ended.stats,
        )


class JsonFile:
    """Writes what `--json` asks for; the file is complete or not there. `-` is standard output."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._collector = DocumentCollector()

    def __call__(self, event: RunEvent) -> None:
        self._collector(event)
        if not isinstance(event, RunEnded):
            return
        content = self._collector.document.to_json()
        if self._file == Path("-"):
            click.echo(content.decode(), nl=False)
        else:
            write_whole(self._file, content)
