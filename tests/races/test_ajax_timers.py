"""A user and a timer in two orders, on applications in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from jostle.events import Kind, ModelApp, Settled, World, event_of
from jostle.findings.evidence import Role
from jostle.races.pace import QUICKEST
from jostle.races.responses.orders import Acts, Infeasible
from jostle.races.responses.timers import LONGEST, Window, after_timers, before_timers, set_by

FIRST = event_of(kind=Kind.USER, what="click Archive")
SECOND = event_of(kind=Kind.USER, what="click Archive", occurrence=2)
DELAY = 5000

Handler = Callable[[World], None]


def hide(world: World) -> None:
    world["bar"] = ""


def timer(world: World, handler: Handler, delay: float = DELAY) -> str:
    return world.create(Kind.TIMER, f"timeout {delay:g}", delay=delay, handler=handler)


def forgets_the_timer(world: World) -> None:
    world["count"] += 1
    world["bar"] = f"archived {world['count']}"
    timer(world, hide)


def clears_the_timer() -> Handler:
    running: list[str] = []

    def archive(world: World) -> None:
        world["count"] += 1
        world["bar"] = f"archived {world['count']}"
        for key in running:
            world.cancel(key)
        running[:] = [timer(world, hide)]

    return archive


def shows_one_below_the_other(world: World) -> None:
    world["count"] += 1
    mine = f"archived {world['count']}"
    world["bar"] = f"{world['bar']}{mine} "

    def remove(world: World) -> None:
        world["bar"] = world["bar"].replace(f"{mine} ", "")

    timer(world, remove)


def app(handler: Handler) -> tuple[ModelApp, Settled, Window]:
    window = Window()
    model = ModelApp({"count": 0, "bar": ""}, {"click Archive": handler}, actions=["click Archive"])
    settled = Settled(model, holds=window.holds)
    asyncio.run(settled.reset())
    return model, settled, window


def both(make: Callable[[], Handler]) -> tuple[str, str, list[str]]:
    """What the bar says in the good and in the bad order, and the timers that fired late."""
    model, settled, window = app(make())
    _, takes = asyncio.run(after_timers(settled, Acts(FIRST, SECOND), window))
    good = str(model.variables["bar"])
    model, settled, window = app(make())
    told = asyncio.run(before_timers(settled, Acts(FIRST, SECOND), window, takes))
    return good, str(model.variables["bar"]), [each.step.event.what for each in told if each.role is Role.LATE]


def test_a_timer_that_is_forgotten_closes_what_came_after_it() -> None:
    assert both(lambda: forgets_the_timer) == ("archived 2", "", ["timeout 5000"])


def test_a_timer_that_is_stopped_is_no_race() -> None:
    assert both(clears_the_timer) == ("archived 2", "archived 2", [])


def test_each_closes_its_own() -> None:
    good, bad, fired = both(lambda: shows_one_below_the_other)
    assert (good, bad) == ("archived 2 ", "archived 2 "), "both are looked at when the first has had its time"
    assert fired == ["timeout 5000"]


@pytest.mark.parametrize("delay", [0, QUICKEST - 1, LONGEST + 1])
def test_timers_that_nobody_outruns(delay: float) -> None:
    def archive(world: World) -> None:
        timer(world, hide, delay)

    _, settled, window = app(archive)
    told, takes = asyncio.run(after_timers(settled, Acts(FIRST, SECOND), window))
    assert takes == 0.0
    assert not set_by([each.step for each in told])


def test_what_was_set_before_goes_on() -> None:
    def start(world: World) -> None:
        timer(world, lambda world: world.__setitem__("count", 10), 1000)

    window = Window()
    model = ModelApp(
        {"count": 0, "bar": ""}, {"click Archive": forgets_the_timer}, actions=["click Archive"], start=start
    )
    settled = Settled(model, holds=window.holds, patience=500)
    asyncio.run(settled.reset())
    asyncio.run(before_timers(settled, Acts(FIRST, SECOND), window, DELAY))
    assert model.variables["count"] == 10


def test_the_user_goes_on_when_what_the_timer_did_can_be_seen() -> None:
    """A notice that is hidden in the frame after its timer is gone for a user who comes after the timer."""

    def archive(world: World) -> None:
        timer(world, close)

    def close(world: World) -> None:
        timer(world, hidden, 16)

    def hidden(world: World) -> None:
        world["hidden"] = True

    undo, window = "click Undo", Window()
    model = ModelApp(
        {"hidden": False},
        {"click Archive": archive, undo: lambda world: None},
        actions=["click Archive", undo],
        guards={undo: lambda view: not view["hidden"]},
    )
    settled = Settled(model, holds=window.holds)
    asyncio.run(settled.reset())
    with pytest.raises(Infeasible):
        asyncio.run(after_timers(settled, Acts(FIRST, event_of(kind=Kind.USER, what=undo)), window))
