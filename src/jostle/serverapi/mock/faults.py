"""Responses that no server should give: for trying what a page does then. They lie outside of the description."""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

Path = tuple[str | int, ...]


class Fault(StrEnum):
    """What goes wrong."""

    ERROR = "error"
    """Status 500."""
    TIMEOUT = "timeout"
    """No response at all."""
    MALFORMED = "malformed"
    """JSON that ends in the middle."""
    MISSING = "missing"
    """A property is not there."""
    NULL = "null"
    """null instead of a value."""
    TYPE = "type"
    """A value of another type."""
    MARKUP = "markup"
    """A text with < & \" and ' in it."""
    LONG = "long"
    """A very long text."""


def spoiled(value: Any, fault: Fault, chance: random.Random) -> Any:
    """A copy of a value with one place spoiled; the value itself if there is no such place."""
    places = [path for path, inner in _places(value) if _fits(path, inner, fault)]
    if not places:
        return value
    return _changed(value, chance.choice(places), fault)


def _fits(path: Path, value: Any, fault: Fault) -> bool:
    if fault is Fault.MISSING:
        return bool(path) and isinstance(path[-1], str)
    if fault in (Fault.MARKUP, Fault.LONG):
        return isinstance(value, str)
    return value is not None


def _places(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield at, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _places(inner, (*at, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _places(inner, (*at, number))


def _changed(value: Any, path: Path, fault: Fault) -> Any:
    if not path:
        return _bad(value, fault)
    if isinstance(value, list):
        return [_changed(each, path[1:], fault) if n == path[0] else each for n, each in enumerate(value)]
    if len(path) == 1 and fault is Fault.MISSING:
        return {name: each for name, each in value.items() if name != path[0]}
    return {name: _changed(each, path[1:], fault) if name == path[0] else each for name, each in value.items()}


def _bad(value: Any, fault: Fault) -> Any:
    match fault:
        case Fault.NULL:
            return None
        case Fault.TYPE:
            return 12345 if isinstance(value, str) else "text"
        case Fault.MARKUP:
            return f"<b>\"&'{value}"
        case Fault.LONG:
            return "long " * 4000
    return value
