"""Schemas as rows of a table: each value with its name, its type and examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from jostle.serverapi.schema_words import in_words

_DEEPEST = 6
_MOST_EXAMPLES = 4
MOST_ROWS = 150


class SchemaRow(msgspec.Struct, frozen=True, kw_only=True):
    """One value."""

    depth: int
    name: str
    """Empty for the whole value; `[]` for the entries of an array."""
    type: str
    required: bool = True
    examples: tuple[str, ...] = ()


def rows(schema: Any) -> tuple[SchemaRow, ...]:
    """The values of a schema, parents before their parts. At most `MOST_ROWS`."""
    found: list[SchemaRow] = []
    for row in _rows(schema, "", 0, True):
        if len(found) == MOST_ROWS:
            break
        found.append(row)
    return tuple(found)


def _rows(schema: Any, name: str, depth: int, required: bool) -> Iterator[SchemaRow]:
    if not isinstance(schema, dict):
        yield SchemaRow(depth=depth, name=name, type="anything", required=required)
        return
    yield SchemaRow(depth=depth, name=name, type=_type(schema), required=required, examples=_examples(schema))
    if depth >= _DEEPEST:
        return
    for each in _parts(schema):
        if isinstance(properties := each.get("properties"), dict):
            needed = each.get("required", ())
            for inner, value in properties.items():
                yield from _rows(value, str(inner), depth + 1, inner in needed)
        if isinstance(values := each.get("additionalProperties"), dict):
            yield from _rows(values, "any name", depth + 1, False)
        if isinstance(entries := each.get("items"), dict) and (_has_parts(entries) or "examples" in entries):
            yield from _rows(entries, "[]", depth + 1, True)


def _parts(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A schema, and its alternatives that have parts of their own."""
    alternatives = schema.get("anyOf", ())
    own = [each for each in alternatives if isinstance(each, dict)] if isinstance(alternatives, list) else []
    return [schema, *own]


def _has_parts(schema: Mapping[str, Any]) -> bool:
    return any("properties" in each or "items" in each or "additionalProperties" in each for each in _parts(schema))


def _type(schema: Mapping[str, Any]) -> str:
    """What it is, without its parts: those have rows of their own."""
    if isinstance(alternatives := schema.get("anyOf"), list):
        return " or ".join(dict.fromkeys(_type(each) for each in alternatives if isinstance(each, dict)))
    told = schema.get("type")
    types = [told] if isinstance(told, str) else [str(each) for each in told] if isinstance(told, list) else []
    if "$ref" in schema:
        return "as further up"
    if isinstance(enum := schema.get("enum"), list) and len(enum) <= _MOST_EXAMPLES * 2:
        return " | ".join(str(each) for each in enum)
    if "array" in types and isinstance(entries := schema.get("items"), dict):
        inner = "objects" if "properties" in entries else in_words({**entries, "properties": {}})
        types = [f"list of {inner}" if each == "array" else each for each in types]
    return " or ".join(str(schema.get("format") or each) if each == "string" else each for each in types) or "anything"


def _examples(schema: Mapping[str, Any]) -> tuple[str, ...]:
    if "enum" in schema or not isinstance(told := schema.get("examples"), list):
        return ()
    return tuple(each if isinstance(each, str) else str(each) for each in told[:_MOST_EXAMPLES])
