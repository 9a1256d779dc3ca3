"""`jostle races ajax` on example pages with known answers: real command, real Chromium."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.commands import command, interrupted
from tests.cli.told import told


def searched(cwd: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    done = command("races", "ajax", *options, "--events", "12", "--budget", "60s", "--json", "out.json", cwd=cwd)
    return done, json.loads((cwd / "out.json").read_text())


@pytest.mark.browser
@pytest.mark.verifying
def test_an_old_answer_that_stays(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done, document = searched(tmp_path, f"{base}/paging/")
    assert done.returncode == 1, done.stderr
    [finding] = document["findings"]
    assert (finding["kind"], finding["confidence"], finding["severity"]) == ("ajax-race", "witnessed", "medium")
    assert told(done, tmp_path) == snapshot
    directory = next((tmp_path / ".jostle/runs").glob("*-races-ajax"))
    evidence = finding["evidence"]
    for file in (evidence["good"]["screen"], evidence["good"]["replay"], evidence["bad"]["screen"], evidence["test"]):
        assert (directory / file).is_file()
    compile((directory / evidence["test"]).read_text("utf-8"), "test", "exec")
    report = (directory / "report.html").read_text("utf-8")
    assert "overwrites newer content" in report
    replayed = command("replay", directory / finding["replay"], cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@pytest.mark.browser
def test_the_twin_is_silent(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done, document = searched(tmp_path, f"{base}/paging-fixed/")
    assert done.returncode == 0, done.stderr
    assert document["findings"] == []
    assert document["stats"]["pairs"] == len(document["suppressed"]) > 0
    assert {each["filter"] for each in document["suppressed"]} == {"harmless: it ends the same"}
    assert told(done, tmp_path) == snapshot


@pytest.mark.browser
@pytest.mark.long
def test_a_scenario(base: str, tmp_path: Path) -> None:
    walked = command("record", f"{base}/paging/", "--walk", "3", "--seed", "3", "-o", "walk.jostle", cwd=tmp_path)
    assert walked.returncode == 0, walked.stderr
    done, document = searched(tmp_path, "--scenario", "walk.jostle")
    assert done.returncode == 1, done.stderr
    assert document["url"] == f"{base}/paging/"
    assert document["stats"]["events"] == 3


@pytest.mark.browser
@pytest.mark.long
def test_a_scenario_of_another_page(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    walked = command("record", f"{base}/paging/", "--walk", "1", "--seed", "3", "-o", "walk.jostle", cwd=tmp_path)
    assert walked.returncode == 0, walked.stderr
    done = command("races", "ajax", f"{base}/timers/", "--scenario", "walk.jostle", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert told(done, tmp_path) == snapshot


@pytest.mark.browser
@pytest.mark.long
def test_a_playwright_script(base: str, tmp_path: Path) -> None:
    (tmp_path / "turn.py").write_text(
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as playwright:\n"
        "    page = playwright.chromium.launch().new_page()\n"
        f"    page.goto({base!r} + '/paging/')\n"
        "    page.get_by_role('button', name='Next').click()\n"
        "    page.get_by_text('Page 2').wait_for()\n"
    )
    done, document = searched(tmp_path, f"{base}/paging/", "--scenario", "turn.py")
    assert done.returncode == 1, done.stderr
    assert [finding["kind"] for finding in document["findings"]] == ["ajax-race"]


@pytest.mark.browser
def test_a_page_that_asks_for_nothing(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done, document = searched(tmp_path, f"{base}/wave-fig1-fixed/")
    assert done.returncode == 0, done.stderr
    assert told(done, tmp_path) == snapshot
    assert document["stats"]["pairs"] == 0


@pytest.mark.browser
def test_ctrl_c_keeps_what_was_found(base: str, tmp_path: Path) -> None:
    document = interrupted("races", "ajax", f"{base}/infinite-list/", cwd=tmp_path, at="Race:")
    assert document["findings"]
    assert next((tmp_path / ".jostle/runs").glob("*-races-ajax/report.html")).is_file()


@pytest.mark.browser
def test_nobody_answers(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = command("races", "ajax", "http://127.0.0.1:9/", cwd=tmp_path)
    assert done.returncode == 3
    assert told(done, tmp_path) == snapshot
