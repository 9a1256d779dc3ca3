"""Insertions into a source, and the way back from a place in the result to the place in the original."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate


class Edits:
    """Text to be inserted. It never holds a line break, so that lines stay what they are.

    Whoever wraps parts of a source goes from the outside to the inside: what `before` puts at one place stands in the
    order of the calls, what `after` puts there in the opposite order, and before anything that begins there.
    """

    def __init__(self) -> None:
        self._before: dict[int, str] = {}
        self._after: dict[int, str] = {}

    def before(self, offset: int, text: str) -> None:
        self._before[offset] = self._before.get(offset, "") + text

    def after(self, offset: int, text: str) -> None:
        self._after[offset] = text + self._after.get(offset, "")

    def wrap(self, start: int, end: int, opening: str, closing: str) -> None:
        self._before[start] = self._before.get(start, "") + opening
        self._after[end] = closing + self._after.get(end, "")

    def apply(self, source: str) -> tuple[str, list[tuple[int, int]]]:
        """The new text, and where how much was inserted."""
        before, after = self._before, self._after
        pieces: list[str] = []
        inserted: list[tuple[int, int]] = []
        last = 0
        for offset in sorted(before.keys() | after.keys()):
            text = after.get(offset, "")
            if opening := before.get(offset):
                previous = text[-1:] or source[offset - 1 : offset]
                # `return(a).b`: what is inserted must not grow together with the word before it.
                text += "/**/" + opening if _joins(previous) and _joins(opening[0]) else opening
            pieces += source[last:offset], text
            inserted.append((offset, units(text)))
            last = offset
        pieces.append(source[last:])
        return "".join(pieces), inserted


def units(text: str) -> int:
    """Its length as V8 counts: in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _joins(character: str) -> bool:
    return character.isalnum() or character in ("_", "$") or character > "\x7f"


class Lines:
    """Offsets of a source as lines and columns, 1-based, in UTF-16 units as V8 counts them."""

    def __init__(self, source: str, line: int = 1, column: int = 1) -> None:
        """`line` and `column`: where the source begins in its file."""
        self._starts = [0]
        position = source.find("\n")
        if "\r" in source or "\u2028" in source or "\u2029" in source:
            self._starts += _all_line_starts(source)
        else:
            while position >= 0:
                self._starts.append(position + 1)
                position = source.find("\n", position + 1)
        self._wide = [n for n, c in enumerate(source) if c > "\uffff"] if source and max(source) > "\uffff" else []
        self._line = line
        self._column = column

    def at(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset) - 1
        column = offset - self._starts[line]
        if self._wide:
            column += bisect_right(self._wide, offset - 1) - bisect_right(self._wide, self._starts[line] - 1)
        return self._line + line, column + (self._column if line == 0 else 1)

    def offset(self, line: int, column: int) -> int:
        """The other way round; columns behind the end of a line lead on."""
        first = self._column if line == self._line else 1
        start = self.start(line)
        offset = start + max(column - first, 0)
        while self._wide and offset > start and self.at(offset)[1] > column:
            offset -= 1
        return offset

    @property
    def numbers(self) -> range:
        return range(self._line, self._line + len(self._starts))

    def start(self, line: int) -> int:
        """The offset of a line; of the first or last one when there is none of this number."""
        return self._starts[min(max(line - self._line, 0), len(self._starts) - 1)]


def _all_line_starts(source: str) -> Iterable[int]:
    for offset, character in enumerate(source):
        if character in "\n\u2028\u2029" or (character == "\r" and source[offset + 1 : offset + 2] != "\n"):
            yield offset + 1


class Positions:
    """Leads from a place in rewritten code back to the original."""

    def __init__(self, offsets: array[int], lengths: array[int], lines: Lines) -> None:
        """Of each insertion, in order: where in the original, and its length; less than 0 where text went."""
        self._offsets, self._lengths, self.lines = offsets, lengths, lines

    @cached_property
    def _shifts(self) -> array[int]:
        """How much was inserted before each insertion, and in all."""
        return array("i", accumulate(self._lengths, initial=0))

    @classmethod
    def of(cls, inserted: Iterable[tuple[int, int]], lines: Lines) -> Positions:
        pairs = sorted(inserted)
        return cls(array("i", (offset for offset, _ in pairs)), array("i", (length for _, length in pairs)), lines)

    def inserted(self) -> list[tuple[int, int]]:
        return list(zip(self._offsets, self._lengths, strict=True))

    def original(self, line: int, column: int) -> tuple[int, int]:
        """A place inside something inserted is the place where it was inserted."""
        if line not in self.lines.numbers:
            return line, column
        first = bisect_left(self._offsets, self.lines.start(line))
        is_last = line + 1 not in self.lines.numbers
        end = len(self._offsets) if is_last else bisect_left(self._offsets, self.lines.start(line + 1))
        shifts = self._shifts

        def begins(index: int) -> int:
            """The column in the rewritten line; where text went, the one before which it stood."""
            shift = shifts[index] - shifts[first] + min(self._lengths[index], 0)
            return self.lines.at(self._offsets[index])[1] + shift

        last = first + bisect_right(range(first, end), column, key=begins) - 1
        if last < first:
            return line, column
        if begins(last) + max(self._lengths[last], 0) > column:
            return line, self.lines.at(self._offsets[last])[1]
        return line, column - (shifts[last + 1] - shifts[first])

    def at(self, offset: int) -> bool:
        """Whether something was inserted there."""
        index = bisect_left(self._offsets, offset)
        return index < len(self._offsets) and self._offsets[index] == offset

    def packed(self) -> bytes:
        return self._offsets.tobytes() + self._lengths.tobytes()

    @classmethod
    def unpacked(cls, data: bytes, lines: Lines) -> Positions:
        """Raises ValueError."""
        numbers = array("i")
        numbers.frombytes(data)
        half, odd = divmod(len(numbers), 2)
        if odd:
            raise ValueError("not positions")
        return cls(numbers[:half], numbers[half:], lines)
