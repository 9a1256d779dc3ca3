"""`jostle macros`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from jostle.cli.main import run
from jostle.events import Kind, Step, Trace, event_of
from jostle.model import inference
from jostle.model.macros_file import Macros
from jostle.model.usage import UsageEntry
from jostle.recording.file import Manifest, Recording
from jostle.report.macros import page
from tests.model.usages import menu, steps, user_event


def record(file: Path, made: Sequence[Step]) -> str:
    Recording(Manifest(url="http://crm.test/"), Trace(steps=tuple(made))).write(file)
    return str(file)


def habits(passed: Sequence[int]) -> list[UsageEntry]:
    return [entry for n, each in enumerate(passed) for entry in menu(each, url=f"http://crm.test/{n}")]


@pytest.fixture
def sessions(tmp_path: Path) -> list[str]:
    return [record(tmp_path / f"session{n}.jostle", steps(habits((0, 1, n)))) for n in (1, 2)]


@pytest.fixture
def saved(sessions: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    file = tmp_path / "macros.json"
    assert run(["macros", "infer", *sessions, "-o", str(file)]) == 0
    capsys.readouterr()
    return file


def test_infer(sessions: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, html = tmp_path / "macros.json", tmp_path / "macros.html"
    assert run(["macros", "infer", *sessions, "-o", str(file), "--html", str(html)]) == 0
    learned = Macros.load(file)
    assert learned.inferred.support == 4
    assert "mouseover a" in {macro.name for macro in learned.macros}
    assert html.read_text() == page(learned)
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("2 sessions, 28 events in 6 pieces; ")
    assert said[1:] == [f"{len(learned.macros)} macros written: {file}", f"Written: {html}"]


def test_options_of_the_inference(sessions: list[str], tmp_path: Path) -> None:
    file = tmp_path / "macros.json"
    options = ["--support", "2", "--length-min", "3", "--length-max", "5", "--k", "1"]
    assert run(["macros", "infer", *sessions, "-o", str(file), *options]) == 0
    usages = [habits((0, 1, n)) for n in (1, 2)]
    macros, facts = inference.infer(usages, support=2, length_min=3, length_max=5, k=1)
    assert Macros.load(file) == Macros(macros=macros, inferred=facts)


def test_too_many_sequences_are_told(
    sessions: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(inference.infer.__kwdefaults__ or {}, "most", 5)
    assert run(["macros", "infer", *sessions, "-o", str(tmp_path / "m.json"), "--support", "2"]) == 0
    assert "too many longer sequences to look at them all; --support 3 has fewer" in capsys.readouterr().out


def test_show(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["macros", "show", str(saved)]) == 0
    said = capsys.readouterr().out
    assert "2 sessions, 28 events" in said
    assert "mouseover a (seen 6 times; " in said
    assert "First move onto a link." in said


def test_show_as_json(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["macros", "show", str(saved), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["macros"][0].pop("words").startswith("First ")
    assert msgspec.convert(document, Macros) == Macros.load(saved)


def test_show_as_html(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    html = tmp_path / "m.html"
    assert run(["macros", "show", str(saved), "--html", str(html)]) == 0
    assert html.read_text() == page(Macros.load(saved))
    assert capsys.readouterr().out == f"Written: {html}\n"
    assert run(["macros", "show", str(saved), "--html", str(html), "--json"]) == 2
    assert run(["macros", "show", str(saved), "--html", str(tmp_path / "missing" / "m.html")]) == 3


def test_texts_of_the_page_do_not_steer_the_terminal(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved.write_text(saved.read_text().replace("mouseover", "\\u001b[2J"))
    assert run(["macros", "show", str(saved)]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "made",
    [
        (),
        (Step(event=event_of(kind=Kind.TIMER, what="timeout")),),
        (Step(event=user_event(menu(0)[0], ran=False)), Step(event=event_of(kind=Kind.USER, what="back"))),
    ],
)
def test_nothing_usable(made: tuple[Step, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = record(tmp_path / "empty.jostle", made)
    output = tmp_path / "macros.json"
    assert run(["macros", "infer", file, "-o", str(output)]) == 2
    users = sum(step.event.by_user for step in made)
    said = capsys.readouterr().err
    assert f"There is nothing usable in {file}: of {users} user event" in said
    assert "jostle record" in said
    assert run(["macros", "infer", file, file, "-o", str(output)]) == 2
    assert "nothing usable in the 2 recordings" in capsys.readouterr().err
    assert not output.exists()


def test_nothing_to_learn(sessions: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "macros.json"
    assert run(["macros", "infer", *sessions, "-o", str(output), "--support", "50"]) == 2
    said = capsys.readouterr().err
    assert "There is nothing to learn: no 2 or more related events were done 50 times in 2 sessions" in said
    assert "ask for less than --support 50" in said
    assert not output.exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["infer"], "Missing argument"),
        (["infer", "missing.jostle"], "There is no recording missing.jostle"),
        (["infer", "x.jostle", "--length-min", "5", "--length-max", "3"], "--length-max 3 is less than --length-min 5"),
        (["infer", "x.jostle", "--length-min", "1"], "x>=2"),
        (["infer", "x.jostle", "--support", "0"], "x>=1"),
        (["infer", "x.jostle", "-o", "missing/macros.json"], "missing/macros.json cannot be written"),
        (["show", "missing.json"], "missing.json cannot be read: No such file or directory"),
    ],
)
def test_wrong_usage(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["macros", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_damaged_file(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved.write_text(saved.read_text()[:-40])
    assert run(["macros", "show", str(saved)]) == 2
    said = capsys.readouterr().err
    assert f"{saved} is not valid JSON" in said
    assert "Infer them anew" in said
