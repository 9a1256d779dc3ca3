"""Which policies prevent which races, on small runs."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.events import Event, Kind, Trace
from jostle.events.event import event_of
from jostle.events.trace import Step
from jostle.repair.catalogue import (
    GENERAL,
    async_user,
    atomic,
    fifo,
    general,
    init_system,
    init_user,
    init_user_plus,
    latest_only,
    order,
    user_until,
)
from jostle.repair.policy import Action, EventKind, IsFunction, Policy
from jostle.repair.prevents import Race, lane_of, prevents


def event(kind: Kind, what: str, creator: Event | None = None, **detail: Any) -> Event:
    return event_of(kind, what, creator=creator.key if creator else "", detail=detail)


def click(what: str, css: str = "") -> Event:
    return event(Kind.USER, what, action="click", locator={"css": css})


def get(url: str, creator: Event | None = None, resource: str = "fetch", **detail: Any) -> Event:
    return event(Kind.NETWORK, f"GET {url}", creator, method="GET", url=f"http://h{url}", resource=resource, **detail)


def trace(*events: Event) -> Trace:
    return Trace(steps=tuple(Step(event=each) for each in events), initial=events[:1])


def names(policies: dict[str, Policy], run: Trace, one: Event, other: Event) -> set[str]:
    return {name for name, policy in policies.items() if prevents(policy, run, Race(one.key, other.key))}


FIVE = {name: general(name) for name in GENERAL}
PAGE = get("/", resource="document")
READY = event(Kind.LIFECYCLE, "DOMContentLoaded", PAGE, type="DOMContentLoaded")


def test_a_click_before_the_handlers() -> None:
    script, early = get("/init.js", PAGE, "script", blocking=True), click("click one")
    run = trace(PAGE, script, READY, early)
    assert names(FIVE, run, script, early) == {"init-user", "init-user-plus"}


def test_responses_of_two_clicks() -> None:
    one, two = click("one"), click("two")
    first, second = get("/a", one), get("/b", two)
    run = trace(PAGE, READY, one, two, first, second)
    assert names(FIVE, run, first, second) == {"fifo", "async-user"}  # the second click would not be heard
    specific = {"latest": latest_only(lanes=False), "lanes": fifo(lanes=True), "other": fifo("/x")}
    assert names(specific, run, first, second) == {"latest"}


def test_responses_that_do_not_overlap_are_not_ordered() -> None:
    """In this run nothing was under way when the second was requested: the policy forces nothing."""
    one, two = click("one"), click("two")
    first, second = get("/a", one), get("/b", two)
    run = trace(PAGE, READY, one, first, two, second)
    assert not prevents(fifo(), run, Race(first.key, second.key))


def test_a_click_while_a_response_is_awaited() -> None:
    one, two = click("one", "#one"), click("two", "#two")
    first = get("/a", one)
    run = trace(PAGE, READY, one, first, two)
    race = Race(first.key, two.key)
    assert names(FIVE, run, first, two) == {"async-user"}
    assert prevents(async_user(Action.POSTPONE), run, race)
    assert not prevents(async_user(Action.DISCARD, "/x"), run, race)
    assert not prevents(atomic("#one"), run, race)
    again = click("one again", "#one")
    run = trace(PAGE, READY, one, first, again)
    assert prevents(atomic("#one"), run, Race(first.key, again.key))


def test_a_frame_that_loads_too_early() -> None:
    frame = get("/inner", PAGE, "document", in_frame=True)
    script = get("/late.js", PAGE, "script", blocking=True)
    run = trace(PAGE, script, READY, frame)
    assert names(FIVE, run, script, frame) == {"init-system"}
    timer = event(Kind.TIMER, "timeout 5", PAGE, delay=5.0, function="timeout")
    assert prevents(init_system(), trace(PAGE, script, READY, timer), Race(script.key, timer.key))


def test_nested_requests_after_parsing() -> None:
    """Airports: the user must wait for a request that only the response to the first one sends."""
    one = get("/one", PAGE)
    two = get("/two", one)
    typed = event(Kind.USER, "type", action="type")
    run = trace(PAGE, READY, one, two, typed)
    assert names(FIVE, run, two, typed) == {"init-user-plus"} | (
        {"async-user"} if prevents(async_user(), run, Race(two.key, typed.key)) else set()
    )
    assert not prevents(init_user(), run, Race(two.key, typed.key))
    assert prevents(init_user_plus(timers=False), run, Race(two.key, typed.key))


def test_dependent_scripts() -> None:
    one, two = (get(f"/{name}.js", PAGE, "script", **{"async": True}) for name in "ab")
    run = trace(PAGE, one, two)
    assert names({"order": order("*/a.js", "*/b.js"), "fifo": fifo(kinds=(EventKind.SCRIPT,))}, run, one, two) == {
        "order",
        "fifo",
    }


def test_what_cannot_be_told_is_not_promised() -> None:
    early, script = click("one", "#one"), get("/init.js", PAGE, "script")
    assert not prevents(user_until("#one", IsFunction("f")), trace(PAGE, script, early), Race(script.key, early.key))


def test_hovering_is_not_prevented() -> None:
    script, hover = get("/init.js", PAGE, "script", blocking=True), event(Kind.USER, "hover menu", action="hover")
    assert names(FIVE, trace(PAGE, script, READY, hover), script, hover) == set()


def test_ordered_events_need_no_policy() -> None:
    one = click("one")
    first = get("/a", one)
    assert prevents(Policy(name="nothing"), trace(PAGE, one, first), Race(one.key, first.key))
    with pytest.raises(KeyError):
        prevents(fifo(), trace(PAGE), Race(one.key, first.key))


def test_lanes() -> None:
    assert lane_of("get", "http://h:80/api/items/12?q=3") == "GET /api/items/*"
