"""Approximate replay: what is not possible, what comes instead, what is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from jostle.events import Effect, Event, FrameEvent, Kind, ModelApp, World, event_of
from jostle.races.schedules.approximate import Replays
from jostle.races.schedules.drain import Drain
from jostle.races.schedules.run import PlannedOrder
from tests.races.schedules.applications import Subject, go, paging, slideshow


def test_the_same_order_gives_the_same_run() -> None:
    subject = slideshow()
    again = subject.run("L2 C1 C2 L3 T(C2)", exact=5)
    assert again == subject.recording
    assert again.reordered and not again.skipped and not again.new


def test_a_timer_of_another_event_takes_the_place_of_one_that_is_not_there() -> None:
    subject = slideshow(fuzzy=True)
    run = subject.run("C1 L2 C2 L3 T(C2)")
    assert [(subject.names(each.asked), subject.names(each.done)) for each in run.instead] == [("T(C2)", "T(C1)")]
    assert subject.app.variables["shown"] == 3
    assert not run.reordered and not run.skipped and not run.new


def test_what_must_happen_and_does_not_fails_the_run() -> None:
    subject = slideshow()
    late = subject.run("C1 L2 C2 L3 T(C2)", exact=5)
    assert late.failed == "retry was possible at this point before, and is not now"
    assert subject.names.all(late.trace.events) == "C1 L2 C2 L3"
    moved = subject.run("C1 T(C2) L2 C2 L3", exact=1, moved=1)
    assert moved.failed == "retry is not possible so early"
    assert subject.names.all(moved.trace.events) == "C1"


def test_what_becomes_possible_late_happens_as_soon_as_it_is() -> None:
    subject = slideshow()
    run = subject.run("T(C2) C1 C2 L2 L3")
    assert subject.names.all(run.trace.events) == "C1 C2 T(C2) L2 L3"
    assert not run.skipped


@pytest.mark.parametrize("bound", [1, None])
def test_draining_lets_polling_come_to_its_end(bound: int | None) -> None:
    """R4: in all four runs with one reversal the third image is shown in the end."""
    for order in ("L2 C1 C2 T(C2) L3", "L2 C1 L3 C2 T(C2)", "C1 L2 C2 L3 T(C2)", "L2 C1 C2 L3 T(C2)"):
        subject = slideshow(drain=Drain())
        run = subject.run(order)
        assert subject.app.variables == {"shown": 3, "indicator": False, "queue": ()}
        assert run.drained is not None and not run.drained.left
        assert (run.state == run.drained.state) == (not run.drained.steps)
        assert len(run.trace.steps) + len(run.skipped) == 5, "what was drained is no part of the run"


def test_draining_is_bounded() -> None:
    def tick(world: World) -> None:
        world["ticks"] += 1
        world.create(Kind.TIMER, "tick", delay=100)

    def ticking(drain: Drain) -> tuple[int, list[str]]:
        app = ModelApp(
            {"ticks": 0},
            {"tick": tick, "far": tick},
            start=lambda world: (
                world.create(Kind.TIMER, "tick", delay=100),
                world.create(Kind.TIMER, "far", delay=90_000),
            ),
        )
        run = go(Replays(app, drain=drain).run(PlannedOrder(events=())))
        assert run.drained is not None
        return app.variables["ticks"], sorted(event.what for event in run.drained.left)

    assert ticking(Drain(events=7)) == (7, ["far", "tick"])
    assert ticking(Drain(events=50, milliseconds=1000)) == (10, ["far", "tick"])


def test_further_events_become_part_of_the_run() -> None:
    subject = slideshow(further=1)
    run = subject.run("L2 C1 C2 T(C2) L3")
    assert subject.names.all(run.trace.events) == "L2 C1 C2 T(C2) L3 T(T(C2))"
    assert not run.new


def requested(kind: Kind, what: str) -> dict[str, Any]:
    method, _, path = what.partition(" ")
    return {"resource": "xhr", "method": method, "url": f"http://a{path}"} if kind is Kind.NETWORK else {}


def waiting(*whats: str, of: Sequence[Kind] = (Kind.NETWORK,)) -> ModelApp:
    """An application in which these wait, made by a click."""

    def click(world: World) -> None:
        for kind in of:
            for what in whats:
                world.create(kind, what, handler=done, **requested(kind, what))

    def done(world: World) -> None:
        world["done"] += (world.event.what,)
        if "made by" not in world.event.what:
            world.create(Kind.NETWORK, f"made by {world.event.kind}", handler=done)

    return ModelApp({"done": ()}, {"click": click}, user=["click"])


CLICK = event_of(kind=Kind.USER, what="click")


def event(what: str, kind: Kind = Kind.NETWORK, creator: str = "user:other", occurrence: int = 1) -> Event:
    return event_of(kind=kind, what=what, creator=creator, occurrence=occurrence, detail=requested(kind, what))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (event("GET /a?q=2&s=x"), "GET /a?q=1&s=x"),
        (event("GET /a?q=1&s=x"), "GET /a?q=1&s=x"),
        (event("POST /a?q=1&s=x"), None),
        (event("GET /a?other=1"), None),
        (event("GET /a?q=1&s=x", occurrence=2), None),
        (event("GET /a?q=1&s=x", Kind.TIMER), None),
        (event("GET /b/7"), "GET /b/8"),
        (event("GET /b/7", creator=CLICK.key), "GET /b/8"),
    ],
)
def test_what_is_like_an_event(asked: Event, expected: str | None) -> None:
    app = waiting("GET /a?q=1&s=x", "GET /a?q=1&s=y", "GET /b/8")
    run = go(Replays(app).run(PlannedOrder(events=(CLICK, asked))))
    assert [each.done.what for each in run.instead] == ([expected] if expected else [])
    assert [each.what for each in run.skipped] == ([] if expected else [asked.what])
    assert not go(Replays(app, fuzzy=False).run(PlannedOrder(events=(CLICK, asked)))).instead


def test_what_the_order_asks_for_later_is_not_taken() -> None:
    app = waiting("GET /b/8", "GET /b/9")
    later = event("GET /b/8", creator=CLICK.key)
    run = go(Replays(app).run(PlannedOrder(events=(CLICK, event("GET /b/7"), later))))
    assert [each.done.what for each in run.instead] == ["GET /b/9"]
    assert app.variables["done"] == ("GET /b/9", "GET /b/8")


def test_what_another_event_creates_is_what_the_one_asked_for_created() -> None:
    app = waiting("GET /b/8")
    asked = event("GET /b/7")
    created = event_of(kind=Kind.NETWORK, what="made by network", creator=asked.key)
    run = go(Replays(app).run(PlannedOrder(events=(CLICK, asked, created))))
    assert app.variables["done"] == ("GET /b/8", "made by network")
    assert len(run.instead) == 1, "the second is no other event, but the same under another name"


def test_the_user_keeps_the_order_and_does_not_come_back_to_what_was_not_possible() -> None:
    def app() -> ModelApp:
        return ModelApp(
            {"open": False, "done": ()},
            {
                **dict.fromkeys(
                    ("a", "b"), lambda world: world.__setitem__("done", (*world["done"], world.event.what))
                ),
                "answer": lambda world: world.__setitem__("open", True),
            },
            actions=["a", "b"],
            guards={"a": lambda view: bool(view["open"])},
            start=lambda world: world.create(Kind.NETWORK, "answer"),
        )

    a, b = (event_of(kind=Kind.USER, what=what) for what in "ab")
    answer = event_of(kind=Kind.NETWORK, what="answer")
    late = go(Replays(app()).run(PlannedOrder(events=(a, answer, b))))
    assert [each.what for each in late.trace.events] == ["answer", "a", "b"]
    over = go(Replays(app()).run(PlannedOrder(events=(a, b, answer))))
    assert [each.what for each in over.trace.events] == ["b", "answer"]
    assert [each.what for each in over.skipped] == ["a"]


def test_the_users_events_are_counted_anew() -> None:
    subject = paging()
    second = subject.events["C2"]
    run = go(subject.runner.run(PlannedOrder(events=(second,))))
    assert [(each.what, each.occurrence) for each in run.trace.events] == [("click Next", 1)]


def test_what_was_possible_before_is_waited_for() -> None:
    """Only where it must happen: elsewhere it may well be impossible now."""

    class Slow(ModelApp):
        async def waiting(self) -> Sequence[Event]:
            return await super().waiting() if arrived else []

    arrived: list[str] = []

    async def arrives(key: str) -> None:
        arrived.append(key)

    def run(exact: int) -> tuple[str, list[str]]:
        arrived.clear()
        app = Slow({}, {}, start=lambda world: world.create(Kind.NETWORK, "answer", handler=lambda world: None))
        answer = event_of(kind=Kind.NETWORK, what="answer")
        done = go(Replays(app, arrives=arrives).run(PlannedOrder(events=(answer,), exact=exact)))
        return done.failed, [event.what for event in done.trace.events]

    assert run(exact=1) == ("", ["answer"])
    assert run(exact=0) == ("", [])
    assert not arrived


def test_what_only_comes_along_with_an_event_that_is_pulled_forward_is_not_waited_for() -> None:
    app = ModelApp({}, {})
    asked: list[str] = []

    async def arrives(key: str) -> None:
        asked.append(key)

    events = tuple(event_of(kind=Kind.NETWORK, what=f"GET {name}") for name in "ab")
    told = {
        known: go(Replays(app, arrives=arrives).run(PlannedOrder(events=events, exact=1, known=known, moved=1))).failed
        for known in (0, 1)
    }
    assert told == {
        0: "GET a is not possible so early",
        1: "GET a was possible at this point before, and is not now",
    }
    assert asked == [events[0].key]


def test_a_step_that_hangs_ends_the_run() -> None:
    class Hanging(ModelApp):
        async def step(self, event: Event) -> Effect:
            effect = await super().step(event)
            return Effect(hung="a loop") if event.what == "GET image2.png" else effect

    subject = slideshow()
    app = subject.app
    hanging = Hanging(app._initial, app._handlers, user=app._script, start=app._start)
    run = go(Replays(hanging, drain=Drain()).run(subject.order("C1 L2 C2 L3")))
    assert run.failed == "GET image2.png did not come to an end: a loop"
    assert subject.names.all(run.trace.events) == "C1 L2"
    assert run.drained is None


def test_frames_are_as_many_as_they_were() -> None:
    frames: list[object] = []

    class Animated(ModelApp):
        async def step(self, event: Event) -> Effect:
            frames.append(event.detail.frames if isinstance(event, FrameEvent) else None)
            return await super().step(event)

    app = Animated({}, {"frame": lambda world: None}, start=lambda world: world.create(Kind.FRAME, "frame"))
    asked = event_of(kind=Kind.FRAME, what="frame", detail={"frames": 12})
    assert Subject(app, {}, "frame").recording.trace.events == (asked,)
    go(Replays(app).run(PlannedOrder(events=(asked,))))
    assert frames[-1] == 12
