"""From a bad order to the fewest reversals."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import Effect, Kind, State, Step, Trace, event_of
from jostle.races.schedules.linear_extensions import LinearExtensions
from jostle.races.schedules.minimise import Smaller, fewest_reversals
from jostle.races.schedules.run import PlannedOrder, ScheduleRun
from tests.races.schedules.applications import Subject, button_before_script, go, slideshow


def smaller(subject: Subject, bad: str, shows: Callable[[], bool], runs: int = 60) -> Smaller:
    async def tried(order: PlannedOrder) -> bool:
        await subject.runner.run(order)
        return shows()

    return go(fewest_reversals(subject.recording, subject.run(bad), tried, runs=runs))


def test_what_has_nothing_to_do_with_it_goes_back_to_its_place() -> None:
    subject = button_before_script()

    async def fails(order: PlannedOrder) -> bool:
        run = await subject.runner.run(order)
        return any(step.effect.errors for step in run.trace.steps)

    found = go(fewest_reversals(subject.recording, subject.run("p1 p3 e1 p2"), fails))
    assert subject.names.all(found.order.events) == "p1 e1 p2 p3"
    assert found.reversed == (subject.keys("p2 e1"),)
    assert found.shown and found.minimal
    assert found.order.exact == 1


def test_images_in_the_wrong_order() -> None:
    subject = slideshow()

    def shows() -> bool:
        return bool(subject.app.variables["queue"] == (2,))

    found = smaller(subject, "L3 C1 C2 L2", shows)
    assert found.shown and found.minimal
    assert subject.names.all(found.order.events) in ("C1 L3 C2 L2", "C1 L3 L2 C2")


def test_what_does_not_show_again_is_said() -> None:
    subject = slideshow()
    found = smaller(subject, "L3 C1 C2 L2", lambda: False)
    assert (found.shown, found.minimal, found.runs) == (False, False, 1)
    assert subject.names.all(found.order.events) == "L3 C1 C2 L2"


def test_the_number_of_runs_is_bounded() -> None:
    subject = slideshow()
    found = smaller(subject, "L3 C1 C2 L2", lambda: True, runs=2)
    assert found.runs == 2
    assert found.shown and not found.minimal


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.randoms(use_true_random=False), st.integers(1, 3))
def test_exactly_the_reversals_that_matter_are_left(size: int, random: Random, number: int) -> None:
    events = [event_of(kind=Kind.NETWORK, what=f"e{n}") for n in range(size)]
    state = State(digest="")

    def run(order: tuple[int, ...]) -> ScheduleRun:
        steps = tuple(Step(event=events[n], effect=Effect()) for n in order)
        return ScheduleRun(
            trace=Trace(steps=steps, initial=tuple(events)), state=state, asked=tuple(events[n] for n in order)
        )

    bad = LinearExtensions([0] * size).sample(random)
    inverted = [(a, b) for a in range(size) for b in range(a + 1, size) if bad.index(b) < bad.index(a)]
    if not inverted:
        return
    needed = random.sample(inverted, min(number, len(inverted)))

    async def shows(order: PlannedOrder) -> bool:
        assert sorted(event.key for event in order.events) == sorted(event.key for event in events)
        place = {event.key: n for n, event in enumerate(order.events)}
        return all(place[events[b].key] < place[events[a].key] for a, b in needed)

    found = go(fewest_reversals(run(tuple(range(size))), run(bad), shows, runs=2000))
    assert found.shown and found.minimal
    assert go(shows(found.order))
    assert len(found.reversed) <= len(needed)
