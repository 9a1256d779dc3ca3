"""What came of a check, on the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.consumers.gate import FailureGate
from jostle.consumers.summary import Summary
from jostle.findings.baseline import Baseline
from jostle.search.stream import RunEnded, Status
from tests.consumers.streams import feed, finding


def test_the_worst_first_and_what_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, still = tmp_path / "known.json", list[str]()
    Baseline().updated([finding("high"), finding("fixed")]).write(file)
    summary = Summary(FailureGate((), file), Path("report.html"), still=lambda: still.append("still"))
    feed(summary)
    assert capsys.readouterr().out == (
        "\n2 findings.\n"
        "  high   exception                The title of high (known)\n"
        "  low    exception                The title of low\n"
        "Not seen this time, perhaps fixed: 1 finding of the baseline.\n"
        "\nThe report: report.html\n"
    )
    assert still == ["still"] and [each.id for each in summary.gated.failing] == ["low"]


def test_without_a_gate_and_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    feed(Summary(None, None, still=lambda: None))
    told = capsys.readouterr()
    assert told.out.startswith("\n2 findings.\n  high   exception")
    assert "The report" not in told.out and told.err == ""


def test_where_a_document_goes_to_standard_output_nothing_else_does(capsys: pytest.CaptureFixture[str]) -> None:
    feed(Summary(None, None, still=lambda: None, document=Path("-")))
    told = capsys.readouterr()
    assert told.out == "" and "2 findings." in told.err


def test_a_run_that_failed_does_not_say_that_nothing_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    Summary(None, None, still=lambda: None)(RunEnded(status=Status.FAILED, seconds=1.0, error="It is not there."))
    assert capsys.readouterr().out == ""
    Summary(None, None, still=lambda: None)(RunEnded(status=Status.FINISHED, seconds=1.0))
    assert capsys.readouterr().out == "\nNothing was found.\n"
