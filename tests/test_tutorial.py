"""The tutorial can be followed: what it tells to type works, and gives what it says."""

from __future__ import annotations

import json
import re
import socket
import sys
from importlib import import_module
from pathlib import Path

import pytest

from jostle.cli.main import run
from jostle.examples.copy import copy
from tests.cli.commands import command

TEXT = (Path(__file__).parents[1] / "docs" / "tutorial.md").read_text("utf-8")


def block(begins: str, nth: int = 0) -> str:
    """The indented part of the tutorial that begins with these words, without its indentation."""
    parts = re.findall(r"(?:^(?: {4}.*)?\n)+", TEXT, re.MULTILINE)
    blocks = [re.sub(r"^ {4}", "", part, flags=re.MULTILINE).strip("\n") for part in parts if part.strip()]
    return [each for each in blocks if each.startswith(begins)][nth]


def mended(folder: Path) -> None:
    """As the tutorial says."""
    script = folder / "shelf.js"
    wrong, right = block("async function search()", 0), block("async function search()", 1)
    content = script.read_text("utf-8")
    assert wrong in content
    script.write_text(content.replace(wrong, right), "utf-8")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def elsewhere(folder: Path) -> None:
    """On a port of its own: tests run side by side."""
    configuration = folder / "jostle.toml"
    start = f"exec {sys.executable} server.py 8300"
    content = configuration.read_text().replace("exec python3 server.py 8300", start)
    configuration.write_text(content.replace("8300", str(free_port())))


def test_what_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    typed = block("jostle examples copy").splitlines()[0].split()
    assert run(typed[1:]) == 0
    assert capsys.readouterr().out.strip() == block("bookshelf: ")
    mended(tmp_path / "bookshelf")


def test_every_command_has_the_options_it_is_given() -> None:
    lines = re.findall(r"^    jostle (.+)$", TEXT, re.MULTILINE)
    assert len(lines) > 4
    for line in lines:
        name, *rest = line.split()
        options = getattr(import_module(f"jostle.cli.{name}"), name).params
        known = {word for option in options for word in option.opts}
        assert not [word for word in rest if word.startswith("--") and word not in known], line


@pytest.mark.browser
@pytest.mark.timeout(400)
@pytest.mark.long
def test_found_replayed_mended(tmp_path: Path) -> None:
    folder = tmp_path / "bookshelf"
    copy("bookshelf", folder)
    elsewhere(folder)
    told = block("1 finding.")
    found = command("check", "--budget", "90s", "--json", "out.json", cwd=folder)
    assert found.returncode == 1, found.stderr
    [finding] = json.loads((folder / "out.json").read_text())["findings"]
    assert finding["kind"] == "ajax-race" and finding["kind"] in told
    assert "overwrites newer content" in finding["title"]
    [bad] = folder.glob(".jostle/runs/*/ajax-race-*-bad.jostle")
    replayed = command("replay", bad, cwd=folder)
    assert replayed.returncode == 0 and "reproduced" in replayed.stdout
    assert list(folder.glob(".jostle/runs/*/test_ajax_race_*.py"))
    mended(folder)
    again = command("check", "--budget", "90s", cwd=folder)
    assert again.returncode == 0, again.stdout
    assert block("jostle check --budget 1m", 1).splitlines()[-1] in again.stdout
