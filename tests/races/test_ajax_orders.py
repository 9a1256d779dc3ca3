"""The two orders, on applications in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from jostle.events import Effect, Event, Kind, ModelApp, NotEnabled, Settled, Step, World, event_of
from jostle.findings.evidence import Role
from jostle.races.responses import orders
from jostle.races.responses.orders import Acts, Infeasible, Late, RoledStep, in_turn, overtaken

FIRST = event_of(kind=Kind.USER, what="click Next")
SECOND = event_of(kind=Kind.USER, what="click Next", occurrence=2)


def pages(world: World) -> None:
    """Whichever answer comes last stays."""
    world["page"] += 1
    page = world["page"]

    def fill(world: World) -> None:
        world["table"] = page

    world.create(Kind.NETWORK, f"GET ?page={page}", handler=fill)


def only_newest(world: World) -> None:
    world["page"] += 1
    page = world["page"]

    def fill(world: World) -> None:
        if world["page"] == page:
            world["table"] = page

    world.create(Kind.NETWORK, f"GET ?page={page}", handler=fill)


def debounced(world: World) -> None:
    world.create(Kind.TIMER, "timeout 300", delay=300, handler=pages)


def chained(world: World) -> None:
    world.create(Kind.NETWORK, "GET key", handler=pages)


def two_at_once(world: World) -> None:
    pages(world)
    pages(world)


def app(handler: Callable[[World], None], **more: object) -> tuple[ModelApp, Settled, Late]:
    late = Late(more.pop("only", None))  # type: ignore[arg-type]
    model = ModelApp({"page": 0, "table": 0}, {"click Next": handler}, actions=["click Next"], **more)  # type: ignore[arg-type]
    settled = Settled(model, holds=late.holds)
    asyncio.run(settled.reset())
    return model, settled, late


def order(told: list[RoledStep]) -> list[tuple[str, str]]:
    return [(each.step.event.what, each.role.value) for each in told]


@pytest.mark.parametrize(
    ("handler", "late_table"),
    [(pages, 1), (only_newest, 2), (debounced, 1), (chained, 1)],
    ids=["any", "newest", "debounced", "chained"],
)
def test_late_answers(handler: Callable[[World], None], late_table: int) -> None:
    model, settled, _ = app(handler)
    asyncio.run(in_turn(settled, Acts(FIRST, SECOND)))
    assert model.variables["table"] == 2
    model, settled, late = app(handler)
    asyncio.run(overtaken(settled, Acts(FIRST, SECOND), late))
    assert model.variables["table"] == (late_table if handler is not chained else 2)
    assert len(late.events) == 1


def test_the_story() -> None:
    _, settled, late = app(pages)
    told = asyncio.run(overtaken(settled, Acts(FIRST, SECOND), late))
    assert order(told) == [
        ("click Next", Role.FIRST),
        ("click Next", Role.SECOND),
        ("GET ?page=2", Role.OTHER),
        ("GET ?page=1", Role.LATE),
    ]
    _, settled, _ = app(pages)
    told = asyncio.run(in_turn(settled, Acts(FIRST, SECOND)))
    assert [what for what, _ in order(told)] == ["click Next", "GET ?page=1", "click Next", "GET ?page=2"]


def test_what_polls_goes_on() -> None:
    def poll(world: World) -> None:
        world.create(Kind.NETWORK, "GET news", handler=lambda world: None)
        world.create(Kind.TIMER, "interval", delay=1000, handler=poll)

    def start(world: World) -> None:
        world.create(Kind.TIMER, "interval", delay=5000, handler=poll)

    _, settled, late = app(pages, start=start)
    settled.patience = 6000
    told = asyncio.run(overtaken(settled, Acts(FIRST, SECOND), late))
    assert [event.what for event in late.events] == ["GET ?page=1"]
    assert ("GET news", "other") in order(told)


@pytest.mark.parametrize("late_one", [False, True])
def test_what_an_answer_shows_for_a_while_is_gone_in_both_orders(late_one: bool) -> None:
    def save(world: World) -> None:
        world.create(Kind.NETWORK, "POST", handler=saved)

    def saved(world: World) -> None:
        world["table"] = "Saved"
        world.create(Kind.TIMER, "timeout 3000", delay=3000, handler=lambda world: world.__setitem__("table", ""))

    def tick(world: World) -> None:
        world.create(Kind.TIMER, "interval", delay=1000, handler=tick)

    model, settled, late = app(save, start=tick)
    if late_one:
        asyncio.run(overtaken(settled, Acts(FIRST, SECOND), late))
    else:
        asyncio.run(in_turn(settled, Acts(FIRST, SECOND)))
    assert model.variables["table"] == ""


def test_only_one_of_several_answers() -> None:
    model, settled, late = app(two_at_once, only=0)
    told = asyncio.run(overtaken(settled, Acts(FIRST, None), late))
    assert [event.what for event in late.events] == ["GET ?page=1"]
    assert model.variables["table"] == 1
    assert [what for what, _ in order(told)] == ["click Next", "GET ?page=2", "GET ?page=1"]


def test_what_was_done_before_is_not_held() -> None:
    model, settled, late = app(pages)
    third = event_of(kind=Kind.USER, what="click Next", occurrence=3)
    asyncio.run(overtaken(settled, Acts(SECOND, third, path=(FIRST,)), late))
    assert [event.what for event in late.events] == ["GET ?page=2"]
    assert model.variables["table"] == 2


def test_an_application_that_lets_nobody_act_meanwhile() -> None:
    def loads(world: World) -> None:
        world["busy"] = True

        def fill(world: World) -> None:
            world["busy"] = False

        world.create(Kind.NETWORK, "GET", handler=fill)

    late = Late()
    model = ModelApp(
        {"busy": False},
        {"click Next": loads},
        actions=["click Next"],
        guards={"click Next": lambda view: not view["busy"]},
    )
    settled = Settled(model, holds=late.holds)
    asyncio.run(settled.reset())
    with pytest.raises(Infeasible) as refused:
        asyncio.run(overtaken(settled, Acts(FIRST, SECOND), late))
    assert refused.value.guarded
    assert "its guard does not hold" in str(refused.value)


def test_what_is_not_there_is_infeasible() -> None:
    _, settled, _ = app(pages)
    gone = event_of(kind=Kind.USER, what="click Gone")
    with pytest.raises(Infeasible) as refused:
        asyncio.run(in_turn(settled, Acts(FIRST, gone)))
    assert not refused.value.guarded


class Rows:
    """A list in which saving gives the second entry another name."""

    def __init__(self, kept: int) -> None:
        self._names = ["Access", "Billing", "Import"]
        self._kept = kept
        self.last_steps: tuple[Step, ...] = ()

    async def pending(self) -> list[Event]:
        return []

    async def enabled(self) -> list[Event]:
        return [row(f"Delete {name}", f"/ul/li[{n}]/button") for n, name in enumerate(self._names, 1)]

    async def step(self, event: Event) -> Effect:
        if event.what == "click Save":
            self._names = ["Access", "Bills", "Import"][: self._kept]
        elif event.what not in {each.what for each in await self.enabled()}:
            raise NotEnabled(event, "it is not there")
        self.last_steps = (Step(event=event),)
        return Effect()

    async def rest(self, patience: float | None = None) -> Effect:
        self.last_steps = ()
        return Effect()


def row(what: str, xpath: str) -> Event:
    detail = {"action": "click", "xpath": xpath, "locator": {"name": what}}
    return event_of(kind=Kind.USER, what=f"click {what}", detail=detail)


def test_what_is_done_to_the_same_entry_whatever_it_is_called_by_then() -> None:
    save, delete = row("Save", "/ul/li[2]/form/button"), row("Delete Import", "/ul/li[3]/button")
    told = asyncio.run(in_turn(Rows(3), Acts(save, delete, same_entry=True)))
    assert order(told) == [("click Save", "first"), ("click Delete Bills", "second")]
    for kept in (1, 2):  # it is gone; others may stand in its place
        with pytest.raises(Infeasible) as refused:
            asyncio.run(in_turn(Rows(kept), Acts(save, delete, same_entry=True)))
        assert refused.value.second and not refused.value.guarded


class Talking:
    """A page whose server sends one message for each click, in its own time."""

    def __init__(self, *, after: int) -> None:
        self._after = after
        self._rests = 0
        self._owed = 0
        self.last_steps: tuple[Step, ...] = ()

    async def pending(self) -> list[Event]:
        return []

    async def enabled(self) -> list[Event]:
        return []

    async def step(self, event: Event) -> Effect:
        self._owed, self._rests = self._owed + 1, 0
        self.last_steps = (Step(event=event),)
        return Effect()

    async def rest(self, patience: float | None = None) -> Effect:
        self._rests += 1
        came = self._rests == self._after and self._owed > 0
        self._owed -= came
        message = event_of(kind=Kind.MESSAGE, what="message", detail={"outside": True})
        self.last_steps = (Step(event=message),) if came else ()
        return Effect()


def test_messages_that_a_server_sends_in_its_own_time_are_waited_for() -> None:
    told = asyncio.run(in_turn(Talking(after=3), Acts(FIRST, SECOND, messages=(1, 1))))
    assert [what for what, _ in order(told)] == ["click Next", "message", "click Next", "message"]
    told = asyncio.run(overtaken(Talking(after=3), Acts(FIRST, None, messages=(1, 0)), Late()))
    assert [what for what, _ in order(told)] == ["click Next", "message"]


def test_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "LONGEST_WAIT", 0.05)
    told = asyncio.run(in_turn(Talking(after=10**9), Acts(FIRST, None, messages=(1, 0))))
    assert [what for what, _ in order(told)] == ["click Next"]
