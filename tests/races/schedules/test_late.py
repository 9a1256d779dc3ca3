"""An order that somebody brings about who can only hold things back."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.events import Effect, Event, Kind, State, Step, Trace, event_of
from jostle.races.schedules.late import order_with_late, overtaking_timers
from jostle.races.schedules.run import ScheduleRun

FIRST, SECOND = (event_of(kind=Kind.USER, what=f"click {n}") for n in (1, 2))


def answer(path: str, occurrence: int = 1) -> Event:
    return event_of(
        kind=Kind.NETWORK,
        what=f"GET {path}",
        occurrence=occurrence,
        detail={"method": "GET", "url": f"http://a{path}", "resource": "xhr"},
    )


def timer(delay: int, **detail: Any) -> Event:
    told = {"function": "timeout", "delay": float(delay), **detail}
    return event_of(kind=Kind.TIMER, what=f"timeout {delay} at a.js:1:1", detail=told)


def run(*events: Event, created: tuple[Event, ...] = ()) -> ScheduleRun:
    steps = tuple(Step(event=event, effect=Effect(created=created if n == 0 else ())) for n, event in enumerate(events))
    return ScheduleRun(trace=Trace(steps=steps), state=State(digest=""))


def test_what_is_overtaken_is_late() -> None:
    one, two = answer("/1"), answer("/2")
    good = run(FIRST, one, SECOND, two, created=(one, two))
    bad = run(FIRST, SECOND, two, one, created=(one, two))
    assert order_with_late(good, bad) == [FIRST, SECOND, ("GET", "http://a/1", 1)]


def test_equal_requests_are_counted_from_the_beginning() -> None:
    one, two = answer("/poll"), answer("/poll", 2)
    good, bad = run(FIRST, one, two, SECOND, created=(one, two)), run(FIRST, one, SECOND, two, created=(one, two))
    assert order_with_late(good, bad) == [FIRST, SECOND, ("GET", "http://a/poll", 2)]


def test_a_timer_and_a_message() -> None:
    tick = timer(300)
    said = event_of(kind=Kind.MESSAGE, what="message", detail={"address": "ws://a/news", "channel": "x"})
    good = run(FIRST, tick, said, SECOND, created=(tick, said))
    bad = run(FIRST, SECOND, said, tick, created=(tick, said))
    assert order_with_late(good, bad) == [FIRST, SECOND, ("message", "/news", 1), ("timeout", "300", 1)]


def test_what_playwright_cannot_hold_is_said() -> None:
    parse = event_of(kind=Kind.PARSE, what="parse past fence 1 of /")
    with pytest.raises(ValueError, match="comes late, which Playwright cannot"):
        order_with_late(run(FIRST, parse, SECOND), run(FIRST, SECOND, parse))


def test_when_nothing_is_late_there_is_nothing_to_hold() -> None:
    with pytest.raises(ValueError, match="nothing comes late"):
        order_with_late(run(FIRST, SECOND), run(FIRST, SECOND))


def test_timers_that_overtake_are_waited_for() -> None:
    news, short, long = answer("/news"), timer(1000), timer(5000)
    good = run(FIRST, news, short, long, created=(news, short, long))
    assert overtaking_timers(good, run(FIRST, short, news, long, created=(news, short, long))) == 1000
    assert overtaking_timers(good, run(FIRST, short, long, news, created=(news, short, long))) == 5000
    assert overtaking_timers(good, good) == 0
