"""Events: names that stay the same from run to run, and details of their kinds."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import (
    Event,
    Field,
    FrameEvent,
    Kind,
    Locator,
    MessageEvent,
    NetworkEvent,
    TimerEvent,
    UserAction,
    UserEvent,
    event_of,
)
from jostle.events.detail import NetworkDetail, TimerDetail, lenient, place_in_browser
from jostle.events.event import event_told

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


def told(kind: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    """What a page may tell of an event: the right names, and whatever it likes under them."""
    right = dict.fromkeys(kind.__struct_encode_fields__, PLAIN)
    nested = {name: st.fixed_dictionaries({}, optional=dict.fromkeys(inner.__struct_encode_fields__, PLAIN)) | PLAIN
              for name, inner in (("locator", Locator), ("field", Field)) if name in right}  # fmt: skip
    return st.fixed_dictionaries({}, optional=right | nested)


@pytest.mark.parametrize(
    ("event", "key"),
    [
        (UserEvent(what='click button "Save"'), "user:2a43d26867"),
        (NetworkEvent(what="GET /api/items?q", creator="user:3fe2aff4fd"), "network:eb6c0b633f"),
        (TimerEvent(what="timeout 300 at app.js:12:5", creator="user:3fe2aff4fd", occurrence=2), "timer:206553bc6e"),
        (UserEvent(what="click \ud800"), "user:12025b7aef"),
    ],
)
def test_keys_never_change(event: Event, key: str) -> None:
    """Recordings and the ids of findings depend on them."""
    assert event.key == key


def test_an_event_is_known_by_its_key_alone() -> None:
    one = UserEvent(what="click", detail=UserAction(type="click", tab=1))
    same, other = UserEvent(what="click"), UserEvent(what="click", occurrence=2)
    assert one == same != other and len({one, same, other}) == 2
    assert one != TimerEvent(what="click") and one != "click"
    assert (str(one), str(other)) == ("click", "click (#2)")


def test_each_kind_is_one_class() -> None:
    assert [each.kind for each in get_args(Event)] == list(Kind)
    for kind in Kind:
        event = event_of(kind, "x", creator="user:1", occurrence=3, detail={"document": "0//1", "due": 5})
        assert (event.kind, event.creator, event.occurrence, event.by_user) == (kind, "user:1", 3, kind is Kind.USER)
        assert (event.detail.document, event.due_by(4), event.due_by(5)) == ("0//1", False, True)
        assert event_of(kind, "x").due_by(0), "what does not wait for time is always due"
        written = msgspec.json.encode(event)
        assert written.startswith(f'{{"kind":"{kind}","what":"x","creator":"user:1","occurrence":3,"detail"'.encode())
        read: Event = msgspec.json.decode(written, type=Event)
        assert type(read) is type(event) and read.detail == event.detail


def test_any_event_can_be_asked_what_belongs_to_another_kind() -> None:
    frame = FrameEvent(what="animation frame")
    assert (frame.action, frame.request, frame.timer) == (UserAction(), NetworkDetail(), TimerDetail())
    assert not frame.from_outside
    assert event_of(Kind.NETWORK, "GET /", detail={"url": "/", "async": True}).request.asynchronous
    assert event_of(Kind.TIMER, "timeout", detail={"delay": 3}).timer.delay == 3
    assert event_of(Kind.MESSAGE, "message", detail={"outside": True}).from_outside


def test_names_that_a_kind_does_not_have_and_wrong_values_are_mistakes() -> None:
    with pytest.raises(TypeError, match="a timer event has no resource, url"):
        event_of(Kind.TIMER, "timeout", detail={"url": "/", "resource": "xhr"})
    with pytest.raises(msgspec.ValidationError):
        event_of(Kind.TIMER, "timeout", detail={"delay": "long"})
    with pytest.raises(TypeError):
        TimerEvent(what="timeout").with_detail(url="/")


def test_other_details_leave_the_rest_as_it_is() -> None:
    click = event_of(Kind.USER, "click x", occurrence=2, detail={"action": "click", "xpath": "/html"})
    placed = click.with_detail(after=("timer:1",))
    assert placed == click and placed.detail == UserAction(type="click", xpath="/html", after=("timer:1",))
    assert click.detail.after == ()


@given(st.data())
def test_whatever_a_page_tells_becomes_an_event(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(Kind))
    detail_type = type(event_of(kind, "x").detail)
    plain = data.draw(told(detail_type) | st.dictionaries(st.text(max_size=9), PLAIN, max_size=4))
    event = event_told(kind, "x", "user:1", 2, plain, document="0//1")
    assert event.detail.document == "0//1"
    again = msgspec.convert(msgspec.to_builtins(event), Event)
    assert again.detail == event.detail, "all of it has the right type"


@given(told(UserAction), told(UserAction))
def test_what_fits_is_kept_beside_what_does_not(action: dict[str, Any], wrong: dict[str, Any]) -> None:
    right = {"action": "click", "locator": {"words": "x", "css": "#x"}, "frame": [1, 2]}
    told = lenient({**wrong, **right, "field": {**action, "type": "email", "required": "perhaps"}}, UserAction)
    assert (told.type, told.locator, told.frame) == ("click", Locator(words="x", css="#x"), (1, 2))
    assert told.field is not None and (told.field.type, told.field.required) == ("email", False)


@pytest.mark.parametrize("nonsense", [None, 3, "text", [], [{}]])
def test_what_is_nothing_like_it_tells_nothing(nonsense: object) -> None:
    assert lenient(nonsense, UserAction) == UserAction()


def test_what_refers_to_itself() -> None:
    endless: dict[str, Any] = {"action": "click"}
    endless["field"] = endless
    assert lenient(endless, UserAction).type == "click"


def test_places_in_words() -> None:
    assert place_in_browser((), 0) == ""
    assert place_in_browser((1, 2), 2) == " in frame 1.2 in tab 3"
    typed = UserAction(type="type", value='a "b"', locator=Locator(words='textbox "City"'), frame=(1,), tab=1)
    assert typed.entry == 'type "a \\"b\\"" in textbox "City" in frame 1 in tab 2'
    assert isinstance(MessageEvent(what="m").detail.address, str)
