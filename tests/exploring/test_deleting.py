"""Of the entries of one list, a few are deleted."""

from __future__ import annotations

import asyncio
import random

import pytest

from jostle.events import Kind, ModelApp, World, event_of
from jostle.exploring.at_random import AtRandom
from jostle.exploring.avoid import deletes
from jostle.exploring.explorer import DELETES, explore


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Delete Import", True), ("Remove", True), ("Konto löschen", True), ("Undelete", False), ("Deleted items", False)],
)
def test_by_what_a_control_is_called(name: str, expected: bool) -> None:
    detail = {"action": "click", "locator": {"name": name, "words": f'button "{name}"'}}
    assert deletes(event_of(kind=Kind.USER, what=f'click button "{name}"', detail=detail)) is expected


def test_something_is_left() -> None:
    def delete(world: World) -> None:
        world["entries"] -= 1

    app = ModelApp({"entries": 10}, {'click button "Delete"': delete, "click A": lambda world: None},
                   actions=['click button "Delete"', "click A"])  # fmt: skip
    chance = random.Random(1)
    asyncio.run(explore(app, AtRandom(chance), events=60, chance=chance))
    assert app.variables["entries"] == 10 - DELETES
