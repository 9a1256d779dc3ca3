"""Steps as they are written, and as earlier versions wrote them."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jostle.events import (
    Access,
    Effect,
    Event,
    Kind,
    LifecycleEvent,
    Locator,
    MessageEvent,
    Milestone,
    NetworkEvent,
    ParseEvent,
    Step,
    TimerEvent,
    event_of,
    located,
    wire,
)

CLICK = {
    "action": "click",
    "locator": {"words": 'button "Go"', "role": "button", "name": "Go", "test": "", "css": "#go", "within": "",
                "nth": 1},
    "element": "button",
    "xpath": "/html/body/form/button",
    "form": "/html/body/form",
    "frame": [1],
    "tab": 1,
}  # fmt: skip
ANSWER = {
    "resource": "fetch",
    "url": "http://shop.test/api?q=1",
    "request": "17.2",
    "sources": ["/app.js:3:5"],
    "document": "0//1",
}
TICK = {"delay": 300, "due": 812.5, "interval": False, "registered": 4, "document": "0//1"}
FENCE = {"resource": "script", "url": "http://shop.test/fence", "request": "17.3", "document": "0//1", "fence": 2}
EARLIER = {
    "event": {"kind": "user", "what": 'click button "Go" in frame 1 in tab 2', "occurrence": 2, "detail": CLICK},
    "effect": {
        "created": [
            {"kind": "network", "what": "GET /api?q=1", "creator": "user:1", "detail": ANSWER},
            {"kind": "timer", "what": "timeout 300 at /app.js:12:5 in frame 1", "creator": "user:1", "detail": TICK},
            {"kind": "parse", "what": "parse past fence 2 of /", "detail": FENCE},
            {"kind": "message", "what": "message on socket /live", "detail": {"channel": "socket /live",
             "address": "ws://shop.test/live", "document": "0//1", "outside": True}},
            {"kind": "frame", "what": "animation frame", "detail": {"due": 16.6, "delay": 16.6, "at_most": 30}},
            {"kind": "network", "what": "GET /inner", "detail": {"resource": "document", "document": "0/1/1"}},
            {"kind": "lifecycle", "what": "load of /inner", "detail": {"parent_document": "0//1"}},
            {"kind": "idle", "what": "idle callback"},
        ],
        "lifecycle": ["commit http://shop.test/a b", "frame commit http://shop.test/f", "address http://shop.test/#x",
                      "DOMContentLoaded", "load"],
        "accesses": [{"location": "dom:p#p@class in document 0//2", "write": True, "value": '"a"'}],
        "earlier": [{"event": "user:1", "access": {"location": "global:x"}}],
    },
    "at": 12.5,
}  # fmt: skip
"""A step as the first versions wrote it."""


def test_steps_of_earlier_versions_are_read() -> None:
    read = wire.decode(json.dumps(EARLIER), Step)
    step = wire.completed_step(read)
    action = step.event.action
    assert (action.type, action.form, action.frame, action.tab) == ("click", "/html/body/form", (1,), 1)
    assert action.locator == Locator(words='button "Go"', role="button", name="Go", css="#go")
    assert step.event.key == "user:7a7745e2d1"
    answer, tick, fence, message, frame, inner, loaded, idle = step.effect.created
    assert answer.request.method == "GET", "it was in the words only"
    assert (answer.request.url, answer.request.sources) == ("http://shop.test/api?q=1", ("/app.js:3:5",))
    assert (tick.timer.function, tick.timer.site, tick.timer.delay) == ("timeout", "/app.js:12:5", 300)
    assert isinstance(fence, ParseEvent) and fence.detail.fence == 2
    assert isinstance(message, MessageEvent) and message.from_outside and message.detail.address.startswith("ws:")
    assert frame.detail.due == 16.6
    assert inner.request.in_frame and not answer.request.in_frame
    assert isinstance(loaded, LifecycleEvent) and loaded.detail.type == "load"
    assert idle.kind is Kind.IDLE
    assert step.effect.lifecycle == (
        Milestone(Milestone.COMMIT, "http://shop.test/a b"),
        Milestone(Milestone.FRAME_COMMIT, "http://shop.test/f"),
        Milestone(Milestone.ADDRESS, "http://shop.test/#x"),
        Milestone("DOMContentLoaded"),
        Milestone("load"),
    )
    assert step.effect.commits
    assert step.effect.accesses == (
        Access(location=located("dom:p#p@class in document 0//2"), write=True, value='"a"'),
    )
    assert step.effect.earlier[0].access.location == located("global:x")


def test_a_step_is_written_as_it_was() -> None:
    """Locations and milestones are text, what is known of an event is under `detail`: older versions read it too."""
    written: dict[str, Any] = json.loads(wire.encode(wire.decode(json.dumps(EARLIER), Step)))
    assert written["event"] == EARLIER["event"]
    for part in ("lifecycle", "accesses", "earlier"):
        assert written["effect"][part] == EARLIER["effect"][part]  # type: ignore[index]
    answer, tick, *_ = written["effect"]["created"]
    assert answer["detail"] == ANSWER
    assert tick["detail"] == {name: value for name, value in TICK.items() if name != "interval"}
    assert json.loads(json.dumps(wire.to_plain(wire.from_plain(EARLIER, Step)))) == written


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (NetworkEvent(what="POST /graphql Search"), {"method": "POST"}),
        (NetworkEvent(what="answer"), {}),
        (event_of(Kind.NETWORK, "GET /", detail={"method": "PUT"}), {"method": "PUT"}),
        (TimerEvent(what="interval 1.5 at ? in tab 2"), {"function": "interval", "site": "?"}),
        (TimerEvent(what="retry"), {}),
        (LifecycleEvent(what="DOMContentLoaded"), {"type": "DOMContentLoaded"}),
        (event_of(Kind.USER, "GET /"), {}),
    ],
)
def test_what_was_only_in_the_words(event: Event, expected: dict[str, str]) -> None:
    assert msgspec.to_builtins(wire.completed(event).detail) == expected


@example("commit ", "")
@given(st.text(), st.sampled_from(["", "http://a/ b"]))
def test_milestones(name: str, url: str) -> None:
    for milestone in (
        Milestone(Milestone.COMMIT, f"/{name}"),
        Milestone(Milestone.FRAME_COMMIT, "/"),
        Milestone("load"),
    ):
        assert Milestone.parse(str(milestone)) == milestone and hash(milestone) == hash(Milestone.parse(str(milestone)))
    assert str(Milestone.parse(name)) == name
    assert Milestone(name) != name
    assert Effect(lifecycle=(Milestone(Milestone.COMMIT, url),)).commits
    assert not Effect(lifecycle=(Milestone(Milestone.FRAME_COMMIT, url),)).commits


@pytest.mark.parametrize(
    "wrong",
    [{"lifecycle": [3]}, {"accesses": [{"location": None}]}, {"created": [{"kind": "none", "what": "x"}]}],
)
def test_what_is_not_a_step_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        wire.decode(json.dumps({**EARLIER, "effect": wrong}), Step)


def test_nothing_else_is_written_by_mistake() -> None:
    with pytest.raises(NotImplementedError):
        wire.encode(object())
