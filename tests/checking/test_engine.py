"""Doing what is planned."""

from __future__ import annotations

import asyncio

import pytest

from jostle.checking.engine import Engine, Go
from jostle.checking.plan import Plan, PlannedSearch, Turn
from jostle.errors import CouldNotRun

WEIGHTS = {"explore": 1.0, "ajax": 1.0}


class Day:
    """A clock that goes on only when somebody works."""

    def __init__(self, seconds: float | None, workers: int = 1, grace: float | None = None) -> None:
        self.time = 0.0
        self.done: list[str] = []
        self.failed: dict[str, str] = {}
        self.plan = Plan(WEIGHTS, seconds=seconds, workers=workers)
        self.engine = Engine(self.plan, workers=workers, failed=self._failed, grace=grace, clock=lambda: self.time)

    def _failed(self, job: PlannedSearch, problem: Exception) -> None:
        self.failed[job.name] = str(problem)

    def works(self, seconds: float, *, more: int = 0) -> Go:
        """`more`: how many turns it could go on for."""
        left = more

        async def go(turn: Turn) -> bool:
            nonlocal left
            await asyncio.sleep(0)
            self.time += seconds
            self.done.append(turn.job.name)
            left -= 1
            return left >= 0

        return go

    def add(self, name: str, go: Go, search: str = "ajax", rank: float = 0.0) -> None:
        self.engine.add(PlannedSearch(name=name, search=search, rank=rank), go)

    def run(self) -> list[str]:
        asyncio.run(asyncio.wait_for(self.engine.run(), 10))
        return self.done


def test_one_after_the_other_best_first() -> None:
    day = Day(100)
    day.add("second", day.works(1), rank=2)
    day.add("first", day.works(1), rank=1)
    assert day.run() == ["first", "second"]


def test_what_a_job_adds_is_done_too() -> None:
    day = Day(100, workers=2)
    later = day.works(1)

    async def explore(turn: Turn) -> bool:
        await asyncio.sleep(0.01)  # the other one finds nothing to do and waits
        day.add("page", later)
        day.engine.expect()
        await asyncio.sleep(0.01)
        day.done.append("explore")
        return False

    day.add("explore", explore, "explore")
    day.engine.expect("ajax")
    assert day.run() == ["page", "explore"]


def test_once_more_until_nothing_is_left() -> None:
    day = Day(100)
    day.add("a", day.works(5, more=2))
    day.add("b", day.works(5), rank=1)
    assert day.run() == ["a", "b", "a", "a"]


def test_who_does_not_get_on_gets_no_other_turn() -> None:
    day = Day(100)
    day.add("a", day.works(0.0, more=1000))
    assert day.run() == ["a", "a"]
    without_end = Day(None)
    without_end.add("a", without_end.works(5.0, more=1000))
    assert without_end.run() == ["a"]


def test_the_time_is_up() -> None:
    day = Day(10)
    day.add("a", day.works(9))
    day.add("b", day.works(9), rank=1)
    assert day.run() == ["a"]
    assert [job.name for job in day.plan.waiting] == ["b"]


def test_who_does_not_keep_to_its_time_is_ended() -> None:
    day = Day(10, grace=-9.9)
    ended = []

    async def forever(turn: Turn) -> bool:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(turn.job.name)
        return True

    day.add("a", forever)
    day.add("b", day.works(1), rank=1)
    assert day.run() == ["b"]
    assert ended == ["a"]
    assert [job.name for job in day.engine.ended_early] == ["a"]
    assert day.failed == {}


def test_a_problem_of_one_leaves_the_others_alone() -> None:
    day = Day(100)

    async def fails(turn: Turn) -> bool:
        raise CouldNotRun("It is not there.")

    day.add("a", fails)
    day.add("b", day.works(1), rank=1)
    assert day.run() == ["b"]
    assert day.failed == {"a": "It is not there."}


@pytest.mark.parametrize("error", [ZeroDivisionError("it"), TimeoutError("it"), ExceptionGroup("it", [ValueError()])])
def test_an_error_of_our_own_leaves_the_others_alone(error: Exception) -> None:
    day = Day(100, workers=2, grace=5)

    async def fails(turn: Turn) -> bool:
        raise error

    day.add("a", fails)
    day.add("b", day.works(1))
    assert day.run() == ["b"]
    assert day.failed == {"a": str(error)}
    assert day.engine.ended_early == []


def test_an_interruption_ends_all() -> None:
    day = Day(None, workers=2, grace=5)
    ended = []

    async def forever(turn: Turn) -> bool:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(turn.job.name)
        return False

    async def interrupted() -> None:
        running = asyncio.create_task(day.engine.run())
        await asyncio.sleep(0.01)
        running.cancel()
        await running

    day.add("a", forever)
    day.add("b", forever)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asyncio.wait_for(interrupted(), 10))
    assert sorted(ended) == ["a", "b"]
    assert day.failed == {}


def test_more_may_work_when_there_is_more_to_do() -> None:
    asked = []
    day = Day(100)
    day.engine = Engine(
        day.plan, workers=2, failed=day._failed, clock=lambda: day.time, short=lambda: asked.append(len(day.done))
    )
    both = asyncio.Barrier(2)

    async def together(turn: Turn) -> bool:
        if turn.job.name == "a":
            while not asked:  # noqa: ASYNC110  (whoever has nothing to do asks)
                await asyncio.sleep(0)
            day.engine.resize(2)
        async with asyncio.timeout(10):
            await both.wait()
        day.done.append(turn.job.name)
        return False

    day.add("a", together)
    day.add("b", together, rank=1)
    assert sorted(day.run()) == ["a", "b"]
    assert asked == [0]


def test_nobody_is_asked_for_when_nothing_waits() -> None:
    asked = []
    day = Day(100)
    day.engine = Engine(day.plan, workers=2, failed=day._failed, clock=lambda: day.time, short=lambda: asked.append(""))
    day.add("a", day.works(1))
    assert day.run() == ["a"]
    assert not asked
