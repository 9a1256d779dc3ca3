"""The frame of an analysing command: exit codes, documents; in a process of its own, how it is interrupted."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jostle.runs import Document, RunDirectory, Status
from tests.cli.commands import command
from tests.cli.frame_program import known
from tests.cli.told import told

PROGRAM = [sys.executable, str(Path(__file__).with_name("frame_program.py"))]
URL = "http://localhost:1/"


def probe(cwd: Path, *arguments: str) -> CompletedProcess[str]:
    with known():
        return command("probe", *arguments, cwd=cwd)


def only_run(cwd: Path, out: str = ".jostle/runs") -> RunDirectory:
    (path,) = (cwd / out).iterdir()
    return RunDirectory.open(path)


def test_nothing_found(tmp_path: Path) -> None:
    result = probe(tmp_path, URL, "--json", "out.json", "--seed", "7", "--out", "kept")
    assert result.returncode == 0, result.stderr
    assert result.stdout == ""
    document = Document.read(tmp_path / "out.json")
    assert (document.command, document.url, document.seed) == ("probe", URL, 7)
    assert document.status is Status.FINISHED
    assert document.stats == {"steps": 1, "budget": 300.0}
    with only_run(tmp_path, "kept") as run:
        assert run.info.status is Status.FINISHED
        assert run.info.options["how"] == "well"
        assert str(run.path.relative_to(tmp_path)) in result.stderr


def test_findings(tmp_path: Path) -> None:
    result = probe(tmp_path, URL, "--how", "finding", "--json", "-")
    assert result.returncode == 1
    assert [finding["id"] for finding in json.loads(result.stdout)["findings"]] == ["f1"]


def test_limits_are_told_without_steering_the_terminal(tmp_path: Path) -> None:
    result = probe(tmp_path, URL, "--how", "limit", "--json", "-")
    assert result.returncode == 0
    assert "Not controlled: a \ufffd[31mworker" in result.stderr
    assert json.loads(result.stdout)["limits"] == ["a \x1b[31mworker"]


def test_could_not_run(tmp_path: Path) -> None:
    result = probe(tmp_path, URL, "--how", "unreachable", "--json", "out.json")
    assert result.returncode == 3
    assert "Error: nobody answers\nstart it" in result.stderr
    assert "Traceback" not in result.stderr
    document = Document.read(tmp_path / "out.json")
    assert document.status is Status.FAILED
    assert document.error == "nobody answers\nstart it"


def test_traceback_only_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = probe(tmp_path, URL, "--how", "bug")
    assert plain.returncode == 3
    assert "jostle itself failed: ZeroDivisionError: by zero" in plain.stderr
    assert "Traceback" not in plain.stderr
    monkeypatch.setenv("JOSTLE_DEBUG", "1")
    debugged = probe(tmp_path, URL, "--how", "bug")
    assert debugged.returncode == 3
    assert "Traceback" in debugged.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--budget", "soon", URL], "'soon' is not a duration; write 90s, 5m or 1h30m"),
        (["--budget", "0s", URL], "longer than nothing"),
        (["--workers", "0", URL], "--workers"),
        (["--budgett", "3", URL], "Did you mean '--budget'?"),
        (["--connect", "localhost", URL], "must read http://host:port"),
        (["--config", "missing.toml", URL], "no configuration file"),
        (["--json", "no/such/folder/out.json", URL], "out.json cannot be written: No such file or directory"),
        (["ftp://x/"], "is not an http or https address"),
        ([], "No address was given"),
    ],
)
def test_wrong_usage(tmp_path: Path, arguments: list[str], told: str) -> None:
    result = probe(tmp_path, *arguments)
    assert result.returncode == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / ".jostle").exists()


def test_wrong_configuration(tmp_path: Path) -> None:
    (tmp_path / "jostle.toml").write_text('ulr = "http://x/"')
    result = probe(tmp_path, URL)
    assert result.returncode == 2
    assert "jostle.toml: unknown key `ulr`. Did you mean `url`?" in result.stderr


def test_address_from_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.jostle]\nurl = "http://configured/"')
    result = probe(tmp_path, "--json", "-")
    assert json.loads(result.stdout)["url"] == "http://configured/"


def test_output_directory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = probe(tmp_path, URL, "--out", "file/runs")
    assert result.returncode == 3
    assert "cannot be written: Not a directory" in result.stderr
    assert "--out" in result.stderr


def start(cwd: Path, *arguments: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [*PROGRAM, "probe", URL, *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "working\n"
    return process


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted(tmp_path: Path, ending: signal.Signals, snapshot: SnapshotAssertion) -> None:
    with start(tmp_path, "--how", "forever", "--json", "out.json") as process:
        process.send_signal(ending)
        _, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    asked = ["probe", URL, "--how", "forever", "--json", "out.json"]
    assert told(CompletedProcess(asked, process.returncode, "", stderr), tmp_path) == snapshot
    document = Document.read(tmp_path / "out.json")
    assert document.status is Status.INTERRUPTED
    assert document.stats["steps"] == 1
    with only_run(tmp_path) as run:
        assert run.info.status is Status.INTERRUPTED
        assert len(list(run.steps())) == 1


def test_interruption_stops_the_application(tmp_path: Path) -> None:
    (tmp_path / "jostle.toml").write_text('[app]\nstart = "echo $$ > pid; echo up; sleep 300"\nready = "up"')
    with start(tmp_path, "--how", "application") as process:
        application = int((tmp_path / "pid").read_text())
        os.kill(application, 0)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(application, 0)


@pytest.mark.parametrize("arguments", [["--help"], ["probe", URL, "--json", "-"]])
def test_reader_that_goes_away(tmp_path: Path, arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        result = subprocess.run(
            [*PROGRAM, *arguments],
            cwd=tmp_path,
            stdout=write,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.close(write)
    assert result.returncode == 3
    assert "Traceback" not in result.stderr
    assert "Exception ignored" not in result.stderr


def test_live_line_on_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [*PROGRAM, "probe", URL, "--how", "limit"],
            cwd=tmp_path,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(theirs)
        shown = read_all(ours, 20)
        assert process.wait(20) == 0
    finally:
        os.close(ours)
    assert "probing" in shown
    assert "1 of 3" in shown
    assert "\x1b[31mworker" not in shown
    assert "1 step (in " in shown


def read_all(descriptor: int, seconds: float) -> str:
    shown: Any = b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            piece = os.read(descriptor, 65536)
        except OSError:  # the other end is closed
            break
        shown += piece
    return str(shown.decode())
