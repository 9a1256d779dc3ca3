"""A stream in the directory of its run."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import msgspec

from jostle.consumers.run_keeper import RunKeeper
from jostle.report.run_summary import read_summary
from jostle.runs import RunDirectory, Status
from jostle.search.stream import FindingReported
from tests.consumers.streams import STREAM, SUMMARY, feed, finding


def test_everything_is_kept(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "check") as run:
        feed(RunKeeper(run), status=Status.FAILED, error="the server was gone")
    with RunDirectory.open(run.path) as kept:
        assert [each.id for each in kept.findings] == ["low", "high"]
        assert [(each.finding.id, each.filter) for each in kept.suppressed] == [("harmless", "it ends the same")]
        assert {(each.kind, each.text) for each in kept.remarks} == {("limit", "a worker"), ("note", "a note")}
        assert kept.artefact("model.json") == b"{}"
        assert read_summary(msgspec.json.decode(kept.artefact("told.json"))) == SUMMARY
        assert (kept.info.status, kept.info.error) == (Status.FAILED, "the server was gone")
    assert (run.path / "test_low.py").read_bytes() == b"def test_low(): ..."


def test_what_was_announced_is_on_disk(tmp_path: Path) -> None:
    """Another process could read it at once: nothing waits for the end of the run."""
    with RunDirectory.create(tmp_path, "check") as run:
        keeper = RunKeeper(run)
        for event in takewhile(lambda event: not isinstance(event, FindingReported), STREAM):
            keeper(event)
        keeper(FindingReported(finding("low")))
        with RunDirectory.open(run.path) as reader:
            assert [each.id for each in reader.findings] == ["low"]
        assert (run.path / "test_low.py").is_file()
