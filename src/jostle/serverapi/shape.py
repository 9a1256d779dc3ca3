"""Shapes of JSON values: what is left of a response when its data are taken out.

A shape is a number; equal shapes have equal numbers. `Shapes` knows what they stand for:

| value             | shape                                                                         |
|-------------------|-------------------------------------------------------------------------------|
| text, number ...  | `String`, `Number`, `Boolean`, `Null`                                         |
| object            | the shape of each property, by name; their order means nothing                |
| array             | the set of the shapes of its elements; none for an empty array                |
| object used as    | the set of the shapes of its values (only where `tolerant`)                   |
| a dictionary      |                                                                               |

`tolerant` shapes are those of the repaired learner: an object that holds data under names that are data, and an object
within one of the same properties (a tree), have one shape however large they are.
"""

from __future__ import annotations

import re
from typing import Any

from jostle.events.volatile import volatile_value

STRING, NUMBER, BOOLEAN, NULL, SAME_AS_AROUND = range(5)
"""Shapes without parts. The last is a tree's: an object with the properties of one around it."""
_NAMES = ("String", "Number", "Boolean", "Null", "…")
DICTIONARY_SIZE = 8
"""So many properties whose values are objects of one shape make an object a dictionary."""
_NUMBER_NAME = re.compile(r"-?\d+")

Part = tuple[str, Any]
"""`("object", ((name, shape), ...))`, `("array", {shape, ...})` or `("dictionary", {shape, ...})`."""


class Shapes:
    """All shapes met so far."""

    def __init__(self, *, tolerant: bool = False) -> None:
        self._tolerant = tolerant
        self._parts: list[Part] = [("leaf", name) for name in _NAMES]
        self._numbers: dict[Part, int] = {}
        self._unknowns: dict[int, int] = {}

    def of(self, value: Any) -> int:
        """The shape of a value."""
        return self._of(value, ())

    def _of(self, value: Any, around: tuple[frozenset[str], ...]) -> int:
        if isinstance(value, str):
            return STRING
        if value is None:
            return NULL
        if isinstance(value, bool):
            return BOOLEAN
        if isinstance(value, int | float):
            return NUMBER
        if isinstance(value, list):
            return self._collection("array", {self._of(each, around) for each in value})
        if not self._tolerant:
            return self._number(("object", tuple(sorted((name, self._of(each, ())) for name, each in value.items()))))
        names = frozenset(value)
        if len(names) > 1 and names in around:
            return SAME_AS_AROUND
        inside = (*around, names)
        properties = sorted((name, self._of(each, inside)) for name, each in value.items())
        if is_dictionary(value) or self._all_alike(properties):
            return self._collection("dictionary", {shape for _, shape in properties})
        return self._number(("object", tuple(properties)))

    def _all_alike(self, properties: list[tuple[str, int]]) -> bool:
        shapes = {shape for _, shape in properties}
        return len(properties) >= DICTIONARY_SIZE and len(shapes) == 1 and self._parts[shapes.pop()][0] == "object"

    def _collection(self, kind: str, elements: set[int]) -> int:
        if self._tolerant and len(elements) > 1:
            elements = self._joined(elements)
        return self._number((kind, frozenset(elements)))

    def _joined(self, elements: set[int]) -> set[int]:
        """Elements that differ only in what is unknown of one of them are one."""
        kept: list[int] = []
        for element in sorted(elements, key=lambda each: (self.unknowns(each), each)):
            for position, other in enumerate(kept):
                if (both := self.unified(other, element)) is not None:
                    kept[position] = both
                    break
            else:
                kept.append(element)
        return set(kept)

    def _number(self, part: Part) -> int:
        number = self._numbers.get(part)
        if number is None:
            number = self._numbers[part] = len(self._parts)
            self._parts.append(part)
        return number

    def unknowns(self, shape: int) -> int:
        """How many empty arrays and nulls are in a shape: places of which it tells nothing."""
        if shape in (NULL, SAME_AS_AROUND):
            return 1
        known = self._unknowns.get(shape)
        if known is None:
            kind, inner = self._parts[shape]
            if kind == "leaf":
                known = 0
            elif kind == "object":
                known = sum(self.unknowns(each) for _, each in inner)
            else:
                known = sum(self.unknowns(each) for each in inner) if inner else 1
            self._unknowns[shape] = known
        return known

    def unified(self, one: int, other: int) -> int | None:
        """The shape of both, if they differ only where one of them has an empty array or null; else None."""
        if one == other or other in (NULL, SAME_AS_AROUND):
            return one
        if one in (NULL, SAME_AS_AROUND):
            return other
        (kind, inner), (kind2, inner2) = self._parts[one], self._parts[other]
        if kind != kind2 or kind == "leaf":
            return None
        if kind == "object":
            if [name for name, _ in inner] != [name for name, _ in inner2]:
                return None
            properties = []
            for (name, left), (_, right) in zip(inner, inner2, strict=True):
                if (both := self.unified(left, right)) is None:
                    return None
                properties.append((name, both))
            return self._number((kind, tuple(properties)))
        if not inner or not inner2:
            return one if inner else other
        if len(inner) != len(inner2):
            return None
        left_over = sorted(inner2)
        joined = []
        for left in sorted(inner):
            for right in left_over:
                if (both := self.unified(left, right)) is not None:
                    left_over.remove(right)
                    joined.append(both)
                    break
            else:
                return None
        return self._number((kind, frozenset(joined)))

    def words(self, shape: int, *, deepest: int = 3) -> str:
        """A shape for people: `{id: Number, tags: [String]}`."""
        kind, inner = self._parts[shape]
        if kind == "leaf":
            return str(inner)
        if not deepest:
            return "{…}" if kind != "array" else "[…]"
        if kind == "object":
            shown = ", ".join(f"{name}: {self.words(each, deepest=deepest - 1)}" for name, each in inner[:8])
            return f"{{{shown}{', …' if len(inner) > 8 else ''}}}"
        union = " | ".join(sorted(self.words(each, deepest=deepest - 1) for each in inner))
        return f"[{union}]" if kind == "array" else f"{{any name: {union}}}"


def is_dictionary(value: dict[str, Any]) -> bool:
    """Whether an object holds data by names that are data too: numbers, identifiers."""
    return len(value) > 0 and all(_NUMBER_NAME.fullmatch(name) or volatile_value(name) for name in value)
