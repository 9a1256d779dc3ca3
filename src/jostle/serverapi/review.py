"""What a person should look at in a learned description: where learners are known to be wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import msgspec

from jostle.serverapi.ail_format import format_pattern
from jostle.serverapi.description import ANY, Constant, JsonSchema, Operation, Place
from jostle.serverapi.inference import Schema
from jostle.serverapi.learning import Learned, Member
from jostle.serverapi.sample import Sample

_WORD = re.compile(r"[A-Za-z][A-Za-z_-]+")
_MADE_UP = re.compile(r"(?=.*\d.*\d)[\w-]{3,}", re.ASCII)
_FEW = 6
_MANY_RESPONSES = 3
_MOST_COMPARED = 300
"""Operations that are compared in pairs."""


class Remark(msgspec.Struct, frozen=True):
    """Something to look at."""

    code: str
    """`L1` to `L6`."""
    operation: str
    words: str


def review(learned: Learned, samples: Sequence[Sample]) -> list[Remark]:
    """What to look at, operation by operation."""
    remarks: list[Remark] = []
    for member in learned.members:
        if not member.given:
            shown = format_pattern(member.operation.pattern)
            remarks += [Remark(code, shown, words) for code, words in _remarks(member, learned.schemas, samples)]
    for one, other in combinations(learned.members[:_MOST_COMPARED], 2):
        if (name := _one_parameter(one.operation, other.operation)) is not None:
            words = f"differs from another operation only in {name}: perhaps it is optional"
            remarks.append(Remark("L3", format_pattern(one.operation.pattern), words))
    return remarks


def _remarks(member: Member, schemas: dict[str, Schema], samples: Sequence[Sample]) -> Iterator[tuple[str, str]]:
    pattern = member.operation.pattern
    requests = [samples[each].request for each in member.samples]
    constants = [each.text for each in pattern.path if each.constant]
    constants += [
        each.datatype[0].text
        for each in pattern.parameters
        if each.place is Place.FIELD and isinstance(each.datatype[0], Constant)
    ]
    for text in constants:
        if _MADE_UP.fullmatch(text):
            yield "L1", f'the constant "{text}" looks like an identifier: perhaps it should be *'
    for position, fragment in enumerate(pattern.path):
        values = {request.path[position] for request in requests}
        if fragment.datatype == ANY and len(values) <= _FEW and all(map(_WORD.fullmatch, values)):
            yield "L2", f"part {position + 1} of the path had only {_listed(values)}: perhaps these are operations"
    if len(member.samples) == 1:
        yield "L4", "learned from one request only"
    for alternative in member.operation.responses:
        if isinstance(alternative.type, JsonSchema):
            for where in _empty_arrays(schemas.get(alternative.type.file, {}), ""):
                yield "L5", f"{where or 'the array'} was never seen with anything in it"
    if len(member.operation.responses) > _MANY_RESPONSES:
        yield "L6", f"{len(member.operation.responses)} kinds of response"


def _empty_arrays(schema: Any, where: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    kind = schema.get("type")
    if (kind == "array" or (isinstance(kind, list) and "array" in kind)) and "items" not in schema:
        yield where
    for name, inner in schema.get("properties", {}).items():
        yield from _empty_arrays(inner, f"{where}.{name}" if where else name)
    yield from _empty_arrays(schema.get("items"), f"{where}[]")
    yield from _empty_arrays(schema.get("additionalProperties"), f"{where}.*")
    for inner in schema.get("anyOf", ()):
        yield from _empty_arrays(inner, where)


def _one_parameter(one: Operation, other: Operation) -> str | None:
    """The parameter that only one of two operations has, if they are equal but for it."""
    left, right = one.pattern, other.pattern
    if left.method != right.method or left.path != right.path:
        return None
    mine, theirs = ({each.key: each for each in pattern.parameters} for pattern in (left, right))
    alone = mine.keys() ^ theirs.keys()
    if len(alone) != 1 or any(mine[key] != theirs[key] for key in mine.keys() & theirs.keys()):
        return None
    key = next(iter(alone))
    return (mine.get(key) or theirs[key]).words


def _listed(values: set[str]) -> str:
    return ", ".join(f'"{each}"' for each in sorted(values))
