"""ModelApp, with the R4 paper's examples as vectors."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from itertools import combinations, permutations, product
from typing import Any

import pytest

from jostle.events import (
    Access,
    Causality,
    Effect,
    Event,
    Kind,
    ModelApp,
    NotEnabled,
    PageError,
    Step,
    Thrown,
    Trace,
    View,
    World,
    located,
)


class Run:
    """Steps an application through events by name: those that are not possible are skipped, as in a replay."""

    def __init__(self, app: ModelApp, names: dict[str, str], schedule: Sequence[str]) -> None:
        self.app = app
        self.names = names
        self.skipped: list[str] = []
        self._called: dict[str, str] = {"": ""}
        self.trace = asyncio.run(self._go(schedule))
        self.waiting = [self.name(event) for event in asyncio.run(app.enabled()) if not event.by_user]

    async def _go(self, schedule: Sequence[str]) -> Trace:
        await self.app.reset()
        initial = tuple(await self.app.enabled())
        steps = []
        for name in schedule:
            enabled = {self.name(event): event for event in await self.app.enabled()}
            if name in enabled:
                event = enabled[name]
                self._called[event.key] = name
                steps.append(Step(event=event, effect=await self.app.step(event), at=self.app.now))
            else:
                self.skipped.append(name)
        return Trace(steps=tuple(steps), initial=initial)

    def name(self, event: Event) -> str:
        """C2 for the second `C`; T(C2) for the timer that C2 set."""
        short = self.names[event.what]
        if event.kind is Kind.TIMER:
            return f"{short}({self._called[event.creator]})"
        return f"{short}{event.occurrence}" if event.by_user and short.isupper() else short

    @property
    def executed(self) -> list[str]:
        return [self.name(event) for event in self.trace.events]

    @property
    def errors(self) -> list[str]:
        return [error.message for step in self.trace.steps for error in step.effect.errors]

    def races(self) -> set[tuple[str, str]]:
        """Unordered events of which one writes what the other reads or writes, in the order of the run."""
        causality = Causality(self.trace)
        order = {event.key: self.name(event) for event in self.trace.events}
        return {
            (order[one.event.key], order[two.event.key])
            for one, two in combinations(self.trace.steps, 2)
            for a, b in product(one.effect.accesses, two.effect.accesses)
            if a.location == b.location and (a.write or b.write)
            if causality.concurrent(one.event.key, two.event.key)
        }


# R4 section 6.1: images are shown in the order in which they arrive, and a click that finds none tries again.


def show_next(world: World) -> None:
    if not world["queue"]:
        world["indicator"] = True
        world.create(Kind.TIMER, "retry", delay=100)
    else:
        world["shown"], world["indicator"] = world["queue"][0], False
        world["queue"] = world["queue"][1:]


def image(number: int, world: World) -> None:
    world["queue"] += (number,)


def load_images(world: World) -> None:
    for number in (2, 3):
        world.create(Kind.NETWORK, f"GET image{number}.png", handler=partial(image, number))


def slideshow() -> ModelApp:
    return ModelApp(
        {"queue": (), "shown": 1, "indicator": False},
        {"click next": show_next, "retry": show_next},
        user=["click next"] * 2,
        start=load_images,
    )


SLIDESHOW_NAMES = {"click next": "C", "retry": "T", "GET image2.png": "L2", "GET image3.png": "L3"}


@pytest.mark.parametrize(
    ("requested", "skipped", "waiting", "shown", "indicator", "queue"),
    [
        pytest.param("L2 C1 C2 L3 T(C2)", "", "", 3, False, (), id="Q1"),
        pytest.param("L2 C1 C2 T(C2) L3", "", "T(T(C2))", 2, True, (3,), id="Q2"),
        pytest.param("L2 C1 L3 C2 T(C2)", "T(C2)", "", 3, False, (), id="Q3"),
        pytest.param("C1 L2 C2 L3 T(C2)", "T(C2)", "T(C1)", 2, False, (3,), id="Q4"),
        pytest.param("L2 L3 C1 C2", "", "", 3, False, (), id="Q5"),
        pytest.param("C1 L2 L3 C2", "", "T(C1)", 2, False, (3,), id="Q6"),
        pytest.param("C1 C2 L2 L3", "", "T(C1) T(C2)", 1, True, (2, 3), id="Q7"),
        pytest.param("C1 C2 L3 L2", "", "T(C1) T(C2)", 1, True, (3, 2), id="Q8"),
        pytest.param("C1 L3 L2 C2", "", "T(C1)", 3, False, (2,), id="Q9"),
        pytest.param("C1 L3 C2 L2", "", "T(C1)", 3, False, (2,), id="Q10"),
        pytest.param("L3 L2 C1 C2", "", "", 2, False, (), id="Q11"),
        pytest.param("L3 C1 L2 C2", "", "", 2, False, (), id="Q12"),
        pytest.param("L3 C1 C2 L2", "", "T(C2)", 3, True, (2,), id="Q13"),
    ],
)
def test_slideshow(
    requested: str, skipped: str, waiting: str, shown: int, indicator: bool, queue: tuple[int, ...]
) -> None:
    app = slideshow()
    run = Run(app, SLIDESHOW_NAMES, requested.split())
    assert run.skipped == skipped.split()
    assert run.executed == [name for name in requested.split() if name not in run.skipped]
    assert run.waiting == waiting.split()
    assert app.variables == {"shown": shown, "indicator": indicator, "queue": queue}


def test_causality_and_races_of_the_slideshow() -> None:
    names = ["L2", "C1", "C2", "L3", "T(C2)"]
    run = Run(slideshow(), SLIDESHOW_NAMES, names)
    causality = Causality(run.trace)
    key = dict(zip(names, causality.keys, strict=True))
    ordered = {(a, b) for a in names for b in names if causality.before(key[a], key[b])}
    assert ordered == {("C1", "C2"), ("C2", "T(C2)"), ("C1", "T(C2)")}
    assert causality.enabled_after([]) == (key["L2"], key["C1"], key["L3"])
    assert run.races() == {pair for pair in combinations(names, 2) if pair not in ordered}, "all touch the queue"


def test_events_keep_their_keys_in_another_order() -> None:
    def steps(schedule: str) -> dict[str, str]:
        run = Run(slideshow(), SLIDESHOW_NAMES, schedule.split())
        return dict(zip(run.executed, run.trace.schedule.keys, strict=True))

    recorded, reordered = steps("L2 C1 C2 L3 T(C2)"), steps("C1 L3 C2 L2 T(C1)")
    assert all(recorded[name] == reordered[name] for name in ("L2", "L3", "C1", "C2"))
    assert reordered["T(C1)"] not in recorded.values()


# Section 6.5: the answer that comes last fills the table.


def turn(by: int, world: World) -> None:
    world["page"] += by
    page = world["page"]

    def fill(world: World) -> None:
        world["table"] = page

    world.create(Kind.NETWORK, f"GET ?page={page}", handler=fill)


def paging() -> ModelApp:
    handlers = {"click Next": partial(turn, 1), "click Previous": partial(turn, -1)}
    return ModelApp({"page": 0, "table": 0}, handlers, user=["click Next", "click Next"])


@pytest.mark.parametrize(("schedule", "table"), [("C1 R1 C2 R2", 2), ("C1 C2 R1 R2", 2), ("C1 C2 R2 R1", 1)])
def test_ajax_paging(schedule: str, table: int) -> None:
    app = paging()
    run = Run(app, {"click Next": "C", "GET ?page=1": "R1", "GET ?page=2": "R2"}, schedule.split())
    assert run.executed == schedule.split()
    assert app.variables == {"page": 2, "table": table}
    assert {frozenset(race) for race in run.races()} == {frozenset({"R1", "R2"})}


# Section 6.3: x is independent of y and z, which depend on each other.


def test_persistent_sets() -> None:
    def append(name: str, variable: str, world: World) -> None:
        world[variable] += (name,)

    def start(world: World) -> None:
        for name in "xyz":
            world.create(Kind.NETWORK, name)

    handlers = {name: partial(append, name, variable) for name, variable in zip("xyz", "abb", strict=True)}
    app = ModelApp({"a": (), "b": ()}, handlers, start=start)
    states: dict[Any, set[str]] = {}
    for schedule in permutations("xyz"):
        run = Run(app, {name: name for name in "xyz"}, schedule)
        states.setdefault(asyncio.run(app.state()), set()).add("".join(schedule))
        assert {frozenset(race) for race in run.races()} == {frozenset("yz")}
    assert sorted(map(sorted, states.values())) == [["xyz", "yxz", "yzx"], ["xzy", "zxy", "zyx"]]


# Section 6.4: a function is called before the script that defines it has come; three reversals away.


def wordpress() -> ModelApp:
    def script(world: World) -> None:
        world["f"], world["menu"] = "function", True
        world.create(Kind.LIFECYCLE, "load")

    def load(world: World) -> None:
        world["ready"] = True

    def open_menu(world: World) -> None:
        world["opened"] = "menu" in world

    def call(world: World) -> None:
        world["was ready"] = "ready" in world
        world["called"] = world["f"]

    return ModelApp(
        {},
        {"script": script, "load": load, "click menu": open_menu, "click call": call},
        user=["click menu", "click call"],
        start=lambda world: world.create(Kind.NETWORK, "script", resource="script"),
    )


WORDPRESS_NAMES = {"script": "x", "load": "l", "click menu": "c0", "click call": "c1"}


@pytest.mark.parametrize("schedule", ["x l c0 c1", "c0 x l c1", "c0 x c1 l", "c0 c1 x l"])
def test_wordpress(schedule: str) -> None:
    run = Run(wordpress(), WORDPRESS_NAMES, schedule.split())
    assert run.executed == schedule.split()
    assert run.errors == (["ReferenceError: f is not defined"] if schedule == "c0 c1 x l" else [])
    assert {frozenset(race) for race in run.races()} == {
        frozenset(race) for race in (("x", "c0"), ("l", "c1"), ("x", "c1"))
    }


# The rest of the interface.


def test_timers_take_the_clock_along_and_come_in_order_of_time() -> None:
    def start(world: World) -> None:
        for what, delay in (("late", 200), ("early", 50), ("early too", 50)):
            world.create(Kind.TIMER, what, delay=delay)
        world.create(Kind.NETWORK, "slow answer", delay=100)
        world.create(Kind.NETWORK, "answer")

    app = ModelApp(
        {},
        dict.fromkeys(("late", "early", "early too", "slow answer", "answer", "click"), lambda world: None),
        actions=["click"],
        start=start,
    )

    async def go() -> None:
        enabled = await app.enabled()
        assert [event.what for event in enabled] == ["answer", "early", "early too", "slow answer", "late", "click"]
        assert [event.detail.due for event in enabled] == [None, 50, 50, 100, 200, None]
        for event, now in zip((enabled[4], enabled[1], enabled[0]), (200, 200, 200), strict=True):
            await app.step(event)
            assert app.now == now
        await app.reset()
        assert app.now == 0
        assert list(await app.enabled()) == list(enabled)

    asyncio.run(go())


def test_cancelled_events_are_removed_and_race_with_their_happening() -> None:
    def start(world: World) -> None:
        world["timer"] = world.create(Kind.TIMER, "tick", delay=10)

    handlers = {"tick": lambda world: None, "stop": lambda world: world.cancel(world["timer"])}
    app = ModelApp({}, handlers, user=["stop"], start=start)

    async def go() -> None:
        tick, stop = await app.enabled()
        stopped = await app.step(stop)
        assert stopped.removed == (tick.key,)
        assert Access(location=located(f"event:{tick.key}"), write=True) in stopped.accesses
        with pytest.raises(NotEnabled, match="tick: no such event is possible now"):
            await app.step(tick)

    asyncio.run(go())
    run = Run(app, {"tick": "t", "stop": "s"}, ["t()", "s"])
    assert run.races() == {("t()", "s")}, "the timer fired before it was cancelled, and need not have"


def test_guards_make_events_possible_and_impossible() -> None:
    def toggle(world: World) -> None:
        world["open"] = not world["open"]

    def is_open(view: View) -> bool:
        return bool(view["open"])

    app = ModelApp(
        {"open": False},
        {"toggle": toggle, "choose": lambda world: None, "answer": lambda world: None},
        actions=["toggle", "choose"],
        guards={"choose": is_open, "answer": is_open},
        start=lambda world: world.create(Kind.NETWORK, "answer"),
    )

    async def go() -> None:
        (first,) = await app.enabled()
        opened = await app.step(first)
        assert [event.what for event in opened.created] == ["answer", "toggle", "choose"]
        answer, second, choose = opened.created
        assert str(second) == "toggle (#2)"
        closed = await app.step(second)
        assert [event.what for event in closed.created] == ["toggle"]
        assert closed.removed == (answer.key, choose.key)
        with pytest.raises(NotEnabled, match="choose: its guard does not hold"):
            await app.step(choose)
        await app.step(closed.created[0])
        assert (await app.step(choose)).accesses == (
            Access(location=located("global:open"), value="true", name="open"),
        )

    asyncio.run(go())


def test_an_exception_ends_the_handler_and_what_was_done_stays() -> None:
    def fail(world: World) -> None:
        world["x"] = 2
        raise Thrown("TypeError: no")

    app = ModelApp({"x": 1}, {"click": fail}, user=["click"])

    async def go() -> None:
        (click,) = await app.enabled()
        effect = await app.step(click)
        assert effect.errors == (PageError(kind="exception", message="TypeError: no"),)
        assert [access.value for access in effect.accesses] == ["2"]

    asyncio.run(go())
    assert app.variables == {"x": 2}


def test_what_is_read_and_written_is_in_the_effect() -> None:
    def handler(world: World) -> None:
        world["x"] += 1
        world["x"] += 1
        del world["y"]
        assert "z" not in world
        world["dom:table"] = "page 1"

    app = ModelApp({"x": 1, "y": "gone"}, {"click": handler}, user=["click"])

    async def go() -> Effect:
        (click,) = await app.enabled()
        return await app.step(click)

    accesses = asyncio.run(go()).accesses
    assert [(access.write, str(access.location), access.value) for access in accesses] == [
        (False, "global:x", "1"),
        (True, "global:x", "3"),
        (True, "global:y", "undefined"),
        (False, "global:z", "undefined"),
        (True, "dom:table", '"page 1"'),
    ], "the first value read and the last one written, once each"


def test_the_state_is_the_same_in_every_process() -> None:
    def digest(**variables: Any) -> str:
        return asyncio.run(ModelApp(variables, {}).state()).digest

    assert digest(a=frozenset({"x", "y", "z"}), b=(1, "2", None)) == "f2d151f7fc7345d7eb9084d3aa6862d3"
    different = [digest(a=value) for value in (1, "1", True, None, (1,), ((1,),), frozenset({1}), b"1", (1, 2), (12,))]
    assert len(set(different)) == len(different)
    assert digest(a=1, b=2) == digest(b=2, a=1) != digest(a=2, b=1)


def test_mistakes_in_a_model_are_named() -> None:
    with pytest.raises(ValueError, match="no handler for 'clik'; there are handlers for 'click'"):
        ModelApp({}, {"click": lambda world: None}, user=["clik"])
    with pytest.raises(TypeError, match="variable 'queue': list is not immutable plain data"):
        ModelApp({"queue": []}, {})
    with pytest.raises(ValueError, match="both in the script of the user and among the actions: a"):
        ModelApp({}, {"a": lambda world: None}, user=["a"], actions=["a"])
    with pytest.raises(ValueError, match="'click': a user event is not created"):
        ModelApp({}, {}, start=lambda world: world.create(Kind.USER, "click"))
