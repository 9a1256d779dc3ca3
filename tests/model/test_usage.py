from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import Event, Kind, State, Step, event_of
from jostle.model.usage import MicroEvent, UsageEntry, micro_event, pieces_of, usage_of
from tests.model.usages import entries, menu, steps

CLICK = {"action": "click", "element": "button", "xpath": "/html/body/button"}
CLICKED = MicroEvent("click", "button")


def user(**detail: Any) -> Event:
    return event_of(kind=Kind.USER, what="click", detail=detail)


def test_a_page_that_was_left_and_come_back_to_is_another_piece() -> None:
    there, elsewhere = State("1", "http://a.test/", "A"), State("2", "http://b.test/", "B")
    clicks = [Step(event=user(**CLICK), state=there), Step(event=user(**CLICK), state=elsewhere)]
    back = Step(event=event_of(kind=Kind.USER, what="visit /", detail={"action": "visit"}), state=there)
    usage = usage_of([Step(event=event_of(kind=Kind.LIFECYCLE, what="open"), state=there), *clicks, back, *clicks])
    assert [len(piece) for piece in pieces_of(usage)] == [2, 2]


def test_an_entry_has_the_page_before_the_event() -> None:
    opened = event_of(kind=Kind.LIFECYCLE, what="open")
    arrived = event_of(kind=Kind.NETWORK, what="GET /")
    usage = usage_of(
        [
            Step(event=opened, state=State("1", "http://a.test/", "A")),
            Step(event=user(**CLICK)),
            Step(event=arrived, state=State("2", "http://b.test/", "B")),
            Step(event=user(**CLICK), state=State("3", "http://c.test/", "C")),
        ]
    )
    assert usage == (
        UsageEntry(CLICKED, "/html/body/button", "http://a.test/", "A"),
        UsageEntry(CLICKED, "/html/body/button", "http://b.test/", "B", 1),
    )
    assert usage[0].state == "http://a.test/ A"


@pytest.mark.parametrize(
    "event",
    [
        user(**CLICK, ran=False),
        user(action="back"),
        user(action="scroll", element="html", xpath="/html", ran=True),
        user(action="visit", href="http://a.test/"),
        user(action="click", xpath=""),
        user(xpath="/html/body"),
        user(),
        event_of(kind=Kind.TIMER, what="timeout"),
    ],
    ids=lambda event: str(event.detail),
)
def test_not_part_of_a_usage(event: Event) -> None:
    assert usage_of([Step(event=event)]) == ()


def test_unless_told_otherwise_an_event_ran_scripts() -> None:
    assert len(usage_of([Step(event=user(**CLICK)), Step(event=user(**CLICK, ran=True))])) == 2


def test_the_kind_of_element_is_taken_from_the_path_where_it_is_not_told() -> None:
    assert micro_event(user(action="click", xpath="1!/html/body/ul/li[3]")) == MicroEvent("click", "li")


def test_split_where_the_url_changes() -> None:
    def at(*urls: str) -> list[UsageEntry]:
        return [UsageEntry(CLICKED, "/html", url, title=f"title {n}") for n, url in enumerate(urls)]

    done = at("a", "a", "b", "a", "a", "a")
    assert pieces_of(done) == [done[:2], done[3:]]
    assert pieces_of(done, 1) == [done[:2], done[2:3], done[3:]]
    assert pieces_of(done, 3) == [done[3:]]
    assert pieces_of([]) == []


def test_a_page_that_is_not_known_is_no_other_page() -> None:
    done = [UsageEntry(CLICKED, "/html", url) for url in ("", "a", "a")]
    assert pieces_of(done) == [done]


@given(entries(), st.integers(0, 3))
def test_what_is_read_back(done: list[UsageEntry], passed: int) -> None:
    usage = [*done, *menu(passed)]
    assert list(usage_of(steps(usage))) == usage
    assert [entry for piece in pieces_of(usage, 1) for entry in piece] == usage


TYPED = {"action": "type", "element": "input:text", "xpath": "/html/body/form/input", "form": "/html/body/form"}


def test_what_was_typed_is_known_by_the_name_of_the_field() -> None:
    events = [
        user(**TYPED, value="soup", field={"type": "text", "name": "q", "label": "Search"}),
        user(**TYPED, value="rice", field={"type": "text", "label": "Search"}),
        user(**TYPED, value="secret", field={"type": "password", "name": "p"}),
        user(**TYPED, value="secret", secret=True, field={"type": "text", "name": "p"}),
        user(**TYPED, value="nameless", field={"type": "text"}),
        user(**CLICK, value="no field"),
    ]
    usage = usage_of([Step(event=each) for each in events])
    assert [(entry.field, entry.typed) for entry in usage] == [
        ("input:text q", "soup"),
        ("input:text Search", "rice"),
        *[("", "")] * 4,
    ]
