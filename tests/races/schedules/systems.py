"""Small applications at random, and what can become of them by trying everything."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import msgspec
from hypothesis import strategies as st

from jostle.events import Causality, Event, Kind, ModelApp, State, Step, Trace, View, World, event_of
from jostle.races.schedules.approximate import Replays
from jostle.races.schedules.run import PlannedOrder, Runner, ScheduleRun

VARIABLES = "abc"
MANY = 60
"""More events than any of these applications has."""

_TWICE = 3
"""How many events there may be beyond those that have names: some are created twice."""

Operation = tuple[Any, ...]


class System(NamedTuple):
    """An application: events by name, with what they do."""

    roots: tuple[str, ...]
    users: tuple[str, ...]
    operations: dict[str, list[Operation]]
    guards: dict[str, tuple[str, int, bool]]
    """Possible only while a variable has this value, or while it has not."""

    def app(self) -> ModelApp:
        keys: dict[str, str] = {}

        def start(world: World) -> None:
            for name in self.roots:
                keys[name] = world.create(Kind.NETWORK, name)

        def handler(name: str) -> Callable[[World], None]:
            def run(world: World) -> None:
                for operation in self.operations[name]:
                    _do(world, operation, name, keys)

            return run

        def guard(variable: str, number: int, equal: bool) -> Callable[[View], bool]:
            return lambda view: (_number(view[variable]) == number) == equal

        return ModelApp(
            dict.fromkeys(VARIABLES, 0),
            {name: handler(name) for name in self.operations},
            user=self.users,
            guards={name: guard(*each) for name, each in self.guards.items()},
            start=start,
        )

    async def ends(self) -> set[State]:
        """All states in which it can end."""
        app = self.app()
        ends: set[State] = set()
        seen: set[Any] = set()
        paths: list[tuple[Event, ...]] = [()]
        while paths:
            path = paths.pop()
            await app.reset()
            for event in path:
                await app.step(event)
            situation = (tuple(sorted(app.variables.items())), frozenset(app._pending), app._scripted)
            if situation in seen:
                continue
            seen.add(situation)
            enabled = await app.enabled()
            if not enabled:
                ends.add(await app.state())
            paths += [(*path, event) for event in enabled]
        return ends

    async def classes(self, most: int) -> set[Any] | None:
        """All classes of equivalent orders; None when there are more orders than `most`."""
        app = self.app()
        found: set[Any] = set()
        number = 0
        paths: list[tuple[Event, ...]] = [()]
        while paths:
            path = paths.pop()
            await app.reset()
            initial = tuple(await app.enabled())
            steps = tuple([Step(event=event, effect=await app.step(event)) for event in path])
            enabled = await app.enabled()
            if not enabled:
                number += 1
                found.add(class_of(Trace(steps=steps, initial=initial)))
            if number > most:
                return None
            paths += [(*path, event) for event in enabled]
        return found

    async def recorded(self, random: Random) -> tuple[Replays, ScheduleRun]:
        """A run to the end, and a runner that always goes to the end."""
        app = self.app()
        path: list[Event] = []
        await app.reset()
        while enabled := await app.enabled():
            path.append(random.choice(enabled))
            await app.step(path[-1])
        scenario = [event_of(kind=Kind.USER, what=name) for name in self.users]
        runner = Replays(app, fuzzy=False, further=MANY)
        return runner, await runner.run(
            PlannedOrder(events=(*path, *(event for event in scenario if event not in path)))
        )


def class_of(trace: Trace) -> Any:
    """The same for runs that differ in nothing but the order of independent events."""
    causality = Causality(trace)
    reads, writes = (
        [{each.location for each in step.effect.accesses if each.write is write} for step in trace.steps]
        for write in (False, True)
    )
    keys = causality.keys
    return frozenset(keys), frozenset(
        (keys[one], keys[two])
        for one, two in combinations(range(len(keys)), 2)
        if writes[one] & (reads[two] | writes[two])
        or reads[one] & writes[two]
        or causality.before(keys[one], keys[two])
    )


@st.composite
def systems(draw: st.DrawFn, most: int = 6) -> System:
    size = draw(st.integers(2, most))
    users = tuple(f"u{number}" for number in range(draw(st.integers(0, min(2, size - 1)))))
    names = [f"e{number}" for number in range(size - len(users))]
    roots = tuple(name for name in names if draw(st.integers(0, 4)) < 3) or (names[0],)
    operations: dict[str, list[Operation]] = {}
    variable, number = st.sampled_from(VARIABLES), st.integers(0, 2)
    anything = st.one_of(
        st.tuples(st.just("write"), variable, number),
        st.tuples(st.just("append"), variable),
        st.tuples(st.just("read"), variable),
        st.tuples(st.just("copy"), variable, variable),
        st.tuples(st.just("if"), variable, number, variable, number),
        st.tuples(st.just("cancel"), st.sampled_from(roots)),
    )
    for name in (*names, *users):
        operations[name] = draw(st.lists(anything, max_size=2))
    times = dict.fromkeys([*roots, *users], 1)
    """How often each event can happen: what is created twice by what is created twice soon has too many orders."""
    for name in names:
        if name not in roots:
            makers = draw(st.lists(st.sampled_from(list(times)), min_size=1, max_size=2))
            if sum(times.values()) + sum(times[maker] for maker in makers) > most + _TWICE:
                makers = [next(iter(times))]
            for maker in makers:
                always = st.just(("create", name))
                sometimes = st.tuples(st.just("create if"), variable, number, st.just(name))
                operations[maker].append(draw(st.one_of(always, sometimes)))
            times[name] = sum(times[maker] for maker in makers)
    guards = {}
    for name in (*names, *users):
        if draw(st.integers(0, 3)) == 0:
            value = draw(number)
            # What is there from the start is possible from the start; else its creator would not be known (H10).
            guards[name] = (draw(variable), value, value == 0 if name in roots else draw(st.booleans()))
    return System(roots, users, operations, guards)


def _do(world: World, operation: Operation, name: str, keys: dict[str, str]) -> None:
    match operation:
        case ("write", variable, value):
            world[variable] = value
        case ("append", variable):
            old = world[variable]
            world[variable] = (*(old if isinstance(old, tuple) else (old,)), name)
        case ("read", variable):
            assert variable in world
        case ("copy", variable, other):
            world[other] = world[variable]
        case ("if", variable, value, other, new):
            if _number(world[variable]) == value:
                world[other] = new
        case ("cancel", other):
            world.cancel(keys[other])
        case ("create", other):
            world.create(Kind.NETWORK, other)
        case ("create if", variable, value, other):
            if _number(world[variable]) == value:
                world.create(Kind.NETWORK, other)


def _number(value: Any) -> int:
    return len(value) if isinstance(value, tuple) else int(value)


class Reserved:
    """A runner that tells what events read and write only where that is wanted."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.unwatched = 0

    async def run(self, order: PlannedOrder, parent: ScheduleRun | None) -> ScheduleRun:
        run = await self._runner.run(order, parent)
        if order.watched:
            return run
        self.unwatched += 1
        steps = tuple(
            msgspec.structs.replace(step, effect=msgspec.structs.replace(step.effect, accesses=()))
            for step in run.trace.steps
        )
        return msgspec.structs.replace(run, trace=msgspec.structs.replace(run.trace, steps=steps))
