"""A run as a SARIF log."""

from __future__ import annotations

import json
from pathlib import Path

from jostle.consumers.gate import FailureGate
from jostle.consumers.sarif import SarifFile
from tests.consumers.streams import feed


def test_each_finding_is_a_result(tmp_path: Path) -> None:
    file = tmp_path / "out.sarif"
    feed(SarifFile(file, FailureGate(), directory="runs/x"))
    [run] = json.loads(file.read_text("utf-8"))["runs"]
    assert sorted(each["message"]["text"].split("\n")[0] for each in run["results"]) == [
        "The title of high",
        "The title of low",
    ]
