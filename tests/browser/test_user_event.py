"""What a page offers or says was done, as the user's events. No browser is needed for it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.browser.agenda import Agenda, possible
from jostle.browser.user import sample, user_event, visit
from jostle.events import Event, Field, Kind, Locator, TimerEvent, UserAction, UserEvent
from jostle.events.detail import TimerDetail
from tests.events.test_event import PLAIN, told

ACTION: dict[str, Any] = {
    "action": "type",
    "words": 'type in textbox "City"',
    "locator": {"words": 'textbox "City"', "role": "textbox", "name": "City", "css": "#city", "nth": 1},
    "field": {"type": "text", "label": "City", "maxlength": "3"},
    "box": [1, 2, 3, 4],
    "focused": True,
}


def test_typing() -> None:
    event = user_event(ACTION, tab=1, frame=(2,))
    assert event.what == 'type "mil" in textbox "City" in frame 2 in tab 2'
    assert (event.action.value, event.action.tab, event.action.frame) == ("mil", 1, (2,))
    assert user_event(ACTION, value="Rome").what == 'type "Rome" in textbox "City"'


def test_other_actions_go_by_the_words_of_the_page() -> None:
    event = user_event({**ACTION, "action": "click", "words": 'click textbox "City"'}, tab=2)
    assert event.what == 'click textbox "City" in tab 3'
    assert event.action.locator == Locator(words='textbox "City"', role="textbox", name="City", css="#city")
    assert visit("http://a.test/", words="/").action.href == "http://a.test/"


@given(st.one_of([st.fixed_dictionaries({"action": PLAIN, "words": PLAIN}), st.just({})]), told(UserAction), PLAIN)
def test_whatever_a_page_says(plain: dict[str, Any], more: dict[str, Any], value: Any) -> None:
    action = {"action": "click", "words": "x", **more, **plain}
    event = user_event(action, value=value)
    again: UserEvent = msgspec.convert(msgspec.to_builtins(event), UserEvent)
    assert again.detail == event.detail, "all of it has the right type"


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        (Field(), "milk"),
        (Field(suggestions=("a", "b")), "a"),
        (Field(type="number", min="2.5"), "2.5"),
        (Field(inputmode="numeric"), "7"),
        (Field(type="date", min="2030-01-01"), "2030-01-01"),
        (Field(type="email", maxlength="4"), "user"),
    ],
)
def test_samples(field: Field, expected: str) -> None:
    assert sample(field) == expected


def _agenda(*entries: dict[str, Any]) -> list[Event]:
    tab, frame = SimpleNamespace(number=0), SimpleNamespace(id="f", document=1, path=())
    agenda = Agenda("http://a.test/")
    for number, entry in enumerate(entries):
        agenda.add(tab, frame, {"id": number, **entry}, "user:1")  # type: ignore[arg-type]
    return possible(agenda.ready())


def test_what_the_agent_holds() -> None:
    timer = {"kind": "timer", "what": "timeout 5 at a.js:1:2", "function": "timeout", "site": "a.js:1:2", "delay": 5}
    held = _agenda({**timer, "due": 7.5, "registered": 1}, {"kind": "message", "what": "m", "creator": "user:0"})
    assert [(each.kind, each.creator, each.from_outside) for each in held] == [
        (Kind.MESSAGE, "user:0", True),
        (Kind.TIMER, "user:1", False),
    ]
    fires = held[1]
    assert isinstance(fires, TimerEvent)
    assert (fires.detail.site, fires.detail.delay, fires.detail.due) == ("a.js:1:2", 5, 7.5)
    assert fires.detail.document == "0//1"


@given(st.lists(st.tuples(st.sampled_from(Kind), told(TimerDetail)), max_size=4))
def test_nonsense_that_the_agent_is_made_to_tell(entries: list[tuple[Kind, dict[str, Any]]]) -> None:
    for event in _agenda(*({"what": "x", **plain, "kind": kind.value} for kind, plain in entries)):
        assert event.detail.document == "0//1"
        assert event.detail.due is None or isinstance(event.detail.due, float)
