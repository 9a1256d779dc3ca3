"""What was announced is on disk: a kill right after loses nothing of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jostle.browser.find import find, sandbox_arguments
from jostle.findings import Finding
from jostle.recording.file import Recording
from jostle.runs import RunDirectory
from tests.browser.live import Site
from tests.cli.commands import PROGRAM

THROWS = "<button onclick=\"document.querySelector('nav').remove()\">Menu</button><button>Other</button>"
LATE = "<input id=q aria-label=City><script src=/late.js></script>"


def killed(words: list[str], at: str, cwd: Path) -> list[tuple[Path, Finding]]:
    """The findings of a command that is killed as soon as it tells a line that begins so."""
    process = subprocess.Popen(
        [*PROGRAM, *words],
        cwd=cwd,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    told = []
    try:
        for line in process.stderr:
            told.append(line)
            if line.startswith(at):
                break
        else:
            pytest.fail(f"{at!r} was never told: {''.join(told)}")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.wait(30)
        process.stderr.close()
    (run,) = (cwd / ".jostle" / "runs").glob("*-*")
    with RunDirectory.open(run) as opened:
        assert opened.info.status == "interrupted"
        return [(run, finding) for finding in opened.findings]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("command", "at", "recorded"),
    [
        (["explore", "URL", "--events", "20"], "Seen: ", False),
        (["explore", "URL", "--events", "20"], "Found: ", True),
        pytest.param(["check", "URL", "--budget", "60s"], "Seen: ", False, marks=pytest.mark.long),
        pytest.param(["check", "URL", "--budget", "60s"], "Found: ", True, marks=pytest.mark.long),
    ],
    ids=["explore, seen", "explore, found", "check, seen", "check, found"],
)
def test_a_killed_exploration_keeps_what_it_told(
    command: list[str], at: str, recorded: bool, site: Site, tmp_path: Path
) -> None:
    site.serve({"/": THROWS})
    found = killed([site.url if each == "URL" else each for each in command], at, tmp_path)
    (run, finding) = found[0]
    assert finding.kind.value == "exception"
    if recorded:
        assert finding.replay is not None
        assert Recording.read(run / finding.replay).trace.steps


@pytest.mark.browser
@pytest.mark.long
def test_a_killed_search_for_races_keeps_what_it_told(site: Site, tmp_path: Path) -> None:
    site.serve({"/": LATE, "/late.js": "q.value = ''"})
    found = killed(["races", "init", site.url, "--budget", "60s"], "Race: ", tmp_path)
    assert found
    for run, finding in found:
        assert finding.replay is not None
        assert Recording.read(run / finding.replay).trace.steps


SUITE = """
def test_it(page):
    page.goto("URL")
    page.get_by_role("button", name="Other").click()
    assert page.get_by_role("button", name="Other").is_visible()


def test_then():
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)
"""


LAUNCHED = f"""
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {{**browser_type_launch_args, "executable_path": {str(find().path)!r}, "args": {sandbox_arguments()!r}}}
"""


@pytest.mark.browser
@pytest.mark.long
def test_a_killed_suite_keeps_what_it_told(site: Site, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(LAUNCHED)
    site.serve({"/": "<button>Other</button><script>addEventListener('resize', () => document.body.remove())</script>"})
    (tmp_path / "test_suite.py").write_text(SUITE.replace("URL", site.url))
    words = [sys.executable, "-m", "pytest", "-v", "--jostle-adverse", "--jostle-conditions", "resize"]
    done = subprocess.run(
        [*words, "-p", "no:xdist", "test_suite.py"], cwd=tmp_path, capture_output=True, text=True, timeout=110
    )
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    assert "FAILED" in done.stdout
    (run,) = (tmp_path / ".jostle" / "runs").glob("*-*")
    with RunDirectory.open(run) as opened:
        assert opened.info.status == "interrupted"
        assert [finding.kind.value for finding in opened.findings] == ["adverse-failure"]
