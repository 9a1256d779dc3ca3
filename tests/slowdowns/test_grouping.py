"""Which pairs are told together."""

from __future__ import annotations

from collections.abc import Sequence

from jostle.events import State
from jostle.slowdowns.alternate import Ended, Sample, Trial
from jostle.slowdowns.grouping import by_root_cause
from jostle.slowdowns.history import Action, Pair
from jostle.slowdowns.verdict import PairJudgement, judge


def pair(cause: str, effect: str, state: str = "s") -> Pair:
    return Pair(Action(cause, State(state), State(state)), Action(effect, State(state), State(state)))


def slow(each: Pair, *, slope: float = 5, between: Sequence[str] = (), alone: bool = False) -> PairJudgement:
    samples = [Sample(n, 10 + slope * n) for n in range(20)]
    control = [Sample(19, 105 + (slope if alone else 0) * n) for n in range(1, 5)]
    trial = Trial(pair=each, samples=samples, ended=Ended.FULL, between=frozenset(between), control=control)
    return judge(trial)


def names(verdicts: Sequence[PairJudgement]) -> list[list[str]]:
    return [[str(each.pair) for each in root.verdicts] for root in by_root_cause(verdicts)]


def test_the_other_way_round_and_elsewhere() -> None:
    verdicts = [slow(pair("a", "b")), slow(pair("b", "a")), slow(pair("a", "b", "t")), slow(pair("c", "d"))]
    first, second = by_root_cause(verdicts)
    assert [str(each.pair) for each in first.inverse] == ["b → a"]
    assert [each.pair for each in (first.main, *first.duplicates)] == [pair("a", "b"), pair("a", "b", "t")]
    assert second.verdicts == (verdicts[3],)


def test_several_causes_that_do_it_alone_are_several() -> None:
    assert names([slow(pair("a", "e")), slow(pair("b", "e"))]) == [["a → e"], ["b → e"]]


def test_what_was_only_shown_together_with_another_cause() -> None:
    assert names([slow(pair("type", "e"), between=["add"]), slow(pair("add", "e"))]) == [["add → e", "type → e"]]


def test_an_effect_that_makes_itself_slower_explains_what_adds_nothing() -> None:
    assert names([slow(pair("a", "e"), alone=True), slow(pair("e", "e"))]) == [["e → e", "a → e"]]
    assert names([slow(pair("a", "e")), slow(pair("e", "e"))]) == [["a → e", "e → e"]]
    assert names([slow(pair("a", "e"), slope=20), slow(pair("e", "e"))]) == [["a → e"], ["e → e"]]


def test_growing_functions_decide_where_they_are_known() -> None:
    one, two, three = slow(pair("a", "e")), slow(pair("b", "f")), slow(pair("b", "e"))
    growing = {one.pair: ["draw", "sort"], two.pair: ["draw", "sort", "log"], three.pair: ["count"]}
    roots = by_root_cause([one, two, three], growing)
    assert [[str(each.pair) for each in root.verdicts] for root in roots] == [["a → e", "b → f"], ["b → e"]]
    assert roots[0].functions == {"draw", "sort", "log"}
    assert len(by_root_cause([one, slow(pair("e", "a"))], {one.pair: ["x"], pair("e", "a"): ["y"]})) == 2


def test_what_was_refuted_is_no_root() -> None:
    refuted = judge(Trial(pair=pair("a", "b"), samples=[Sample(n, 5) for n in range(5)], ended=Ended.STOPPED))
    assert by_root_cause([refuted]) == []


def test_a_growth_that_has_an_end_beyond_where_another_was_left_is_that_ones_too() -> None:
    capped = [Sample(n, 10 + 5 * min(50, n)) for n in (*range(20), *range(20, 120, 5))]
    bounded = judge(Trial(pair=pair("a", "b", "t"), samples=capped, ended=Ended.FULL))
    assert bounded.levelled is not None
    [root] = by_root_cause([slow(pair("a", "b")), bounded])
    assert root.main is bounded and [each.pair for each in root.duplicates] == [pair("a", "b")]
