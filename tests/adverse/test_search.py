"""Aggressive runs, runs past failures, and isolation: the vectors of the paper's port, and all small cases."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.adverse.plan import Failure, Injection, InjectionOutcome, InjectionPlan
from jostle.adverse.search import IsolationResult, basic, extended, isolate, shrunk

Fails = Callable[[frozenset[Injection]], bool]


class Trial:
    """A test of so many actions with checks after some of them; each check fails by what was injected before."""

    def __init__(self, points: int, *checks: tuple[int, Fails], names: str = "abcd") -> None:
        self._points = points
        self._checks = dict(checks)
        self._names = names
        self.plans: list[InjectionPlan] = []

    def __call__(self, plan: InjectionPlan) -> InjectionOutcome:
        self.plans.append(plan)
        done: list[Injection] = []
        for point in range(1, self._points + 1):
            done += [Injection(point, name) for name in self._names if plan.wants(point, name)]
            check = self._checks.get(point)
            if check is not None and check(frozenset(done)):
                failure = Failure(kind="AssertionError", where=f"test.py:{point}", point=point)
                return InjectionOutcome(failure=failure, performed=tuple(done), points=point)
        return InjectionOutcome(performed=tuple(done), points=self._points)


def needs(*pairs: tuple[int, str]) -> Fails:
    return lambda done: {Injection(*pair) for pair in pairs} <= done


def isolated(
    trial: Trial, names: str = "abcd", *, suspects: Sequence[Injection] = (), smallest: bool = False
) -> IsolationResult:
    found = basic(trial, names).failed[0]
    trial.plans.clear()
    return isolate(trial, found.failure, found.performed, suspects=suspects, smallest=smallest)


def test_one_of_four_conditions_at_one_of_eight_points() -> None:
    trial = Trial(8, (8, needs((3, "b"))))
    result = isolated(trial)
    assert result.single == (3, "b")
    assert result.runs == 8
    tried = [({i.condition for i in plan.only or ()}, {i.point for i in plan.only or ()}) for plan in trial.plans]
    every = set(range(1, 9))
    assert tried[:3] == [({"a", "b"}, every), ({"a"}, every), ({"b"}, every)]
    assert tried[3:] == [({"b"}, points) for points in ({5, 6, 7, 8}, {1, 2, 3, 4}, {3, 4}, {4}, {3})]


def test_who_is_suspected_is_tried_first() -> None:
    trial = Trial(8, (8, needs((3, "b"))))
    found = basic(trial, "abcd").failed[0]

    def blamed(*suspects: tuple[int, str]) -> tuple[Injection | None, int]:
        result = isolate(trial, found.failure, found.performed, suspects=[Injection(*each) for each in suspects])
        return result.single, result.runs

    assert blamed((3, "b")) == ((3, "b"), 1)
    assert blamed((2, "a"), (3, "b"), (5, "c")) == ((3, "b"), 2)  # the latest first
    assert blamed((3, "b"), (3, "c")) == ((3, "b"), 1)  # of those at one point the first
    assert blamed((3, "b"), (4, "a"), (5, "c")) == ((3, "b"), 10)  # not too many of them
    assert blamed((9, "b"), (1, "x")) == ((3, "b"), 8)  # who was not there is none


def test_two_points_together_are_a_part() -> None:
    result = isolated(Trial(8, (8, needs((2, "a"), (6, "a")))))
    assert result.single is None
    assert (result.conditions, result.points) == (("a",), tuple(range(1, 9)))
    smaller = isolated(Trial(8, (8, needs((2, "a"), (6, "a")))), smallest=True)
    assert set(smaller.injections) == {(2, "a"), (6, "a")}


def test_two_conditions_together_are_a_part() -> None:
    result = isolated(Trial(8, (8, needs((2, "a"), (6, "b")))))
    assert set(result.conditions) == {"a", "b"}
    assert len(result.injections) == 16
    smaller = isolated(Trial(8, (8, needs((2, "a"), (6, "b")))), smallest=True)
    assert set(smaller.injections) == {(2, "a"), (6, "b")}


def test_runs_past_failures() -> None:
    trial = Trial(
        8, (4, lambda done: any(i.point == 2 for i in done)), (7, lambda done: any(i.point == 6 for i in done))
    )
    searched = extended(trial, "abcd", 8)
    assert [plan.after for plan in trial.plans] == [0, 4, 7]
    assert [each.failure.point for each in searched.failed] == [4, 7]
    assert not searched.flaky


def test_what_fails_without_reason_is_flaky() -> None:
    searched = extended(Trial(8, (4, lambda done: True)), "abcd", 8)
    assert [each.failure.point for each in searched.failed] == [4]
    assert searched.runs == 2
    assert "nothing had happened" in searched.flaky


def test_what_fails_before_the_first_action_is_flaky() -> None:
    searched = extended(lambda plan: InjectionOutcome(failure=Failure(kind="Error")), "a", 3)
    assert not searched.failed
    assert searched.flaky


def test_no_run_after_the_last_point() -> None:
    trial = Trial(4, (4, needs((3, "a"))))
    assert len(extended(trial, "a", 4).failed) == 1
    assert len(trial.plans) == 1


class DeletesSilently:
    """W1: rows are checked at action 2 and deleted at 4; showing the page forgets which, loading it forgets all."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def __call__(self, plan: InjectionPlan) -> InjectionOutcome:
        done: list[Injection] = []
        checked, lost = False, False
        for point in (1, 2, 3, 4):
            checked = checked or point == 2
            before = checked
            for name in self._names:
                if plan.wants(point, name):
                    done.append(Injection(point, name))
                    checked = checked and name not in ("hide", "away", "reload")
            if any(each == (point, "reload") for each in done):
                return InjectionOutcome(
                    failure=self._failure(f"stuck {point}", point), performed=tuple(done), points=point
                )
            if point == 4:
                deleted = before and not lost
                if not deleted:
                    return InjectionOutcome(failure=self._failure("still visible", 4), performed=tuple(done), points=4)
            lost = point >= 2 and not checked
        return InjectionOutcome(performed=tuple(done), points=4)

    def _failure(self, what: str, point: int) -> Failure:
        return Failure(kind="AssertionError", where=what, point=point)


@pytest.mark.parametrize(
    ("names", "found", "blamed", "runs"),
    [
        ([], [], [], []),
        (["hide"], [("still visible", 4, 4)], [(3, "hide")], [3]),
        (["away"], [("still visible", 4, 4)], [(3, "away")], [3]),
        (["resize"], [], [], []),
        (["hide", "away", "resize"], [("still visible", 4, 12)], [(3, "hide")], [4]),
        (["resize", "hide"], [("still visible", 4, 8)], [(3, "hide")], [5]),
        (
            ["reload"],
            [(f"stuck {point}", point, 1) for point in (1, 2, 3, 4)],
            [(point, "reload") for point in (1, 2, 3, 4)],
            [0, 0, 0, 0],
        ),
        (
            ["hide", "away", "reload"],
            [(f"stuck {point}", point, 3) for point in (1, 2, 3, 4)],
            [(point, "reload") for point in (1, 2, 3, 4)],
            [4, 4, 4, 4],
        ),
    ],
)
def test_silent_delete(
    names: list[str], found: list[tuple[str, int, int]], blamed: list[tuple[int, str]], runs: list[int]
) -> None:
    trial = DeletesSilently(names)
    searched = extended(trial, names, 4)
    assert [(each.failure.where, each.failure.point, len(each.performed)) for each in searched.failed] == found
    results = [isolate(trial, each.failure, each.performed) for each in searched.failed]
    assert [each.single for each in results] == blamed
    assert [each.runs for each in results] == runs


pairs = st.tuples(st.integers(1, 6), st.sampled_from("abc")).map(lambda pair: Injection(*pair))
causes = st.lists(st.frozensets(pairs, min_size=1, max_size=2), min_size=1, max_size=3)


@given(causes, st.lists(st.builds(Injection, st.integers(1, 6), st.sampled_from("abc")), max_size=4))
def test_what_is_blamed_fails_and_is_smallest(
    alternatives: list[frozenset[Injection]], suspects: list[Injection]
) -> None:
    def fails(done: frozenset[Injection]) -> bool:
        return any(cause <= done for cause in alternatives)

    trial = Trial(6, (6, fails), names="abc")
    result = isolated(trial, "abc", suspects=suspects, smallest=True)
    blamed = frozenset(result.injections)
    assert fails(blamed)
    assert not any(fails(blamed - {each}) for each in blamed)
    if all(len(cause) == 1 for cause in alternatives):
        assert result.single is not None


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)), max_size=5))
def test_reruns_find_what_single_runs_find(bugs: list[tuple[int, int]]) -> None:
    """A check after point b fails by an injection at a <= b: all checks that some single injection breaks after the
    last failure, and no others."""
    checks: dict[int, set[int]] = {}
    for first, second in bugs:
        checks.setdefault(max(first, second), set()).add(min(first, second))

    def check(causes: set[int]) -> Fails:
        return lambda done: any(each.point in causes for each in done)

    trial = Trial(8, *((point, check(causes)) for point, causes in checks.items()), names="a")
    searched = extended(trial, "a", 8)
    expected, after = [], 0
    for point in sorted(checks):
        if any(cause > after for cause in checks[point]):
            expected.append(point)
            after = point
    assert [each.failure.point for each in searched.failed] == expected
    assert searched.runs <= 9
    assert not searched.flaky


def test_no_time() -> None:
    trial = Trial(8, (8, needs((3, "b"))))
    found = basic(trial, "abcd").failed[0]
    result = isolate(trial, found.failure, found.performed, go_on=lambda: False)
    assert result.cut
    assert result.runs == 0


def test_another_failure_is_not_the_same() -> None:
    trial = Trial(8, (4, needs((3, "a"))), (8, needs((5, "b"))))
    found = basic(trial, "ab").failed[0]
    assert isolate(trial, found.failure, found.performed).single == (3, "a")


@given(st.frozensets(st.integers(0, 11), min_size=1, max_size=4))
def test_shrunk(needed: frozenset[int]) -> None:
    assert set(shrunk(range(12), lambda part: needed <= set(part))) == needed


def test_plan_order() -> None:
    plan = InjectionPlan.of([Injection(1, "b"), Injection(2, "a")], ["a", "b"])
    assert plan.conditions == ("a", "b")
    wanted = [(point, name) for point, name in itertools.product((1, 2), "ab") if plan.wants(point, name)]
    assert wanted == [(1, "b"), (2, "a")]
