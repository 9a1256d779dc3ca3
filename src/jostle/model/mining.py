"""Closed frequent subsequences of usage traces, whose consecutive entries are related.

An *item* is a micro event with the relation of its element to the element of the item before it; the first item of a
sequence has the relation none. A sequence *occurs* at positions p1 < p2 < ... of a piece when the entries there have
its micro events, and each entry after the first has exactly the item's relation, which is never none, to the entry at
the position before. Whatever lies between the positions is skipped as noise.

The *support* of a sequence is the greatest number of its occurrences, over all pieces, no two of which overlap: one
ends before the next begins. In pieces that hold it once this is the number of pieces, as in CloSpan; but a habit that
is repeated on a page which never changes its URL counts too ("contained at least twice in each recorded trace").
A sequence is never more frequent than a sequence it begins with, so that growing item by item finds all of them.

A sequence *contains* another when all items of the other are among its own in the same order, items being equal when
their micro events are equal and the relations are equal or one of them is none. A frequent sequence is *closed* when
no longer frequent sequence of the same support contains it. Only sequences of the asked lengths are looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from jostle.model.relation import FAMILY_DISTANCE, Relation, relation
from jostle.model.usage import MicroEvent, UsageEntry


class Item(msgspec.Struct, frozen=True, order=True, cache_hash=True):
    """A micro event with its relation to the one before it."""

    event: MicroEvent
    relation: Relation = Relation.NONE

    def __str__(self) -> str:
        return str(self.event) if self.relation is Relation.NONE else f"{self.event} ({self.relation.value})"


class Frequent(msgspec.Struct, frozen=True):
    """A sequence of items with its support."""

    items: tuple[Item, ...]
    support: int


def frequent(
    pieces: Iterable[Sequence[UsageEntry]],
    *,
    support: int,
    length_min: int = 2,
    length_max: int = 10,
    distance: int = FAMILY_DISTANCE,
) -> Iterator[Frequent]:
    """Every sequence of the asked lengths that occurs at least `support` times, the shorter ones first."""
    search = _Search(frequent_entries(pieces, support), support, distance)
    level = search.beginnings()
    for length in range(1, length_max + 1):
        grown = []
        for sequence, occurrences in level:
            if length >= length_min:
                yield sequence
            grown.append((sequence, occurrences))
        level = search.grow(grown)


def frequent_entries(pieces: Iterable[Sequence[UsageEntry]], support: int) -> list[list[UsageEntry]]:
    """The pieces without the entries whose micro event is too rare to be part of a frequent sequence."""
    kept = [list(piece) for piece in pieces]
    counts = Counter(entry.event for piece in kept for entry in piece)
    return [[entry for entry in piece if counts[entry.event] >= support] for piece in kept]


# Where a sequence occurs: for each position at which it can end, the latest at which it then can begin. In the order
# of falling beginnings. Of the same element later, only the next occurrence is ever needed: an occurrence that ends
# later without beginning later can be exchanged for one that ends earlier, and whatever follows it still follows.
_Occurrences = Mapping[int, int]
_Extension = tuple[Item, int, _Occurrences]


class _Search:
    """Positions are counted through all pieces; nothing reaches from one piece into another."""

    def __init__(self, pieces: Sequence[Sequence[UsageEntry]], support: int, distance: int) -> None:
        self._support = support
        self._items: dict[tuple[MicroEvent, Relation], Item] = {}
        self._starts: defaultdict[Item, list[int]] = defaultdict(list)
        self._following: list[list[tuple[Item, int]]] = []
        for piece in pieces:
            self._following += reversed(list(self._followers(piece, len(self._following), distance)))

    def _followers(self, piece: Sequence[UsageEntry], offset: int, distance: int) -> Iterator[list[tuple[Item, int]]]:
        """For each entry, from the last to the first, the items that can follow it and where each is met next."""
        upcoming: dict[tuple[MicroEvent, str], int] = {}
        relations: dict[tuple[str, str], Relation] = {}
        for position in range(len(piece) - 1, -1, -1):
            entry = piece[position]
            followers = []
            for (event, xpath), later in upcoming.items():
                pair = entry.xpath, xpath
                related = relations.get(pair)
                if related is None:
                    related = relations[pair] = relation(*pair, distance)
                if related is not Relation.NONE:
                    followers.append((self._item(event, related), later))
            yield followers
            upcoming[entry.event, entry.xpath] = offset + position
            self._starts[self._item(entry.event, Relation.NONE)].append(offset + position)

    def _item(self, event: MicroEvent, related: Relation) -> Item:
        """Equal items are one object."""
        return self._items.setdefault((event, related), Item(event, related))

    def beginnings(self) -> Iterator[tuple[Frequent, _Occurrences]]:
        for item, positions in self._starts.items():
            positions.sort(reverse=True)
            if len(positions) >= self._support:
                yield Frequent((item,), len(positions)), dict(zip(positions, positions, strict=True))

    def grow(self, sequences: Iterable[tuple[Frequent, _Occurrences]]) -> Iterator[tuple[Frequent, _Occurrences]]:
        """The sequences with one more item. Those that occur at the same places are extended alike."""
        known: dict[tuple[tuple[int, int], ...], list[_Extension]] = {}
        for sequence, occurrences in sequences:
            key = tuple(occurrences.items())
            if key not in known:
                known[key] = self._extend(occurrences)
            for item, support, extended in known[key]:
                yield Frequent((*sequence.items, item), support), extended

    def _extend(self, occurrences: _Occurrences) -> list[_Extension]:
        found: dict[Item, dict[int, int]] = {}
        for end, start in occurrences.items():
            for item, position in self._following[end]:
                if item in found:
                    found[item].setdefault(position, start)
                else:
                    found[item] = {position: start}
        return [
            (item, support, ends)
            for item, ends in found.items()
            if len(ends) >= self._support and (support := _disjoint(ends)) >= self._support
        ]


def _disjoint(occurrences: _Occurrences) -> int:
    """The greatest number of occurrences without overlap: from the back, each time the one that begins last."""
    number, limit = 0, max(occurrences) + 1
    for end, start in occurrences.items():
        if end < limit:
            number += 1
            limit = start
    return number


def closed(found: Iterable[Frequent]) -> list[Frequent]:
    """Those of the sequences that no longer one among them with the same support contains."""
    groups: defaultdict[int, list[Frequent]] = defaultdict(list)
    for each in found:
        groups[each.support].append(each)
    return [each for _, group in sorted(groups.items(), reverse=True) for each in _closed(group)]


def _closed(group: list[Frequent]) -> Iterator[Frequent]:
    """All sequences are searched for one at a time, as the bits of one number; what was found for the beginning of one
    serves all that begin alike. `reached[n]`: which sequences contain the beginning within their first n items."""
    length = max(len(each.items) for each in group)
    numbers: defaultdict[Item, int] = defaultdict(lambda: len(numbers))
    group.sort(key=lambda each: [numbers[item] for item in each.items])
    places = _places(group, length)
    path: list[tuple[Item, list[int]]] = []
    for each in group:
        shared = 0
        while shared < min(len(path), len(each.items)) and path[shared][0] == each.items[shared]:
            shared += 1
        del path[shared:]
        for item in each.items[shared:]:
            found = places[item] if path else places[item.event]
            before = path[-1][1] if path else [-1] * length
            reached = [0]
            for earlier, here in zip(before, found, strict=False):
                reached.append(reached[-1] | (earlier & here))
            path.append((item, reached))
        containing = path[-1][1][-1]
        if not containing & (containing - 1):  # only itself
            yield each


def _places(group: Sequence[Frequent], length: int) -> dict[object, list[int]]:
    """For each item and each micro event, and for each place, the sequences that have it there, as bits."""
    places: defaultdict[object, list[bytearray]] = defaultdict(
        lambda: [bytearray(len(group) // 8 + 1) for _ in range(length)]
    )
    for number, each in enumerate(group):
        byte, bit = number >> 3, 1 << (number & 7)
        for at, item in enumerate(each.items):
            places[item][at][byte] |= bit
            places[item.event][at][byte] |= bit
    return {key: [int.from_bytes(each, "little") for each in at] for key, at in places.items()}
