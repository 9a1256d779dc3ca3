"""Too much of something: the time that was given ends it, and so does one Ctrl-C.

Without a bound each of these takes minutes or for ever. How soon they end is measured by `make eval-hostile`.
"""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.browser.live import site_served
from tests.cli.commands import PROGRAM, separately
from tests.hostile.flooding import served
from tests.hostile.pages import FLOODS

pytestmark = pytest.mark.browser
LONGEST = 60.0
"""Seconds after which it counts as endless, on a machine that is busy."""
QUICK = ("microtasks without end at once",)
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.hostile) for name in FLOODS]


@pytest.mark.parametrize("name", NAMES)
def test_a_budget_ends_it(name: str, tmp_path: Path) -> None:
    with site_served() as site:
        site.serve(served(name))
        words = ("explore", f"{site.url}/", "--budget", "2s", "--no-verify-tests")
        done = separately(*words, cwd=tmp_path, timeout=LONGEST)
    assert done.returncode in (0, 1, 3), done.stderr
    assert "jostle itself failed" not in done.stderr


@pytest.mark.hostile
@pytest.mark.parametrize("name", list(FLOODS))
def test_one_interruption_ends_it(name: str, tmp_path: Path) -> None:
    with site_served() as site:
        site.serve(served(name))
        program = [*PROGRAM, "explore", f"{site.url}/", "--events", "100000", "--no-verify-tests"]
        with subprocess.Popen(program, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            for line in process.stderr:
                if line.startswith("exploring"):
                    break
            try:
                process.wait(2)  # in the middle of it
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=LONGEST)
    assert process.returncode in (130, 0, 1, 3), said
    assert "jostle itself failed" not in said
