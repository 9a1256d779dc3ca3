"""Running the command as a user does."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any


def command(*arguments: str | Path, cwd: Path, timeout: float = 115) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jostle.cli.main", *map(str, arguments)],
        cwd=cwd, capture_output=True, text=True, timeout=timeout,
    )  # fmt: skip


def interrupted(*arguments: str, cwd: Path, at: str) -> dict[str, Any]:
    """The JSON document of a command that gets a Ctrl-C as soon as a line begins with those words."""
    process = subprocess.Popen(
        [sys.executable, "-m", "jostle.cli.main", *arguments, "--json", "out.json"],
        cwd=cwd, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
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
