from __future__ import annotations

import pytest

from jostle.events import Event, Kind
from jostle.model.label import label


@pytest.mark.parametrize(
    ("what", "action", "expected"),
    [
        ('type "milk" in textbox "Search"', "type", 'type in textbox "Search"'),
        ('type "say \\"in\\" in a\\\\" in textbox "in"', "type", 'type in textbox "in"'),
        ('fill "2026-03-14" in date field "Day" in frame 1', "fill", 'fill in date field "Day" in frame 1'),
        ('type in textbox "Search"', "type", 'type in textbox "Search"'),
        ('select "Two" in combobox "Number"', "select", 'select "Two" in combobox "Number"'),
        ('click link "type "a" in b"', "click", 'click link "type "a" in b"'),
    ],
)
def test_what_was_typed_is_left_out(what: str, action: str, expected: str) -> None:
    assert label(Event(kind=Kind.USER, what=what, detail={"action": action})) == expected


def test_an_event_without_detail_has_its_descriptor() -> None:
    assert label(Event(kind=Kind.USER, what='type "a" in b', occurrence=3)) == 'type "a" in b'
