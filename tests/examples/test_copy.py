"""Examples to be copied and edited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jostle.cli.main import run
from jostle.config import load
from jostle.examples import COPIED, copy


@contextmanager
def served(folder: Path) -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, "-u", "server.py", "0"], cwd=folder, stdout=subprocess.PIPE, text=True, env=os.environ.copy()
    ) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            yield line.partition("at ")[2].split()[0]
        finally:
            server.terminate()
            server.wait(10)


@pytest.mark.parametrize("name", COPIED)
def test_it_runs_by_itself(name: str, tmp_path: Path) -> None:
    files = copy(name, tmp_path / "mine")
    assert "server.py" in files
    with served(tmp_path / "mine") as url:
        page = urllib.request.urlopen(url, timeout=10).read().decode()
        assert "<!doctype html>" in page.lower()
        found = json.loads(urllib.request.urlopen(f"{url}api/books?q=LEMON", timeout=10).read())
        assert found == ["Lemon summer", "The lemon trees"]


@pytest.mark.parametrize("name", COPIED)
def test_its_configuration_can_be_read(name: str, tmp_path: Path) -> None:
    copy(name, tmp_path)
    assert load(tmp_path / "jostle.toml").configuration.app.start


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["examples", "copy", "bookshelf"]) == 0
    assert capsys.readouterr().out == "bookshelf: index.html, jostle.toml, server.py, shelf.css, shelf.js\n"
    assert run(["examples", "copy", "bookshelf"]) == 2
    assert "is not empty" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert run(["examples", "copy", "bookshelf", "--to", "file/below"]) == 3
    assert run(["examples", "copy", "bookcase"]) == 2
