"""`jostle races init` on example pages with known answers: real command, real Chromium."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jostle.examples import running


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with running() as served:
        yield served


def command(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jostle.cli.main", *map(str, arguments)],
        cwd=cwd, capture_output=True, text=True, timeout=115,
    )  # fmt: skip


def searched(url: str, cwd: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    done = command("races", "init", url, "--budget", "60s", "--json", "out.json", cwd=cwd)
    return done, json.loads((cwd / "out.json").read_text())


def test_what_is_typed_too_early_is_lost(base: str, tmp_path: Path) -> None:
    done, document = searched(f"{base}/form-overwrite/", tmp_path)
    assert done.returncode == 1, done.stderr
    [finding] = document["findings"]
    assert (finding["kind"], finding["confidence"]) == ("form-input-overwritten", "witnessed")
    assert "Race: " in done.stderr
    directory = next((tmp_path / ".jostle/runs").glob("*-races-init"))
    evidence = finding["evidence"]
    for file in (evidence["good"]["screen"], evidence["good"]["replay"], evidence["bad"]["screen"], evidence["test"]):
        assert (directory / file).is_file()
    compile((directory / evidence["test"]).read_text("utf-8"), "test", "exec")
    assert "search.js" in (directory / "report.html").read_text("utf-8")
    replayed = command("replay", directory / finding["replay"], cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


def test_the_twin_is_silent_and_tells_what_was_dismissed(base: str, tmp_path: Path) -> None:
    done, document = searched(f"{base}/form-overwrite-fixed/", tmp_path)
    assert done.returncode == 0, done.stderr
    assert document["findings"] == []
    assert document["stats"]["loads"] >= 1
    assert "report.html" in done.stderr


def test_ctrl_c_keeps_what_was_found(base: str, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "jostle.cli.main", "races", "init", f"{base}/late-query-field/", "--json", "out.json"],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("Race:"):
            process.send_signal(signal.SIGINT)
            break
    process.communicate(timeout=60)
    assert process.returncode == 130
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["status"] == "interrupted"
    assert document["findings"]


def test_nobody_answers(tmp_path: Path) -> None:
    done = command("races", "init", "http://127.0.0.1:9/", cwd=tmp_path)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
