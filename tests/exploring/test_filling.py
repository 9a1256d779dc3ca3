"""Filling a form before it is sent."""

from __future__ import annotations

import random
from typing import Any

from jostle.events import Event, Kind, event_of
from jostle.exploring.filling import before_sending, sends, with_value, with_word


def event(what: str, action: str, element: str, xpath: str, **detail: Any) -> Event:
    detail = {"action": action, "element": element, "xpath": f"/html/body/{xpath}", **detail}
    return event_of(kind=Kind.USER, what=what, detail=detail)


def text(name: str, xpath: str, **field: Any) -> Event:
    what, words = f'type "milk" in textbox "{name}"', f'textbox "{name}"'
    told = {"value": "milk", "locator": {"words": words}, "field": {"type": "text", **field}}
    return event(what, "type", "input:text", xpath, **told)


SAVE = event('click button "Save"', "click", "button", "main/form[1]/button")
NAME = text("Name", "main/form[1]/p[1]/input", required=True)
CITY = text("City", "main/form[1]/p[2]/input")
CODE = text("Code", "main/form[1]/p[3]/input", value="x", pattern="[0-9]+")
DONE = text("Done", "main/form[1]/p[4]/input", value="fine", required=True)
OTHER = text("Search", "header/form/input", required=True)
COLOURS = [
    event(f'select "{colour}" in combobox "Colour"', "select", "select", "main/form[1]/select", value=colour)
    for colour in ("red", "green", "blue")
]
TERMS = event('click checkbox "Terms"', "click", "input:checkbox", "main/form[1]/input", field={"required": True})
EVENTS = [OTHER, NAME, CITY, CODE, DONE, *COLOURS, TERMS, SAVE]


def filled(button: Event, events: list[Event], seed: int) -> list[str]:
    return before_sending(button, events, random.Random(seed))


def test_what_is_empty_or_wrong_is_filled() -> None:
    runs = [filled(SAVE, EVENTS, seed) for seed in range(200)]
    for labels in runs:
        assert 'type in textbox "Name"' in labels  # it is required
        assert 'type in textbox "Code"' in labels  # what is in it is not accepted
        assert 'type in textbox "Done"' not in labels
        assert 'type in textbox "Search"' not in labels  # that is another form
        assert 'click checkbox "Terms"' in labels
        assert sum("combobox" in each for each in labels) <= 1
        assert labels.index('type in textbox "Name"') < labels.index('click checkbox "Terms"')
    assert 130 < sum('type in textbox "City"' in labels for labels in runs) < 190
    assert {each for labels in runs for each in labels if "combobox" in each} == {each.what for each in COLOURS}
    assert any(not any("combobox" in each for each in labels) for labels in runs)


def test_the_form_the_page_names_counts_more_than_where_it_stands() -> None:
    save = event('click button "Save"', "click", "button", "footer/button", form="f1")
    inside = text("In", "main/input", required=True)
    moved = inside.with_detail(form="f1")
    assert filled(save, [moved, NAME], 1) == ['type in textbox "In"']


def test_without_a_form_what_is_near_belongs_to_the_button() -> None:
    add = event('click button "Add"', "click", "button", "main/div[2]/div/button")
    near = text("Item", "main/div[2]/div/label/input", required=True)
    far = text("Far", "aside/div/div/input", required=True)
    assert filled(add, [near, far, NAME], 1) == ['type in textbox "Item"']
    framed = near.with_detail(frame=(0,))
    assert filled(add, [framed], 1) == []
    assert filled(event_of(kind=Kind.USER, what="click x"), [near], 1) == []


def test_what_sends() -> None:
    assert sends(SAVE)
    assert sends(event("press Enter in textbox", "press", "input:text", "form/input", value="Enter"))
    assert not sends(event("press Escape", "press", "input:text", "form/input", value="Escape"))
    assert not sends(event('click link "x"', "click", "a", "form/a"))
    assert not sends(NAME)


def test_values() -> None:
    code, wrong = (with_value(CODE, random.Random(1), valid=valid) for valid in (True, False))
    assert code.action.value and code.action.value.isdigit()
    assert code.what == f'type "{code.action.value}" in textbox "Code"'
    assert wrong.action.value is not None and not wrong.action.value.isdigit()
    assert with_value(SAVE, random.Random(1), valid=True) is SAVE


def test_what_the_page_shows_is_looked_for() -> None:
    links = [
        event(f'click link "{name}"', "click", "a", f"main/ul/li[{n}]/a", href=f"/tasks/{n}", locator={"name": name})
        for n, name in enumerate(("Edit the invoice", "Board", "Edit icons"), 1)
    ]
    search = text("Find", "header/input", label="Search tasks")
    found = [with_word(search, links, random.Random(seed)) for seed in range(100)]
    looked_for = {each.action.value for each in found if each is not None}
    assert looked_for == {"invoice", "icons"}, "neither what all have in common nor names of one word"
    assert None in found, "now and then something is not to be found"
    assert all(with_word(NAME, links, random.Random(seed)) is None for seed in range(20))
    assert all(with_word(search, [SAVE], random.Random(seed)) is None for seed in range(20)), "nothing is shown"
