"""A run as annotations of GitHub Actions."""

from __future__ import annotations

from jostle.consumers.document import DocumentCollector
from jostle.consumers.gate import FailureGate
from jostle.report.annotations import lines
from jostle.search.stream import RunEnded, RunEvent


class Annotations:
    """Has the lines when the run has ended: they are to be printed after everything else."""

    def __init__(self, gate: FailureGate, *, directory: str, root: str = "") -> None:
        self._gate = gate
        self._places = {"directory": directory, "root": root}
        self._collector = DocumentCollector()
        self.lines: list[str] = []

    def __call__(self, event: RunEvent) -> None:
        self._collector(event)
        if isinstance(event, RunEnded):
            document = self._collector.document
            self.lines = lines(document, self._gate(document.findings), **self._places)
