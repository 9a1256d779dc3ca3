"""Settled: only the user's events are explicit, the rest runs by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import (
    Access,
    Answered,
    Box,
    Change,
    Dialog,
    Effect,
    Event,
    FormWrite,
    Kind,
    Milestone,
    ModelApp,
    NotEnabled,
    PageError,
    Request,
    Settled,
    Step,
    StorageWrite,
    Thrown,
    View,
    World,
    event_of,
    located,
    merge,
)
from jostle.events.access import Earlier


def nothing(world: World) -> None:
    """A handler that does nothing."""


def test_answers_and_near_timers_run_by_themselves() -> None:
    def send(world: World) -> None:
        world.create(Kind.NETWORK, "answer")
        world.create(Kind.TIMER, "late", delay=2001)

    def answer(world: World) -> None:
        world["text"] = "answered"
        world.create(Kind.TIMER, "soon", delay=2000)

    def soon(world: World) -> None:
        world["text"] = "done"

    app = ModelApp({"text": ""}, {"send": send, "answer": answer, "soon": soon, "late": nothing}, user=["send"])
    settled = Settled(app)

    async def go() -> None:
        await settled.reset()
        (click,) = await settled.enabled()
        effect = await settled.step(click)
        assert [step.event.what for step in settled.last_steps] == ["send", "answer", "soon"]
        assert [step.at for step in settled.last_steps] == [0, 0, 0]
        assert settled.now == 2000
        assert app.variables == {"text": "done"}
        assert [event.what for event in effect.created] == ["late"]
        assert effect == settled.last_effect == merge(settled.last_steps)
        assert await settled.enabled() == ()
        assert await settled.state() == await app.state()
        with pytest.raises(NotEnabled, match="late: system events happen by themselves here"):
            await settled.step(effect.created[0])

    asyncio.run(go())


def test_the_start_settles_too() -> None:
    def load(world: World) -> None:
        raise Thrown("TypeError: at the start")

    app = ModelApp({}, {"load": load}, start=lambda world: world.create(Kind.LIFECYCLE, "load"))
    settled = Settled(app)
    asyncio.run(settled.reset())
    assert [step.event.what for step in settled.last_steps] == ["load"]
    assert [error.message for error in settled.last_effect.errors] == ["TypeError: at the start"]


@pytest.mark.parametrize(
    ("delay", "repeats", "ran", "limited"),
    [(0, 99, 20, True), (100, 99, 20, True), (150, 99, 14, False), (100, 5, 5, False)],
)
def test_timers_that_set_themselves_again_are_bounded(delay: float, repeats: int, ran: int, limited: bool) -> None:
    def tick(world: World) -> None:
        world.create(Kind.TIMER, "tick", delay=delay)

    app = ModelApp({}, {"click": tick, "tick": tick}, user=["click"])
    settled = Settled(app, patience=2100, limit=20, repeats=repeats)

    async def go() -> None:
        await settled.reset()
        effect = await settled.step((await settled.enabled())[0])
        assert len(settled.last_steps) == 1 + ran
        assert effect.limits == (
            ("after click, 20 system events ran and more were waiting; they were left",) if limited else ()
        )
        assert [event.what for event in effect.created] == ["tick"]

    asyncio.run(go())


class _Fickle(ModelApp):
    """Offers what it then does not let happen."""

    async def step(self, event: Event) -> Effect:
        if event.what == "GET":
            raise NotEnabled(event, "it was taken back")
        return await super().step(event)


def test_what_is_taken_back_does_not_happen_and_what_is_always_taken_back_ends_it() -> None:
    def click(world: World) -> None:
        world.create(Kind.NETWORK, "GET")
        world.create(Kind.TIMER, "tick", delay=1)

    settled = Settled(_Fickle({}, {"click": click, "tick": lambda world: None, "GET": click}, user=["click"]))

    async def go() -> list[str]:
        await settled.reset()
        await settled.step((await settled.enabled())[0])
        return [step.event.what for step in settled.last_steps]

    assert asyncio.run(asyncio.wait_for(go(), 5)) == ["click"]


class _Animated(ModelApp):
    """Runs six frames in one event."""

    async def step(self, event: Event) -> Effect:
        effect = await super().step(event)
        return msgspec.structs.replace(effect, frames=6) if event.kind is Kind.FRAME else effect


def test_frames_are_counted_not_the_events_they_come_in() -> None:
    def draw(world: World) -> None:
        world.create(Kind.FRAME, "animation frame", delay=100)

    settled = Settled(_Animated({}, {"click": draw, "animation frame": draw}, user=["click"]), frames=30)

    async def go() -> list[str]:
        await settled.reset()
        await settled.step((await settled.enabled())[0])
        return [step.event.what for step in settled.last_steps]

    assert asyncio.run(go()) == ["click", *["animation frame"] * 5]


def test_pages_that_load_one_another_for_ever_are_left() -> None:
    loaded: list[str] = []

    def load(other: str, world: World) -> None:
        loaded.append(other)
        world.create(Kind.NETWORK, other, resource="document")

    handlers = {"click": partial(load, "GET /a"), "GET /a": partial(load, "GET /b"), "GET /b": partial(load, "GET /a")}
    settled = Settled(ModelApp({}, handlers, user=["click"]), reloads=3)

    async def go() -> Effect:
        await settled.reset()
        (click,) = await settled.enabled()
        return await settled.step(click)

    effect = asyncio.run(go())
    assert loaded == ["GET /a", "GET /b"] * 3 + ["GET /a"]
    assert effect.limits == ("after click, GET /a was loaded by itself again and again; then it was left",)


def test_exactly_the_limit_is_no_limit() -> None:
    def click(world: World) -> None:
        for _ in range(3):
            world.create(Kind.NETWORK, "answer")

    settled = Settled(ModelApp({}, {"click": click, "answer": nothing}, user=["click"]), limit=3)

    async def go() -> None:
        await settled.reset()
        effect = await settled.step((await settled.enabled())[0])
        assert len(settled.last_steps) == 4
        assert msgspec.structs.replace(effect, accesses=()) == Effect()

    asyncio.run(go())


def test_nothing_runs_after_a_step_that_hung() -> None:
    class Hanging(ModelApp):
        async def step(self, event: Event) -> Effect:
            effect = await super().step(event)
            return msgspec.structs.replace(effect, hung="a loop" if event.what == "first" else "")

    def click(world: World) -> None:
        world.create(Kind.NETWORK, "first")
        world.create(Kind.NETWORK, "second")

    settled = Settled(Hanging({}, {"click": click, "first": nothing, "second": nothing}, user=["click"]))

    async def go() -> None:
        await settled.reset()
        effect = await settled.step((await settled.enabled())[0])
        assert [step.event.what for step in settled.last_steps] == ["click", "first"]
        assert effect.hung == "a loop"
        assert [event.what for event in effect.created] == ["second"]

    asyncio.run(go())


FULL = Effect(
    created=(event_of(kind=Kind.TIMER, what="tick"),),
    removed=("timer:1",),
    changes=(Change(what="text", target="p", box=Box(0, 0, 1, 1)),),
    form_writes=(FormWrite("input", "x"),),
    storage_writes=(StorageWrite("cookie", "a", None),),
    requests=(Request(method="GET", url="/"),),
    answers=(Answered(method="GET", url="/", status=200),),
    errors=(PageError(kind="exception", message="no"),),
    dialogs=(Dialog("alert", "hello", "accept"),),
    downloads=("file",),
    lifecycle=(Milestone("load"),),
    accesses=(Access(location=located("global:x")), Access(location=located("global:x"), write=True, value="2")),
    earlier=(Earlier("timer:1", Access(location=located("global:y"))),),
    default_prevented=True,
    frames=2,
    cost=3,
    hung="a loop",
    limits=("a worker",),
)


def step(what: str, effect: Effect) -> Step:
    return Step(event=event_of(kind=Kind.NETWORK, what=what), effect=effect)


def test_merging_loses_nothing() -> None:
    assert all(getattr(FULL, name) != getattr(Effect(), name) for name in FULL.__struct_fields__)
    assert merge([]) == Effect()
    assert merge([step("a", FULL)]) == merge([step("a", Effect()), step("b", FULL), step("c", Effect())]) == FULL
    twice = merge([step("a", FULL), step("b", FULL)], limits=["a worker", "too many"])
    assert twice.changes == FULL.changes * 2
    assert twice.accesses == FULL.accesses, "each location read once and written once"
    assert (twice.cost, twice.frames, twice.hung) == (6, 4, "a loop; a loop")
    assert twice.limits == ("a worker", "too many")


def test_what_comes_and_goes_within_the_steps_is_neither_created_nor_removed() -> None:
    kept, ran, cancelled, back = (event_of(kind=Kind.TIMER, what=what) for what in ("kept", "ran", "cancelled", "back"))
    effect = merge(
        [
            step("a", Effect(created=(ran, kept, cancelled), removed=(back.key, "gone"))),
            Step(event=ran, effect=Effect(created=(back,), removed=(cancelled.key,))),
        ]
    )
    assert effect == Effect(created=(kept,), removed=("gone",))


# Random applications, stepped by hand.

NAMES = ("a", "b", "c", "d")
Operation = Callable[[World], None]


def set_variable(variable: str, value: int, world: World) -> None:
    world[variable] = value


def read_variable(variable: str, world: World) -> None:
    world["sum"] += world[variable]


def create(kind: Kind, what: str, delay: float, world: World) -> None:
    world["latest"] = world.create(kind, what, delay=delay)


def cancel(world: World) -> None:
    world.cancel(world["latest"])


creations = st.builds(
    partial,
    st.just(create),
    st.sampled_from([Kind.TIMER, Kind.NETWORK, Kind.MESSAGE]),
    st.sampled_from(NAMES),
    st.sampled_from([0.0, 0.0, 10.0, 60.0, 150.0]),
)
operations = st.one_of(
    st.builds(partial, st.just(set_variable), st.sampled_from("xy"), st.integers(0, 3)),
    st.builds(partial, st.just(read_variable), st.sampled_from(["x", "y", "undefined"])),
    creations,
    creations,
    st.just(cancel),
)


@st.composite
def applications(draw: st.DrawFn) -> Callable[[], ModelApp]:
    def does(handler: list[Operation], world: World) -> None:
        for operation in handler:
            operation(world)

    handlers = {name: partial(does, draw(st.lists(operations, max_size=3))) for name in (*NAMES, "click", "choose")}

    def odd(variable: str, view: View) -> bool:
        return bool(view[variable] % 2)

    guarded = draw(st.lists(st.sampled_from([*NAMES, "choose"]), max_size=2, unique=True))
    guards = {name: partial(odd, draw(st.sampled_from("xy"))) for name in guarded}
    start = partial(does, draw(st.lists(creations, max_size=3)))
    script = ["click"] * draw(st.integers(0, 2))
    return lambda: ModelApp(
        {"x": 0, "y": 1, "sum": 0, "latest": ""}, handlers, user=script, actions=["choose"], guards=guards, start=start
    )


@settings(max_examples=300, deadline=None)
@given(applications(), st.data())
def test_settled_is_stepping_by_hand(make: Callable[[], ModelApp], data: st.DataObject) -> None:
    patience, limit = 100, 8
    settled, by_hand = Settled(make(), patience=patience, limit=limit, repeats=999), make()

    async def settle(until: float) -> tuple[list[Step], bool]:
        steps: list[Step] = []
        while True:
            ready = [event for event in await by_hand.enabled() if not event.by_user and event.due_by(until)]
            if not ready or len(steps) == limit:
                return steps, bool(ready)
            steps.append(Step(event=ready[0], effect=await by_hand.step(ready[0])))

    async def go() -> None:
        await settled.reset()
        await by_hand.reset()
        await settle(by_hand.now + patience)
        for _ in range(4):
            users = await settled.enabled()
            assert list(users) == [event for event in await by_hand.enabled() if event.by_user]
            if not users:
                break
            user = data.draw(st.sampled_from(users))
            before = [event.key for event in await by_hand.enabled()]
            until = by_hand.now + patience
            first = Step(event=user, effect=await by_hand.step(user))
            rest, more = await settle(until)
            steps = [first, *rest]
            after = {event.key: event for event in await by_hand.enabled()}
            happened = [step.event.key for step in steps]

            effect = await settled.step(user)
            assert [(step.event.key, step.effect) for step in settled.last_steps] == [
                (step.event.key, step.effect) for step in steps
            ]
            assert {event.key for event in effect.created} == set(after) - set(before)
            assert set(effect.removed) == set(before) - set(after) - set(happened)
            assert effect.errors == tuple(error for step in steps for error in step.effect.errors)
            assert bool(effect.limits) == more
            assert await settled.state() == await by_hand.state()
            assert settled.now == by_hand.now

    asyncio.run(go())
