"""What came of a search: its stream, put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jostle.findings import Finding
from jostle.progress import LimitMet, Note
from jostle.report.run_summary import RunSummary
from jostle.search.stream import (
    ArtefactMade,
    CaseDismissed,
    FileMade,
    FileWithdrawn,
    FindingReported,
    RunEvent,
    SearchEnded,
)


class Result:
    """Consumes a stream; can be read at any time."""

    def __init__(self) -> None:
        self._findings: dict[str, Finding] = {}
        self._dismissed: dict[str, tuple[Finding, str]] = {}
        self._limits: dict[str, None] = {}
        self.notes: list[str] = []
        self.summary = RunSummary()
        """What was tried, and what was not; empty until the search has ended."""
        self.stats: Mapping[str, Any] = {}
        """Figures, by their names."""

    def __call__(self, event: RunEvent) -> None:
        match event:
            case FindingReported(finding):
                self._dismissed.pop(finding.id, None)
                self._findings.pop(finding.id, None)
                self._findings[finding.id] = finding
            case CaseDismissed(finding, reason):
                self._findings.pop(finding.id, None)
                self._dismissed[finding.id] = finding, reason
            case LimitMet(text=text):
                self._limits[text] = None
            case Note(text=text):
                self.notes.append(text)
            case SearchEnded(summary, stats):
                self.summary, self.stats = summary, stats
            case _:
                pass

    @property
    def findings(self) -> tuple[Finding, ...]:
        """In the order in which they were reported last, as a run directory has them."""
        return tuple(self._findings.values())

    @property
    def dismissed(self) -> tuple[tuple[Finding, str], ...]:
        """What was tried or suspected and is harmless, with the reason."""
        return tuple(self._dismissed.values())

    @property
    def limits(self) -> tuple[str, ...]:
        """What was met that could not be controlled."""
        return tuple(self._limits)


class Files:
    """Consumes a stream; keeps the files in it in memory, by name."""

    def __init__(self, *, but: str = "") -> None:
        """`but`: the ending of files that are not wanted."""
        self._but = but
        self.made: dict[str, bytes] = {}
        """Recordings, pictures and tests that findings name."""
        self.artefacts: dict[str, bytes] = {}

    def __call__(self, event: RunEvent) -> None:
        match event:
            case FileMade(name, data) if not self._but or not name.endswith(self._but):
                self.made[name] = data
            case FileWithdrawn(name):
                self.made.pop(name, None)
            case ArtefactMade(name, data):
                self.artefacts[name] = data
            case _:
                pass
