"""`jostle check`: real command, real Chromium."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

from tests.cli.commands import command, interrupted


def test_one_report_and_a_baseline(base: str, tmp_path: Path) -> None:
    only = ("--only", "ajax", "--budget", "45s")
    done = command(
        "check", f"{base}/paging/", *only, "--json", "out.json", "--junit", "out.xml", "--sarif", "out.sarif",
        "--baseline", "known.json", "--update-baseline", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr  # what is in the baseline now does not fail
    document = json.loads((tmp_path / "out.json").read_text())
    assert [each["kind"] for each in document["findings"]] == ["ajax-race"]
    assert "1 finding." in done.stdout and "(known)" in done.stdout
    directory = next((tmp_path / ".jostle/runs").glob("*-check"))
    report = (directory / "report.html").read_text("utf-8")
    assert "still going on" not in report
    assert "A late answer to GET /api/rows" in report and "Answers that come late" in report
    assert document["findings"][0]["id"] in (tmp_path / "known.json").read_text()
    assert ET.parse(tmp_path / "out.xml").getroot().tag == "testsuites"
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"
    rebuilt = command("report", directory, "-o", "again.html", cwd=tmp_path)
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert "A late answer to GET /api/rows" in (tmp_path / "again.html").read_text("utf-8")


def test_interrupted(base: str, tmp_path: Path) -> None:
    document = interrupted("check", f"{base}/larder/", at="explore: exploring", cwd=tmp_path)
    assert document["status"] == "interrupted"
    [report] = (tmp_path / ".jostle/runs").glob("*-check/report.html")
    assert "interrupted" in report.read_text("utf-8")


def test_wrong_usage(base: str, tmp_path: Path) -> None:
    for options, words in (
        (("--fail-on", "hihg"), "Did you mean `high`?"),
        (("--update-baseline",), "--update-baseline needs --baseline"),
        (("--baseline", "none.json"), "none.json"),
        (("--only", "ajax", "--skip", "ajax"), "Nothing is left to look for"),
    ):
        done = command("check", f"{base}/paging/", *options, cwd=tmp_path)
        assert done.returncode == 2, (options, done.stderr)
        assert words in done.stderr
