"""The HTML report of a run."""

from __future__ import annotations

from pathlib import Path

from jostle.runs.directory import RunDirectory
from jostle.runs.report import write_report
from jostle.search.stream import RunEnded, RunEvent


class ReportFile:
    """Writes the report when the run ends, from what its directory has by then."""

    def __init__(self, run: RunDirectory, file: Path) -> None:
        self._run = run
        self._file = file

    def __call__(self, event: RunEvent) -> None:
        if isinstance(event, RunEnded):
            write_report(self._run, self._file)
