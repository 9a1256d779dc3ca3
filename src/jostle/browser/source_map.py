"""Source maps: where a place in a script that was made by a tool comes from."""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from typing import Any

_DIGITS = {digit: n for n, digit in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


class SourceMap:
    """One map of version 3. Raises ValueError when it is none."""

    def __init__(self, document: Any) -> None:
        if not isinstance(document, dict) or document.get("version") != 3 or "sections" in document:
            raise ValueError("not a source map of version 3 without sections")
        root = str(document.get("sourceRoot") or "")
        self._sources = [f"{root}{source}" for source in document.get("sources") or ()]
        self._contents = list(document.get("sourcesContent") or ())
        self._lines = list(_lines(str(document.get("mappings") or "")))

    def original(self, line: int, column: int) -> tuple[str, int] | None:
        """File and line, both lines from 0, of a place in the made script."""
        if line >= len(self._lines):
            return None
        segments = self._lines[line]
        place = bisect.bisect_right(segments, column, key=lambda segment: segment[0]) - 1
        if place < 0:
            return None
        _, source, at = segments[place]
        return (self._sources[source], at) if 0 <= source < len(self._sources) else None

    def text(self, source: str) -> str:
        """What a source contains, if the map has it."""
        place = self._sources.index(source)
        content = self._contents[place] if place < len(self._contents) else None
        return str(content or "")


def _lines(mappings: str) -> Iterator[list[tuple[int, int, int]]]:
    """For each line of the made script: column, source and line in that source, in order of columns."""
    source = at = 0
    for line in mappings.split(";"):
        column = 0
        segments = []
        for part in line.split(",") if line else ():
            numbers = _numbers(part)
            if not numbers:
                raise ValueError("an empty segment in a source map")
            column += numbers[0]
            if len(numbers) >= 4:
                source, at = source + numbers[1], at + numbers[2]
                segments.append((column, source, at))
        yield sorted(segments)


def _numbers(text: str) -> list[int]:
    """Variable-length numbers in base 64: five bits a digit, the lowest first; the last bit of all is the sign."""
    found, value, shift = [], 0, 0
    for digit in text:
        if digit not in _DIGITS:
            raise ValueError(f"{digit!r} in a source map")
        bits = _DIGITS[digit]
        value |= (bits & 31) << shift
        shift += 5
        if not bits & 32:
            found.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    if shift:
        raise ValueError("a source map that breaks off")
    return found
