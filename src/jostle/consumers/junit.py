"""A run as JUnit XML."""

from __future__ import annotations

from pathlib import Path

import msgspec

from jostle.consumers.document import DocumentCollector
from jostle.consumers.gate import FailureGate
from jostle.report import junit
from jostle.report.run_outcome import searches
from jostle.search.stream import RunEnded, RunEvent
from jostle.writing import write_whole


class JUnitFile:
    """Writes the file when the run ends. `root`: the folder of the repository that is served as /."""

    def __init__(self, file: Path, gate: FailureGate, *, directory: str, root: str = "") -> None:
        self._file = file
        self._gate = gate
        self._places = {"directory": directory, "root": root}
        self._collector = DocumentCollector()

    def __call__(self, event: RunEvent) -> None:
        self._collector(event)
        if isinstance(event, RunEnded):
            document = self._collector.document
            told = searches(msgspec.to_builtins(self._collector.result.summary))
            gated = self._gate(document.findings)
            write_whole(self._file, junit.report(document, told, gated, **self._places).encode())
