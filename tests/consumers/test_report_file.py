"""The HTML report of a run."""

from __future__ import annotations

from pathlib import Path

from jostle.consumers.report import ReportFile
from jostle.consumers.run_keeper import RunKeeper
from jostle.runs import RunDirectory, Status
from jostle.search.stream import RunEvent
from tests.consumers.streams import feed


def test_it_tells_how_the_run_ended(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    with RunDirectory.create(tmp_path, "check", url="http://x/") as run:
        keeper, report = RunKeeper(run), ReportFile(run, file)

        def both(event: RunEvent) -> None:
            keeper(event)
            assert not file.exists()
            report(event)

        feed(both, status=Status.INTERRUPTED)
    page = file.read_text("utf-8")
    assert "The title of high" in page and "The run was interrupted" in page
