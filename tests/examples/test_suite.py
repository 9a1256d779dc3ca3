"""The suite that is handed out: green as it is, and what adverse conditions make of it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jostle.examples.handing import hand_out

pytestmark = pytest.mark.browser


def run(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    if not folder.exists():
        hand_out(folder)
    document = folder / "out.json"
    document.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *options]
    if "--jostle-adverse" in options:
        command += ["--jostle-json", str(document)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=110)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.returncode, json.loads(document.read_bytes()) if document.exists() else {}


@pytest.mark.long
@pytest.mark.parametrize("version", ["with bugs", "--correct"])
def test_all_is_green(tmp_path: Path, version: str) -> None:
    status, _ = run(tmp_path / "suite", *([version] if version.startswith("-") else []))
    assert status == 0


@pytest.mark.long
def test_a_plot_is_not_given_up_when_the_tab_was_hidden(tmp_path: Path) -> None:
    folder = tmp_path / "suite"
    asked = ["test_plots.py::test_giving_up_a_plot", "--jostle-adverse", "--jostle-conditions", "rotate,hide"]
    status, told = run(folder, *asked)
    assert status == 1
    (finding,) = told["findings"]
    (place,) = finding["evidence"]["places"]
    file, _, number = place["where"].rpartition(":")
    assert place["condition"] == "hide"
    assert 'name="Delete"' in (folder / file).read_text("utf-8").splitlines()[int(number) - 1]
    assert "Playwright" in finding["evidence"]["approximate"]
    status, told = run(folder, *asked, "--correct")
    assert (status, told["findings"]) == (0, [])
