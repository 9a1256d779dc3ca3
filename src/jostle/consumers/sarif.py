"""A run as a SARIF log."""

from __future__ import annotations

from pathlib import Path

from jostle.consumers.document import DocumentCollector
from jostle.consumers.gate import FailureGate
from jostle.report import sarif
from jostle.search.stream import RunEnded, RunEvent
from jostle.writing import write_whole


class SarifFile:
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
            write_whole(self._file, sarif.log(document, self._gate(document.findings), **self._places))
