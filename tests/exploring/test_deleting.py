"""Of the entries of one list, a few are deleted."""

from __future__ import annotations

import asyncio
import random

import msgspec
import pytest

from jostle.events import Effect, Event, Kind, ModelApp, Request, World, event_of
from jostle.events.model_app import Guard
from jostle.exploring.at_random import AtRandom
from jostle.exploring.avoid import deletes
from jostle.exploring.explorer import explore
from jostle.exploring.supplies import USES, Supplies


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
    assert app.variables["entries"] == 10 - USES


class Inbox(ModelApp):
    """A list whose entries vanish when they are archived, and stay when they are starred. Both tell the server."""

    def __init__(self, entries: int) -> None:
        words = {f'click button "{what} {n}"': n for what in ("Archive", "Star") for n in range(entries)}

        def act(world: World) -> None:
            if "Archive" in world.event.what:
                world["left"] -= {words[world.event.what]}

        def still(number: int) -> Guard:
            return lambda view: number in view["left"]

        guards = {name: still(number) for name, number in words.items()}
        super().__init__(
            {"left": frozenset(range(entries))}, dict.fromkeys(words, act), actions=list(words), guards=guards
        )

    async def step(self, event: Event) -> Effect:
        sent = Request(method="POST", url="http://x/entries")
        return msgspec.structs.replace(await super().step(event), requests=(sent,))


@pytest.mark.parametrize(("entries", "left"), [(10, 10 - USES), (2, 1)])
def test_what_vanishes_with_its_click_is_used_up(entries: int, left: int) -> None:
    app, chance = Inbox(entries), random.Random(1)
    exploration = asyncio.run(explore(app, AtRandom(chance), events=60, chance=chance))
    assert len(app.variables["left"]) == left
    assert exploration.done == 60  # with what stays


def test_what_stands_alone_is_no_entry_of_a_list() -> None:
    """It may be the button of a form that closes."""
    app, chance = Inbox(1), random.Random(1)
    exploration = asyncio.run(explore(app, AtRandom(chance), events=60, chance=chance))
    assert sum("Archive" in visit.event.what for visit in exploration.visits) > USES


def test_a_box_that_is_ticked_is_not_gone() -> None:
    def box(action: str, number: int) -> Event:
        locator = {"role": "checkbox", "name": f"Tea {number}"}
        detail = {"action": action, "xpath": f"/li[{number}]/input", "locator": locator}
        return event_of(kind=Kind.USER, what=f'{action} checkbox "Tea {number}"', detail=detail)

    supplies, sent = Supplies(), Effect(requests=(Request(method="POST", url="http://x/tick"),))
    for ticked in range(1, 4):
        offered = [box("uncheck" if number < ticked else "check", number) for number in range(1, 6)]
        supplies.offered("http://x/", offered)
        assert supplies.kept(offered) == offered
        supplies.done("http://x/", offered[ticked - 1], sent)
