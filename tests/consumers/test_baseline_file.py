"""The baseline, with what a run found."""

from __future__ import annotations

from pathlib import Path

from jostle.consumers.baseline import BaselineFile
from jostle.consumers.gate import FailureGate
from jostle.findings.baseline import Baseline
from tests.consumers.streams import feed


def test_it_is_written_where_that_was_asked_for(tmp_path: Path) -> None:
    file, written = tmp_path / "known.json", list[Path]()
    feed(BaselineFile(FailureGate((), file, update=True), written.append))
    assert written == [file]
    assert [each.id for each in Baseline.read(file).findings] == ["high", "low"]


def test_it_is_left_alone_otherwise(tmp_path: Path) -> None:
    written: list[Path] = []
    feed(BaselineFile(FailureGate(), written.append))
    assert not written and not list(tmp_path.iterdir())
