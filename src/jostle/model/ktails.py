"""Adapted k-tails: many sequences of micro events become one small state machine that accepts them and more like them.

One sequence at a time is added, then k-equivalent states are merged until there are none left.

*Adding.* The sequences of a machine share their first event, and with it the first transition: the entry. What follows
it is added as new states, and its last item leads to the final state. A sequence that is accepted already adds
nothing: by transitions with the item's micro event whose relation the item's relation satisfies.

*Merging.* A k-tail of a state is a path of k transitions from it. Two states are k-equivalent when
- both have equivalent k-tails: one of the first has the same micro events and relations as one of the second; or
- both are final (there is only one final state here, so that these are merged from the start); or
- both have tails of an equal length less than k that end in the final state, and none that goes on.

The initial state stays by itself, so that a macro begins with the event of its cluster and with no other. (Relations
that are none, which are equivalent to any, stand only at its transition.) The two oldest k-equivalent states are
merged first. Two transitions between the same states with the same micro event become one with the looser of their
relations.

The paper leaves open what sequences share when they are added, and whether states *have equivalent k-tails* when one
is in common or only when all are. Read this way its menu, in whose three uses one item was passed over, gives a machine
that passes over any number, as the paper says it must, and machines of real size have about as many states and
transitions as it reports. If all tails had to be equivalent, the menu's machine would pass over one item at most, and
the others would be three times as large.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from jostle.model.mining import Item
from jostle.model.relation import Relation, looser, satisfies
from jostle.model.usage import MicroEvent

INITIAL, FINAL = 0, 1

Edges = dict[tuple[MicroEvent, int], Relation]
"""Micro event and target of each transition from one state, with the relation it requires."""
_Tail = tuple[Item, ...]
_Tails = tuple[set[_Tail], set[int]]
"""The k-tails of a state, and the lengths below k at which a path from it ends."""


def k_tails(sequences: Iterable[Sequence[Item]], k: int = 2) -> dict[int, Edges]:
    """The transitions of each state of the machine, by its number; `INITIAL` and `FINAL` are always among them."""
    machine = _Machine(k)
    for sequence in sequences:
        if not machine.accepts(sequence):
            machine.add(sequence)
            machine.merge_equivalent()
    return machine.edges


class _Machine:
    def __init__(self, k: int) -> None:
        self._k = k
        self.edges: dict[int, Edges] = {INITIAL: {}, FINAL: {}}
        self._count = 2

    def accepts(self, items: Sequence[Item]) -> bool:
        reached = {INITIAL}
        for item in items:
            reached = self._following(reached, item)
        return FINAL in reached

    def add(self, items: Sequence[Item]) -> None:
        """A sequence of two or more items."""
        entered = self._following({INITIAL}, items[0]) - {FINAL}
        state, rest = (min(entered), items[1:]) if entered else (INITIAL, items)
        for item in rest[:-1]:
            self._connect(state, item.event, self._count, item.relation)
            state = self._count
            self.edges[state] = {}
            self._count += 1
        self._connect(state, rest[-1].event, FINAL, rest[-1].relation)

    def merge_equivalent(self) -> None:
        while pair := self._equivalent_pair():
            self._merge(*pair)

    def _following(self, states: Iterable[int], item: Item) -> set[int]:
        return {
            target
            for state in states
            for (event, target), required in self.edges[state].items()
            if event == item.event and satisfies(item.relation, required)
        }

    def _connect(self, source: int, event: MicroEvent, target: int, relation: Relation) -> None:
        edges = self.edges[source]
        known = edges.get((event, target))
        edges[event, target] = relation if known is None else looser(known, relation)

    def _equivalent_pair(self) -> tuple[int, int] | None:
        tails = {state: self._tails(state) for state in sorted(self.edges) if state not in (INITIAL, FINAL)}
        pairs = combinations(tails, 2)
        return next((pair for pair in pairs if _equivalent(tails[pair[0]], tails[pair[1]])), None)

    def _merge(self, kept: int, gone: int) -> None:
        moved = {state: kept if state == gone else state for state in self.edges}
        before = self.edges
        self.edges = {state: {} for state in before if state != gone}
        for source, edges in before.items():
            for (event, target), relation in edges.items():
                self._connect(moved[source], event, moved[target], relation)

    def _tails(self, state: int) -> _Tails:
        paths: set[tuple[_Tail, int]] = {((), state)}
        ends: set[int] = set()
        for length in range(1, self._k + 1):
            paths = {
                ((*tail, Item(event, relation)), target)
                for tail, at in paths
                for (event, target), relation in self.edges[at].items()
            }
            if length < self._k and any(at == FINAL for _, at in paths):
                ends.add(length)
        return {tail for tail, _ in paths}, ends


def _equivalent(one: _Tails, other: _Tails) -> bool:
    (tails, ends), (other_tails, other_ends) = one, other
    if tails or other_tails:
        return not tails.isdisjoint(other_tails)
    return not ends.isdisjoint(other_ends)
