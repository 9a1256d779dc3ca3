"""Model checking: the vectors of the R4 paper, bounds, limits."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from jostle.events import Kind, ModelApp, World
from jostle.races.schedules.model_check import ModelCheck, Redundancy, Tried
from jostle.races.schedules.run import PlannedOrder, ScheduleRun
from tests.races.schedules.applications import (
    Subject,
    appending,
    go,
    paging,
    slideshow,
    slideshow_with_statistics,
    wordpress,
)
from tests.races.schedules.systems import Reserved


def explore(subject: Subject, **options: Any) -> tuple[list[Tried], ModelCheck]:
    runner = Reserved(subject.runner) if options.get("lazily") else subject.runner
    search = ModelCheck(runner, subject.recording, **options)

    async def all_of_it() -> list[Tried]:
        return [tried async for tried in search.explore()]

    return go(all_of_it()), search


def runs(subject: Subject, **options: Any) -> int:
    tried, search = explore(subject, **options)
    assert search.counts.explored == len(tried) + 1 - search.counts.failed
    assert search.counts.pending == 0
    orders = [subject.recording.keys, *(each.run.keys for each in tried if not each.run.failed)]
    assert len(set(orders)) == len(orders), "no order is run twice"
    return search.counts.explored


# run, parent, reversed, depth, requested, executed, skipped, new; then what is shown, the indicator, the queue
SLIDESHOW_RUNS = [
    ("Q1", "-", "-", 0, "L2 C1 C2 L3 T(C2)", "L2 C1 C2 L3 T(C2)", "", "", 3, False, ()),
    ("Q2", "Q1", "L3,T(C2)", 1, "L2 C1 C2 T(C2) L3", "L2 C1 C2 T(C2) L3", "", "T(T(C2))", 2, True, (3,)),
    ("Q3", "Q1", "C2,L3", 1, "L2 C1 L3 C2 T(C2)", "L2 C1 L3 C2", "T(C2)", "", 3, False, ()),
    ("Q4", "Q1", "L2,C1", 1, "C1 L2 C2 L3 T(C2)", "C1 L2 C2 L3", "T(C2)", "T(C1)", 2, False, (3,)),
    ("Q5", "Q3", "C1,L3", 2, "L2 L3 C1 C2", "L2 L3 C1 C2", "", "", 3, False, ()),
    ("Q6", "Q4", "C2,L3", 2, "C1 L2 L3 C2", "C1 L2 L3 C2", "", "T(C1)", 2, False, (3,)),
    ("Q7", "Q4", "L2,C2", 2, "C1 C2 L2 L3", "C1 C2 L2 L3", "", "T(C1) T(C2)", 1, True, (2, 3)),
    ("Q8", "Q7", "L2,L3", 3, "C1 C2 L3 L2", "C1 C2 L3 L2", "", "T(C1) T(C2)", 1, True, (3, 2)),
    ("Q9", "Q6", "L2,L3", 3, "C1 L3 L2 C2", "C1 L3 L2 C2", "", "T(C1)", 3, False, (2,)),
    ("Q10", "Q9", "L2,C2", 4, "C1 L3 C2 L2", "C1 L3 C2 L2", "", "T(C1)", 3, False, (2,)),
    ("Q11", "Q5", "L2,L3", 3, "L3 L2 C1 C2", "L3 L2 C1 C2", "", "", 2, False, ()),
    ("Q12", "Q11", "L2,C1", 4, "L3 C1 L2 C2", "L3 C1 L2 C2", "", "", 2, False, ()),
    ("Q13", "Q12", "L2,C2", 5, "L3 C1 C2 L2", "L3 C1 C2 L2", "", "T(C2)", 3, True, (2,)),
]
RUNS_PER_BOUND = [(0, 1), (1, 4), (2, 7), (3, 10), (4, 12), (5, 13), (6, 13), (None, 13)]


@pytest.mark.parametrize("best_first", [False, True])
def test_the_table_of_the_slideshow(best_first: bool) -> None:
    subject = slideshow()
    names = subject.names
    names_of_runs = {row[5]: row[0] for row in SLIDESHOW_RUNS}
    numbers = {1: "Q1"}
    rows = []

    async def all_of_it() -> None:
        rows.append(_row(subject, subject.recording, ("Q1", "-", "-", 0)))
        search = ModelCheck(subject.runner, subject.recording, bound=None, best_first=best_first)
        async for tried in search.explore():
            name = numbers[tried.number] = names_of_runs[names.all(tried.run.trace.events)]
            events = {event.key: event for event in (*tried.parent.trace.events, *tried.run.trace.events)}
            pair = ",".join(names(events[key]) for key in (tried.conflict.first, tried.conflict.second))
            rows.append(_row(subject, tried.run, (name, numbers[tried.parent_number], pair, tried.depth)))

    go(all_of_it())
    if best_first:
        # At the same depth the one further on in its run comes first; so another run may be the first to find one.
        assert [row[3] for row in rows] == sorted(row[3] for row in rows), "the fewest reversals first"
        expected = sorted((row[0], *row[3:]) for row in SLIDESHOW_RUNS)
        assert sorted((row[0], *row[3:]) for row in rows) == expected
    else:
        assert sorted(rows) == sorted(SLIDESHOW_RUNS)


def _row(subject: Subject, run: ScheduleRun, what: tuple[str, str, str, int]) -> tuple[Any, ...]:
    names, variables = subject.names, subject.app.variables
    return (
        *what,
        names.all(run.asked),
        names.all(run.trace.events),
        names.all(run.skipped),
        names.all(run.new),
        variables["shown"] if what[0] != "Q1" else 3,
        variables["indicator"],
        variables["queue"],
    )


@pytest.mark.parametrize(("bound", "number"), RUNS_PER_BOUND)
def test_runs_of_the_slideshow_for_each_bound(bound: int | None, number: int) -> None:
    for redundancy in (Redundancy.NOTHING, Redundancy.NEIGHBOURS):
        for way in ({}, {"best_first": True}, {"best_first": True, "lazily": True}):
            assert runs(slideshow(), bound=bound, redundancy=redundancy, **way) == number


def test_what_a_run_reads_and_writes_is_asked_for_when_it_is_needed() -> None:
    class Counted(Reserved):
        watched = 0

        async def run(self, order: PlannedOrder, parent: ScheduleRun | None) -> ScheduleRun:
            self.watched += order.watched
            return await super().run(order, parent)

    for bound, tried, watched in ((1, 3, 0), (2, 6, 3)):
        subject = slideshow()
        runner = Counted(subject.runner)
        search = ModelCheck(runner, subject.recording, bound=bound, best_first=True, lazily=True)

        async def all_of_it(search: ModelCheck = search) -> None:
            async for _ in search.explore():
                pass

        go(all_of_it())
        assert (runner.unwatched, runner.watched) == (tried, watched), "none at the bound"
    with pytest.raises(ValueError, match="best first"):
        ModelCheck(subject.runner, subject.recording, lazily=True)


def test_a_run_that_does_not_go_the_same_way_when_it_is_watched_is_left() -> None:
    class Capricious(Reserved):
        async def run(self, order: PlannedOrder, parent: ScheduleRun | None) -> ScheduleRun:
            run = await super().run(order, parent)
            return msgspec.structs.replace(run, failed="it went otherwise") if order.watched else run

    subject = slideshow()
    search = ModelCheck(Capricious(subject.runner), subject.recording, bound=2, best_first=True, lazily=True)

    async def all_of_it() -> list[Tried]:
        return [tried async for tried in search.explore()]

    assert len(go(all_of_it())) == 3, "those of one reversal"


def test_the_slideshow_depth_first() -> None:
    subject = slideshow()
    tried, _ = explore(subject, bound=2)
    names = {row[5]: row[0] for row in SLIDESHOW_RUNS}
    order = [names[subject.names.all(each.run.trace.events)] for each in tried]
    assert order == ["Q2", "Q3", "Q5", "Q4", "Q6", "Q7"]


def test_with_sleep_sets_each_class_of_orders_once() -> None:
    assert runs(slideshow(), bound=None, redundancy=Redundancy.SLEEP_SETS) == 13
    assert runs(wordpress(), bound=None, redundancy=Redundancy.SLEEP_SETS) == 5


def test_the_slideshow_with_statistics() -> None:
    subject = slideshow_with_statistics()
    tried, search = explore(subject, bound=1)
    assert [subject.names.all(each.run.asked).replace("T(e4)", "e8") for each in tried] == [
        "e1 e2 e3 e4 e5 e6 e8 e7",
        "e1 e2 e3 e7 e4 e5 e6 e8",
        "e1 e3 e2 e4 e5 e6 e7 e8",
    ], "what is independent stays behind the event that is pulled forward"
    assert subject.names.all(tried[0].run.new) == "T(T(e4))"
    assert subject.names.all(tried[1].run.trace.events) == "e1 e2 e3 e7 e4 e5 e6"
    assert search.counts.beyond > 0
    deeper, _ = explore(slideshow_with_statistics(), bound=2)
    names = slideshow_with_statistics().names
    assert "e1 e2 e7 e3 e4 e5 e6" in [names.all(each.run.trace.events) for each in deeper if each.depth == 2]
    assert [runs(slideshow_with_statistics(), bound=bound) for bound in (1, 2, 3, None)] == [4, 7, 10, 13]


def test_persistent_sets() -> None:
    tried, search = explore(appending({"x": "a", "y": "b", "z": "b"}, "x y z"), bound=None)
    assert search.counts.explored == 2
    assert [[event.what for event in each.run.trace.events] for each in tried] == [["x", "z", "y"]]
    dependent = {"x": "a", "y": "a", "z": "a"}
    for best_first in (False, True):
        numbers = [runs(appending(dependent, "x y z"), bound=k, best_first=best_first) for k in range(4)]
        assert numbers == [1, 3, 5, 6]


def test_a_bug_three_reversals_away() -> None:
    def numbers(redundancy: Redundancy) -> list[int]:
        return [runs(wordpress(), bound=bound, redundancy=redundancy) for bound in (1, 2, 3)]

    assert numbers(Redundancy.NEIGHBOURS) == [3, 4, 5]
    assert numbers(Redundancy.NOTHING) == [3, 5, 6]

    subject = wordpress()
    pairs = [subject.keys(pair) for pair in ("x c0", "l c1")]
    assert sorted(
        (each.first, each.second) for each in ModelCheck(subject.runner, subject.recording).conflicts.relevant
    ) == sorted(pairs)
    for bound in (2, 3):
        tried, _ = explore(wordpress(), bound=bound)
        failed = [
            (subject.names.all(each.run.trace.events), each.depth, error.message)
            for each in tried
            for step in each.run.trace.steps
            for error in step.effect.errors
        ]
        assert failed == ([("c0 c1 x l", 3, "ReferenceError: f is not defined")] if bound == 3 else [])


def test_answers_that_overtake_each_other() -> None:
    subject = paging()
    tried, search = explore(subject)
    assert [(subject.names.all(each.run.trace.events), each.depth) for each in tried] == [("C1 C2 R2 R1", 1)]
    assert search.counts.explored == runs(paging(), bound=None) == 2
    assert subject.app.variables == {"page": 2, "dom:table": 1}
    tried, search = explore(paging(table="table"))
    assert not tried
    assert [each.filters for each in search.conflicts.dropped] == [("event-local",)], "what nobody reads is not a race"


def test_what_was_cancelled_is_tried_before() -> None:
    def start(world: World) -> None:
        world["timer"] = world.create(Kind.TIMER, "tick", delay=10)

    def tick(world: World) -> None:
        world["ticked"] = True

    app = ModelApp(
        {"ticked": False},
        {"tick": tick, "stop": lambda world: world.cancel(world["timer"])},
        user=["stop"],
        start=start,
    )
    subject = Subject(app, {}, "stop")
    tried, _ = explore(subject, bound=None)
    assert [[event.what for event in each.run.trace.events] for each in tried] == [["tick", "stop"]]
    assert tried[0].conflict.cancels
    assert app.variables["ticked"]


def test_limits_and_honest_numbers() -> None:
    tried, search = explore(slideshow(), bound=None, limit=2)
    assert (len(tried), search.counts.explored, search.counts.pending) == (2, 3, 2)
    time = iter([0, 1, 2, 3])
    tried, search = explore(slideshow(), bound=None, deadline=2, clock=lambda: next(time))
    assert (len(tried), search.counts.pending) == (2, 2)
    tried, search = explore(slideshow(), bound=0)
    assert (tried, search.counts.beyond) == ([], 3)


def test_a_runner_that_fails_ends_nothing() -> None:
    """Nothing that a run could not be made of is tried again, and the rest goes on."""
    subject = slideshow()

    class Failing:
        async def run(self, order: PlannedOrder, parent: ScheduleRun | None) -> ScheduleRun:
            if order.moved is not None and order.events[order.moved].what == "GET image3.png":
                return ScheduleRun(trace=subject.recording.trace, state=subject.recording.state, failed="it hung")
            return await subject.runner.run(order, parent)

    search = ModelCheck(Failing(), subject.recording, bound=1)

    async def all_of_it() -> list[str]:
        return [tried.run.failed async for tried in search.explore()]

    assert sorted(go(all_of_it())) == ["", "", "it hung"]
    assert (search.counts.explored, search.counts.failed, search.counts.pending) == (3, 1, 0)


def test_sleep_sets_need_the_whole_search() -> None:
    subject = slideshow()
    for options in ({"bound": 1}, {"bound": None, "best_first": True}):
        with pytest.raises(ValueError, match="without a bound"):
            ModelCheck(subject.runner, subject.recording, redundancy=Redundancy.SLEEP_SETS, **options)


def test_parents_keep_what_was_read_and_written_where_it_is_needed() -> None:
    tried, _ = explore(slideshow_with_statistics(), bound=1)
    for each in tried:
        accesses = {step.event.key: step.effect.accesses for step in each.parent.trace.steps}
        assert accesses[each.conflict.first] and accesses[each.conflict.second]
        assert not all(accesses.values()), "and only there"
