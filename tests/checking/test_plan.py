"""Sharing the time among searches."""

from __future__ import annotations

import heapq

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.checking.plan import Plan, PlannedSearch, Turn

WEIGHTS = {"init": 1.0, "ajax": 3.0, "orders": 2.0, "slowdown": 4.0}


def job(name: str, search: str = "init", rank: float = 0.0) -> PlannedSearch:
    return PlannedSearch(name=name, search=search, rank=rank)


def taken(plan: Plan, now: float = 0.0) -> Turn:
    turn = plan.take(now)
    assert turn is not None
    return turn


def test_shares() -> None:
    plan = Plan(WEIGHTS, seconds=100, least=1)
    plan.add(job("a", "init"), job("b", "ajax", 1), job("c", "slowdown", 2))
    first = taken(plan)
    assert first.job.name == "a" and first.seconds == pytest.approx(0.7 * 12.5)
    plan.ended(first.job, more=False)
    second = taken(plan, 2.0)  # it gave most of it back
    assert second.job.name == "b" and second.seconds == pytest.approx(0.7 * 98 * 3 / 7)
    plan.ended(second.job, more=False)
    last = taken(plan, 20.0)
    assert (last.job.name, last.seconds) == ("c", 80.0)


def test_jobs_of_one_search_share_its_weight() -> None:
    plan = Plan(WEIGHTS, seconds=100, least=1)
    plan.add(job("a"), job("b"), job("c", "ajax", 5))
    assert taken(plan).seconds == pytest.approx(0.7 * 100 * (1 / 4) / 2)


def test_time_is_kept_back_for_what_is_expected() -> None:
    plan = Plan(WEIGHTS, seconds=100, least=1)
    plan.add(job("a"))
    plan.expect(["ajax", "slowdown"])
    assert taken(plan).seconds == pytest.approx(0.7 * 100 / 8)


def test_who_could_go_on_has_a_claim_to_what_is_left() -> None:
    plan = Plan(WEIGHTS, seconds=100, least=1)
    plan.add(job("a", "ajax"), job("b", "orders", 1))
    plan.ended(taken(plan).job, more=True)
    assert taken(plan, 20.0).seconds == pytest.approx(0.7 * 80 * 2 / 5)


def test_once_more_when_all_had_their_turn() -> None:
    plan = Plan(WEIGHTS, seconds=100, least=1)
    plan.add(job("a", "ajax"), job("b", "slowdown", 1))
    first = taken(plan)
    plan.ended(first.job, more=True)
    second = taken(plan, 10.0)
    assert second.job.name == "b"
    plan.ended(second.job, more=False)
    again = taken(plan, 20.0)
    assert (again.job.name, again.again, again.seconds) == ("a", True, 30.0)
    plan.ended(again.job, more=False)
    assert plan.take(30.0) is None and plan.is_idle(30.0)


def test_who_comes_last_when_all_could_go_on() -> None:
    plan = Plan(WEIGHTS, seconds=100)
    plan.add(PlannedSearch(name="a", search="ajax", last=True), job("b", rank=1))
    for _ in range(2):
        plan.ended(taken(plan).job, more=True)
    assert taken(plan, 20.0).job.name == "b"


@pytest.mark.parametrize(("found", "goes_on"), [({}, "b"), ({"a": 3}, "a"), ({"b": 1}, "b")])
def test_further_turns_go_where_time_pays(found: dict[str, int], goes_on: str) -> None:
    plan = Plan(WEIGHTS, seconds=1000)
    plan.add(job("a", "init"), job("b", "slowdown", 1))
    for _ in range(2):
        turn = taken(plan)
        plan.ended(turn.job, more=True, found=found.get(turn.job.name, 0), seconds=30)
    assert taken(plan, 60.0).job.name == goes_on


def test_a_page_that_yields_gets_more_than_another() -> None:
    plan = Plan(WEIGHTS, seconds=5000)
    plan.add(job("start page"), job("settings", rank=1))
    for found in (0, 1):
        plan.ended(taken(plan).job, more=True, found=found, seconds=30)
    assert taken(plan, 60.0).job.name == "settings"


def test_nobody_has_another_turn_while_more_is_expected() -> None:
    plan = Plan(WEIGHTS, seconds=100, workers=2)
    plan.add(job("a"))
    plan.expect(["slowdown"])
    plan.ended(taken(plan).job, more=True)
    assert plan.take(1.0) is None
    plan.expect([])
    assert taken(plan, 2.0).again


def test_what_has_more_to_do_waits_anew() -> None:
    plan = Plan(WEIGHTS, seconds=100)
    plan.add(job("a", "ajax"))
    plan.ended(taken(plan).job, more=True)
    plan.add(job("a", "ajax"))
    assert not taken(plan).again
    with pytest.raises(ValueError, match="under way"):
        plan.add(job("a", "ajax"))


def test_what_is_not_worth_beginning_any_more() -> None:
    plan = Plan(WEIGHTS, seconds=100)
    plan.add(PlannedSearch(name="a", search="orders", least=10), job("b", rank=1))
    turn = taken(plan, 95.0)
    assert turn.job.name == "b"
    plan.ended(turn.job, more=False)
    assert plan.take(96.0) is None and plan.is_idle(96.0) and [each.name for each in plan.waiting] == ["a"]


def test_without_a_bound() -> None:
    plan = Plan(WEIGHTS, seconds=None, workers=2)
    plan.add(job("a"), job("b"))
    assert taken(plan).seconds is None and taken(plan, 1e9).seconds is None


def test_wrong() -> None:
    with pytest.raises(ValueError, match="no weight"):
        Plan(WEIGHTS, seconds=None).add(job("a", "nothing"))
    with pytest.raises(ValueError, match="at least one worker"):
        Plan(WEIGHTS, seconds=None, workers=0)


JOBS = st.lists(
    st.tuples(st.sampled_from(sorted(WEIGHTS)), st.integers(0, 3), st.floats(0, 60), st.floats(0, 40)), max_size=12
)
"""Search, rank, how long it takes until there is nothing left, and when it becomes known."""


@settings(deadline=None)
@given(JOBS, st.floats(1, 200), st.integers(1, 4))
def test_any_check(specs: list[tuple[str, int, float, float]], seconds: float, workers: int) -> None:
    """Played through with jobs that keep to their time."""
    least = 3.0
    plan = Plan(WEIGHTS, seconds=seconds, workers=workers, least=least)
    needs = {f"{n}": need for n, (_, _, need, _) in enumerate(specs)}
    known = sorted((at, n) for n, (_, _, _, at) in enumerate(specs))
    going: list[tuple[float, str, Turn]] = []
    begun: set[str] = set()
    finished: set[str] = set()
    now = 0.0
    for _ in range(2000):
        while known and known[0][0] <= now:
            _, n = known.pop(0)
            plan.add(job(f"{n}", specs[n][0], specs[n][1]))
        best = plan.waiting[0] if plan.waiting else None
        turn = plan.take(now)
        if turn is not None:
            assert turn.seconds is not None
            assert turn.seconds > 0 and now + turn.seconds <= seconds + 1e-6  # never beyond the end
            assert seconds - now >= least
            assert turn.job.name not in finished  # nothing is tried that was tried to the end
            assert best is None or turn.job == best  # the best that waits; others only when none does
            assert turn.again == (turn.job.name in begun)
            begun.add(turn.job.name)
            took = min(turn.seconds, needs[turn.job.name])
            heapq.heappush(going, (now + took, turn.job.name, turn))
            assert len(going) <= workers
            continue
        if len(going) < workers:
            assert plan.is_over(now) or not plan.waiting  # no browser stands idle while something waits
        following = [going[0][0]] if going else []
        following += [known[0][0]] if known else []
        if not following:
            break
        now = max(now, min(following))
        while going and going[0][0] <= now:
            _, name, ended = heapq.heappop(going)
            assert ended.seconds is not None
            needs[name] = max(0.0, needs[name] - ended.seconds)
            if needs[name] <= 1e-9:
                finished.add(name)
            plan.ended(ended.job, more=name not in finished)
    else:
        raise AssertionError("it does not end")
    if not plan.is_over(now):
        assert finished == {f"{n}" for n in range(len(specs))}  # it ends early only when all is done
    untried = {each.name for each in plan.waiting}
    assert untried.isdisjoint(begun) and len(untried) + len(begun) == len(specs)


def test_workers_come_and_go() -> None:
    plan = Plan(WEIGHTS, seconds=100, workers=1, least=1)
    assert not plan.is_short(0)
    plan.add(job("a"), job("b", rank=1), job("c", rank=2))
    assert not plan.is_short(0)  # there is one who has nothing to do
    first = taken(plan)
    assert plan.take(0) is None and plan.is_short(0)
    assert not plan.is_short(99.5)  # nothing is begun any more
    plan.resize(2)
    second = taken(plan)
    assert plan.is_short(0)
    plan.resize(0)  # there is always one
    plan.ended(first.job, more=False)
    assert plan.take(0) is None and plan.is_short(0)
    plan.ended(second.job, more=False)
    assert taken(plan).job.name == "c"
    assert not plan.is_short(0)
