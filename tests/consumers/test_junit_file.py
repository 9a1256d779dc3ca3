"""A run as JUnit XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from jostle.consumers.gate import FailureGate
from jostle.consumers.junit import JUnitFile
from jostle.runs import Status
from tests.consumers.streams import feed


def test_findings_and_what_was_not_tried(tmp_path: Path) -> None:
    file = tmp_path / "out.xml"
    feed(JUnitFile(file, FailureGate(["high"]), directory="runs/x"))
    suites = ET.parse(file).getroot()
    cases = {case.get("name", ""): case for case in suites.iter("testcase")}
    assert any("The title of high" in name and cases[name].find("failure") is not None for name in cases)
    assert any("The title of low" in name and cases[name].find("skipped") is not None for name in cases)
    assert "the time was up" in file.read_text("utf-8")


def test_a_run_that_failed(tmp_path: Path) -> None:
    file = tmp_path / "out.xml"
    feed(JUnitFile(file, FailureGate(), directory="runs/x"), status=Status.FAILED, error="the server was gone")
    assert "the server was gone" in file.read_text("utf-8")
    assert ET.parse(file).getroot().get("errors") == "1"
