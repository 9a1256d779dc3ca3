"""In which order events are done again and again: one entry of a list stands for the others at first."""

from __future__ import annotations

import random

from jostle.events import Effect, Event, Kind, Request, State, event_of
from jostle.exploring.alike import kin
from jostle.model.machine import Machine
from jostle.model.visit import Visit
from jostle.slowdowns.promising import Promising

HOME = State("home", "http://app.test/")


def button(name: str, place: str) -> Event:
    detail = {"action": "click", "element": "button", "xpath": place, "locator": {"role": "button", "name": name}}
    return event_of(kind=Kind.USER, what=f'click button "{name}"', detail=detail)


def test_entries_of_a_list_take_turns_with_the_rest() -> None:
    stars = [button(f"Star {name}", f"/html/body/ul/li[{n}]/button") for n, name in enumerate(["Ash", "Elm", "Oak"], 1)]
    details = button("Details", "/html/body/main/button")
    promising, machine = Promising(random.Random(1), after=True), Machine()
    for event, cost in [(stars[0], 900), (stars[1], 800), (stars[2], 700), (details, 10)]:
        effect = Effect(cost=cost, requests=(Request("POST", "http://app.test/like"),))
        machine.learn(HOME, event, HOME)
        promising.observe(Visit(before=HOME, event=event, effect=effect, after=HOME))
    tried = [str(each.pair) for each in promising.worth_repeating(machine)]
    assert tried[:2] == [
        'click button "Star Elm" → click button "Star Ash"',  # the same again may be in vain: two of them in turn
        'click button "Details" → click button "Details"',
    ]
    assert tried[2:] == [f'click button "Star {name}" → click button "Star {name}"' for name in ("Ash", "Elm", "Oak")]


def test_boxes_are_called_what_their_entry_is_and_are_one_list_all_the_same() -> None:
    detail = {"action": "check", "element": "input:checkbox", "locator": {"role": "checkbox", "name": "2 × Tea"}}
    boxes = [
        event_of(
            kind=Kind.USER,
            what=f'check checkbox "{name}"',
            detail=detail | {"xpath": f"/html/body/ul/li[{n}]/input", "locator": {"role": "checkbox", "name": name}},
        )
        for n, name in enumerate(["2 × Tea", "Milk", "Oats, 3 of them"], 1)
    ]
    assert len(set(map(kin, boxes))) == 1
    stars = [button(name, f"/html/body/ul/li[{n}]/button") for n, name in enumerate(["Star Ash", "Edit Ash"], 1)]
    assert len(set(map(kin, stars))) == 2
