from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import Kind, event_of
from jostle.exploring.forms import filled
from jostle.model.label import label, label_of_words


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ('type "milk" in textbox "Search"', 'type in textbox "Search"'),
        ('type "say \\"in\\" in a\\\\" in textbox "in"', 'type in textbox "in"'),
        ('fill "2026-03-14" in date field "Day" in frame 1', 'fill in date field "Day" in frame 1'),
        ('type in textbox "Search"', 'type in textbox "Search"'),
        ('select "Two" in combobox "Number"', 'select "Two" in combobox "Number"'),
        ('click link "type "a" in b"', 'click link "type "a" in b"'),
    ],
)
def test_words_alone(what: str, expected: str) -> None:
    assert label_of_words(what) == expected


@given(st.sampled_from(["type", "fill"]), st.text(), st.lists(st.integers(1, 9), max_size=2), st.integers(0, 3))
def test_what_was_typed_is_left_out(action: str, value: str, frame: list[int], tab: int) -> None:
    told = {"action": action, "value": value, "frame": frame, "tab": tab, "locator": {"words": 'textbox "in" in b'}}
    event = event_of(Kind.USER, "", detail=told)
    typed = msgspec.structs.replace(event, what=event.action.entry)
    assert label(typed) == label_of_words(typed.what)
    assert typed.what == label(typed).replace(" in ", f" {json.dumps(value, ensure_ascii=False)} in ", 1)
    assert label(filled(typed, "other")) == label(typed)


def test_other_events_have_their_descriptor() -> None:
    for what in ('select "Two" in combobox "Number"', 'click link "type "a" in b"'):
        assert label(event_of(Kind.USER, what, detail={"action": what.split()[0], "locator": {"words": "x"}})) == what


def test_an_event_without_detail_has_its_descriptor() -> None:
    assert label(event_of(kind=Kind.USER, what='type "a" in b', occurrence=3)) == 'type "a" in b'
