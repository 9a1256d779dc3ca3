"""The model of an application, as a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jostle.model.machine import Machine
from jostle.search.stream import ArtefactMade, RunEvent


class ModelFile:
    """Writes the file when an exploration hands over its model."""

    def __init__(self, file: Path, on_written: Callable[[Path], None]) -> None:
        self._file = file
        self._on_written = on_written

    def __call__(self, event: RunEvent) -> None:
        if isinstance(event, ArtefactMade) and event.name == "model.json":
            Machine.from_json(event.data).save(self._file)
            self._on_written(self._file)
