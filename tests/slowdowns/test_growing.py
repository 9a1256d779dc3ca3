"""Which functions are to blame."""

from __future__ import annotations

from jostle.slowdowns.growing import growing, shown


def test_what_grows_is_blamed_by_its_share() -> None:
    series = [{"start": 5, "loop": 10 * n, "inner": 30 * n, "noise": n % 2} for n in range(1, 12)]
    found = growing(series)
    assert [each.function for each in found] == ["inner", "loop"]
    assert (found[0].begin, found[0].end, found[0].share) == (30, 330, 0.75)


def test_a_function_that_comes_in_later_counts_from_nothing() -> None:
    found = growing([{"a": 1} for _ in range(2)] + [{"a": 1, "late": n} for n in range(1, 10)])
    assert [(each.function, each.begin, each.end) for each in found] == [("late", 0, 9)]


def test_nothing_grows() -> None:
    assert growing([{"a": 3}] * 10) == []
    assert growing([{"a": 3}]) == []
    assert growing([{"a": 9 - n} for n in range(9)]) == []


def test_of_many_that_grow_alike_all_are_told_in_the_same_order() -> None:
    series = [{f"f{name}": n for name in range(25)} for n in range(1, 12)]
    found = growing(series)
    assert [each.function for each in found] == sorted(f"f{name}" for name in range(25))
    assert shown(found) == 1
    other = growing([{**counts, "only": 3} for counts in series])
    assert [each.function for each in other] == [each.function for each in found]
