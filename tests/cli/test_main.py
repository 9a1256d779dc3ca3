"""The `jostle` command itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

from jostle.cli.main import COMMANDS, run


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, summary in COMMANDS.items():
        assert f"{name} {summary}" in shown
    assert "130 interrupted" in shown


def test_help_loads_no_command_and_nothing_heavy() -> None:
    program = (
        "import sys; from jostle.cli.main import run; run(['--help']);"
        "print(*(name for name in sys.modules if name.partition('.')[0] in sys.argv[1:] or name.startswith('jostle.')))"
    )
    heavy = ["rich", "msgspec", "asyncio", "starlette", "uvicorn", "websockets", "jinja2", "sqlite3", "playwright"]
    shown = subprocess.run(
        [sys.executable, "-c", program, *heavy], capture_output=True, text=True, timeout=60, check=True
    )
    assert set(shown.stdout.splitlines()[-1].split()) == {
        "jostle.cli",
        "jostle.cli.main",
        "jostle.cli.process",
        "jostle.text",
        "jostle.errors",
        "jostle.version",
    }
