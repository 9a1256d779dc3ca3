"""Running the command: in this process with a borrowed browser, or as a user does, in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from unittest import mock

from jostle.cli.main import run

PROGRAM = [sys.executable, "-m", "jostle.cli.main"]


def command(*arguments: str | Path, cwd: Path) -> CompletedProcess[str]:
    """What comes of a command that runs in this process."""
    words = [str(each) for each in arguments]
    with _at(cwd), _written(1) as output, _written(2) as errors:
        code = _in_a_thread(words) if asyncio._get_running_loop() else run(words)
    return CompletedProcess(words, code, output.getvalue(), errors.getvalue())


def separately(*arguments: str | Path, cwd: Path, timeout: float = 115) -> CompletedProcess[str]:
    """What comes of a command in a process and with a browser of its own."""
    program = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(program, cwd=cwd, capture_output=True, text=True, timeout=timeout)


def interrupted(*arguments: str, cwd: Path, at: str) -> dict[str, Any]:
    """The JSON document of a command that gets a Ctrl-C as soon as a line begins with those words."""
    process = subprocess.Popen([*PROGRAM, *arguments, "--json", "out.json"], cwd=cwd, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(at):
            process.send_signal(signal.SIGINT)
            break
    process.communicate(timeout=60)
    assert process.returncode == 130
    document: dict[str, Any] = json.loads((cwd / "out.json").read_text())
    assert document["status"] == "interrupted"
    return document


@contextlib.contextmanager
def _at(cwd: Path) -> Iterator[None]:
    """The command is there. What it changes of this process is as before afterwards."""
    modules = set(sys.modules)
    path = [str(cwd), *sys.path]  # as `python -m` has it
    try:
        with contextlib.chdir(cwd), mock.patch.dict(os.environ, COLUMNS="100"), mock.patch.object(sys, "path", path):
            yield
    finally:
        for name in set(sys.modules) - modules:  # another test has modules of the same names
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(cwd)):
                del sys.modules[name]


@contextlib.contextmanager
def _written(descriptor: int) -> Iterator[io.StringIO]:
    """What the command and the processes that it starts write there, complete afterwards."""
    name = {1: "stdout", 2: "stderr"}[descriptor]
    text = io.StringIO()
    before = os.dup(descriptor)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as file:
        os.dup2(file.fileno(), descriptor)
        try:
            with mock.patch.object(sys, name, file):
                yield text
        finally:
            os.dup2(before, descriptor)
            os.close(before)
            file.seek(0)
            text.write(file.read())


def _in_a_thread(words: list[str]) -> int:
    """Playwright's event loop is at work in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run, words).result()
