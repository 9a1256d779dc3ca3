"""The feasible orders of the operations of a run (WAVE): all that keep what happens before what, and the user's order.

Their number is factorial, so they are never all in memory: they are enumerated lazily, each exactly once, or drawn at
random. Operations are numbers, their places in the run; sets of them are the bits of an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

Order = tuple[int, ...]
Choose = Callable[[Sequence[int], int], int]
"""Chooses one of the operations that are possible, by its place; given also the set of those that are left."""

FEW_OPERATIONS = 200
"""Orders of more operations than this are not counted."""
MIXING = 20_000
"""Exchanges of neighbours, at most, that make an order random when the orders are too many to be counted."""


class LinearExtensions:
    """All orders of operations in which each comes behind those in its set.

    `before[n]` is the set of all operations that must come before n, as `Causality.sets` has them: they are earlier in
    the run, and who is before one of them is in it too. Iterating begins with the order of the run.
    """

    def __init__(self, before: Sequence[int], *, countable: int = 20_000) -> None:
        """Orders are counted by way of the sets with which they can begin, if those are at most `countable`."""
        self.before = tuple(before)
        self._size = len(self.before)
        self._all = (1 << self._size) - 1
        self._countable = countable
        self._counts: dict[int, int] | None = None
        self._counted = False
        # Who comes immediately after whom, without what follows from the rest.
        self._after: list[list[int]] = [[] for _ in self.before]
        self._waits = [0] * self._size
        for operation, earlier in enumerate(self.before):
            while earlier:
                latest = earlier.bit_length() - 1
                self._after[latest].append(operation)
                self._waits[operation] += 1
                earlier &= ~(self.before[latest] | 1 << latest)

    def __iter__(self) -> Iterator[Order]:
        """Each order once, in lexical order. The work between two orders is bounded by the number of operations."""
        chosen: list[int] = []
        done = 0
        choices = [self._possible(done)]
        while choices:
            if len(chosen) == self._size:
                yield tuple(chosen)
            following = next(choices[-1], None) if len(chosen) < self._size else None
            if following is not None:
                chosen.append(following)
                done |= 1 << following
                choices.append(self._possible(done))
            else:
                choices.pop()
                if chosen:
                    done ^= 1 << chosen.pop()

    def __contains__(self, order: Sequence[int]) -> bool:
        done = 0
        for operation in order:
            if not 0 <= operation < self._size or done >> operation & 1 or self.before[operation] & ~done:
                return False
            done |= 1 << operation
        return done == self._all

    def count(self) -> int | None:
        """How many there are; None when there are too many sets with which they can begin."""
        counts = self._table()
        return None if counts is None else counts[0]

    def sample(self, random: Random) -> Order:
        """One of them at random: all are equally likely if they can be counted. If not, one chosen step by step and
        then mixed by exchanging neighbours, the stationary distribution of which is uniform."""
        counts = self._table()
        if counts is None:
            order = list(self.walk(lambda possible, left: random.randrange(len(possible))))
            self._mix(order, random)
            return tuple(order)

        def choose(possible: Sequence[int], left: int) -> int:
            done = self._all & ~left
            ways = [counts[done | 1 << operation] for operation in possible]
            return random.choices(range(len(possible)), ways)[0]

        return self.walk(choose)

    def walk(self, choose: Choose) -> Order:
        """An order made step by step: of what is possible one is chosen, by its place among them."""
        waits = list(self._waits)
        possible = [operation for operation, number in enumerate(waits) if number == 0]
        left = self._all
        order: list[int] = []
        while possible:
            place = choose(possible, left)
            operation = possible[place]
            possible[place] = possible[-1]
            possible.pop()
            order.append(operation)
            left ^= 1 << operation
            for later in self._after[operation]:
                waits[later] -= 1
                if waits[later] == 0:
                    possible.append(later)
        return tuple(order)

    def _mix(self, order: list[int], random: Random) -> None:
        if self._size < 2:
            return
        for _ in range(min(MIXING, self._size**3)):
            place = random.randrange(self._size - 1)
            first, second = order[place], order[place + 1]
            if random.random() < 0.5 and not self.before[second] >> first & 1:
                order[place], order[place + 1] = second, first

    def _possible(self, done: int) -> Iterator[int]:
        """What can come next, in the order of the run."""
        # Lazily: only as far as is asked for.
        for operation in _members(self._all & ~done):
            if not self.before[operation] & ~done:
                yield operation

    def _table(self) -> dict[int, int] | None:
        """For each set with which orders can begin, in how many ways they can go on."""
        if self._counted:
            return self._counts
        self._counted = True
        if self._size > FEW_OPERATIONS:
            return None
        layers: list[dict[int, tuple[int, ...]]] = [{0: ()}]
        known = 1
        for _ in range(self._size):
            layer: dict[int, tuple[int, ...]] = {}
            for done in layers[-1]:
                following = tuple(done | 1 << operation for operation in self._possible(done))
                layers[-1][done] = following
                layer |= dict.fromkeys(following, ())
                if known + len(layer) > self._countable:
                    return None
            known += len(layer)
            layers.append(layer)
        counts = {self._all: 1}
        for layer in reversed(layers[:-1]):
            for done, following in layer.items():
                counts[done] = sum(counts[each] for each in following)
        self._counts = counts
        return counts


def _members(operations: int) -> Iterator[int]:
    while operations:
        lowest = operations & -operations
        yield lowest.bit_length() - 1
        operations ^= lowest
