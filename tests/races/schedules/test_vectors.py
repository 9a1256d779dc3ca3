"""The small examples of the R4 paper (section 6.6 of what is known about it), each with one reversal."""

from __future__ import annotations

from typing import Any

from jostle.events import Kind, ModelApp, World
from jostle.races.schedules.model_check import ModelCheck, Tried
from jostle.races.schedules.tags import Tag
from tests.races.schedules.applications import Subject, button_before_script, go


def tried(subject: Subject, **options: Any) -> list[Tried]:
    async def all_of_it() -> list[Tried]:
        return [each async for each in ModelCheck(subject.runner, subject.recording, **options).explore()]

    return go(all_of_it())


def errors(each: Tried) -> list[str]:
    return [error.message for step in each.run.trace.steps for error in step.effect.errors]


def test_a_load_handler_that_comes_too_late() -> None:
    def load(world: World) -> None:
        if "handler:window load" in world:
            world["dom:banner"] = True

    def script(world: World) -> None:
        world["handler:window load"] = "showBanner"

    def start(world: World) -> None:
        world.create(Kind.NETWORK, "script", handler=script)
        world.create(Kind.LIFECYCLE, "load", handler=load)

    app = ModelApp({"dom:banner": False}, {}, start=start)
    (late,) = tried(Subject(app, {}, "script load"))
    assert app.variables["dom:banner"] is False
    (racing,) = late.conflict.racing
    assert racing.tags == (Tag.LATE_EVENT_ATTACH,)


def test_a_function_used_before_it_is_defined() -> None:
    subject = button_before_script()
    (early,) = tried(subject)
    assert subject.names.all(early.run.trace.events) == "p1 e1 p2 p3"
    assert errors(early) == ["ReferenceError: fn is not defined"]


def test_leaving_the_page_before_it_is_there() -> None:
    def parse(world: World) -> None:
        world["rest"] = world.create(Kind.PARSE, "p2", handler=rest, document="d")

    def rest(world: World) -> None:
        world["dom:rest"] = True
        world.create(Kind.TIMER, "later", handler=lambda world: None, delay=10)

    def leave(world: World) -> None:
        world.cancel(world["rest"])

    app = ModelApp(
        {"dom:rest": False},
        {"leave": leave},
        user=["leave"],
        guards={"leave": lambda view: "rest" in view},
        start=lambda world: world.create(Kind.PARSE, "p1", handler=parse, document="d"),
    )
    subject = Subject(app, {"later": "t"}, "p1 p2 t(p2) leave")
    runs = tried(subject)
    assert [subject.names.all(each.run.trace.events) for each in runs] == ["p1 leave"]
    assert subject.names.all(runs[0].run.skipped) == "p2 t(p2)"
    assert app.variables["dom:rest"] is False


def test_an_animation_stopped_earlier_that_ends_the_same() -> None:
    def frame(world: World) -> None:
        world["dom:box@width"] += 1

    def stop(world: World) -> None:
        world.cancel(world["frame"])
        world["dom:box@width"] = 10

    def start(world: World) -> None:
        world["frame"] = world.create(Kind.FRAME, "frame", handler=frame)

    app = ModelApp({"dom:box@width": 0}, {"stop": stop}, user=["stop"], start=start)
    subject = Subject(app, {}, "frame stop")
    (early,) = tried(subject)
    assert subject.names.all(early.run.skipped) == "frame"
    assert early.run.state == early.parent.state


def test_the_second_image_shows_what_the_first_has_set() -> None:
    def first(world: World) -> None:
        world["v"] = "set"

    def second(world: World) -> None:
        world["dom:p@text"] = "v" in world and world["v"]

    def start(world: World) -> None:
        world.create(Kind.NETWORK, "image1", handler=first)
        world.create(Kind.NETWORK, "image2", handler=second)

    app = ModelApp({}, {}, start=start)
    assert len(tried(Subject(app, {}, "image1 image2"))) == 1
    assert app.variables["dom:p@text"] is False


def test_a_timer_that_writes_what_is_parsed_later() -> None:
    def script(world: World) -> None:
        world.create(Kind.TIMER, "timer", delay=1000, handler=fill)
        world.create(Kind.PARSE, "body", handler=body)

    def body(world: World) -> None:
        world["dom:p"] = ""

    def fill(world: World) -> None:
        world["dom:p"] = world["dom:p"] + "text"

    app = ModelApp({}, {}, start=lambda world: world.create(Kind.PARSE, "script", handler=script))
    (early,) = tried(Subject(app, {"timer": "t"}, "script body t(script)"))
    assert errors(early) == ["ReferenceError: dom:p is not defined"]


def test_an_answer_is_not_tried_before_the_click_that_asks_for_it() -> None:
    def answer(world: World) -> None:
        world["v"] = world["v"] + 1

    def click(world: World) -> None:
        world["v"] = 1
        world.create(Kind.NETWORK, "answer", handler=answer)

    app = ModelApp({"v": 0}, {"click": click}, user=["click"])
    assert tried(Subject(app, {}, "click answer"), bound=None) == []
