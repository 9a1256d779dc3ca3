"""What is left of JSON when its data are taken out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.serverapi.shape import Shapes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([0.5, 1e300]) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"success": True, "item": [1, 2, 3]}, "{item: [Number], success: Boolean}"),
        ([{"id": 1, "title": "x"}], "[{id: Number, title: String}]"),
        ([1, "a", None], "[Null | Number | String]"),
        ([], "[]"),
        ({}, "{}"),
        (2.5, "Number"),
        (False, "Boolean"),
    ],
)
def test_abstraction(value: Any, words: str) -> None:
    shapes = Shapes()
    assert shapes.words(shapes.of(value)) == words


def test_the_order_of_properties_means_nothing() -> None:
    shapes = Shapes()
    assert shapes.of({"a": 1, "b": 2}) == shapes.of({"b": 9, "a": 0})
    assert shapes.of([1]) != shapes.of(1)
    assert shapes.of({"a": 1}) != shapes.of({"a": 1, "b": 1})


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": []}, {"a": [{"id": 1}]}, True),
        ({"a": None}, {"a": "x"}, True),
        ({"a": [], "b": [1]}, {"a": ["x"], "b": []}, True),
        ([], [[]], True),
        ({"a": []}, {"b": []}, False),
        ({"a": 1}, {"a": "x"}, False),
        ([1], ["x"], False),
        ([{"id": 1}], [{"id": 1, "name": "x"}], False),
        ({"a": []}, {"a": {}}, False),
    ],
)
def test_empty_arrays_and_nulls_are_unlike_nothing(one: Any, other: Any, same: bool) -> None:
    shapes = Shapes(tolerant=True)
    left, right = shapes.of(one), shapes.of(other)
    assert (shapes.unified(left, right) is not None) is same
    assert shapes.unified(left, right) == shapes.unified(right, left)


def test_dictionaries_and_trees_have_one_shape_whatever_their_size() -> None:
    shapes = Shapes(tolerant=True)
    assert shapes.of({"1": {"a": 1}, "2": {"a": 2}}) == shapes.of({"17": {"a": 1}})
    countries = [{f"{letter}{letter}": {"capital": "x"} for letter in letters} for letters in ("abcdefgh", "stuvwxyz")]
    assert shapes.of(countries[0]) == shapes.of(countries[1])
    leaf = {"name": "x", "children": []}
    tree = {"name": "r", "children": [{"name": "x", "children": [leaf]}]}
    assert shapes.unified(shapes.of(tree), shapes.of({"name": "r", "children": [leaf]})) is not None
    exact = Shapes()
    assert exact.of({"1": 1}) != exact.of({"2": 1})


@given(JSON, JSON)
def test_unifying_is_symmetric_and_keeps_what_is_equal(one: Any, other: Any) -> None:
    shapes = Shapes(tolerant=True)
    left, right = shapes.of(one), shapes.of(other)
    both, again = shapes.unified(left, right), shapes.unified(right, left)
    assert (both is None) == (again is None)
    assert shapes.unified(left, left) == left
    if both is not None:
        assert shapes.unified(both, left) is not None
        assert shapes.unknowns(both) <= max(shapes.unknowns(left), shapes.unknowns(right))
