"""`jostle check` of an application that is reset and may run several times: real command, real servers."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import PROGRAM, command
from tests.config.test_application import alive, free_port, gone_within

pytestmark = pytest.mark.browser
SERVER = Path(__file__).parents[1] / "notes_server.py"
STARTING = "starting another instance of the application, for browser 2"


def configure(folder: Path, before: str = "") -> str:
    """The address. The process of each instance is noted in `pid-{instance}`."""
    url = f"http://localhost:{free_port()}/"
    start = f"echo $$ > pid-{{instance}}; {before} exec {sys.executable} {SERVER} {{port}} journal-{{instance}}"
    app = f"[app]\nstart = '''{start}'''\nreset = 'POST http://localhost:{{port}}/reset'\ntimeout = 60\n"
    (folder / "jostle.toml").write_text(f"url = '{url}'\n{app}")
    return url


@pytest.mark.slow
@pytest.mark.usefixtures("own_browsers")
def test_two_browsers_work_with_an_instance_each(tmp_path: Path) -> None:
    url = configure(tmp_path)
    host = url.split("/")[2]
    asked = ("--only", "explore", "--only", "init", "--budget", "20s", "--workers", "2", "--json", "out.json")
    done = command("check", *asked, cwd=tmp_path)
    assert STARTING in done.stderr and "One browser" not in done.stderr
    reset = []
    for instance in (0, 1):
        lines = (tmp_path / f"journal-{instance}").read_text().splitlines()
        assert f"GET /notes {host}" in lines  # a page was used there, at the address that is configured
        reset.append({line.split()[2] for line in lines if line.startswith("POST /reset")})
        assert not alive(int((tmp_path / f"pid-{instance}").read_text()))
    assert reset[0] == {host} and len(reset[1]) == 1 and not reset[0] & reset[1]
    [elsewhere] = reset[1]
    document = (tmp_path / "out.json").read_text()
    assert any("more than two notes" in each["title"] for each in json.loads(document)["findings"])
    tests = [file.read_text() for file in tmp_path.glob(".jostle/runs/*/test_*.py")]
    assert all(url in text for text in (document, *tests))
    assert not any(elsewhere in text for text in (document, *tests, done.stdout, done.stderr))


@pytest.mark.long
def test_an_instance_that_ends_at_once_leaves_one_browser(tmp_path: Path) -> None:
    configure(tmp_path, "[ $JOSTLE_INSTANCE = 0 ] || { echo no room for two; exit 7; };")
    done = command("check", "--only", "init", "--budget", "10s", "--workers", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Going on with 1 browser: another instance of the application is not available." in done.stderr
    assert "no room for two" in done.stderr


@pytest.mark.parametrize("moment", ["while it starts", "while it works"])
@pytest.mark.sampled(1)
def test_none_is_left_when_it_is_told_to_end(moment: str, tmp_path: Path) -> None:
    works = moment == "while it works"
    configure(tmp_path, "" if works else "[ $JOSTLE_INSTANCE = 0 ] || sleep 300;")
    journal, pids = tmp_path / "journal-1", [tmp_path / f"pid-{instance}" for instance in (0, 1)]
    process = subprocess.Popen([*PROGRAM, "check", "--workers", "2"], cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        _wait_until(lambda: "POST /reset" in _text(journal) if works else bool(_text(pids[1])), process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
    finally:
        process.kill()
    assert all(gone_within(int(pid.read_text()), 10) for pid in pids)


def _text(file: Path) -> str:
    return file.read_text() if file.exists() else ""


def _wait_until(sign: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 90
    while not sign():
        assert process.poll() is None, "the check ended before there was another instance"
        assert time.monotonic() < until, "there was no other instance after 90 seconds"
        time.sleep(0.05)
