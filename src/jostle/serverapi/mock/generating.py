"""Values by a JSON Schema: varied on purpose, and the same for the same seed.

Wherever a schema leaves a choice (which alternative, is the property there, is the list empty ...), the option that was
taken least often so far is taken. So a few values show every option, and after that all are taken in turn.
"""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote

_DEEPEST = 6
"""Levels below which as little as possible is made: trees must end."""
_LONGEST_LIST = 5
_MOST_ITEMS = 1000
"""Of a list that a schema asks for."""
_LONGEST_TEXT = 20_000
"""Characters of a text that a schema asks for."""
_MOST_VALUES = 10_000
"""In one value, with all its parts."""
_WORDS = ("amber", "birch", "cedar", "delta", "ember", "fern", "grove", "harbor", "iris", "juniper", "kelp", "linden")
_NOTHING: Mapping[str, Sequence[Any]] = MappingProxyType({})


class CannotMake(ValueError):
    """A schema asks for something that nobody can make, or that is not understood here."""


class Choices:
    """How often each option of each choice was taken."""

    def __init__(self) -> None:
        self._taken: Counter[tuple[str, str]] = Counter()
        self._options: dict[str, tuple[str, ...]] = {}

    def pick(self, point: str, options: Sequence[str], chance: random.Random) -> str:
        """The option that was taken least often; by chance among several."""
        self._options[point] = tuple(options)
        fewest = min(self._taken[point, option] for option in options)
        chosen = chance.choice([option for option in options if self._taken[point, option] == fewest])
        self._taken[point, chosen] += 1
        return chosen

    @property
    def covered(self) -> tuple[int, int]:
        """How many options were taken, of how many at the choices that were met."""
        met = [(point, option) for point, options in self._options.items() for option in options]
        return sum(self._taken[each] > 0 for each in met), len(met)


class Maker:
    """Makes values by schemas. `resolve` finds the schema that a `$ref` to another file is to."""

    def __init__(
        self,
        choices: Choices,
        chance: random.Random,
        resolve: Callable[[str], Any] | None = None,
        *,
        covering: bool = True,
        compared: Mapping[str, Sequence[Any]] = _NOTHING,
    ) -> None:
        """`covering`: take each option in turn; otherwise all by chance. `compared`: values that clients compare with,
        by the name of the property: each of them is an option."""
        self._choices = choices
        self._chance = chance
        self._resolve = resolve
        self._covering = covering
        self._compared = compared
        self._left = _MOST_VALUES

    def value(self, schema: Any, name: str) -> Any:
        """A value by a schema; `name` tells its choices from those of other schemas. Raises CannotMake."""
        self._left = _MOST_VALUES
        return self._value(schema, schema, name, 0)

    def _pick(self, point: str, options: Sequence[str]) -> str:
        if self._covering:
            return self._choices.pick(point, options, self._chance)
        return self._chance.choice(options)

    def _value(self, schema: Any, root: Any, at: str, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise CannotMake(f"{at}: more than {_MOST_VALUES} values in one")
        if schema is True:
            return None
        if not isinstance(schema, dict):
            raise CannotMake(f"{at}: nothing is valid here")
        if depth > 4 * _DEEPEST:
            raise CannotMake(f"{at}: without end")
        if "$ref" in schema:
            target, around = self._referred(str(schema["$ref"]), root)
            return self._value(target, around, at, depth + 1)
        if "const" in schema:
            return schema["const"]
        if isinstance(enum := schema.get("enum"), list) and enum:
            return enum[int(self._pick(f"{at} enum", [str(number) for number in range(len(enum))]))]
        for keyword in ("anyOf", "oneOf"):
            if isinstance(alternatives := schema.get(keyword), list) and alternatives:
                return self._value(self._alternative(alternatives, at, depth), root, at, depth + 1)
        if isinstance(parts := schema.get("allOf"), list) and parts:
            return self._value(
                _merged([{key: each for key, each in schema.items() if key != "allOf"}, *parts]), root, at, depth
            )
        return self._typed(schema, self._type(schema, at, depth), root, at, depth)

    def _referred(self, reference: str, root: Any) -> tuple[Any, Any]:
        file, _, pointer = reference.partition("#")
        if file:
            if self._resolve is None:
                raise CannotMake(f"{reference} leads elsewhere")
            root = self._resolve(file)
        target = root
        for part in pointer.split("/")[1:]:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            try:
                target = target[int(key)] if isinstance(target, list) else target[key]
            except (KeyError, IndexError, ValueError, TypeError):
                raise CannotMake(f"{reference} leads nowhere") from None
        return target, root

    def _alternative(self, alternatives: list[Any], at: str, depth: int) -> Any:
        numbers = [str(number) for number in range(len(alternatives))]
        if depth > _DEEPEST:
            return min(alternatives, key=_size)
        return alternatives[int(self._pick(f"{at} anyOf", numbers))]

    def _type(self, schema: dict[str, Any], at: str, depth: int) -> str:
        told = schema.get("type")
        types = [told] if isinstance(told, str) else [str(each) for each in told] if isinstance(told, list) else []
        if not types:
            types = ["object" if "properties" in schema else "array" if "items" in schema else "string"]
        if depth > _DEEPEST and "null" in types:
            return "null"
        return types[0] if len(types) == 1 else self._pick(f"{at} type", types)

    def _typed(self, schema: dict[str, Any], kind: str, root: Any, at: str, depth: int) -> Any:
        match kind:
            case "null":
                return None
            case "boolean":
                return self._pick(f"{at} boolean", ["true", "false"]) == "true"
            case "integer" | "number":
                known = [each for each in self._known(at, int | float) if _in_range(each, schema, kind)]
                return self._one_of(known, at, lambda: self._number(schema, kind))
            case "string":
                known = [each for each in self._known(at, str) if _is_text(each, schema)]
                return self._one_of(known, at, lambda: self._text(schema))
            case "array":
                return self._array(schema, root, at, depth)
            case "object":
                return self._object(schema, root, at, depth)
        raise CannotMake(f"{at}: there is no type {kind}")

    def _known(self, at: str, kind: Any) -> Iterator[Any]:
        """What clients compare with, where the value is one of a property."""
        name = at.rpartition(".")[2].removesuffix("[]")
        return (each for each in self._compared.get(name, ()) if isinstance(each, kind))

    def _one_of(self, known: Sequence[Any], at: str, other: Callable[[], Any]) -> Any:
        """Each known value in turn, and any other."""
        if not known or not self._covering:
            return other()
        number = int(self._pick(f"{at} compared", [str(each) for each in range(len(known) + 1)]))
        return known[number] if number < len(known) else other()

    def _number(self, schema: dict[str, Any], kind: str) -> float:
        examples = [each for each in schema.get("examples", ()) if isinstance(each, int | float)]
        if examples and self._chance.random() < 0.8:
            return self._chance.choice(examples)
        lowest = schema.get("minimum", schema.get("exclusiveMinimum", min(examples, default=0)))
        highest = schema.get("maximum", schema.get("exclusiveMaximum", max([*examples, lowest + 100])))
        lowest += "exclusiveMinimum" in schema and kind == "integer"
        highest -= "exclusiveMaximum" in schema and kind == "integer"
        if kind == "integer":
            return self._chance.randint(int(lowest), max(int(lowest), int(highest)))
        return round(self._chance.uniform(lowest, highest), 2)

    def _text(self, schema: dict[str, Any]) -> str:
        examples = [each for each in schema.get("examples", ()) if isinstance(each, str)]
        if examples and self._chance.random() < 0.9:
            return self._chance.choice(examples)
        chance = self._chance
        match schema.get("format"):
            case "date-time":
                return f"{self._day()}T{chance.randrange(24):02}:{chance.randrange(60):02}:00Z"
            case "date":
                return self._day()
            case "uuid":
                return str(uuid.UUID(int=chance.getrandbits(128), version=4))
            case "email":
                return f"{chance.choice(_WORDS)}{chance.randrange(100)}@example.org"
            case "uri":
                return f"https://example.org/{chance.choice(_WORDS)}"
        text = " ".join(chance.choice(_WORDS) for _ in range(chance.randint(1, 3)))
        shortest, longest = schema.get("minLength", 0), schema.get("maxLength")
        if shortest > _LONGEST_TEXT:
            raise CannotMake(f"a text of {shortest:g} characters, more than {_LONGEST_TEXT}")
        while len(text) < shortest:
            text += f" {chance.choice(_WORDS)}"
        return text if longest is None else text[:longest]

    def _day(self) -> str:
        return f"20{self._chance.randint(20, 29)}-{self._chance.randint(1, 12):02}-{self._chance.randint(1, 28):02}"

    def _array(self, schema: dict[str, Any], root: Any, at: str, depth: int) -> list[Any]:
        fewest, most = (
            int(schema.get("minItems", 0)),
            int(schema.get("maxItems", max(_LONGEST_LIST, schema.get("minItems", 0)))),
        )
        if fewest > _MOST_ITEMS:
            raise CannotMake(f"{at}: a list of more than {_MOST_ITEMS}")
        if "items" not in schema and fewest == 0:
            return []
        sizes = {"none": 0, "one": 1, "two": 2, "many": self._chance.randint(3, _LONGEST_LIST)}
        fitting = [name for name, size in sizes.items() if fewest <= size <= most]
        size = fewest if depth > _DEEPEST or not fitting else sizes[self._pick(f"{at} length", fitting)]
        return [self._value(schema.get("items", {}), root, f"{at}[]", depth + 1) for _ in range(size)]

    def _object(self, schema: dict[str, Any], root: Any, at: str, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        required = schema.get("required", ())
        properties = schema.get("properties", {})
        for name, inner in properties.items():
            there = name in required or (depth <= _DEEPEST and self._pick(f"{at}.{name} there", ["yes", "no"]) == "yes")
            if there:
                made[name] = self._value(inner, root, f"{at}.{name}", depth + 1)
        for name in required:
            if name not in properties:
                made[name] = None
        values = schema.get("additionalProperties")
        if isinstance(values, dict) and depth <= _DEEPEST:
            for number in range(int(self._pick(f"{at} names", ["0", "1", "3"]))):
                made.setdefault(str(number + 1), self._value(values, root, f"{at}.*", depth + 1))
        return made


def _in_range(value: float, schema: Mapping[str, Any], kind: str) -> bool:
    if kind == "integer" and not isinstance(value, int):
        return False
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    return (lowest is None or value >= lowest) and (highest is None or value <= highest)


def _is_text(value: str, schema: Mapping[str, Any]) -> bool:
    shortest, longest = schema.get("minLength", 0), schema.get("maxLength")
    return "format" not in schema and len(value) >= shortest and (longest is None or len(value) <= longest)


def _size(schema: Any) -> int:
    """How large values of a schema may get, roughly: 0 for those without parts."""
    told = schema.get("type", "object") if isinstance(schema, dict) else "null"
    kinds = {"array": 1, "object": 2}
    return 3 if isinstance(schema, dict) and "$ref" in schema else kinds.get(told, 0) if isinstance(told, str) else 0


def _merged(schemas: Sequence[Any]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for each in schemas:
        for key, value in each.items() if isinstance(each, dict) else ():
            if key == "properties":
                merged[key] = {**merged.get(key, {}), **value}
            elif key == "required":
                merged[key] = [*merged.get(key, ()), *value]
            else:
                merged.setdefault(key, value)
    return merged
