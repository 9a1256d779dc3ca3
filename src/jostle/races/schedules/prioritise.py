"""Which feasible order first (WAVE).

- precedence first: the order with most pairs (p before q) that no order so far has had;
- adjacency first: the same with pairs that follow each other immediately;
- random: any.

Pairs that the run itself has count as had. When there are no new pairs any more, it begins anew: all are new again.

If the orders are few they are all candidates, as in the paper. If they are many, the candidates for each pick are some
at random and some that were made to have many new pairs; so the work for a pick is bounded. Which orders are picked
depends on nothing but the seed. No order is picked twice, nor that of the run.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from random import Random

from jostle.races.schedules.linear_extensions import LinearExtensions, Order

FEW = 2_000
"""So many orders, at most, are all compared with each other."""
CANDIDATES = 8
"""Otherwise, so many are compared for each pick."""
LOOK = 64
"""So many possible operations, at most, are compared for each place when an order is made."""
VAIN = 50
"""After so many candidates that all have been picked before, there are taken to be no more."""


class Priority(StrEnum):
    PRECEDENCE = "precedence"
    ADJACENCY = "adjacency"
    RANDOM = "random"


def prioritised(extensions: LinearExtensions, strategy: Priority, *, seed: int = 0) -> Iterator[Order]:
    """The feasible orders but for that of the run (0, 1, 2 ...), the most promising first; lazily."""
    random = Random(seed)
    size = len(extensions.before)
    original = tuple(range(size))
    number = extensions.count()
    pairs: _Pairs | None = None
    if strategy is not Priority.RANDOM:
        pairs = _Precedence(size) if strategy is Priority.PRECEDENCE else _Adjacency(size)
        pairs.cover(original)
    if number is not None and number <= FEW:
        return _few([order for order in extensions if order != original], pairs, random)
    return _many(extensions, original, pairs, random)


def _few(orders: list[Order], pairs: _Pairs | None, random: Random) -> Iterator[Order]:
    random.shuffle(orders)  # so that nothing but the seed decides among equals
    if pairs is None:
        yield from orders
        return
    while orders:
        gain, place = max((pairs.gain(order), -place) for place, order in enumerate(orders))
        if gain == 0 and pairs.forget():
            continue
        order = orders.pop(-place)
        pairs.cover(order)
        yield order


def _many(extensions: LinearExtensions, original: Order, pairs: _Pairs | None, random: Random) -> Iterator[Order]:
    picked = {hash(original)}
    vain = 0
    while vain < VAIN:
        candidates = [extensions.sample(random) for _ in range(CANDIDATES // 2 if pairs else 1)]
        if pairs is not None:
            candidates += [_made(extensions, pairs, random) for _ in range(CANDIDATES - len(candidates))]
        candidates = [order for order in dict.fromkeys(candidates) if hash(order) not in picked]
        if not candidates:
            vain += 1
            continue
        vain = 0
        best = candidates[0]
        if pairs is not None:
            gains = [pairs.gain(order) for order in candidates]
            if not any(gains) and pairs.forget():
                continue
            best = candidates[gains.index(max(gains))]
            pairs.cover(best)
        picked.add(hash(best))
        yield best


def _made(extensions: LinearExtensions, pairs: _Pairs, random: Random) -> Order:
    """An order in which each operation is, of some that are possible, the one with most new pairs."""
    last = -1

    def choose(possible: Sequence[int], left: int) -> int:
        nonlocal last
        looked_at = range(len(possible)) if len(possible) <= LOOK else random.sample(range(len(possible)), LOOK)
        _, _, place = max((pairs.gain_of_next(last, possible[n], left), random.random(), n) for n in looked_at)
        last = possible[place]
        return place

    return extensions.walk(choose)


class _Pairs(ABC):
    """Pairs of operations that orders have had: for each operation the set of those that came later, or next."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._had = [0] * size
        self._fresh = True

    @abstractmethod
    def _followers(self, order: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Each operation of an order with the set of operations it makes a pair with."""

    @abstractmethod
    def gain_of_next(self, last: int, operation: int, left: int) -> int:
        """How many new pairs there are if an operation comes next behind the last one (-1: it is the first), with these
        (itself among them) left to come."""

    def gain(self, order: Sequence[int]) -> int:
        """How many new pairs an order has."""
        return sum((followers & ~self._had[first]).bit_count() for first, followers in self._followers(order))

    def cover(self, order: Sequence[int]) -> None:
        for first, followers in self._followers(order):
            self._had[first] |= followers
        self._fresh = False

    def forget(self) -> bool:
        """Let all pairs be new again; False if they are."""
        if self._fresh:
            return False
        self._had = [0] * self._size
        self._fresh = True
        return True


class _Precedence(_Pairs):
    def _followers(self, order: Sequence[int]) -> Iterator[tuple[int, int]]:
        later = 0
        for operation in reversed(order):
            yield operation, later
            later |= 1 << operation

    def gain_of_next(self, last: int, operation: int, left: int) -> int:
        return (left & ~(1 << operation) & ~self._had[operation]).bit_count()


class _Adjacency(_Pairs):
    def _followers(self, order: Sequence[int]) -> Iterator[tuple[int, int]]:
        for first, second in pairwise(order):
            yield first, 1 << second

    def gain_of_next(self, last: int, operation: int, left: int) -> int:
        return 0 if last < 0 else 1 - (self._had[last] >> operation & 1)
