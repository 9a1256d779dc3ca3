"""Which order first."""

from __future__ import annotations

from itertools import combinations, islice, pairwise
from random import Random

import pytest

from jostle.races.schedules.linear_extensions import LinearExtensions
from jostle.races.schedules.prioritise import Priority, prioritised

FIGURE_1 = [0b0000, 0b0001, 0b0001, 0b0001]
"""p1 before all; p2, p3 and e1 are not ordered."""


def test_precedence_first_takes_the_order_with_most_new_pairs() -> None:
    """WAVE: of p1 p2 e1 p3, p1 p3 p2 e1 and p1 e1 p3 p2 the last, which has three."""
    for seed in range(5):
        orders = list(prioritised(LinearExtensions(FIGURE_1), Priority.PRECEDENCE, seed=seed))
        assert orders[0] == (0, 3, 2, 1)
        assert len(set(orders)) == len(orders) == 5
        assert (0, 1, 2, 3) not in orders


def test_adjacency_first() -> None:
    orders = list(prioritised(LinearExtensions(FIGURE_1), Priority.ADJACENCY))
    had = set(pairwise((0, 1, 2, 3)))
    assert len(set(pairwise(orders[0])) - had) == 3
    assert len(set(orders)) == 5


@pytest.mark.parametrize("strategy", list(Priority))
@pytest.mark.parametrize("countable", [20_000, 0])
def test_no_order_twice_and_the_same_with_the_same_seed(strategy: Priority, countable: int) -> None:
    def orders(seed: int, number: int = 1000) -> list[tuple[int, ...]]:
        extensions = LinearExtensions([0, 0, 0, 0b1, 0b100], countable=countable)
        return list(islice(prioritised(extensions, strategy, seed=seed), number))

    every = set(LinearExtensions([0, 0, 0, 0b1, 0b100])) - {(0, 1, 2, 3, 4)}
    for seed in (1, 2):
        found = orders(seed)
        assert len(set(found)) == len(found)
        assert set(found) <= every
        assert set(found) == every or (countable == 0 and len(found) > len(every) // 2)
    assert orders(1) == orders(1)
    assert orders(1) != orders(2)


@pytest.mark.parametrize(("strategy", "pairs"), [(Priority.PRECEDENCE, combinations), (Priority.ADJACENCY, None)])
def test_greedy_covers_more_than_chance(strategy: Priority, pairs: object) -> None:
    random = Random(0)
    before: list[int] = []
    for number in range(30):
        earlier = random.sample(range(number), min(number, 1)) if random.random() < 0.5 else []
        before.append(sum(before[each] | 1 << each for each in earlier))

    def covered(by: Priority) -> int:
        had: set[tuple[int, int]] = set()
        for order in islice(prioritised(LinearExtensions(before), by, seed=5), 4):
            had |= set(combinations(order, 2) if pairs else pairwise(order))
        return len(had)

    assert covered(strategy) > covered(Priority.RANDOM)


def test_precedence_first_covers_all_pairs_with_the_first_order_when_nothing_is_ordered() -> None:
    (order,) = islice(prioritised(LinearExtensions([0] * 60), Priority.PRECEDENCE), 1)
    assert order == tuple(reversed(range(60)))
