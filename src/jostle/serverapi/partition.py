"""Which features of requests tell operations apart: the search for the cheapest partition.

Requests of one signature have the same features; each has a value for every feature. Choosing some features as *keys*
groups the requests by their values there. The other features become wildcards. The grouping is judged by how far it is
from a given clustering (of the responses): with m clusters, n groups, and c pairs of a cluster and a group that meet,

    splits = c - m        merges = c - n        cost = splits + merges (+ penalties of wildcards)

The cheapest wins; among equals the one with fewer wildcards, then the one whose keys come first in the order of
features. (Features that people fill in are different: of those, fewer keys are better among equals.)
All of this is about which rows are there, not how often.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_NODES = 50_000
"""Of the search tree, for one signature. Traffic that needs more was made to need it."""


class Row(NamedTuple):
    """A request: the cluster of its response, and the value of each feature."""

    cluster: int
    values: tuple[Hashable, ...]


class Cost(NamedTuple):
    """What a grouping costs."""

    splits: int
    merges: int
    penalty: float = 0

    @property
    def total(self) -> float:
        return self.splits + self.merges + self.penalty


@dataclass(frozen=True, kw_only=True)
class Partition:
    """The features that are keys, and what that costs."""

    keys: frozenset[int]
    cost: Cost
    wildcards: int
    exhaustive: bool = True
    """Whether no other choice can be better; otherwise the search was cut short."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What else is known of features, by their position."""

    always: frozenset[int] = frozenset()
    """Keys whatever they cost."""
    never: frozenset[int] = frozenset()
    """Wildcards whatever that costs."""
    penalties: dict[int, float] = field(default_factory=dict)
    """What a feature costs as a wildcard."""
    reluctant: frozenset[int] = frozenset()
    """Keys only if that is cheaper. Among equals the others are rather keys, and these are rather wildcards."""


NO_RULES = Rules()


def cost_of(rows: Iterable[Row], keys: Collection[int], rules: Rules = NO_RULES) -> Cost:
    """What grouping the rows by these features costs."""
    chosen = sorted(keys)
    clusters, groups, cells = set(), set(), set()
    for row in rows:
        group = tuple(row.values[key] for key in chosen)
        clusters.add(row.cluster)
        groups.add(group)
        cells.add((row.cluster, group))
    penalty = sum(cost for feature, cost in rules.penalties.items() if feature not in keys)
    return Cost(len(cells) - len(clusters), len(cells) - len(groups), penalty)


def best_partition(rows: Iterable[Row], rules: Rules = NO_RULES, *, most_nodes: int = MOST_NODES) -> Partition:
    """The cheapest partition; all rows have values for the same features.

    Exact, without trying all 2^n: a feature with one value is always a key (it is free, and one wildcard less);
    features that tell the same rows apart are decided together; and since splits never get fewer with more keys, a
    branch ends where they alone cost more than the best so far.
    """
    return _Search(list(dict.fromkeys(rows)), rules, most_nodes).run()


class _Class(NamedTuple):
    """Features that tell the same rows apart."""

    features: tuple[int, ...]
    ids: tuple[int, ...]
    """Equal for rows with equal values, one for each row."""
    penalty: float
    reluctant: bool


Rank = tuple[float, int, tuple[int, ...]]


class _Search:
    def __init__(self, rows: Sequence[Row], rules: Rules, most_nodes: int) -> None:
        self._features = len(rows[0].values) if rows else 0
        self._rules = rules
        self._clusters = _ids([row.cluster for row in rows])
        self._cluster_count = max(self._clusters, default=-1) + 1
        self._nodes_left = most_nodes
        self._fixed: set[int] = set()
        self._start: tuple[int, ...] = (0,) * len(rows)
        self._wild_at_least = 0
        self._penalty_at_least = 0.0
        by_ids: dict[tuple[tuple[int, ...], bool], list[int]] = {}
        for feature in range(self._features):
            ids = _ids([row.values[feature] for row in rows])
            if feature in rules.never:
                self._wild_at_least += 1
                self._penalty_at_least += rules.penalties.get(feature, 0)
            elif feature in rules.always or (max(ids, default=0) == 0 and feature not in rules.reluctant):
                self._fixed.add(feature)
                self._start = _refined(self._start, ids)
            else:
                by_ids.setdefault((ids, feature in rules.reluctant), []).append(feature)
        classes = [
            _Class(tuple(same), ids, sum(rules.penalties.get(feature, 0) for feature in same), reluctant)
            for (ids, reluctant), same in by_ids.items()
        ]
        # Those with many values first: as keys they split most, so their branches end soonest.
        self._classes = sorted(classes, key=lambda each: (-max(each.ids), each.features))
        self._best: Rank | None = None
        self._best_keys: frozenset[int] = frozenset()
        self._best_cost = Cost(0, 0)

    def run(self) -> Partition:
        self._visit(0, self._start, (), self._penalty_at_least, self._wild_at_least)
        wildcards = self._features - len(self._best_keys)
        return Partition(
            keys=self._best_keys, cost=self._best_cost, wildcards=wildcards, exhaustive=self._nodes_left >= 0
        )

    def _visit(self, depth: int, groups: tuple[int, ...], keys: tuple[int, ...], penalty: float, wild: int) -> None:
        self._nodes_left -= 1
        if self._nodes_left < 0 and self._best is not None:
            return
        cells = len(set(zip(self._clusters, groups, strict=True)))
        splits = cells - self._cluster_count
        if self._best is not None and (splits + penalty, wild) > self._best[:2]:
            return
        if depth == len(self._classes):
            self._judge(groups, cells, keys, penalty, wild)
            return
        one = self._classes[depth]
        as_wild, as_key = (0, len(one.features)) if one.reluctant else (len(one.features), 0)
        self._visit(depth + 1, groups, keys, penalty + one.penalty, wild + as_wild)
        self._visit(depth + 1, _refined(groups, one.ids), (*keys, *one.features), penalty, wild + as_key)

    def _judge(self, groups: tuple[int, ...], cells: int, keys: tuple[int, ...], penalty: float, wild: int) -> None:
        cost = Cost(cells - self._cluster_count, cells - len(set(groups)), penalty)
        chosen = self._fixed.union(keys)
        order = tuple(int(feature not in chosen) for feature in range(self._features))
        rank = (cost.total, wild, order)
        if self._best is None or rank < self._best:
            self._best, self._best_keys, self._best_cost = rank, frozenset(chosen), cost


def _ids(values: Sequence[Hashable]) -> tuple[int, ...]:
    """A number for each value, equal for equal values, in the order in which they first appear."""
    numbers: dict[Hashable, int] = {}
    return tuple([numbers.setdefault(value, len(numbers)) for value in values])


def _refined(groups: tuple[int, ...], ids: tuple[int, ...]) -> tuple[int, ...]:
    return _ids(list(zip(groups, ids, strict=True)))
