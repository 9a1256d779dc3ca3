"""`jostle slowdown` on example pages with known answers: real command, real Chromium."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.commands import command, interrupted


def searched(url: str, cwd: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    done = command("slowdown", url, "--seed", "2", "--json", "out.json", *options, cwd=cwd)
    return done, json.loads((cwd / "out.json").read_text())


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.timeout(300)
def test_handlers_that_pile_up(base: str, tmp_path: Path) -> None:
    done, document = searched(
        f"{base}/slow-categories/", tmp_path, "--events", "100", "--budget", "60s", "--costs", "10"
    )
    assert done.returncode == 1, done.stderr
    findings = document["findings"]
    assert findings, document
    for finding in findings:  # all the same root cause, as far as the time went
        evidence = finding["evidence"]
        assert finding["kind"] == "slowdown"
        assert {"check", "(no name)"} >= {function["name"] for function in evidence["functions"]}
        assert all(function["file"].startswith("/slow-categories/") for function in evidence["functions"])
        costs = [cost for _, cost in evidence["costs"]]
        assert costs[-1] > 3 * costs[1]
    finding = findings[0]
    assert finding["confidence"] == "witnessed"
    assert finding["evidence"]["law"] == "linear"
    assert "event listeners" in finding["evidence"]["grows"]
    directory = next((tmp_path / ".jostle/runs").glob("*-slowdown"))
    assert "slow-categories" in (directory / "report.html").read_text("utf-8")
    replayed = command("replay", directory / finding["replay"], cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@pytest.mark.browser
@pytest.mark.long
def test_what_was_seen_until_ctrl_c_is_told(base: str, tmp_path: Path) -> None:
    search = ("slowdown", f"{base}/slow-sort/", "--seed", "2", "--events", "40", "--budget", "90s")
    document = interrupted(*search, cwd=tmp_path, at="Slowdown:")
    assert [finding["confidence"] for finding in document["findings"]] == ["predicted"]


@pytest.mark.browser
def test_the_twin_is_silent(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done, document = searched(
        f"{base}/slow-categories-fixed/", tmp_path, "--events", "100", "--budget", "120s", "--costs", "10"
    )
    assert done.returncode == 0, done.stderr
    assert document["findings"] == []
    assert done.stdout == snapshot, "how many pairs look as if they were worth trying depends on the machine"


@pytest.mark.browser
@pytest.mark.long
def test_from_a_recorded_session(base: str, tmp_path: Path) -> None:
    walked = command("record", f"{base}/slow-sort/", "--walk", "50", "--seed", "3", "-o", "walk.jostle", cwd=tmp_path)
    assert walked.returncode == 0, walked.stderr
    done = command(
        "slowdown", "--from", "walk.jostle", "--json", "out.json", "--budget", "20s", "--costs", "10", cwd=tmp_path
    )
    document = json.loads((tmp_path / "out.json").read_text())
    assert done.returncode == 1, done.stderr
    assert document["url"].endswith("/slow-sort/")
    assert {finding["kind"] for finding in document["findings"]} == {"slowdown"}
    functions = {each["name"] for finding in document["findings"] for each in finding["evidence"]["functions"]}
    assert functions, document["findings"]
