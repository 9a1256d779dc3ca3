from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.model.ktails import FINAL, INITIAL, Edges, k_tails
from jostle.model.mining import Item
from jostle.model.relation import Relation, satisfies
from jostle.model.usage import MicroEvent

A, B, C = (MicroEvent(kind, "x") for kind in "abc")
HEADER, OVER, OUT, CLICK = (
    MicroEvent(*each)
    for each in (("mouseover", "header"), ("mouseover", "list"), ("mouseout", "list"), ("click", "item"))
)
Path = tuple[Item, ...]


def menu(passed: int) -> list[Item]:
    over, out = Item(OVER, Relation.FAMILY), Item(OUT, Relation.SAME)
    return [Item(HEADER), *[over, out] * passed, over, Item(CLICK, Relation.DESCENDANT)]


def accepted(machine: dict[int, Edges], items: Sequence[Item]) -> bool:
    reached = {INITIAL}
    for item in items:
        reached = {
            target
            for state in reached
            for (event, target), required in machine[state].items()
            if event == item.event and satisfies(item.relation, required)
        }
    return FINAL in reached


def paths(machine: dict[int, Edges], state: int, length: int) -> list[tuple[Path, int]]:
    if length == 0:
        return [((), state)]
    return [
        ((Item(event, related), *rest), end)
        for (event, target), related in machine[state].items()
        for rest, end in paths(machine, target, length - 1)
    ]


def equivalent(machine: dict[int, Edges], one: int, other: int, k: int) -> bool:
    """As the module says, to the letter."""
    tails, others = ([tail for tail, _ in paths(machine, state, k)] for state in (one, other))
    if tails or others:
        return any(tail in others for tail in tails)
    return any(
        all(any(end == FINAL for _, end in paths(machine, state, length)) for state in (one, other))
        for length in range(1, k)
    )


def test_the_menu() -> None:
    """Used three times, in the second an item was passed over: any number of them can be."""
    machine = k_tails([menu(0), menu(1), menu(0)])
    entry, last, passing = 2, 3, 4
    assert machine == {
        INITIAL: {(HEADER, entry): "none"},
        entry: {(OVER, last): "family", (OVER, passing): "family"},
        passing: {(OUT, entry): "same"},
        last: {(CLICK, FINAL): "descendant"},
        FINAL: {},
    }
    assert all(accepted(machine, menu(passed)) for passed in range(20))
    assert not accepted(machine, [Item(HEADER), Item(CLICK, Relation.FAMILY)])
    assert not accepted(machine, menu(1)[:-1])


def test_the_order_of_the_usages_does_not_matter_to_the_menu() -> None:
    machine = k_tails([menu(1), menu(0)])
    assert all(accepted(machine, menu(passed)) for passed in range(20))


def test_merged_transitions_have_the_looser_relation() -> None:
    relations = (Relation.SAME, Relation.FAMILY)
    machine = k_tails([[Item(A), Item(B), Item(C, related)] for related in relations])
    assert [edges for edges in machine.values() if (C, FINAL) in edges] == [{(C, FINAL): "family"}]


def test_states_with_equal_short_tails_are_merged_whatever_the_events() -> None:
    machine = k_tails([[Item(A), Item(B, Relation.SAME), Item(each, Relation.SAME)] for each in (B, C)])
    assert sorted(len(edges) for edges in machine.values()) == [0, 1, 1, 2]


@st.composite
def clusters(draw: st.DrawFn) -> list[list[Item]]:
    item = st.builds(Item, st.sampled_from([A, B, C]), st.sampled_from(list(Relation)[:4]))
    rest = draw(st.lists(st.lists(item, min_size=1, max_size=5), min_size=1, max_size=8))
    return [[Item(A), *items] for items in rest]


@settings(max_examples=300, deadline=None)
@given(clusters(), st.integers(1, 4))
def test_every_machine(sequences: list[list[Item]], k: int) -> None:
    machine = k_tails(sequences, k)
    assert machine == k_tails(sequences, k)
    assert all(accepted(machine, each) for each in sequences)
    assert [state for state, edges in machine.items() if not edges] == [FINAL]
    assert {target for edges in machine.values() for _, target in edges} | {INITIAL} == set(machine)
    assert [event for event, _ in machine[INITIAL]] == [A]
    states = sorted(set(machine) - {INITIAL, FINAL})
    assert not [pair for pair in combinations(states, 2) if equivalent(machine, *pair, k)]


@settings(max_examples=100, deadline=None)
@given(clusters())
def test_what_is_accepted_already_changes_nothing(sequences: list[list[Item]]) -> None:
    assert k_tails(sequences * 2) == k_tails(sequences)
