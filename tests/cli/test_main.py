"""The `jostle` command itself."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import click
import pytest

from jostle.cli.main import COMMANDS, run
from jostle.version import __version__


@pytest.fixture(params=list(COMMANDS))
def command(request: pytest.FixtureRequest) -> tuple[str, click.Command]:
    found = getattr(import_module(f"jostle.cli.{request.param}"), request.param)
    assert isinstance(found, click.Command)
    return request.param, found


def test_every_command_exists_and_helps(command: tuple[str, click.Command], capsys: pytest.CaptureFixture[str]) -> None:
    name, _ = command
    assert run([name, "--help"]) == 0
    assert f"Usage: jostle {name}" in capsys.readouterr().out


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, summary in COMMANDS.items():
        assert f"{name} {summary}" in shown
    assert "130 interrupted" in shown


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["recrod"], "No such command 'recrod'. Did you mean 'record'?"),
        (["xyzzy"], "There are: check, report, ui, export"),
        (["--versoin"], "--version"),
        (["doctor", "--jsn"], "Did you mean '--json'?"),
        (["doctor", "extra"], "unexpected extra argument"),
    ],
)
def test_wrong_usage(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert told in capsys.readouterr().err


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
        "jostle.text",
        "jostle.errors",
    }
