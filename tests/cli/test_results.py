"""Where commands tell what came of them: results on standard output, the rest on standard error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jostle.recording.file import Recording
from tests.browser.live import site_served
from tests.cli.commands import command

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    "arguments",
    [
        ("explore", "--events", "2"),
        ("races", "init"),
        ("races", "ajax", "--events", "2"),
        ("slowdown", "--events", "2"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
@pytest.mark.sampled(2)
def test_nothing_was_found(base: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = command(*arguments, f"{base}/innocent-input/", "--budget", "20s", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "\nNothing was found.\n"


def test_findings(base: str, tmp_path: Path) -> None:
    done = command("explore", f"{base}/errors/", "--events", "12", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "GET /errors/history.json failed with status 404" in done.stdout


def test_a_document_is_alone_on_standard_output(base: str, tmp_path: Path) -> None:
    done = command(
        "check", f"{base}/innocent-input/", "--only", "explore", "--budget", "8s", "--json", "-", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["command"] == "check"
    assert "Nothing was found." in done.stderr


@pytest.mark.long
def test_addresses_that_differ_in_their_fragment_are_one_page(tmp_path: Path) -> None:
    page = "<!doctype html><title>P</title><a href=/>Home</a> <button onclick='fetch(\"/a.json\")'>Ask</button>"
    with site_served() as site:
        home = "".join(f"<a href=/page#{name}>{name}</a> <a href=#{name}>Here {name}</a> " for name in "abc")
        url = site.serve({"/": f"<!doctype html><title>H</title>{home}", "/page": page, "/a.json": "1"})
        done = command("check", f"{url}#top", "--budget", "15s", "--json", "out.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "failed" not in done.stderr and "given up" not in done.stderr
    assert json.loads((tmp_path / "out.json").read_text())["status"] == "finished"


def test_a_walk_skips_what_could_do_harm(base: str, tmp_path: Path) -> None:
    walk = ("record", f"{base}/control-room-fixed/", "--walk", "25", "-o", "walk.jostle")
    done = command(*walk, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert 'Skipped: click button "Shut down" (shutting down)' in done.stderr
    recording = Recording.read(tmp_path / "walk.jostle")
    assert [error for step in recording.trace.steps for error in step.effect.errors] == []
