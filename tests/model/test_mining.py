"""The miner against the definitions of its module, followed to the letter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.model.mining import Frequent, Item, closed, frequent, frequent_entries
from jostle.model.relation import Relation, relation
from jostle.model.usage import MicroEvent, UsageEntry
from tests.model.usages import entries, menu, usages

Sequences = dict[tuple[Item, ...], int]


def naive_frequent(pieces: Iterable[Sequence[UsageEntry]], support: int, shortest: int, longest: int) -> Sequences:
    spans: defaultdict[tuple[Item, ...], list[tuple[int, int]]] = defaultdict(list)
    offset = 0
    for piece in pieces:
        for length in range(shortest, longest + 1):
            for places in combinations(range(len(piece)), length):
                chosen = [piece[place] for place in places]
                relations = [relation(one.xpath, other.xpath) for one, other in pairwise(chosen)]
                if Relation.NONE not in relations:
                    items = map(Item, (entry.event for entry in chosen), (Relation.NONE, *relations))
                    spans[tuple(items)].append((offset + places[0], offset + places[-1]))
        offset += len(piece)
    found = {items: most_disjoint(sorted(set(each))) for items, each in spans.items()}
    return {items: number for items, number in found.items() if number >= support}


def most_disjoint(spans: Sequence[tuple[int, int]]) -> int:
    """The best of taking the first span or leaving it."""
    if not spans:
        return 0
    (_, end), *rest = spans
    return max(1 + most_disjoint([span for span in rest if span[0] > end]), most_disjoint(rest))


def contains(longer: Sequence[Item], shorter: Sequence[Item]) -> bool:
    def equal(one: Item, other: Item) -> bool:
        return one.event == other.event and (
            one.relation == other.relation or Relation.NONE in (one.relation, other.relation)
        )

    return any(all(map(equal, chosen, shorter)) for chosen in combinations(longer, len(shorter)))


def naive_closed(found: Sequences) -> Sequences:
    return {
        items: support
        for items, support in found.items()
        if not any(len(other) > len(items) and found[other] == support and contains(other, items) for other in found)
    }


def as_dict(found: Iterable[Frequent]) -> Sequences:
    sequences = list(found)
    made = {each.items: each.support for each in sequences}
    assert len(made) == len(sequences), "none is told twice"
    return made


lengths = st.tuples(st.integers(1, 4), st.integers(0, 3)).map(lambda both: (both[0], both[0] + both[1]))


@settings(max_examples=400, deadline=None)
@given(usages(), st.integers(1, 4), lengths)
def test_as_the_naive_reference(pieces: list[list[UsageEntry]], support: int, lengths: tuple[int, int]) -> None:
    found = list(frequent(pieces, support=support, length_min=lengths[0], length_max=lengths[1]))
    expected = naive_frequent(pieces, support, *lengths)
    assert as_dict(found) == expected
    assert as_dict(closed(found)) == naive_closed(expected)


@settings(max_examples=60, deadline=None)
@given(entries(11), st.integers(2, 4))
def test_as_the_naive_reference_in_one_long_piece(piece: list[UsageEntry], support: int) -> None:
    found = list(frequent([piece], support=support, length_max=4))
    expected = naive_frequent([piece], support, 2, 4)
    assert as_dict(found) == expected
    assert as_dict(closed(found)) == naive_closed(expected)


items = st.lists(
    st.builds(Item, st.sampled_from([MicroEvent("a", "x"), MicroEvent("b", "x")]), st.sampled_from(list(Relation)[:4])),
    min_size=1,
    max_size=5,
).map(lambda made: [Item(made[0].event), *made[1:]])


@given(st.lists(st.tuples(items.map(tuple), st.integers(1, 3)), max_size=20))
def test_closed_among_any_sequences(found: list[tuple[tuple[Item, ...], int]]) -> None:
    sequences = dict(found)
    assert as_dict(closed(Frequent(*each) for each in sequences.items())) == naive_closed(sequences)


def test_noise_is_skipped() -> None:
    keys = [UsageEntry(MicroEvent(kind, "input"), "/html/body/form/input") for kind in ("keydown", "keypress", "keyup")]
    noise = UsageEntry(MicroEvent("mouseover", "h2"), "/html/body/h2")
    pieces = [keys] * 9 + [[keys[0], noise, *keys[1:]]]
    (only,) = closed(frequent(pieces, support=10))
    assert [str(item) for item in only.items] == ["keydown input", "keypress input (same)", "keyup input (same)"]
    assert only.support == 10


def test_what_is_repeated_on_one_page_is_counted() -> None:
    found = as_dict(frequent([menu(0) * 5], support=5, length_min=3, length_max=3))
    assert [str(item) for item in max(found, key=lambda each: found[each])] == [
        "mouseover a",
        "mouseover li (family)",
        "click a (descendant)",
    ]


def test_rare_entries_are_left_out() -> None:
    assert [len(piece) for piece in frequent_entries([menu(0), menu(1)], 2)] == [3, 4]
