"""What changed between two descriptions of an interface."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import msgspec

from jostle.serverapi.ail_format import format_datatype, format_pattern, format_simple
from jostle.serverapi.description import Alternative, Description, JsonSchema, Operation, Parameter
from jostle.serverapi.disjoint import covers
from jostle.serverapi.schemas import Schemas

_DEEPEST = 30


class Change(StrEnum):
    """What happened to an operation."""

    ADDED = "added"
    REMOVED = "removed"
    WIDENED = "widened"
    """It takes more requests, or its responses may be more than before."""
    NARROWED = "narrowed"
    CHANGED = "changed"
    SPLIT = "split"
    """One operation became several."""
    MERGED = "merged"
    """Several operations became one."""


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A difference between two descriptions."""

    change: Change
    operation: str
    """The pattern, as it is now; as it was where it is gone."""
    others: tuple[str, ...] = ()
    """What it became, or was made of."""
    details: tuple[str, ...] = ()
    breaking: bool = False
    """Whether a client that kept to the old description may fail."""


def compare(old: Description, new: Description, old_schemas: Schemas, new_schemas: Schemas) -> list[Difference]:
    """All differences: splits and merges, changed operations, then what is gone and what is new."""
    before = {format_pattern(each.pattern): each for each in old.operations}
    after = {format_pattern(each.pattern): each for each in new.operations}
    gone = {name: each for name, each in before.items() if name not in after}
    come = {name: each for name, each in after.items() if name not in before}
    found: list[Difference] = []
    for name, each in list(gone.items()):
        parts = [part for part in come if covers(each.pattern, come[part].pattern)]
        if len(parts) > 1:
            found.append(Difference(change=Change.SPLIT, operation=name, others=tuple(parts), breaking=True))
            del gone[name]
            for part in parts:
                del come[part]
    for name, each in list(come.items()):
        parts = [part for part in gone if covers(each.pattern, gone[part].pattern)]
        if len(parts) > 1:
            found.append(Difference(change=Change.MERGED, operation=name, others=tuple(parts)))
            del come[name]
            for part in parts:
                del gone[part]
    pairs = [(name, before[name], after[name]) for name in before if name in after]
    for name, each in list(come.items()):
        like = next((other for other in gone if _place(gone[other]) == _place(each)), None)
        if like is not None:
            pairs.append((name, gone.pop(like), each))
            del come[name]
    for name, one, other in pairs:
        details, change, breaking = _changed(one, other, old_schemas, new_schemas)
        if details:
            found.append(Difference(change=change, operation=name, details=tuple(details), breaking=breaking))
    found += [Difference(change=Change.REMOVED, operation=name, breaking=True) for name in gone]
    found += [Difference(change=Change.ADDED, operation=name) for name in come]
    return found


def _place(operation: Operation) -> tuple[str, tuple[str, ...]]:
    """What people would call the same operation: the method, and the path whatever its parameters are called."""
    return operation.pattern.method, tuple(each.text or "*" for each in operation.pattern.path)


def _changed(
    old: Operation, new: Operation, old_schemas: Schemas, new_schemas: Schemas
) -> tuple[list[str], Change, bool]:
    details: list[str] = []
    breaking = False
    kinds: set[Change] = set()
    if old.pattern != new.pattern:
        wider, narrower = covers(new.pattern, old.pattern), covers(old.pattern, new.pattern)
        if not (wider and narrower):
            kinds.add(Change.WIDENED if wider else Change.NARROWED if narrower else Change.CHANGED)
            breaking = not wider
        details += _parameter_changes(old, new)
    for line, wider_now in _response_changes(old, new, old_schemas, new_schemas):
        details.append(line)
        kinds.add(Change.WIDENED if wider_now else Change.NARROWED)
        breaking = breaking or wider_now
    return details, kinds.pop() if len(kinds) == 1 else Change.CHANGED, breaking


def _parameter_changes(old: Operation, new: Operation) -> Iterator[str]:
    for position, (left, right) in enumerate(zip(old.pattern.path, new.pattern.path, strict=False), 1):
        if left.type != right.type:
            yield f"part {position} of the path: {format_datatype(left.type)} → {format_datatype(right.type)}"
    before = {each.key: each for each in old.pattern.parameters}
    after = {each.key: each for each in new.pattern.parameters}
    for key, each in before.items():
        if key not in after:
            yield f"parameter {each.words} is gone"
        elif _shown(after[key]) != _shown(each):
            yield f"parameter {each.words}: {_shown(each)} → {_shown(after[key])}"
    for key, each in after.items():
        if key not in before:
            yield f"parameter {each.words} is new ({'needed' if each.required else 'optional'})"


def _shown(parameter: Parameter) -> str:
    return f"{parameter.cardinality.value}{format_datatype(parameter.datatype)}"


def _response_changes(
    old: Operation, new: Operation, old_schemas: Schemas, new_schemas: Schemas
) -> Iterator[tuple[str, bool]]:
    """Lines, each with whether responses may be more than before."""
    before, after = _by_kind(old), _by_kind(new)
    for key, each in before.items():
        if key not in after:
            yield f"response {_named(each)} is gone", False
        elif isinstance(mine := each.type, JsonSchema) and isinstance(theirs := after[key].type, JsonSchema):
            one, other = old_schemas.by_file.get(mine.file, {}), new_schemas.by_file.get(theirs.file, {})
            for line, wider in schema_changes(one, other):
                yield f"response {each.status or '200'}: {line}", wider
    for key, each in after.items():
        if key not in before:
            yield f"response {_named(each)} is new", True


def _by_kind(operation: Operation) -> dict[tuple[str, str], Alternative]:
    return {
        (each.status or "200", "json" if isinstance(each.type, JsonSchema) else format_simple(each.type)): each
        for each in operation.responses
    }


def _named(alternative: Alternative) -> str:
    kind = "JSON" if isinstance(alternative.type, JsonSchema) else format_simple(alternative.type)
    return f"{alternative.status or '200'} ({kind})"


def schema_changes(old: Any, new: Any, where: str = "", depth: int = 0) -> Iterator[tuple[str, bool]]:
    """What changed from one schema to another, each with whether more values are valid than before."""
    if old == new or depth > _DEEPEST or not isinstance(old, dict) or not isinstance(new, dict):
        return
    at = f"{where or 'the whole'}: "
    types, types2 = _types(old), _types(new)
    for lost in sorted(types - types2):
        yield f"{at}no longer {lost}", False
    for won in sorted(types2 - types):
        yield f"{at}may be {won} now", True
    if (form := old.get("format")) != (form2 := new.get("format")):
        yield f"{at}format {form or 'any'} → {form2 or 'any'}", form2 is None
    if (enum := old.get("enum")) != (enum2 := new.get("enum")):
        yield f"{at}{_values(enum)} → {_values(enum2)}", enum2 is None or bool(enum and set(enum2) - set(enum))
    left, right = _object_part(old), _object_part(new)
    properties, properties2 = left.get("properties", {}), right.get("properties", {})
    required, required2 = set(left.get("required", ())), set(right.get("required", ()))
    for name in [*properties, *(name for name in properties2 if name not in properties)]:
        inside = f"{where}.{name}" if where else name
        if name not in properties2:
            yield f"{inside} is gone", True
        elif name not in properties:
            yield f"{inside} is new", False
        else:
            if name in required - required2:
                yield f"{inside} may be missing now", True
            elif name in required2 - required:
                yield f"{inside} is always there now", False
            yield from schema_changes(properties[name], properties2[name], inside, depth + 1)
    items, items2 = _part(old, "array").get("items", {}), _part(new, "array").get("items", {})
    yield from schema_changes(items, items2, f"{where}[]", depth + 1)
    values, values2 = left.get("additionalProperties"), right.get("additionalProperties")
    if isinstance(values, dict) and isinstance(values2, dict):
        yield from schema_changes(values, values2, f"{where}.*", depth + 1)


def _types(schema: dict[str, Any]) -> set[str]:
    told = schema.get("type")
    types = {told} if isinstance(told, str) else set(told) if isinstance(told, list) else set()
    for each in schema.get("anyOf", ()):
        types |= _types(each) if isinstance(each, dict) else set()
    return types


def _object_part(schema: dict[str, Any]) -> dict[str, Any]:
    return _part(schema, "object")


def _part(schema: dict[str, Any], kind: str) -> dict[str, Any]:
    """The part of a schema that is about values of a type."""
    for each in (schema, *schema.get("anyOf", ())):
        if isinstance(each, dict) and "anyOf" not in each and kind in _types(each):
            return each
    return {}


def _values(enum: object) -> str:
    return "any value" if not isinstance(enum, list) else " | ".join(str(each) for each in enum)
