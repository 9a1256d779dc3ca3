"""The demonstration, from beginning to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jostle.cli.main import run
from jostle.recording.file import Recording

DEMO = [sys.executable, "-m", "jostle.cli.demo"]


@pytest.mark.timeout(240)
def test_it_shows_what_was_owned(tmp_path: Path) -> None:
    (tmp_path / "jostle.toml").write_text('url = "http://127.0.0.1:1/"\n[app]\nstart = "false"\n')  # not for the demo
    done = subprocess.run(DEMO, cwd=tmp_path, capture_output=True, text=True, timeout=220, check=False)
    assert done.returncode == 0, done.stderr
    assert "Reproduced 3 of 3, with no server running." in done.stdout
    assert " answers, held, released one by one" in done.stdout
    page = tmp_path / "jostle-demo" / "timeline.html"
    assert page.as_uri() in done.stdout
    assert "Reproduced 3 of 3" in page.read_text()
    recording = Recording.read(tmp_path / "jostle-demo" / "walk.jostle")
    assert sum(event.by_user for event in recording.trace.events) == 15


def test_interrupted(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*DEMO, "--out", str(tmp_path)], stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as demo:
        assert demo.stderr is not None
        for line in demo.stderr:
            if line.startswith("walking"):
                break
        demo.send_signal(signal.SIGINT)
        rest = demo.stderr.read()
        assert demo.wait(30) == 130
    assert rest.count("Interrupted.") == 1
    assert "Traceback" not in rest
    left = {file.name for file in tmp_path.iterdir()}
    assert left <= {"jostle.toml", "runs", "walk.jostle"}


def test_a_directory_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert run(["demo", "--out", str(tmp_path / "file" / "demo")]) == 3
    assert "cannot be written" in capsys.readouterr().err
