"""Whether a description is sound: its patterns disjoint, its schemas there, its operations reachable."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import msgspec

from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.description import Description, Operation, Parameter, Place
from jostle.serverapi.disjoint import Overlap, covers, overlap
from jostle.serverapi.schemas import SchemaProblem, Schemas, read_schema

_MOST = 200


class Mistake(msgspec.Struct, frozen=True):
    """Something wrong with a description."""

    operation: str
    """The pattern that it is about; empty for the whole."""
    words: str
    schema: str = ""
    """The file that is to blame, where it is one that cannot be used."""


def mistakes(description: Description, folder: Path) -> list[Mistake]:
    """What is wrong with a description whose schemas are below this folder; the worst first."""
    found: list[Mistake] = []
    schemas: dict[str, object] = {}
    for file in description.schema_files():
        try:
            schemas[file] = read_schema(file, folder)
            Schemas({**schemas}).validator(file)
        except SchemaProblem as problem:
            users = [each for each in description.operations if file in _files(each)]
            found.append(Mistake(format_pattern(users[0].pattern), problem.message.rstrip("."), file))
    known = Schemas(schemas)
    for operation in description.operations:
        found += [Mistake(format_pattern(operation.pattern), words) for words in _own(operation)]
    by_size: dict[tuple[str, int], list[Operation]] = defaultdict(list)
    for operation in description.operations:
        by_size[operation.pattern.method, len(operation.pattern.path)].append(operation)
    for alike in by_size.values():
        for one, other in combinations(alike, 2):
            if words := _overlapping(one, other, known):
                found.append(Mistake(format_pattern(other.pattern), words))
            if len(found) >= _MOST:
                return found
    return found


def _overlapping(one: Operation, other: Operation, schemas: Schemas) -> str:
    met = overlap(one.pattern, other.pattern, schemas)
    if met is Overlap.NONE:
        return ""
    shown = format_pattern(one.pattern)
    if one.pattern == other.pattern:
        return "is there twice"
    if covers(one.pattern, other.pattern):
        return f"can never be reached: every request for it matches {shown} too"
    if covers(other.pattern, one.pattern):
        return f"leaves nothing to {shown}: every request for that matches this one too"
    if met is Overlap.POSSIBLE:
        return f"may overlap with {shown}: nothing in their schemas tells them apart"
    return f"overlaps with {shown}: a request can match both"


def _own(operation: Operation) -> Iterator[str]:
    pattern = operation.pattern
    names = [each.name for each in pattern.path if each.name]
    for name in sorted({each for each in names if names.count(each) > 1}):
        yield f"has two parts of the path called {name}"
    places = {each.place for each in pattern.parameters}
    if pattern.method in ("GET", "HEAD") and places & {Place.BODY, Place.PROPERTY}:
        yield f"can never be reached from a page: {pattern.method} requests carry no body"
    for parameter in pattern.parameters:
        yield from _in_parameter(parameter)
    statuses = [(each.status, each.type) for each in operation.responses]
    if len(set(statuses)) < len(statuses):
        yield "has the same response twice"


def _in_parameter(parameter: Parameter) -> Iterator[str]:
    if parameter.place is Place.BODY and parameter.cardinality.value == "+":
        yield "says that the body is there several times"
    if len(set(parameter.datatype)) < len(parameter.datatype):
        yield f"names a type of {parameter.words} twice"


def _files(operation: Operation) -> set[str]:
    return set(Description(base="", operations=(operation,)).schema_files())
