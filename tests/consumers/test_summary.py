"""What came of a check, on the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.consumers.gate import FailureGate
from jostle.consumers.summary import Summary
from jostle.findings.baseline import Baseline
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
