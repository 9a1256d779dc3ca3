"""Which operations are to blame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from jostle.events import Kind, ModelApp, World
from jostle.races.schedules.blame import Violation, blame
from jostle.races.schedules.conflicts import Conflicts
from jostle.races.schedules.run import ScheduleRun
from tests.races.schedules.applications import (
    Subject,
    button_before_script,
    click_between_steps,
    paging,
    slideshow,
    wordpress,
)


def blamed(subject: Subject, bad: str) -> tuple[Violation, str, str]:
    found = blame(subject.recording, subject.run(bad))
    assert found is not None
    names = {subject.events[name].key: name for name in subject.events}
    together = " ".join(names[key] for key in found.together) if found.together else ""
    return found.violation, f"{names[found.early]} {names[found.late]}", together


@pytest.mark.parametrize("bad", ["p1 e1 p2 p3", "p1 p3 e1 p2", "p1 e1 p3 p2"])
def test_a_function_called_before_it_is_defined(bad: str) -> None:
    subject = button_before_script()
    assert blamed(subject, bad) == (Violation.ORDER, "e1 p2", "")
    found = blame(subject.recording, subject.run(bad))
    assert found is not None and (str(found.location), found.name) == ("global:fn", "fn")


def test_a_click_between_two_steps_of_the_parser() -> None:
    assert blamed(click_between_steps(), "p1 p2 c p3") == (Violation.ATOMICITY, "c p3", "p2 p3")


@pytest.mark.parametrize("set_by_parser", [True, False])
def test_a_timer_that_needs_what_the_parser_has_not_come_to(set_by_parser: bool) -> None:
    """Without a pause of the parser it could not have been too early, if the parser itself set it going."""

    def parse(world: World) -> None:
        world.create(Kind.PARSE, "p2", handler=lambda world: world.__setitem__("dom:offers", "there"), document="main")
        if set_by_parser:
            start(world)

    def start(world: World) -> None:
        world.create(Kind.TIMER, "timer", delay=400, handler=lambda world: world["dom:offers"], document="main")

    def begin(world: World) -> None:
        world.create(Kind.PARSE, "p1", handler=parse, document="main")
        if not set_by_parser:
            start(world)

    timer = "t(p1)" if set_by_parser else "t()"
    subject = Subject(ModelApp({"dom:offers": ""}, {}, start=begin), {"timer": "t"}, f"p1 p2 {timer}")
    together = (Violation.ATOMICITY, f"{timer} p2", "p1 p2") if set_by_parser else (Violation.ORDER, f"{timer} p2", "")
    assert blamed(subject, f"p1 {timer} p2") == together


def test_a_click_between_two_scripts_that_the_parser_waits_for() -> None:
    """Such a script may come before the one in front of it, but runs in its turn all the same."""

    def load(world: World) -> None:
        blocking: dict[str, Any] = {"document": "main", "resource": "script", "blocking": True}
        world.create(Kind.NETWORK, "s1", handler=lambda world: world.__setitem__("m", "object"), **blocking)
        world.create(Kind.NETWORK, "s2", handler=lambda world: world["m"], **blocking)

    app = ModelApp(
        {"m": ""},
        {"click": lambda world: world.__setitem__("m", "")},
        user=["click"],
        start=lambda world: world.create(Kind.NETWORK, "page", handler=load, document="main", resource="document"),
    )
    subject = Subject(app, {"click": "c", "page": "p"}, "p s1 s2 c", after={"c": "p"})
    assert blamed(subject, "p s1 c s2") == (Violation.ATOMICITY, "c s2", "s1 s2")


def test_answers_in_the_wrong_order() -> None:
    assert blamed(paging(), "C1 C2 R2 R1") == (Violation.ORDER, "R2 R1", "")


def test_the_event_that_fails_is_blamed_among_several() -> None:
    assert blamed(wordpress(), "c0 c1 x l") == (Violation.ORDER, "c1 x", "")


def between(write: Sequence[str], intruder: str) -> Subject:
    """A click sends a request, and its answer completes what the click began; another answer comes when it likes."""

    def do(what: str, world: World) -> None:
        if "r" in what:
            world["seen"] = world["dom:list"]
        if "w" in what:
            world["dom:list"] += (what,)

    def click(world: World) -> None:
        do(write[0], world)
        world.create(Kind.NETWORK, "answer", handler=lambda world: do(write[1], world))

    app = ModelApp(
        {"dom:list": ()},
        {"click": click, "other": lambda world: do(intruder, world)},
        user=["click"],
        start=lambda world: world.create(Kind.NETWORK, "other"),
    )
    return Subject(app, {"click": "c", "answer": "r", "other": "x"}, "c r x")


@pytest.mark.parametrize(
    ("write", "intruder", "violation"),
    [
        (("r", "r"), "w", Violation.ATOMICITY),
        (("w", "r"), "w", Violation.ATOMICITY),
        (("r", "w"), "w", Violation.ATOMICITY),
        (("w", "w"), "r", Violation.ORDER),  # appending reads: what the answer does is seen to come second
        (("r", "w"), "r", Violation.ORDER),
    ],
)
def test_something_between_a_request_and_its_answer(write: Sequence[str], intruder: str, violation: Violation) -> None:
    found, pair, together = blamed(between(write, intruder), "c x r")
    assert (found, pair) == (violation, "x r")
    assert together == ("c r" if violation is Violation.ATOMICITY else "")


def test_something_late_between_two_that_belong_together() -> None:
    """The other way round: what came first falls behind the first of two."""
    subject = between(("w", "r"), "w")
    good = subject.run("x c r")
    found = blame(good, subject.run("c x r"))
    assert found is not None
    assert (found.violation, found.early, found.late, found.between) == (
        Violation.ATOMICITY,
        *subject.keys("c x"),
        *subject.keys("x"),
    )


def test_without_accesses_the_neighbours_that_changed_places() -> None:
    def plain(run: ScheduleRun) -> ScheduleRun:
        steps = tuple(
            msgspec.structs.replace(step, effect=msgspec.structs.replace(step.effect, accesses=()))
            for step in run.trace.steps
        )
        return msgspec.structs.replace(run, trace=msgspec.structs.replace(run.trace, steps=steps))

    subject = slideshow()
    bad = subject.run("L2 C1 L3 C2")
    found = blame(plain(subject.recording), plain(bad))
    assert found is not None
    assert (found.early, found.late) == subject.keys("L3 C2")
    assert blame(plain(subject.recording), plain(subject.recording)) is None


def test_a_given_reversal_is_what_is_blamed() -> None:
    subject = slideshow()
    bad = subject.run("L2 C1 L3 C2")
    conflict = next(each for each in Conflicts(subject.recording.trace).relevant if each.second == bad.keys[2])
    found = blame(subject.recording, bad, conflict)
    assert found is not None
    assert (found.early, found.late) == (conflict.second, conflict.first)
