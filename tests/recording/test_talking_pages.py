"""Walks through pages that keep talking to their server replay without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jostle.recording.answers import left_open
from jostle.recording.file import Recording
from tests.cli.commands import command
from tests.recording.talking_pages import PAGES, talking

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("name", sorted(PAGES))
@pytest.mark.sampled(1)
def test_a_walk_replays(name: str, tmp_path: Path) -> None:
    file = tmp_path / "walk.jostle"
    with talking() as base:
        done = command("record", f"{base}/{name}", "--walk", "10", "--seed", "3", "-o", file, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    if name == "long-poll":
        assert left_open(Recording.read(file)).total() == 1
    done = command("replay", file, "--times", "3", "--json", "out.json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((tmp_path / "out.json").read_text())["stats"]["reproduced"] == 3
