"""Writing a stream down in the directory of its run, as it comes: what was announced is on disk."""

from __future__ import annotations

from pathlib import Path

import msgspec

from jostle.runs.directory import RunDirectory
from jostle.search.stream import (
    ArtefactMade,
    CaseDismissed,
    DraftMade,
    FileMade,
    FileWithdrawn,
    FindingReported,
    RunEnded,
    RunEvent,
    RunStarted,
    SearchEnded,
)
from jostle.writing import write_whole


class RunKeeper:
    """Must be the first of several consumers. Raises RunProblem when the directory cannot be written."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run

    def __call__(self, event: RunEvent) -> None:
        match event:
            case FindingReported(finding):
                self._run.add_finding(finding)
            case CaseDismissed(finding, reason):
                self._run.add_finding(finding, suppressed_by=reason)
            case FileMade(name, data):
                write_whole(self._run.path / Path(name).name, data, follow=False)
            case FileWithdrawn(name):
                (self._run.path / Path(name).name).unlink(missing_ok=True)
            case ArtefactMade(name, data, media_type):
                self._run.add_artefact(name, data, media_type)
            case SearchEnded(summary):
                self._run.add_artefact("told.json", msgspec.json.encode(summary), "application/json")
            case RunEnded():
                self._run.finish(event.status, error=event.error)
            case RunStarted() | DraftMade():
                pass
            case _:
                self._run.listen(event)
