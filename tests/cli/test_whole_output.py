"""All that each command tells people, from the first word to the last. Those that use a browser have theirs in their
own tests.

When words change on purpose: `pytest tests/cli --snapshot-update`, and read what has changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from jostle.browser import find
from jostle.cli import demo, examples
from jostle.cli.demo import PLANTED
from jostle.cli.main import COMMANDS, jostle
from jostle.findings import FindingKind
from jostle.runs import Document
from jostle.search.stream import Status
from tests.cli.commands import command
from tests.cli.test_macros import record
from tests.cli.told import told
from tests.model.usages import menu, steps
from tests.recording.recordings import search_page
from tests.report.check_runs import some, write_run

SNAPSHOTS = Path(__file__).with_name("__snapshots__")


def every_command() -> Iterator[tuple[str, click.Command]]:
    """By the words that name it; also those of groups."""
    yield "", jostle
    for name in COMMANDS:
        found = getattr(import_module(f"jostle.cli.{name}"), name)
        assert isinstance(found, click.Command)
        yield name, found
        if isinstance(found, click.Group):
            context = click.Context(found)
            for below in found.list_commands(context):
                each = found.get_command(context, below)
                assert each is not None
                yield f"{name} {below}", each


@pytest.mark.parametrize(("words", "asked"), [pytest.param(*each, id=each[0]) for each in every_command()])
def test_help(
    words: str, asked: click.Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr(asked, "_help_option", None)  # kept from who asked first, perhaps a test of this command alone
    done = command(*words.split(), "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert told(done, tmp_path) == snapshot


@pytest.mark.parametrize(
    "words",
    [
        "recrod", "xyzzy", "--versoin", "doctor --jsn", "doctor extra", "races nosuch", "check", "check ftp://x/",
        "check {url} --fail-on hihg", "check {url} --update-baseline", "check {url} --baseline none.json",
        "check {url} --only ajax --skip ajax", "check {url} --budget soon", "check {url} --config none.toml",
        "check {url} --json no/such/folder/out.json", "check {url} --workers 0", "explore {url} --strategy macro",
        "explore {url} --macros m.json", "explore {url} --strategy macro --macros absent.json",
        "explore {url} --avoid (delete", "explore {url} --model corrupt.json", "explore {url} --events 0",
        "explore {url} --model no/such/directory/model.json", "races ajax", "races ajax --scenario none.jostle",
        "races ajax --scenario broken.jostle", "races orders --scenario broken.jostle", "slowdown",
        "slowdown --from broken.jostle", "record {url} --script a.py --walk 3", "record {url} -o file/walk.jostle",
        "replay", "replay broken.jostle", "replay none.jostle", "replay a.jostle --finding x",
        "replay a.jostle --run x", "replay a.jostle --video x.mp4", "replay a.jostle --video nowhere/x.gif",
        "replay a.jostle --slow-mo soon", "replay a.jostle --beside b.jostle --times 3", "replay --finding x",
        "show none.jostle", "show walk.jostle --step 9", "export", "export ajax-race-9",
        "report none", "ui none", "ui --out none", "macros infer",
        "macros infer broken.jostle", "macros show none.json", "demo --budget soon", "examples", "examples copy",
    ],
)  # fmt: skip
def test_wrong_usage(words: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    search_page().write(tmp_path / "walk.jostle")
    (tmp_path / "broken.jostle").write_text("no recording")
    (tmp_path / "corrupt.json").write_text('{"jostle-model": 1, "states": [{"dig')
    (tmp_path / "file").touch()
    done = command(*words.format(url="http://127.0.0.1:9/").split(), cwd=tmp_path)
    assert done.returncode in (2, 3)
    assert "Traceback" not in done.stderr
    assert told(done, tmp_path) == snapshot
    assert not (tmp_path / ".jostle").exists(), "nothing was begun"


WITHOUT = ("api ", "slowdown")
"""Commands of which only parts are compared: of their own files, or because the rest depends on the machine."""


def test_every_command_has_its_whole_output_compared() -> None:
    """What it tells when it works, besides its help."""
    kept = "\n".join(file.read_text("utf-8") for file in SNAPSHOTS.glob("*.ambr"))
    worked = re.findall(r"\$ jostle (?!.*--help)(.*)\n\s*exit code [01]\n", kept)
    leaves = [words for words, each in every_command() if not isinstance(each, click.Group)]
    missing = [words for words in leaves if not any(f"{each} ".startswith(f"{words} ") for each in worked)]
    assert [words for words in missing if not words.startswith(WITHOUT)] == []


def test_version(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = command("--version", cwd=tmp_path)
    assert done.returncode == 0
    assert told(done, tmp_path) == snapshot


@pytest.mark.parametrize("words", ["show walk.jostle", "show walk.jostle --step 3", "show walk.jostle --json"])
def test_show(words: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    search_page().write(tmp_path / "walk.jostle")
    done = command(*words.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert told(done, tmp_path) == snapshot


@pytest.mark.parametrize(
    "words",
    ["report {run}", "report {run} -o again.html", "export ajax-race-1", "export ajax-race-1 -o -", "export no-race"],
)
def test_what_is_made_of_a_run(words: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    run = write_run(tmp_path / ".jostle" / "runs", some())
    assert told(command(*words.format(run=run).split(), cwd=tmp_path), tmp_path) == snapshot


def test_macros(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for number in (1, 2):
        usage = [entry for n in (0, 1, number) for entry in menu(n, url=f"http://crm.test/{n}")]
        record(tmp_path / f"session{number}.jostle", steps(usage))
    inferred = command("macros", "infer", "session1.jostle", "session2.jostle", "-o", "macros.json", cwd=tmp_path)
    assert inferred.returncode == 0, inferred.stderr
    assert told(inferred, tmp_path) == snapshot
    assert told(command("macros", "show", "macros.json", cwd=tmp_path), tmp_path) == snapshot


def test_doctor_without_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    monkeypatch.setenv("JOSTLE_BROWSER", "/no/such/chromium")
    monkeypatch.setenv("DISPLAY", ":0")
    done = command("doctor", cwd=tmp_path)
    assert done.returncode == 3
    assert told(done, tmp_path) == snapshot


def test_a_healthy_doctor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    """Of a machine as most have it: the browser is one that starts at once, and nobody is root."""
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\necho Chromium 150.0.1\n")
    browser.chmod(0o755)
    monkeypatch.setenv("JOSTLE_BROWSER", str(browser))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(find, "try_start", lambda path, **options: find.BrowserTrial(works=True, seconds=0.21))
    monkeypatch.setattr(find, "is_root", lambda: False)
    done = command("doctor", cwd=tmp_path)
    assert done.returncode == 0
    assert told(done, tmp_path) == snapshot


def test_examples_list(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = command("examples", "list", cwd=tmp_path)
    assert done.returncode == 0
    assert told(done, tmp_path) == snapshot


@pytest.mark.parametrize("words", ["examples copy bookshelf", "examples suite --to shop"])
def test_examples_to_edit(words: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = command(*words.split(), cwd=tmp_path)
    assert done.returncode == 0
    assert told(done, tmp_path) == snapshot


def test_serving_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    """What the server says when it is there; that it serves is tested where the wheel is installed."""
    monkeypatch.setattr(examples, "serve", lambda host, port, *, delay, ready: ready(f"http://{host}:{port}/"))
    assert told(command("examples", "serve", "--port", "8123", cwd=tmp_path), tmp_path) == snapshot


@pytest.mark.parametrize("kinds", [("late-handler", "slowdown", "exception"), tuple(PLANTED)], ids=["some", "all"])
def test_demo(
    kinds: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    """What the demo itself tells; what the check tells meanwhile has its own tests."""

    def checked(words: list[str]) -> int:
        found = [
            msgspec.structs.replace(some()[0], id=f"{kind}-1", kind=FindingKind(kind), title=f"A {kind}")
            for kind in kinds
        ]
        document = Document(
            jostle="1",
            command="check",
            url=words[1],
            seed=0,
            seconds=1.0,
            status=Status.FINISHED,
            findings=tuple(found),
        )
        Path(words[words.index("--json") + 1]).write_bytes(msgspec.json.encode(document))
        return 1

    monkeypatch.setattr(demo, "run", checked)
    assert told(command("demo", cwd=tmp_path), tmp_path) == snapshot
