"""Whether two patterns can match the same request."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from jostle.serverapi.bodies import NotJson, json_value
from jostle.serverapi.description import (
    Constant,
    Datatype,
    Identifier,
    Integer,
    JsonSchema,
    Parameter,
    Pattern,
    Place,
    Simple,
    is_identifier,
    is_integer,
)
from jostle.serverapi.schemas import Schemas

_TYPES = {str: "string", bool: "boolean", type(None): "null", list: "array", dict: "object"}


class Overlap(Enum):
    """What is known of two patterns."""

    NONE = "none"
    """No request matches both."""
    POSSIBLE = "possible"
    """Schemas would have to decide, and nothing proves that they do."""
    CERTAIN = "certain"
    """Some request matches both, provided that all schemas allow something."""


def overlap(one: Pattern, other: Pattern, schemas: Schemas | None = None) -> Overlap:
    """Whether a request can match both. Symmetric."""
    if one.method != other.method or len(one.path) != len(other.path):
        return Overlap.NONE
    worst = Overlap.CERTAIN
    for left, right in zip(one.path, other.path, strict=True):
        if left.constant and right.constant:
            if left.text != right.text:
                return Overlap.NONE
        elif types_overlap(left.type, right.type, schemas) is Overlap.NONE:
            return Overlap.NONE
    ours = {each.key: each for each in one.parameters}
    theirs = {each.key: each for each in other.parameters}
    for key in ours.keys() | theirs.keys():
        left_one, right_one = ours.get(key), theirs.get(key)
        if left_one is None or right_one is None:
            alone = left_one or right_one
            assert alone is not None
            if alone.required and (alone.place is not Place.PROPERTY or not _may_have_properties(one, other)):
                return Overlap.NONE
            continue
        if not left_one.required or not right_one.required:
            continue
        shared = types_overlap(left_one.datatype, right_one.datatype, schemas)
        if shared is Overlap.NONE:
            return Overlap.NONE
        if shared is Overlap.POSSIBLE:
            worst = Overlap.POSSIBLE
    return worst


def _may_have_properties(one: Pattern, other: Pattern) -> bool:
    """Whether requests of both may carry a JSON body: then a property that only one of them names may be in either."""
    return all(any(each.place in (Place.BODY, Place.PROPERTY) for each in p.parameters) for p in (one, other))


def types_overlap(one: Datatype, other: Datatype, schemas: Schemas | None = None) -> Overlap:
    """Whether a text can be of both types."""
    found = [_simple_overlap(left, right, schemas) for left in one for right in other]
    for each in (Overlap.CERTAIN, Overlap.POSSIBLE):
        if each in found:
            return each
    return Overlap.NONE


def covers(one: Pattern, other: Pattern) -> bool:
    """Whether every request that matches `other` certainly matches `one` too."""
    if one.method != other.method or len(one.path) != len(other.path):
        return False
    if not all(_type_covers(left.type, right.type) for left, right in zip(one.path, other.path, strict=True)):
        return False
    ours = {each.key: each for each in one.parameters}
    theirs = {each.key: each for each in other.parameters}
    if any(each.place is not Place.PROPERTY for key, each in theirs.items() if key not in ours):
        return False
    return all(_parameter_covers(mine, theirs.get(key)) for key, mine in ours.items())


def _parameter_covers(mine: Parameter, other: Parameter | None) -> bool:
    if other is None:
        return not mine.required
    order = ("", "?", "+")
    wider = order.index(mine.cardinality.value) >= order.index(other.cardinality.value)
    return wider and _type_covers(mine.datatype, other.datatype)


def _type_covers(one: Datatype, other: Datatype) -> bool:
    return all(any(_simple_covers(left, right) for left in one) for right in other)


def _simple_covers(one: Simple, other: Simple) -> bool:
    if one == other or _is_wild(one):
        return True
    if isinstance(other, Constant):
        return (isinstance(one, Integer) and is_integer(other.text)) or (
            isinstance(one, Identifier) and is_identifier(other.text)
        )
    return False


def _is_wild(simple: Simple) -> bool:
    return not isinstance(simple, Constant | Integer | Identifier | JsonSchema)


def _simple_overlap(one: Simple, other: Simple, schemas: Schemas | None) -> Overlap:
    if isinstance(one, Constant) and isinstance(other, Constant):
        return Overlap.CERTAIN if one.text == other.text else Overlap.NONE
    if _is_wild(one) or _is_wild(other):
        return Overlap.CERTAIN
    if isinstance(one, JsonSchema) or isinstance(other, JsonSchema):
        return _schema_overlap(one, other, schemas)
    if isinstance(other, Constant):
        one, other = other, one
    if isinstance(one, Constant):
        fits = is_integer(one.text) if isinstance(other, Integer) else is_identifier(one.text)
        return Overlap.CERTAIN if fits else Overlap.NONE
    return Overlap.CERTAIN if one == other else Overlap.NONE


def _schema_overlap(one: Simple, other: Simple, schemas: Schemas | None) -> Overlap:
    if one == other:
        return Overlap.CERTAIN
    left, right = _allowed(one, schemas), _allowed(other, schemas)
    if left is None or right is None:
        return Overlap.POSSIBLE
    (types, values), (types2, values2) = left, right
    if values is not None and values2 is not None:
        return Overlap.POSSIBLE if any(_equal(a, b) for a in values for b in values2) else Overlap.NONE
    return Overlap.POSSIBLE if types & types2 else Overlap.NONE


def _allowed(simple: Simple, schemas: Schemas | None) -> tuple[frozenset[str], list[Any] | None] | None:
    """Types and, if they are few, values that a type allows; None where nobody knows."""
    if isinstance(simple, Constant):
        try:
            value = json_value(simple.text.encode("utf-8", "replace"))
        except NotJson:
            return frozenset(), []
        return frozenset(_types_of([value])), [value]
    if isinstance(simple, Integer):
        return frozenset({"integer"}), None
    if isinstance(simple, Identifier):
        # Texts are read as JSON to match a schema: few identifiers are JSON, and then they are numbers (1e1000000).
        return frozenset({"number"}), None
    if not isinstance(simple, JsonSchema) or schemas is None:
        return None
    schema = schemas.by_file.get(simple.file)
    if not isinstance(schema, dict):
        return None
    if "const" in schema:
        return frozenset(_types_of([schema["const"]])), [schema["const"]]
    if isinstance(schema.get("enum"), list):
        return frozenset(_types_of(schema["enum"])), schema["enum"]
    told = schema.get("type")
    names = {told} if isinstance(told, str) else set(told) if isinstance(told, list) else None
    if names is None:
        return None
    return frozenset(names | ({"integer"} if "number" in names else set())), None


def _types_of(values: Iterable[Any]) -> set[str]:
    return {_TYPES.get(type(value), "integer" if float(value).is_integer() else "number") for value in values}


def _equal(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)
