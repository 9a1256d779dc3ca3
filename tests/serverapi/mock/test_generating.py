"""Values by a schema."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.serverapi.inference import schema_of, seen_in
from jostle.serverapi.mock.faults import Fault, spoiled
from jostle.serverapi.mock.generating import CannotMake, Choices, Maker
from jostle.serverapi.schemas import Schemas
from tests.serverapi.test_inference import VALUES


def made(schema: Any, count: int = 1, *, seed: int = 0, covering: bool = True) -> list[Any]:
    choices = Choices()
    return [
        Maker(choices, random.Random(f"{seed} {number}"), covering=covering).value(schema, "x")
        for number in range(count)
    ]


@given(st.lists(VALUES, min_size=1, max_size=5), st.integers(0, 3), st.booleans())
def test_what_is_made_by_an_inferred_schema_is_valid(values: list[Any], seed: int, covering: bool) -> None:
    schema = schema_of(seen_in(values))
    schemas = Schemas({"x.json": schema})
    for value in made(schema, 5, seed=seed, covering=covering):
        assert schemas.violations("x.json", value) == []
        json.dumps(value, allow_nan=False)


def test_the_same_seed_makes_the_same() -> None:
    schema = schema_of(seen_in([{"id": 1, "name": "x", "tags": ["a", "b"]}, {"id": 2.5}]))
    assert made(schema, 10, seed=3) == made(schema, 10, seed=3)
    assert made(schema, 10, seed=3) != made(schema, 10, seed=4)


ATTENDEES = schema_of(
    seen_in(
        [
            [
                {"id": 6451, "name": "Fred", "department": "CS", "checkedin": True},
                {"id": 4358, "name": "Joe", "department": "IMF", "checkedin": False, "email": None},
                {"id": 4359, "name": "Sue", "department": "IMF", "checkedin": False, "email": "sue@example.org"},
            ]
        ]
    )
)


def test_a_few_values_show_every_option() -> None:
    lists = made(ATTENDEES, 8)
    assert {min(len(each), 3) for each in lists} == {0, 1, 2, 3}
    people = [person for each in lists for person in each]
    assert {person["checkedin"] for person in people} == {True, False}
    assert {type(person.get("email", 0)) for person in people} == {int, str, type(None)}


def test_texts_are_safe_in_html() -> None:
    assert not any(set("<>&\"'") & set(text) for text in made({"type": "string"}, 50))


def test_trees_end() -> None:
    tree = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}}, "required": ["kids"]}
    for value in made(tree, 20):
        assert len(json.dumps(value)) < 100_000


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 5, "maximum": 7},
        {"type": "integer", "exclusiveMinimum": 5, "exclusiveMaximum": 7},
        {"type": "number", "minimum": 0.5, "maximum": 0.75},
        {"type": "string", "minLength": 30, "maxLength": 40},
        {"type": "string", "format": "date-time"},
        {"type": "string", "format": "uuid"},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
        {"const": {"a": 1}},
        {"enum": [1, "a", None]},
        {"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"type": "integer"}}}]},
        {"oneOf": [{"type": "integer"}, {"type": "string"}]},
        {"$defs": {"a/b": {"type": "integer"}}, "$ref": "#/$defs/a~1b"},
        {"properties": {"a": {"type": "boolean"}}, "required": ["a"]},
        {},
        True,
    ],
)
def test_schemas_that_people_write(schema: Any) -> None:
    schemas = Schemas({"x.json": schema})
    for value in made(schema, 20):
        assert schemas.violations("x.json", value) == []


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (False, "nothing is valid"),
        ({"$ref": "#"}, "without end"),
        ({"$ref": "#/$defs/no"}, "leads nowhere"),
        ({"$ref": "other.json"}, "leads elsewhere"),
        ({"type": "strange"}, "there is no type strange"),
    ],
)
def test_schemas_that_nobody_can_follow(schema: Any, said: str) -> None:
    with pytest.raises(CannotMake, match=said):
        made(schema)


@pytest.mark.parametrize("fault", [Fault.MISSING, Fault.NULL, Fault.TYPE, Fault.MARKUP, Fault.LONG])
def test_spoiled_values_differ_in_one_place(fault: Fault) -> None:
    value = {"a": [{"b": "text"}, {"b": "more"}], "c": True}
    for seed in range(20):
        bad = spoiled(value, fault, random.Random(seed))
        assert bad != value
        assert value == {"a": [{"b": "text"}, {"b": "more"}], "c": True}
    assert spoiled([], Fault.MARKUP, random.Random(0)) == []


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "minItems": 2_000_000, "items": {"type": "integer"}},
        {"type": "string", "minLength": 300_000_000},
        {"type": "array", "minItems": 900, "items": {"type": "array", "minItems": 900, "items": {"type": "null"}}},
        {"type": "array", "minItems": 1, "maxItems": 1, "items": {"$ref": "#"}},
    ],
)
def test_a_schema_that_asks_for_too_much(schema: Any) -> None:
    with pytest.raises(CannotMake):
        Maker(Choices(), random.Random(0)).value(schema, "x")
