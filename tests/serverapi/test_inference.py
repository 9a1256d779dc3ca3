"""JSON Schemas of what was seen."""

from __future__ import annotations

from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jostle.serverapi.inference import schema_of, seen_in
from jostle.serverapi.schemas import Schemas
from tests.serverapi.test_shape import JSON


def inferred(*values: Any) -> dict[str, Any]:
    schema = schema_of(seen_in(values))
    assert schema.pop("$schema") == "https://json-schema.org/draft/2020-12/schema"
    return schema


def test_the_author() -> None:
    schema = schema_of(seen_in([{"name": "A", "email": "a@b.test"}, {"name": "B"}]))
    schemas = Schemas({"author.json": schema})
    assert schemas.valid("author.json", {"name": "A"})
    assert not schemas.valid("author.json", {"email": "e"})


@pytest.mark.parametrize(
    ("values", "schema"),
    [
        ([1, 2], {"type": "integer", "examples": [1, 2]}),
        ([1, 2.5], {"type": "number", "examples": [1, 2.5]}),
        ([True], {"type": "boolean"}),
        ([None], {"type": "null"}),
        ([None, "a b!"], {"type": ["string", "null"], "examples": ["a b!"]}),
        ([[], []], {"type": "array"}),
        ([[], [1]], {"type": "array", "items": {"type": "integer", "examples": [1]}}),
        ([1, "x"], {"anyOf": [{"type": "integer", "examples": [1]}, {"type": "string", "examples": ["x"]}]}),
        ([{}], {"type": "object"}),
        (
            [{"1": True}, {"2": False}],
            {"type": "object", "additionalProperties": {"type": "boolean"}},
        ),
    ],
)  # fmt: skip
def test_types(values: list[Any], schema: dict[str, Any]) -> None:
    found = inferred(*values)
    if "anyOf" in schema:
        for each in found["anyOf"]:
            each["examples"] = [example for example in each["examples"] if type(example) in (str, int)]
    assert found == schema


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["2026-01-31T12:00:00Z", "2026-02-01T00:00:00.5+02:00"], "date-time"),
        (["2026-01-31"], "date"),
        (["0f8fad5b-d9cb-469f-a165-70867728950e"], "uuid"),
        (["a.b+c@example.org"], "email"),
        (["https://example.org/a?b=c", "http://[::1]:80/"], "uri"),
        (["2026-01-31", "soon"], None),
        (["2026-13-01"], None),
        (["javascript:alert(1)"], None),
        (["x" * 100_000 + "@example.org"], None),
    ],
)
def test_formats_need_every_text(texts: list[str], form: str | None) -> None:
    assert inferred(*texts).get("format") == form


def test_enumerations_need_many_texts_that_repeat() -> None:
    assert inferred(*["open", "closed"] * 10) == {"type": "string", "enum": ["closed", "open"]}
    assert "enum" not in inferred(*["open", "closed"] * 9)
    assert "enum" not in inferred(*["open"] * 20, "closed")
    assert "enum" not in inferred(*[f"word-{letter}" for letter in "abcdefghi"] * 5)
    assert "enum" not in inferred(*["12:30", "12:45"] * 20)
    nullable = schema_of(seen_in([*["open", "closed"] * 10, None]))
    assert Schemas({"x.json": nullable}).valid("x.json", None)


def test_dictionaries() -> None:
    countries = [
        {name: {"capital": name} for name in names.split()} for names in ("de fr it es pt", "ch at dk no se fi")
    ]
    schema = inferred(*countries)
    assert "properties" not in schema
    assert schema["additionalProperties"]["required"] == ["capital"]


def test_few_names_are_properties() -> None:
    assert set(inferred({"a": 1}, {"b": 2})["properties"]) == {"a", "b"}


def test_trees() -> None:
    leaf: dict[str, Any] = {"id": 3, "title": None, "children": []}
    tree = {"id": 1, "title": "root", "children": [{"id": 2, "title": "x", "children": [leaf, leaf]}]}
    schema = inferred(tree)
    assert schema["properties"]["children"]["items"] == {"$ref": "#"}
    assert schema["properties"]["title"]["type"] == ["string", "null"]


def test_secrets_are_no_examples() -> None:
    assert inferred("redacted0123456789ab") == {"type": "string"}


def test_examples_are_bounded() -> None:
    schema = inferred(*(f"text {number}" for number in range(1000)), "y" * 1000)
    assert len(schema["examples"]) == 20
    assert all(len(each) <= 200 for each in schema["examples"])


VALUES = JSON | st.recursive(
    st.sampled_from([1, 2.5, "x", None, True]),
    lambda inner: (
        st.fixed_dictionaries({"id": inner, "kids": st.lists(inner, max_size=2)})
        | st.dictionaries(st.sampled_from(["1", "2", "a", "b", "a/b", "~", "%", '"']), inner, max_size=9)
    ),
    max_leaves=12,
)


@given(st.lists(VALUES, min_size=1, max_size=8))
@example([{"id": {"id": {}, "kids": []}, "kids": []}])
@example([[{"a": None, "d": None, "b": None}, [{"a": None, "d": None, "b": None}]]])
@example([{"id": 1, "kids": [{"id": 1, "kids": [{"1": 1}]}]}])
def test_everything_that_was_seen_is_valid(values: list[Any]) -> None:
    schema = schema_of(seen_in(values))
    jsonschema.Draft202012Validator.check_schema(schema)
    schemas = Schemas({"x.json": schema})
    for value in values:
        assert schemas.violations("x.json", value) == []


@given(st.lists(VALUES, min_size=1, max_size=6), st.integers(0, 6))
def test_sums_of_parts_are_sums_of_all(values: list[Any], at: int) -> None:
    parts = seen_in(values[:at])
    parts.absorb(seen_in(values[at:]))
    schemas = Schemas({"x.json": schema_of(parts)})
    assert all(schemas.valid("x.json", value) for value in values)
