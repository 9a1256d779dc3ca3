"""What to look for in an application that shows something."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jostle.browser.user import user_event
from jostle.races.responses.values import entering, values_in, with_text

PAGE = """Birds
Search
Kingfisher
Oystercatcher
Barn owl
Log out"""


def test_words_of_the_list_come_first() -> None:
    found = values_in(PAGE)
    assert set(found[:2]) <= {"Kingfisher", "Oystercatcher", "Search"}
    assert len(found) == len(set(found))


def test_what_stands_everywhere_comes_last() -> None:
    found = values_in("Open the book\nOpen the door\nOpen the shop\nOpen")
    assert found[-1] == "Open" and set(found[:3]) == {"book", "door", "shop"}


@given(st.text(max_size=3000))
def test_any_page(text: str) -> None:
    assert all(3 <= len(word) <= 20 for word in values_in(text))


def field(name: str, **attributes: object) -> dict[str, object]:
    locator = {"words": f'textbox "{name}"', "role": "textbox", "name": name, "css": "input"}
    return {"action": "type", "words": f'type in textbox "{name}"', "locator": locator, "field": attributes}


def test_only_what_the_field_takes() -> None:
    city, number = user_event(field("City")), user_event(field("Number", type="number"))
    assert entering(city, "Oslo").what == 'type "Oslo" in textbox "City"'
    assert entering(number, "Oslo") == number


def test_only_what_was_entered_last() -> None:
    city, click = user_event(field("City")), user_event({"action": "click", "words": "click"})
    before, _, after = with_text((city, click, city), "Oslo")
    assert before.action.value != "Oslo" and after.action.value == "Oslo"
