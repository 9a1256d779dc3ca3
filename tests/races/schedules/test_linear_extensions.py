"""Feasible orders: each once, all of them, and at random."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise, permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.races.schedules.linear_extensions import LinearExtensions


@st.composite
def relations(draw: st.DrawFn) -> list[int]:
    """For each operation those before it, all of them earlier."""
    sets: list[int] = []
    for number in range(draw(st.integers(0, 7))):
        before = 0
        for earlier in range(number):
            if draw(st.integers(0, 3)) == 0:
                before |= sets[earlier] | 1 << earlier
        sets.append(before)
    return sets


@settings(max_examples=60, deadline=None)
@given(relations(), st.integers(0, 99))
def test_each_order_once_and_all_of_them(before: list[int], seed: int) -> None:
    expected = [
        order
        for order in permutations(range(len(before)))
        if all(before[second] & sum(1 << later for later in order[place:]) == 0 for place, second in enumerate(order))
    ]
    extensions = LinearExtensions(before)
    assert list(extensions) == expected, "in lexical order"
    assert extensions.count() == len(expected)
    assert all(order in extensions for order in expected[:5])
    assert extensions.sample(Random(seed)) in set(expected)
    uncounted = LinearExtensions(before, countable=0)
    assert uncounted.count() is (None if before else 1)
    assert uncounted.sample(Random(seed)) in set(expected)


def test_what_is_no_feasible_order() -> None:
    extensions = LinearExtensions([0, 1, 0])
    for order in ((1, 0, 2), (0, 1), (0, 1, 1), (0, 1, 2, 3), (0, 0, 1, 2)):
        assert order not in extensions


def test_thousands_of_operations_are_no_problem_before_all_orders_are_asked_for() -> None:
    before = [0] * 3000
    extensions = LinearExtensions(before)
    first, second = islice(extensions, 2)
    assert first == tuple(range(3000))
    assert second == (*range(2998), 2999, 2998)
    assert extensions.count() is None
    order = extensions.sample(Random(1))
    assert order in extensions
    assert sum(one > two for one, two in pairwise(order)) > 1000, "it is not nearly the first"


def test_all_orders_are_equally_likely() -> None:
    before = [0, 0b1, 0, 0b100]  # two chains of two: 6 orders
    for countable in (20_000, 0):
        extensions = LinearExtensions(before, countable=countable)
        random = Random(7)
        counts = Counter(extensions.sample(random) for _ in range(1200))
        assert len(counts) == 6
        assert all(140 < number < 260 for number in counts.values())


def test_the_same_seed_gives_the_same_order() -> None:
    extensions = LinearExtensions([0] * 40)
    assert extensions.sample(Random(3)) == extensions.sample(Random(3)) != extensions.sample(Random(4))
