"""The baseline, with what a run found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jostle.consumers.gate import FailureGate
from jostle.search.result import Result
from jostle.search.stream import RunEnded, RunEvent


class BaselineFile:
    """Writes the file when the run ends, where `--update-baseline` asks for it."""

    def __init__(self, gate: FailureGate, on_written: Callable[[Path], None]) -> None:
        self._gate = gate
        self._on_written = on_written
        self._result = Result()

    def __call__(self, event: RunEvent) -> None:
        self._result(event)
        if isinstance(event, RunEnded) and (file := self._gate.write_baseline(self._result.findings)) is not None:
            self._on_written(file)
