"""An artefact of a run, as a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jostle.search.stream import ArtefactMade, RunEvent
from jostle.writing import write_whole


class ArtefactFile:
    """Writes the file when the artefact of this name is made."""

    def __init__(self, name: str, file: Path, on_written: Callable[[Path], None]) -> None:
        self._name = name
        self._file = file
        self._on_written = on_written

    def __call__(self, event: RunEvent) -> None:
        if isinstance(event, ArtefactMade) and event.name == self._name:
            write_whole(self._file, event.data)
            self._on_written(self._file)
