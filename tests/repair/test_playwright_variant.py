"""The variant of a generated test that loads the repair first."""

from __future__ import annotations

import ast

import pytest

from jostle.errors import RunProblem
from jostle.races.playwright_test import answer_race_test, load_race_test
from jostle.repair.playwright_test import beside, with_repair
from tests.repair.witnesses import URL, user

LATE = [("GET", "http://shop.test/api/weather", 1)]
HOSTILE = 'x"; import os  # `\n'


def answers() -> str:
    oslo, bergen = user("Oslo"), user("Bergen")
    return answer_race_test(URL, (), oslo, bergen, late=LATE, title="A race", name="race-1", origins=())


def loading() -> str:
    act = user("Menu")
    return load_race_test(URL, kind="late-handler", action=act, late=LATE, title="A race", name="race-1", origins=())


@pytest.mark.parametrize("test", [answers(), loading()], ids=["responses", "loading"])
def test_the_repair_comes_behind_the_test_s_own_script(test: str) -> None:
    made = with_repair(test, "race-1-repair.js", "fifo")
    ast.parse(made)
    assert made.count('REPAIR = Path(__file__).with_name("race-1-repair.js")') == 1
    assert made.count('+ ";\\n" + REPAIR.read_text("utf-8"))') == 1
    assert "from pathlib import Path\n" in made and "With the repair (fifo) it passes; without it, it fails." in made
    changed = [line for line in made.splitlines() if line not in test.splitlines()]
    assert len(changed) == 4, "nothing else is another"


def test_an_action_that_is_dropped_is_left_out_of_the_calm_order() -> None:
    made = with_repair(answers(), "r.js", "async-user", drops=True)
    ast.parse(made)
    assert "done = run.can(second, page, place_of_second(page)) if late else page" in made


def test_names_stay_texts() -> None:
    tree = ast.parse(with_repair(answers(), HOSTILE, HOSTILE))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import) and node.names[0].name == "os"]


@pytest.mark.parametrize("test", ["", "import pytest\n", "def test_it(page): ...\n"])
def test_a_test_that_is_made_otherwise(test: str) -> None:
    with pytest.raises(ValueError, match="no place for the repair"):
        with_repair(test, "r.js", "fifo")


def test_what_lies_beside_a_test() -> None:
    there = {"race-1-repair.js": b"script", "state.json": b"{}"}

    def read(name: str) -> bytes:
        if name not in there:
            raise RunProblem(f"{name} is not there.")
        return there[name]

    made = with_repair(answers(), "race-1-repair.js", "fifo") + '\nSTATE = "state.json"\nOTHER = "gone.json"\n'
    assert beside(made, read) == there
