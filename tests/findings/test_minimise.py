"""Minimising: what is left shows the problem, and none of it can be left out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import Effect, Event, Kind, ModelApp, NotEnabled, Settled, Thrown, View, World, event_of
from jostle.findings import START, Minimised, minimise
from jostle.findings.minimise import OVERTIME

Rules = tuple[dict[str, frozenset[str]], frozenset[frozenset[str]], frozenset[str]]
NAMES = "abcdef"


def crashes(event: Event, effect: Effect) -> bool:
    return any(error.message == "boom" for error in effect.errors)


def model(guards: dict[str, frozenset[str]], causes: frozenset[frozenset[str]], undoing: frozenset[str]) -> ModelApp:
    """Events `a` ... leave a mark, or take all marks away (`undoing`), and need other marks (`guards`).

    `go` crashes when all marks of one of the causes are there.
    """

    def mark(world: World) -> None:
        name = world.event.what
        world["marks"] = frozenset() if name in undoing else world["marks"] | {name}

    def go(world: World) -> None:
        if any(cause <= world["marks"] for cause in causes):
            raise Thrown("boom")

    return ModelApp(
        {"marks": frozenset()},
        {**dict.fromkeys(NAMES, mark), "go": go},
        actions=[*NAMES, "go"],
        guards={name: has_all(needed) for name, needed in guards.items()},
    )


def has_all(needed: frozenset[str]) -> Callable[[View], bool]:
    def holds(view: View) -> bool:
        marks: frozenset[str] = view["marks"]
        return needed <= marks

    return holds


def named(names: Sequence[str]) -> list[Event]:
    counts = dict.fromkeys(names, 0)
    events = []
    for name in names:
        counts[name] += 1
        events.append(event_of(kind=Kind.USER, what=name, occurrence=counts[name]))
    return events


async def shown_by(app: ModelApp, names: Sequence[str]) -> bool:
    """The plain meaning of a replay: events that are not possible are passed over."""
    await app.reset()
    for name in names:
        possible = {event.what: event for event in await app.enabled()}
        if name in possible and crashes(possible[name], await app.step(possible[name])):
            return True
    return False


MARKS = st.frozensets(st.sampled_from(NAMES), max_size=2)
RULES = st.tuples(
    st.dictionaries(st.sampled_from(NAMES), MARKS, max_size=3),
    st.frozensets(st.frozensets(st.sampled_from(NAMES), max_size=3), min_size=1, max_size=2),
    st.frozensets(st.sampled_from(NAMES), max_size=1),
)
RUNS = st.lists(st.sampled_from([*NAMES, "go"]), max_size=9)


@settings(max_examples=120, deadline=None)
@given(RULES, RUNS)
def test_what_is_left_shows_it_and_nothing_more_can_be_left_out(rules: Rules, run: list[str]) -> None:
    async def check() -> None:
        app = model(*rules)
        given_ = [*run, "go"]
        before = await shown_by(app, given_)
        result = await minimise(app, named(given_), crashes, replays=10_000)
        assert result.shown == before
        if not before:
            assert [event.what for event in result.events] == given_
            return
        left = [event.what for event in result.events]
        assert result.minimal and await shown_by(app, left) and left[-1] == "go"
        for leaving_out in range(len(left) - 1):
            assert not await shown_by(app, [*left[:leaving_out], *left[leaving_out + 1 :]]), left
        # The events are those of a run: done one after the other as they are, all are possible and the last crashes.
        await app.reset()
        effects = [await app.step(event) for event in result.events]
        assert [crashes(START, effect) for effect in effects] == [*[False] * (len(effects) - 1), True]

    asyncio.run(check())


@settings(max_examples=100, deadline=None)
@given(st.frozensets(st.sampled_from(NAMES), max_size=4), RUNS)
def test_where_more_events_never_hurt_it_is_the_shortest_of_all(cause: frozenset[str], run: list[str]) -> None:
    async def check() -> None:
        app = model({}, frozenset({cause}), frozenset())
        names = [*run, "go"]
        result = await minimise(app, named(names), crashes, replays=10_000)
        shortest = None
        for size in range(len(names)):
            if any([await shown_by(app, [*some, "go"]) for some in combinations(run, size)]):
                shortest = size + 1
                break
        assert result.shown == (shortest is not None)
        assert shortest is None or len(result.events) == shortest

    asyncio.run(check())


def done(run: Sequence[str], **bounds: float) -> Minimised:
    app = model({"c": frozenset("b")}, frozenset({frozenset("ac")}), frozenset("f"))
    return asyncio.run(minimise(app, named(run), crashes, **bounds))  # type: ignore[arg-type]


def test_the_events_needed_by_others_stay() -> None:
    run = [*"dbdecfdbcead", "go", "go"]
    result = done(run)
    assert [event.what for event in result.events] == ["b", "c", "a", "go"]
    assert [event.occurrence for event in result.events] == [1, 1, 1, 1]
    assert result.minimal and result.shown


def test_a_long_run_takes_few_replays() -> None:
    run = ["d", "e"] * 100 + ["b", "c"] + ["d", "e"] * 50 + ["a", "go"]
    result = done(run, replays=100)
    assert [event.what for event in result.events] == ["b", "c", "a", "go"] and result.minimal


def test_the_bounds_are_kept_and_said() -> None:
    run = ["d", "e"] * 50 + ["b", "c", "a", "go"]
    few = done(run, replays=3)
    assert few.replays == 3 and few.shown and not few.minimal
    assert [event.what for event in few.events][-1] == "go"
    none = done(run, replays=0)
    assert (none.replays, none.shown, none.minimal) == (0, False, False)
    assert [event.what for event in none.events] == run
    late = done(run, seconds=-1)
    assert late.replays == 0 and not late.shown


def test_what_the_start_shows_needs_no_events() -> None:
    def fail(world: World) -> None:
        raise Thrown("boom")

    def start(world: World) -> None:
        world.create(Kind.TIMER, "tick", handler=fail)

    app = Settled(ModelApp({}, {"a": lambda world: None}, actions=["a"], start=start))
    result = asyncio.run(minimise(app, named(["a", "a"]), crashes))
    assert result == Minimised(events=(), shown=True, minimal=True, replays=1)


def test_an_oracle_may_look_at_the_application() -> None:
    app = model({}, frozenset(), frozenset())

    async def marked(event: Event, effect: Effect) -> bool:
        await app.state()
        return "b" in app.variables["marks"]

    result = asyncio.run(minimise(app, named(["a", "b", "go"]), marked))
    assert [event.what for event in result.events] == ["b"]


def test_after_a_hang_nothing_more_is_done() -> None:
    class Hanging(ModelApp):
        steps: list[str] = []

        async def step(self, event: Event) -> Effect:
            self.steps.append(event.what)
            return Effect(hung="a loop") if event.what == "b" else await super().step(event)

    app = Hanging({}, {name: lambda world: None for name in "abc"}, actions="abc")
    result = asyncio.run(minimise(app, named(["a", "b", "c"]), crashes))
    assert not result.shown and app.steps == ["a", "b"]
    result = asyncio.run(minimise(app, named(["a", "b"]), lambda event, effect: bool(effect.hung)))
    assert [event.what for event in result.events] == ["b"]


def test_values_tell_events_of_the_same_name_apart() -> None:
    class Typing(ModelApp):
        async def step(self, event: Event) -> Effect:
            if event.what != "type":
                raise NotEnabled(event)
            return Effect(hung="b" if event.action.value == "b" else "")

    app = Typing({}, {})
    events = [event.with_detail(value=value) for event, value in zip(named(["type", "type"]), "ab", strict=True)]
    result = asyncio.run(minimise(app, events, lambda event, effect: effect.hung == "b"))
    assert [event.action.value for event in result.events] == ["b"]


def test_a_long_replay_is_given_up_when_the_time_is_up() -> None:
    now = 0.0

    class Slow(ModelApp):
        async def step(self, event: Event) -> Effect:
            nonlocal now
            now += 1.0
            return await super().step(event)

    app = Slow({}, {"a": lambda world: None}, actions="a")
    events = named(["a"] * 100)
    result = asyncio.run(minimise(app, events, lambda event, effect: False, seconds=2.0, clock=lambda: now))
    assert not result.shown and result.replays == 1
    assert 2.0 + OVERTIME < now < 2.0 + OVERTIME + 3
