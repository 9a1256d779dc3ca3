"""Applications in memory that the searches are tried on, and events by short names."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from jostle.events import Event, Kind, ModelApp, World
from jostle.races.schedules.approximate import Replays
from jostle.races.schedules.run import PlannedOrder, ScheduleRun

T = TypeVar("T")


def go(work: Awaitable[T]) -> T:
    async def run() -> T:
        return await work

    return asyncio.run(run())


class Names:
    """Short names for events: `C2` for the second click, `T(C2)` for the timer that C2 set."""

    def __init__(self, short: Mapping[str, str]) -> None:
        self._short = short
        self._called: dict[str, str] = {"": ""}

    def __call__(self, event: Event) -> str:
        short = self._short.get(event.what, event.what)
        if event.kind is Kind.TIMER:
            short = f"{short}({self._called.get(event.creator, '?')})"
        elif event.by_user and short.isupper():
            short = f"{short}{event.occurrence}"
        self._called[event.key] = short
        return short

    def all(self, events: Sequence[Event]) -> str:
        return " ".join(map(self, events))


class Subject:
    """An application with short names, and a recording of it."""

    def __init__(
        self,
        app: ModelApp,
        short: Mapping[str, str],
        recorded: str,
        after: Mapping[str, str] | None = None,
        **replays: Any,
    ) -> None:
        """`after`: what brought that into the page which the user needs."""
        self.app = app
        self.names = Names(short)
        self.runner = Replays(app, **{"fuzzy": False, **replays})
        self.events: dict[str, Event] = {}
        self.recording = go(self.runner.run(PlannedOrder(events=go(self._events(recorded.split())))))
        assert self.names.all(self.recording.trace.events) == recorded
        for later, earlier in (after or {}).items():
            self.events[later] = self.events[later].with_detail(after=(self.events[earlier].key,))
            steps = tuple(
                msgspec.structs.replace(step, event=self.events[later]) if step.event == self.events[later] else step
                for step in self.recording.trace.steps
            )
            trace = msgspec.structs.replace(self.recording.trace, steps=steps)
            self.recording = msgspec.structs.replace(self.recording, trace=trace)

    async def _events(self, names: Sequence[str]) -> tuple[Event, ...]:
        await self.app.reset()
        events = []
        for name in names:
            possible = {self.names(event): event for event in await self.app.enabled()}
            events.append(possible[name])
            await self.app.step(possible[name])
        self.events |= dict(zip(names, events, strict=True))
        return tuple(events)

    def order(self, names: str, **order: Any) -> PlannedOrder:
        return PlannedOrder(events=tuple(self.events[name] for name in names.split()), **order)

    def run(self, names: str, **order: Any) -> ScheduleRun:
        return go(self.runner.run(self.order(names, **order)))

    def keys(self, names: str) -> tuple[str, ...]:
        return tuple(self.events[name].key for name in names.split())


# R4, section 6.1: images are shown in the order in which they arrive, and a click that finds none tries again.


def show_next(world: World) -> None:
    if not world["queue"]:
        world["indicator"] = True
        world.create(Kind.TIMER, "retry", delay=100)
    else:
        world["shown"], world["indicator"] = world["queue"][0], False
        world["queue"] = world["queue"][1:]


def arrives(number: int, world: World) -> None:
    world["queue"] += (number,)


def load_images(world: World) -> None:
    for number in (2, 3):
        world.create(Kind.NETWORK, f"GET image{number}.png", handler=partial(arrives, number))


SLIDESHOW = {"click next": "C", "retry": "T", "GET image2.png": "L2", "GET image3.png": "L3"}


def slideshow(**replays: Any) -> Subject:
    app = ModelApp(
        {"queue": (), "shown": 1, "indicator": False},
        {"click next": show_next, "retry": show_next},
        user=["click next"] * 2,
        start=load_images,
    )
    return Subject(app, SLIDESHOW, "L2 C1 C2 L3 T(C2)", **replays)


# Section 6.2: the same with a script that sends statistics, and with the loading of the page.


def slideshow_with_statistics() -> Subject:
    def load(world: World) -> None:
        world["loaded"] = True
        load_images(world)
        world.create(Kind.NETWORK, "GET statistics.js", resource="script")

    app = ModelApp(
        {"queue": (), "shown": 1, "indicator": False, "loaded": False},
        {
            "click": show_next,
            "click again": show_next,
            "retry": show_next,
            "page": load,
            "GET statistics.js": lambda world: world.create(Kind.NETWORK, "POST ping"),
            "POST ping": lambda world: None,
        },
        user=["click", "click again"],
        guards={"click": lambda view: bool(view["loaded"])},
        start=lambda world: world.create(Kind.NETWORK, "page", resource="document"),
    )
    short = {
        "page": "e1",
        "GET image2.png": "e2",
        "click": "e3",
        "click again": "e4",
        "GET statistics.js": "e5",
        "POST ping": "e6",
        "GET image3.png": "e7",
        "retry": "e8",
    }
    recorded = "e1 e2 e3 e4 e5 e6 e7 e8"
    return _Plain(app, short, recorded)


class _Plain(Subject):
    """Timers are named without their creators."""

    def __init__(self, app: ModelApp, short: Mapping[str, str], recorded: str) -> None:
        timer = next(what for what, name in short.items() if name == "e8")
        super().__init__(app, {**short, timer: "T"}, recorded.replace("e8", "T(e4)"))


# Section 6.3: events that all append to the variables they are given.


def appending(variables: Mapping[str, str], recorded: str) -> Subject:
    def append(name: str, world: World) -> None:
        for variable in variables[name]:
            world[variable] += (name,)

    def start(world: World) -> None:
        for name in variables:
            world.create(Kind.NETWORK, name)

    initial: dict[str, Any] = dict.fromkeys("".join(variables.values()), ())
    app = ModelApp(initial, {name: partial(append, name) for name in variables}, start=start)
    return Subject(app, {}, recorded)


# Section 6.4: a function is called before the script that defines it has come; three reversals away.


def wordpress() -> Subject:
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

    app = ModelApp(
        {},
        {"script": script, "load": load, "click menu": open_menu, "click call": call},
        user=["click menu", "click call"],
        start=lambda world: world.create(Kind.NETWORK, "script", resource="script"),
    )
    return Subject(app, {"script": "x", "load": "l", "click menu": "c0", "click call": "c1"}, "x l c0 c1")


# Section 6.5: the answer that comes last fills the table.


def paging(table: str = "dom:table") -> Subject:
    def turn(world: World) -> None:
        world["page"] += 1
        page = world["page"]

        def fill(world: World) -> None:
            world[table] = page

        world.create(Kind.NETWORK, f"GET ?page={page}", resource="fetch", handler=fill)

    app = ModelApp({"page": 0, table: 0}, {"click Next": turn}, user=["click Next", "click Next"])
    return Subject(app, {"click Next": "C", "GET ?page=1": "R1", "GET ?page=2": "R2"}, "C1 R1 C2 R2")


# WAVE, figure 1: a button calls a function of a script that may not have come, beside a frame.


def button_before_script() -> Subject:
    def page(world: World) -> None:
        world["dom:b1"] = True
        world.create(Kind.PARSE, "p2", handler=script, document="main")
        world.create(Kind.PARSE, "p3", handler=lambda world: None, document="sub")

    def script(world: World) -> None:
        world["fn"] = "function"

    app = ModelApp(
        {},
        {"e1": lambda world: world["fn"]},
        user=["e1"],
        guards={"e1": lambda view: "dom:b1" in view},
        start=lambda world: world.create(Kind.PARSE, "p1", handler=page, document="main"),
    )
    return Subject(app, {}, "p1 p2 p3 e1", after={"e1": "p1"})


# WAVE, figure 3: a handler takes away what one step of the parser has made for the next.


def click_between_steps() -> Subject:
    def first(world: World) -> None:
        world["button"] = True
        world.create(Kind.PARSE, "p2", handler=second, document="main")

    def second(world: World) -> None:
        world["m"] = "object"
        world.create(Kind.PARSE, "p3", handler=third, document="main")

    def third(world: World) -> None:
        world["dom:shown"] = f"{world['m']}.data"

    def click(world: World) -> None:
        if "m" in world:
            del world["m"]

    app = ModelApp(
        {},
        {"click": click},
        user=["click"],
        guards={"click": lambda view: "button" in view},
        start=lambda world: world.create(Kind.PARSE, "p1", handler=first, document="main"),
    )
    return Subject(app, {"click": "c"}, "p1 p2 p3 c", after={"c": "p1"})
