"""JSON Schema (2020-12) of values that were seen.

What was seen is added up, value by value; a schema is made of the sum, so more samples refine it. Every value that was
added is valid by the schema. What a schema claims beyond types needs evidence:

| claim                  | evidence                                                                                |
|------------------------|-----------------------------------------------------------------------------------------|
| `required`             | every object had the property                                                           |
| `integer`              | no number had a fraction                                                                |
| `format`               | every text had it                                                                       |
| `enum`                 | 20 or more texts, of at most 8 kinds, each like a word and seen again                   |
| `additionalProperties` | names are data: numbers, identifiers, or 8 and more of which most were seen only once   |
| `$ref` to an object    | a tree: the properties are (nearly) those of an object around it                        |
| around it              |                                                                                         |
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from jostle.recording.redaction import is_placeholder
from jostle.serverapi.schemas import DIALECT
from jostle.serverapi.shape import DICTIONARY_SIZE, is_dictionary

MOST_EXAMPLES = 20
LONGEST_EXAMPLE = 200
ENUM_SIZE = 8
ENUM_SAMPLES = 20
ALIKE = 0.8
"""How much of their properties an object and one around it have in common in a tree (Jaccard)."""
_WORD = re.compile(r"[A-Za-z][\w -]{0,39}", re.ASCII)
_DAY = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_FORMATS = {
    "date-time": re.compile(rf"{_DAY}[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{{1,9}})?(?:[Zz]|[+-]\d\d:\d\d)"),
    "date": re.compile(_DAY),
    "uuid": re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"),
    "email": re.compile(r"[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}", re.ASCII),
    "uri": re.compile(r"https?://[A-Za-z0-9.:\[\]-]{1,200}(?:[/?#][!-~]{0,2000})?", re.ASCII),
}
_LONGEST_FORMAT = 2300
Schema = dict[str, Any]


class Seen:
    """Everything that was seen at one place of the values."""

    __slots__ = (
        "arrays",
        "booleans",
        "count",
        "examples",
        "floats",
        "formats",
        "integers",
        "items",
        "moved",
        "nulls",
        "objects",
        "properties",
        "same_as",
        "strings",
        "words",
    )

    def __init__(self) -> None:
        self.count = 0
        self.nulls = 0
        self.booleans = 0
        self.integers = 0
        self.floats = 0
        self.strings = 0
        self.arrays = 0
        self.objects = 0
        self.words: dict[str, int] | None = {}
        """How often each text was seen; None when there are too many of them."""
        self.formats: dict[str, re.Pattern[str]] = _FORMATS
        self.examples: dict[Any, None] = {}
        self.items: Seen | None = None
        self.properties: dict[str, Seen] = {}
        self.same_as: Seen | None = None
        """The object around it that it is like, in a tree."""
        self.moved = 0
        """How many of its objects are counted there."""

    def add(self, value: Any) -> None:
        """One more value."""
        self.count += 1
        if isinstance(value, str):
            self._add_text(value)
        elif value is None:
            self.nulls += 1
        elif isinstance(value, bool):
            self.booleans += 1
        elif isinstance(value, int):
            self.integers += 1
            self._example(value)
        elif isinstance(value, float):
            self.floats += 1
            self._example(value)
        elif isinstance(value, list):
            self.arrays += 1
            if value:
                items = self.items
                if items is None:
                    items = self.items = Seen()
                for each in value:
                    items.add(each)
        else:
            self.objects += 1
            properties = self.properties
            for name, each in value.items():
                inner = properties.get(name)
                if inner is None:
                    inner = properties[name] = Seen()
                inner.add(each)

    def _add_text(self, text: str) -> None:
        self.strings += 1
        if self.formats:
            fits = len(text) <= _LONGEST_FORMAT
            left = {name: each for name, each in self.formats.items() if fits and each.fullmatch(text)}
            if len(left) < len(self.formats):
                self.formats = left
        words = self.words
        if words is not None:
            if text in words:
                words[text] += 1
                return
            if len(words) >= ENUM_SIZE or not _WORD.fullmatch(text):
                self.words = None
            else:
                words[text] = 1
        if len(self.examples) < MOST_EXAMPLES and len(text) <= LONGEST_EXAMPLE and not is_placeholder(text):
            self.examples.setdefault(text)

    def _example(self, number: float) -> None:
        if len(self.examples) < MOST_EXAMPLES:
            self.examples.setdefault(number)

    def absorb(self, other: Seen) -> None:
        """Everything that was seen at another place too."""
        self.count += other.count
        self.nulls += other.nulls
        self.booleans += other.booleans
        self.integers += other.integers
        self.floats += other.floats
        if other.strings:
            self.formats = (
                {name: each for name, each in self.formats.items() if name in other.formats}
                if self.strings
                else dict(other.formats)
            )
            if self.words is not None:
                if other.words is None or len(self.words.keys() | other.words.keys()) > ENUM_SIZE:
                    self.words = None
                else:
                    for word, often in other.words.items():
                        self.words[word] = self.words.get(word, 0) + often
        self.strings += other.strings
        self.arrays += other.arrays
        self.objects += other.objects
        for example in other.examples:
            if len(self.examples) < MOST_EXAMPLES:
                self.examples.setdefault(example)
        if other.items is not None:
            if self.items is None:
                self.items = Seen()
            self.items.absorb(other.items)
        for name, inner in other.properties.items():
            self.properties.setdefault(name, Seen()).absorb(inner)

    @property
    def kinds(self) -> frozenset[str]:
        """The types that were seen, other than null."""
        counted = {
            "boolean": self.booleans,
            "number": self.integers + self.floats,
            "string": self.strings,
            "array": self.arrays,
            "object": self.objects,
        }
        return frozenset(name for name, number in counted.items() if number)

    @property
    def is_dictionary(self) -> bool:
        """Whether the names of the properties are data."""
        inner = list(self.properties.values())
        if not inner or len(frozenset().union(*(each.kinds for each in inner))) > 1:
            return False
        if is_dictionary(self.properties):
            return True
        if len(inner) < DICTIONARY_SIZE:
            return False
        once = sum(each.count == 1 for each in inner)
        if self.objects > 1:
            return once * 2 > len(inner)
        names = {frozenset(each.properties) for each in inner}
        return len(names) == 1 and bool(names.pop())  # one object with many alike in it


def seen_in(values: Iterable[Any]) -> Seen:
    """All these values, added up."""
    seen = Seen()
    for value in values:
        seen.add(value)
    return seen


def schema_of(seen: Seen | Iterable[Seen]) -> Schema:
    """The schema of what was seen; of several, each on its own as one of the alternatives."""
    sums = [seen] if isinstance(seen, Seen) else list(seen)
    if len(sums) == 1:
        _fold(sums[0])
        return {"$schema": DIALECT, **_Writer(sums[0], "#").schema()}
    alternatives = []
    for number, each in enumerate(sums):
        _fold(each)
        alternatives.append(_Writer(each, f"#/anyOf/{number}").schema())
    return {"$schema": DIALECT, "anyOf": alternatives} if alternatives else {"$schema": DIALECT}


def _fold(root: Seen) -> None:
    """Make trees of objects that are like one around them."""
    while _folded(root, ()):
        pass  # what moved up may be a tree in its turn


def _folded(seen: Seen, around: tuple[Seen, ...]) -> bool:
    """Whether something was moved into the object that it is like."""
    if seen.same_as is None and seen.objects and not seen.is_dictionary:
        seen.same_as = next((each for each in around if _alike(each, seen)), None)
    if seen.same_as is not None and seen.objects > seen.moved:
        moved = Seen()
        moved.properties, seen.properties = seen.properties, {}
        moved.objects, seen.moved = seen.objects - seen.moved, seen.objects
        seen.same_as.absorb(moved)
        return True
    moved_in_items = seen.items is not None and _folded(seen.items, around)
    inside = (*around, seen) if seen.objects and not seen.is_dictionary else around
    return sum(_folded(each, inside) for each in list(seen.properties.values())) > 0 or moved_in_items


def _alike(one: Seen, other: Seen) -> bool:
    names, names2 = one.properties.keys(), other.properties.keys()
    if len(names2) < 2 or len(names & names2) < ALIKE * len(names | names2):
        return False
    return all(
        not one.properties[name].kinds
        or not other.properties[name].kinds
        or one.properties[name].kinds == other.properties[name].kinds
        for name in names & names2
    )


class _Writer:
    """Writes the schema of one sum. Trees refer to the place where their object is written."""

    def __init__(self, seen: Seen, at: str) -> None:
        self._root = seen
        self._at = at
        self._places: dict[int, str] = {}

    def schema(self) -> Schema:
        return self._schema(self._root, self._at)

    def _schema(self, seen: Seen, at: str) -> Schema:
        kinds = sorted(seen.kinds)
        if not kinds:
            return {"type": "null"} if seen.nulls else {}
        if len(kinds) == 1:
            return self._nullable(self._one(seen, kinds[0], at, bool(seen.nulls)), bool(seen.nulls))
        anyof = [self._one(seen, kind, f"{at}/anyOf/{number}", False) for number, kind in enumerate(kinds)]
        return {"anyOf": [*anyof, *([{"type": "null"}] if seen.nulls else [])]}

    @staticmethod
    def _nullable(schema: Schema, nullable: bool) -> Schema:
        if not nullable:
            return schema
        if "$ref" in schema:
            return {"anyOf": [schema, {"type": "null"}]}
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
        return {**schema, "type": [schema["type"], "null"]}

    def _one(self, seen: Seen, kind: str, at: str, nullable: bool) -> Schema:
        match kind:
            case "boolean":
                return {"type": "boolean"}
            case "number":
                examples = [each for each in seen.examples if not isinstance(each, str)]
                return {"type": "number" if seen.floats else "integer", **_examples(examples)}
            case "string":
                return _text_schema(seen)
            case "array":
                items = self._schema(seen.items, f"{at}/items") if seen.items is not None else {}
                return {"type": "array", **({"items": items} if items else {})}
        if seen.same_as is not None:
            return {"$ref": self._places[id(seen.same_as)]}
        self._places[id(seen)] = at
        if seen.is_dictionary:
            values = Seen()
            for each in seen.properties.values():
                values.absorb(each)
            return {"type": "object", "additionalProperties": self._schema(values, f"{at}/additionalProperties")}
        properties = {
            name: self._schema(each, f"{at}/properties/{_pointer(name)}") for name, each in seen.properties.items()
        }
        required = [name for name, each in seen.properties.items() if each.count == seen.objects]
        schema: Schema = {"type": "object"}
        if properties:
            schema["properties"] = properties
        if required:
            schema["required"] = required
        return schema


def _text_schema(seen: Seen) -> Schema:
    words = seen.words
    if words and seen.strings >= ENUM_SAMPLES and min(words.values()) > 1:
        return {"type": "string", "enum": sorted(words)}
    schema: Schema = {"type": "string"}
    if seen.formats:
        schema["format"] = next(iter(seen.formats))
    return {**schema, **_examples([each for each in seen.examples if isinstance(each, str)])}


def _examples(examples: list[Any]) -> Schema:
    return {"examples": examples} if examples else {}


def _pointer(name: str) -> str:
    """A property in a JSON pointer within an address."""
    return quote(name.replace("~", "~0").replace("/", "~1"), safe="~")
