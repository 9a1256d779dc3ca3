from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import CouldNotRun
from jostle.model.inference import infer
from jostle.model.macros_file import Macros, UnusableMacros
from tests.model.usages import menu


@pytest.fixture
def macros() -> Macros:
    found, facts = infer([menu(0), menu(1), menu(0)], support=1)
    return Macros(inferred=facts, macros=found)


def test_saved_and_loaded(macros: Macros, tmp_path: Path) -> None:
    file = tmp_path / "macros.json"
    macros.save(file)
    assert Macros.load(file) == macros
    assert json.loads(file.read_text())["jostle-macros"] == 1
    assert [each.name for each in tmp_path.iterdir()] == ["macros.json"]


def test_not_writable(macros: Macros, tmp_path: Path) -> None:
    with pytest.raises(CouldNotRun, match="cannot be written: No such file or directory"):
        macros.save(tmp_path / "missing" / "macros.json")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("{", "is not valid JSON"),
        ("\x00\xff", "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", "is not a file of macros"),
        ('{"macros": []}', "is not a file of macros"),
        ('{"jostle-macros": 99}', "was made by a newer jostle (format 99, this one reads up to 1): upgrade jostle"),
        ('{"jostle-macros": "1"}', "is damaged: '1' is no version"),
        ('{"jostle-macros": true}', "is damaged: True is no version"),
        ('{"jostle-macros": 1}', "is damaged: object missing required field `macros`"),
        ('{"jostle-macros": 1, "macros": [{"name": "x"}]}', "is damaged: object missing required field `states`"),
        ('{"jostle-macros": 1, "macros": []}', "holds no macros"),
    ],
)
def test_no_macros(text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "macros.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(UnusableMacros) as caught:
        Macros.load(file)
    assert str(caught.value).startswith(f"{file} {told}")
    assert "jostle macros infer" in caught.value.advice


def test_missing(tmp_path: Path) -> None:
    with pytest.raises(UnusableMacros, match="cannot be read: No such file or directory"):
        Macros.load(tmp_path / "macros.json")


def transition(source: int, target: int, kind: str = "click", relation: str = "same") -> dict[str, Any]:
    return {"source": source, "event": {"type": kind, "element": "a"}, "relation": relation, "target": target}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"initial": 5}, "has the initial state 5, but its states are 0 to 2"),
        ({"final": [3]}, "has the final state 3, but its states are 0 to 2"),
        ({"final": []}, "has no final state"),
        (
            {"transitions": [transition(0, 1), transition(1, 7)]},
            "has a transition from state 1 to state 7 (click a), but its states are 0 to 2",
        ),
        (
            {"transitions": [transition(0, 1), transition(1, 2), transition(2, 0)]},
            "has a transition from state 2 to state 0 (click a), but state 2 is final",
        ),
        (
            {"transitions": [transition(0, 1), transition(0, 1, relation="none"), transition(1, 2)]},
            "has a transition from state 0 to state 1 (click a) twice",
        ),
        ({"transitions": []}, "can never reach state 1"),
        ({"transitions": [transition(0, 2), transition(1, 2)]}, "can never reach state 1"),
        ({"transitions": [transition(0, 1), transition(0, 2)]}, "can never be completed from state 1"),
    ],
)
def test_contradictions(changes: dict[str, Any], told: str, tmp_path: Path) -> None:
    sound = {"name": "M", "states": 3, "final": [2], "transitions": [transition(0, 1), transition(1, 2)]}
    file = tmp_path / "macros.json"
    file.write_text(json.dumps({"jostle-macros": 1, "macros": [sound]}))
    assert len(Macros.load(file).macros) == 1
    file.write_text(json.dumps({"jostle-macros": 1, "macros": [{**sound, **changes}]}))
    with pytest.raises(UnusableMacros) as caught:
        Macros.load(file)
    assert f"is contradictory: macro 'M' {told}." in str(caught.value)


def test_two_of_one_name(tmp_path: Path) -> None:
    sound = {"name": "M", "states": 2, "final": [1], "transitions": [transition(0, 1)]}
    file = tmp_path / "macros.json"
    file.write_text(json.dumps({"jostle-macros": 1, "macros": [sound, sound]}))
    with pytest.raises(UnusableMacros, match="is contradictory: there are 2 macros called 'M'"):
        Macros.load(file)


def test_an_unknown_relation(tmp_path: Path) -> None:
    file = tmp_path / "macros.json"
    macro = {"name": "M", "states": 2, "final": [1], "transitions": [transition(0, 1, relation="cousin")]}
    file.write_text(json.dumps({"jostle-macros": 1, "macros": [macro]}))
    with pytest.raises(UnusableMacros, match="is damaged: invalid enum value 'cousin'"):
        Macros.load(file)
