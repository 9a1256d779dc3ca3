"""The demonstration, from beginning to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jostle.cli.demo import EXAMPLE, PLANTED
from jostle.cli.main import run
from jostle.examples import example

DEMO = [sys.executable, "-m", "jostle.cli.demo"]


def test_everything_that_is_planted_is_told_in_words() -> None:
    assert set(PLANTED) == set(example(EXAMPLE).expected)


def demonstrated(directory: Path, budget: str) -> subprocess.CompletedProcess[str]:
    # Not for the demo.
    (directory / "jostle.toml").write_text('url = "http://127.0.0.1:1/"\n[app]\nstart = "false"\n')
    asked = [*DEMO, "--budget", budget]
    return subprocess.run(asked, cwd=directory, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.browser
def test_it_tells_what_was_planted_and_found(tmp_path: Path) -> None:
    done = demonstrated(tmp_path, "12s")
    assert done.returncode in (0, 1), done.stderr
    for words in PLANTED.values():
        assert words in done.stdout
    page = tmp_path / "jostle-demo" / "report.html"
    assert page.as_uri() in done.stdout and page.exists()
    found = done.stdout.count("    found: ")
    assert found + done.stdout.count("not found in this time") >= len(PLANTED)
    assert (done.returncode == 0) == (f"All {len(PLANTED)} kinds" in done.stdout)


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.timeout(700)
def test_it_finds_every_kind(tmp_path: Path) -> None:
    done = demonstrated(tmp_path, "400s")
    assert done.returncode == 0, done.stdout


@pytest.mark.browser
def test_interrupted(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*DEMO, "--out", str(tmp_path)], stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as demo:
        assert demo.stderr is not None
        for line in demo.stderr:
            if line.startswith("explore: exploring"):
                break
        demo.send_signal(signal.SIGINT)
        rest = demo.stderr.read()
        assert demo.wait(60) == 130
    assert rest.count("Interrupted.") == 1
    assert "Traceback" not in rest
    assert (tmp_path / "report.html").exists()


def test_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert run(["demo", "--out", str(tmp_path / "file" / "demo")]) == 3
    assert "cannot be written" in capsys.readouterr().err
    assert run(["demo", "--budget", "soon", "--out", str(tmp_path)]) == 2
    assert "not a duration" in capsys.readouterr().err
