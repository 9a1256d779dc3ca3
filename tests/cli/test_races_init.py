"""`jostle races init` on example pages with known answers: real command, real Chromium."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jostle.runs import RunDirectory
from jostle.runs.report import reported
from tests.cli.commands import command, interrupted
from tests.cli.told import told

pytestmark = pytest.mark.browser


def searched(url: str, cwd: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    done = command("races", "init", url, "--budget", "60s", "--json", "out.json", cwd=cwd)
    return done, json.loads((cwd / "out.json").read_text())


def test_what_is_typed_too_early_is_lost(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done, document = searched(f"{base}/form-overwrite/", tmp_path)
    assert done.returncode == 1, done.stderr
    [finding] = document["findings"]
    assert (finding["kind"], finding["confidence"]) == ("form-input-overwritten", "witnessed")
    assert told(done, tmp_path) == snapshot
    directory = next((tmp_path / ".jostle/runs").glob("*-races-init"))
    evidence = finding["evidence"]
    for file in (evidence["good"]["screen"], evidence["good"]["replay"], evidence["bad"]["screen"], evidence["test"]):
        assert (directory / file).is_file()
    compile((directory / evidence["test"]).read_text("utf-8"), "test", "exec")
    assert "search.js" in (directory / "report.html").read_text("utf-8")
    with RunDirectory.open(directory) as kept:
        assert [(each.name, each.found) for each in reported(kept).told.searches] == [("races init", 1)]
    replayed = command("replay", directory / finding["replay"], cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_the_twin_is_silent_and_tells_what_was_dismissed(
    base: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    done, document = searched(f"{base}/form-overwrite-fixed/", tmp_path)
    assert done.returncode == 0, done.stderr
    assert document["findings"] == []
    assert document["stats"]["loads"] >= 1
    assert told(done, tmp_path) == snapshot


@pytest.mark.long
def test_ctrl_c_keeps_what_was_found(base: str, tmp_path: Path) -> None:
    document = interrupted("races", "init", f"{base}/late-query-field/", cwd=tmp_path, at="Race:")
    assert document["findings"]


def test_nobody_answers(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = command("races", "init", "http://127.0.0.1:9/", cwd=tmp_path)
    assert done.returncode == 3
    assert told(done, tmp_path) == snapshot
