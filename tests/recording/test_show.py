from __future__ import annotations

import json
from pathlib import Path

import pytest

from jostle.cli.main import run
from jostle.events import Effect, Kind, Milestone, PageError, State, Step, Trace, event_of
from jostle.recording.exchange import Exchange
from jostle.recording.file import Manifest, Recording
from tests.recording.recordings import search_page


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "walk.jostle"
    search_page().write(path)
    return path


def test_the_whole_recording(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(saved)]) == 0
    shown = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "Recording of http://shop.test/" in lines
    assert "seed 7" in lines
    assert "browser Chromium 156" in lines
    assert '2 100 ms user click button "Go" 1 request, 1 new event' in lines
    assert any("3 250 ms network GET /api/search?q=milk exception: x is not defined" in line for line in lines)
    assert "2 GET http://shop.test/api/search?q=milk 200 13 bytes" in lines
    assert any(line.startswith("3 GET http://shop.test/gone ConnectionRefused") for line in lines)
    assert "1 websocket ws://shop.test/live 1 1" in lines


def test_one_step(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(saved), "--step", "3"]) == 0
    shown = capsys.readouterr().out
    assert "Step 3 at 250 ms: GET /api/search?q=milk" in shown
    assert 'creator   step 2, click button "Go"' in shown
    assert "exception: x is not defined (app.js:1:2)" in shown
    assert "localStorage last = milk" in shown
    assert "Answer that arrived" in shown
    assert "    p\n      None" in shown
    assert run(["show", str(saved), "--step", "2"]) == 0
    shown = capsys.readouterr().out
    assert "Became possible\n  network   GET /api/search?q=milk" in shown
    assert "Requests\n  GET http://shop.test/api/search?q=milk" in shown


@pytest.mark.parametrize("number", ["0", "4", "-1"])
def test_no_such_step(saved: Path, capsys: pytest.CaptureFixture[str], number: str) -> None:
    assert run(["show", str(saved), "--step", number]) == 2
    assert f"There is no step {number} in the recording: its steps are 1 to 3." in capsys.readouterr().err


def test_everything_as_json(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(saved), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["manifest"]["seed"] == 7
    recording = search_page()
    assert [step["event"]["key"] for step in document["steps"]] == list(recording.trace.schedule.keys)
    assert [step["number"] for step in document["steps"]] == [1, 2, 3]
    assert document["steps"][1]["effect"]["created"][0]["key"] == recording.trace.steps[2].event.key
    assert {"text": '{"items": []}'} in document["bodies"].values()
    assert document["snapshots"] == recording.snapshots
    assert document["exchanges"][0]["headers"][1:] == [["set-cookie", "a=1"], ["set-cookie", "b=2"]]
    assert len(document["conversations"][0]["messages"]) == 4


def test_one_step_as_json(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", str(saved), "--json", "--step", "3"]) == 0
    assert json.loads(capsys.readouterr().out)["effect"]["errors"][0]["message"] == "x is not defined"


def hostile_recording() -> Recording:
    evil = "[red]x[/red] [/nope] \x1b[31m\x1b]0;title\x07 \x9b2J \u202eoda \ud800 \r over :smile:"
    event = event_of(kind=Kind.USER, what=evil)
    effect = Effect(
        errors=(PageError("exception", evil, evil, (evil,)),), created=(event,), lifecycle=(Milestone(evil),)
    )
    recording = Recording(Manifest(url=f"http://x/{evil}", limits=(evil,), browser=evil))
    recording.snapshots["s"] = evil
    recording.trace = Trace(steps=(Step(event=event, effect=effect, state=State("s", evil, evil)),))
    recording.exchanges = [Exchange(order=1, method=evil, url=evil, status=200, headers=(("content-type", evil),))]
    return recording


@pytest.mark.parametrize("arguments", [(), ("--step", "1"), ("--json",)])
def test_texts_of_a_page_are_only_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    path = tmp_path / "evil.jostle"
    hostile_recording().write(path)
    assert run(["show", str(path), *arguments]) == 0
    shown = capsys.readouterr().out
    assert "[red]x[/red] [/nope]" in shown
    assert ":smile:" in shown
    assert not set(shown) & set("\x1b\x07\x9b\u202e\r\ud800")


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "no such file"), (b"", "is empty"), (b"text", "is not a jostle recording"), (b"PK\3\4", "is damaged")],
)
def test_wrong_files_end_with_2_and_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    path = tmp_path / "x.jostle"
    if content is not None:
        path.write_bytes(content)
    assert run(["show", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert "Traceback" not in captured.err
    assert len(captured.err.strip().splitlines()) == 1


def test_an_empty_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "e.jostle"
    Recording(Manifest(url="http://x/")).write(path)
    assert run(["show", str(path)]) == 0
    assert "0 steps, 0 requests" in capsys.readouterr().out
    assert run(["show", str(path), "--step", "1"]) == 2
    assert "it has no steps" in capsys.readouterr().err
