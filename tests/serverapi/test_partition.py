"""The search for the features that tell operations apart."""

from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from jostle.serverapi.partition import Cost, Partition, Row, Rules, best_partition, cost_of

AUTHORS = [
    Row(0, ("author", "alice")),
    Row(0, ("author", "bob")),
    Row(1, ("author", "charlie")),
    Row(1, ("author", "eve")),
]


def test_the_published_table() -> None:
    costs = {keys: cost_of(AUTHORS, keys) for keys in ((), (0,), (1,), (0, 1))}
    assert costs == {(): Cost(0, 1), (0,): Cost(0, 1), (1,): Cost(2, 0), (0, 1): Cost(2, 0)}
    assert best_partition(AUTHORS) == Partition(keys=frozenset({0}), cost=Cost(0, 1), wildcards=1)


def test_one_cluster_in_k_groups_is_split_k_minus_1_times() -> None:
    rows = [Row(0, (value,)) for value in (1, 2, 3, 4)] + [Row(1, (5,)), Row(2, (6,))]
    assert cost_of(rows, (0,)) == Cost(3, 0)
    assert cost_of(rows, ()) == Cost(0, 2)
    assert best_partition(rows).keys == frozenset()


def test_what_is_indistinguishable_is_constant() -> None:
    assert best_partition([Row(0, ("delete", 14)), Row(1, ("publish", 20))]).keys == {0, 1}


def test_equally_good_keys_are_taken_in_order() -> None:
    """Each of the two features alone splits one cluster, and both together split both."""
    rows = [Row(0, ("a", "x")), Row(0, ("b", "x")), Row(1, ("c", "y")), Row(1, ("c", "z"))]
    assert cost_of(rows, (0,)) == cost_of(rows, (1,)) == Cost(1, 0)
    assert cost_of(rows, ()) == Cost(0, 1)
    assert cost_of(rows, (0, 1)) == Cost(2, 0)
    assert best_partition(rows).keys == {0}


def test_no_rows_and_no_features() -> None:
    assert best_partition([]).keys == frozenset()
    assert best_partition([Row(0, ()), Row(1, ())]) == Partition(keys=frozenset(), cost=Cost(0, 1), wildcards=0)


def test_a_search_that_is_cut_short_says_so() -> None:
    rows = [Row(number % 5, tuple(number >> bit & 1 for bit in range(12))) for number in range(0, 4096, 7)]
    cut = best_partition(rows, most_nodes=20)
    assert not cut.exhaustive
    assert cut.cost == cost_of(rows, cut.keys)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Row], Rules]:
    features = draw(st.integers(0, 5))
    values = st.tuples(*(st.integers(0, draw(st.integers(0, 3))) for _ in range(features)))
    rows = draw(st.lists(st.builds(Row, st.integers(0, 3), values), min_size=1, max_size=14))
    roles = [draw(st.sampled_from(("plain", "plain", "always", "never", "reluctant", "dear"))) for _ in range(features)]

    def chosen(role: str) -> frozenset[int]:
        return frozenset(number for number, each in enumerate(roles) if each == role)

    rules = Rules(
        always=chosen("always"),
        never=chosen("never"),
        reluctant=chosen("reluctant"),
        penalties={number: draw(st.sampled_from((1.5, 2.0, 4.5))) for number in chosen("dear")},
    )
    return rows, draw(st.sampled_from((rules, Rules())))


@given(problems())
def test_as_good_as_trying_all(problem: tuple[list[Row], Rules]) -> None:
    rows, rules = problem
    found = best_partition(rows, rules)
    assert found.exhaustive
    assert found.keys == naive(rows, rules)
    assert found.cost == cost_of(rows, found.keys, rules)


@given(problems())
def test_the_closed_form_counts_splits_and_merges(problem: tuple[list[Row], Rules]) -> None:
    rows, _ = problem
    for keys in subsets(range(len(rows[0].values))):
        groups = {row: tuple(row.values[key] for key in keys) for row in rows}
        splits = sum(len({groups[row] for row in rows if row.cluster == c}) - 1 for c in {r.cluster for r in rows})
        merges = sum(len({row.cluster for row in rows if groups[row] == g}) - 1 for g in set(groups.values()))
        assert cost_of(rows, keys) == Cost(splits, merges)


def naive(rows: list[Row], rules: Rules) -> frozenset[int]:
    """The best of all 2^n choices."""
    count = len(rows[0].values)
    allowed = [
        frozenset(keys) for keys in subsets(range(count)) if rules.always <= set(keys) and not rules.never & set(keys)
    ]

    def rank(keys: frozenset[int]) -> tuple[float, int, tuple[int, ...]]:
        unwanted = sum((each in keys) == (each in rules.reluctant) for each in range(count))
        return cost_of(rows, keys, rules).total, unwanted, tuple(int(each not in keys) for each in range(count))

    return min(allowed, key=rank)


def subsets(of: range) -> list[tuple[int, ...]]:
    return list(chain.from_iterable(combinations(of, size) for size in range(len(of) + 1)))
