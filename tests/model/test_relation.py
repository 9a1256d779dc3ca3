from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.model.relation import FAMILY_DISTANCE, Relation, looser, relation, satisfies, shared
from tests.model.usages import XPATHS

FORM = "/html/body/div[2]/form"
DEEP = "/div" * (FAMILY_DISTANCE - 1)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (f"{FORM}/input", f"{FORM}/input", "same"),
        (f"{FORM}/input", f"{FORM}/input[1]", "same"),
        (f"{FORM}/input", FORM, "ancestor"),
        (FORM, f"{FORM}/input", "descendant"),
        ("/html/body/div[3]/a", "/html/body", "ancestor"),
        (f"{FORM}/input", f"{FORM}/button", "family"),
        (f"{FORM}/input[2]", f"{FORM}/input[22]", "family"),
        (f"{FORM}/p{DEEP}", f"{FORM}/button", "none"),
        (f"{FORM}{DEEP}", f"{FORM}/button", "family"),
        (f"{FORM}/button", f"{FORM}{DEEP}", "family"),
        (f"{FORM}/button", f"{FORM}/p{DEEP}", "none"),
        ("/html/body/div", "/html/body/div[2]", "none"),
        ("/html/body/div[1]/a", "/html/body/div[11]/a", "none"),
        ("/html/head/title", "/html/body/a", "none"),
        (f"1!{FORM}/input", f"1!{FORM}/button", "family"),
        (f"1!{FORM}/input", f"{FORM}/input", "none"),
        (f"1!{FORM}/input", f"2!{FORM}/input", "none"),
    ],
)
def test_relation(before: str, after: str, expected: str) -> None:
    assert relation(before, after) == expected


def test_the_distance_of_a_family_can_be_chosen() -> None:
    assert relation(f"{FORM}/p/input", f"{FORM}/button", 2) == "none"
    assert relation(f"{FORM}/p/input", f"{FORM}/button", 3) == "family"


@given(st.sampled_from(XPATHS), st.sampled_from(XPATHS))
def test_turned_around(one: str, other: str) -> None:
    turned = {"ancestor": "descendant", "descendant": "ancestor"}
    there, back = relation(one, other), relation(other, one)
    assert back == turned.get(there, there)


def test_strictness() -> None:
    stricter = {
        "same": {"same"},
        "ancestor": {"same", "ancestor"},
        "descendant": {"same", "descendant"},
        "family": {"same", "ancestor", "descendant", "family"},
        "none": {"same", "ancestor", "descendant", "family", "none"},
    }
    for required in Relation:
        assert {actual.value for actual in Relation if satisfies(actual, required)} == stricter[required]


@given(st.sampled_from(Relation), st.sampled_from(Relation))
def test_the_looser_is_the_strictest_that_both_satisfy(one: Relation, other: Relation) -> None:
    found = looser(one, other)
    both = [each for each in Relation if satisfies(one, each) and satisfies(other, each)]
    assert found in both
    assert all(satisfies(found, each) for each in both)
    assert found == looser(other, one)


def test_ancestor_and_descendant_become_family() -> None:
    assert looser(Relation.ANCESTOR, Relation.DESCENDANT) is Relation.FAMILY


def test_what_belongs_together_shares_more() -> None:
    header = "/html/body/nav/details/summary"
    item, beside = "/html/body/nav/details/ul/li[2]/a", "/html/body/nav/a"
    assert shared(header, item) == 4 > shared(header, beside) == 3
    assert shared(header, header) == 5
