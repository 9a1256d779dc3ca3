"""Applications that end because of what is done in them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import command

pytestmark = pytest.mark.browser
SAID = 'The application stopped answering after: click button "Tidy up"'


@pytest.fixture
def url() -> Iterator[str]:
    program = [sys.executable, str(Path(__file__).with_name("dying_server.py"))]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


@pytest.mark.parametrize(
    "arguments",
    [
        ("explore",),
        ("check", "--budget", "20s", "--workers", "1"),
        ("races", "ajax"),
        ("races", "orders"),
        ("slowdown",),
    ],
    ids=lambda words: "-".join(words[:2]),
)
@pytest.mark.sampled(1)
def test_what_was_done_last_is_told(url: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    budget = () if "--budget" in arguments else ("--budget", "30s")
    done = command(*arguments, url, *budget, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert f"Error: {SAID}" in done.stderr
    assert "--avoid" in done.stderr


def test_what_was_done_last_can_be_skipped(url: str, tmp_path: Path) -> None:
    done = command("explore", url, "--events", "10", "--avoid", "Tidy", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert 'Skipped: click button "Tidy up" (avoid rule Tidy)' in done.stderr
