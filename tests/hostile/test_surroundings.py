"""Signals, closed streams and few open files: real commands, as a script in the background starts them."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.browser.live import site_served
from tests.cli.commands import PROGRAM
from tests.hostile.pages import page


def _ignoring_ctrl_c() -> None:
    """As a shell without job control starts what is in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.browser
@pytest.mark.hostile
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_in_the_background_of_a_script_is_ended(ending: signal.Signals, tmp_path: Path) -> None:
    with site_served() as site:
        program = [*PROGRAM, "explore", site.serve(page("")), "--events", "100000"]
        process = subprocess.Popen(
            program, cwd=tmp_path, stderr=subprocess.PIPE, text=True, preexec_fn=_ignoring_ctrl_c
        )
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("exploring"):
                break
        began = time.monotonic()
        process.send_signal(ending)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "Interrupted." in said
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(closed: str, tmp_path: Path) -> None:
    command = f"exec {sys.executable} -m jostle.cli.main examples list {closed}"
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, timeout=60).returncode == 0


def test_few_open_files_are_said(tmp_path: Path) -> None:
    command = f"ulimit -n 20; exec {sys.executable} -m jostle.cli.main explore http://127.0.0.1:1/"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 3
    assert done.stderr == (
        "Error: Only 20 files may be open at a time, and a browser needs at least 64.\n"
        "Allow more in this shell: ulimit -n 1024\n"
    )
