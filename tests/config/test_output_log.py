"""What the application prints is written line by line, clean, whoever prints it and however it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jostle.config.output_log import OutputLog
from jostle.recording.redaction import Secrets

SECRET = "hunter2-9f8a7b6c"


def logged(file: Path, code: str, *, close: bool = True) -> tuple[OutputLog, subprocess.Popen[bytes]]:
    secrets = Secrets()
    secrets.learn([SECRET])
    log = OutputLog(file, secrets.text)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=log.descriptor, stderr=subprocess.STDOUT)
    log.begin()
    if close:
        process.wait(60)
        log.close()
    return log, process


def test_secrets_are_not_written_however_they_come(tmp_path: Path) -> None:
    file = tmp_path / "deeper" / "app.log"
    code = f"""import sys, time
sys.stdout.write("first {SECRET[:5]}"); sys.stdout.flush(); time.sleep(0.3); print("{SECRET[5:]} there", flush=True)
print("password=swordfish-77", file=sys.stderr, flush=True)
sys.stdout.buffer.write(b"\\xff\\xfe no text\\n" + b"x" * 300000 + b"\\n"); sys.stdout.write("last, {SECRET}")"""
    log, _ = logged(file, code)
    written = file.read_bytes()
    assert SECRET.encode() not in written and b"swordfish" not in written
    assert written.startswith(b"first redacted") and b" there\n" in written
    assert b"\xff\xfe no text\n" in written and b"x" * 300_000 in written.replace(b"\n", b"")
    assert log.tail(1)[0].startswith("last, redacted")


def test_what_turns_out_to_be_a_secret_is_taken_out_in_the_end(tmp_path: Path) -> None:
    secrets = Secrets()
    log = OutputLog(tmp_path / "log", secrets.text)
    process = subprocess.Popen([sys.executable, "-c", f"print('started with {SECRET}')"], stdout=log.descriptor)
    log.begin()
    process.wait(60)
    secrets.learn([SECRET])
    log.close()
    assert (tmp_path / "log").read_text().startswith("started with redacted")


def test_a_sign_is_seen_before_its_line_ends(tmp_path: Path) -> None:
    log, process = logged(
        tmp_path / "log", "import time; print('ready', end='', flush=True); time.sleep(60)", close=False
    )
    try:
        while not log.says("ready"):
            assert process.poll() is None
        assert not log.says("listening")
    finally:
        process.kill()
        process.wait()
    log.close()
    log.close()
    assert (tmp_path / "log").read_text() == "ready"


def test_whoever_is_left_behind_keeps_nobody_waiting(tmp_path: Path) -> None:
    child = "import time; time.sleep(60)"
    code = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', '{child}']); print(p.pid)"
    log, process = logged(tmp_path / "log", code, close=False)
    process.wait(60)
    log.close()
    left = int((tmp_path / "log").read_text())
    subprocess.run(["kill", str(left)], check=True)


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    with pytest.raises(OSError, match="directory"):
        OutputLog(tmp_path / "log", str)


def test_no_process_was_started(tmp_path: Path) -> None:
    OutputLog(tmp_path / "log", str).abandon()
    assert (tmp_path / "log").read_bytes() == b""
