"""The screens two runs end in, side by side, with what differs marked: where to look, and how much of it to show."""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Mapping, Sequence

import msgspec

from jostle.events import Box
from jostle.findings.evidence import RaceEvidence

MOST_BOXES = 200
LARGEST_SIDE = 32_000
"""A picture that says it is larger than that is none."""
PADDING = 4
"""Between what differs and the line around it."""
MARGIN = 40
"""What is shown around the marks, at least."""
CLOSE_UP = 560.0
"""Narrower than that no part of a screen is shown, so that it is seen where it is."""
SHAPE = 0.7
"""Height of what is shown, as a part of its width; the whole screen is shown on demand."""
MOST_BYTES = 30_000_000
"""Of all pictures of a report."""

Rectangle = tuple[float, float, float, float]
"""Left, top, width, height."""


class Screen(msgspec.Struct, frozen=True):
    name: str
    """Of the file."""
    address: str = ""
    """Where the document has it; empty when there is none to be shown."""
    width: int = 0
    height: int = 0


class Screens(msgspec.Struct, frozen=True, kw_only=True):
    good: Screen
    bad: Screen
    width: int
    height: int
    part: Rectangle
    """What is shown at once."""
    marks: tuple[Rectangle, ...]
    outside: int
    """How many marks are in the whole screens only."""

    @property
    def in_part(self) -> bool:
        """What is shown at once is not everything."""
        return self.part != (0, 0, self.width, self.height)


class Album:
    """The pictures of a report: none is shown twice, and together they are not too large for a browser.

    `apart`: they are not part of what shows them; the document has each once, as the text of an element of its own.
    """

    def __init__(self, pictures: Mapping[str, bytes], *, apart: bool = False) -> None:
        self._pictures = pictures
        self._left = MOST_BYTES
        self._numbers: dict[bytes, int] | None = {} if apart else None
        self.left_out = 0
        """Pictures for which there was no room."""

    @property
    def apart(self) -> dict[int, str]:
        """PNG in base64 by the number in its address."""
        return {number: base64.b64encode(data).decode() for data, number in (self._numbers or {}).items()}

    def screens(self, evidence: RaceEvidence) -> Screens | None:
        """None when the runs have no pictures."""
        if not (evidence.good.screen or evidence.bad.screen):
            return None
        good, bad = self.screen(evidence.good.screen), self.screen(evidence.bad.screen)
        width, height = max(good.width, bad.width), max(good.height, bad.height)
        marks = _marks(evidence.boxes, width, height)
        part = _part(marks, width, height)
        inside = sum(_overlap(mark, part) for mark in marks)
        return Screens(
            good=good, bad=bad, width=width, height=height, part=part, marks=marks, outside=len(marks) - inside
        )  # fmt: skip

    def screen(self, name: str) -> Screen:
        data = self._pictures.get(name, b"")
        if len(data) < 24 or data[:8] != b"\x89PNG\r\n\x1a\n":
            return Screen(name)
        width, height = struct.unpack(">II", data[16:24])
        if not (0 < width <= LARGEST_SIDE and 0 < height <= LARGEST_SIDE):
            return Screen(name)
        number = self._numbers.get(data) if self._numbers is not None else None
        if number is None:
            if len(data) > self._left:
                self.left_out += 1
                return Screen(name)
            self._left -= len(data)
            if self._numbers is None:
                return Screen(name, f"data:image/png;base64,{base64.b64encode(data).decode()}", width, height)
            number = self._numbers[data] = len(self._numbers) + 1
        return Screen(name, f"#picture-{number}", width, height)


def _marks(boxes: Sequence[Box], width: int, height: int) -> tuple[Rectangle, ...]:
    marks = []
    for box in boxes[:MOST_BOXES]:
        x, y, wide, high = box.x, box.y, box.width, box.height
        if not all(map(math.isfinite, (x, y, wide, high))):
            continue
        left, top = max(0.0, x - PADDING), max(0.0, y - PADDING)
        right, bottom = min(float(width), x + wide + PADDING), min(float(height), y + high + PADDING)
        if left < right and top < bottom:
            marks.append((left, top, right - left, bottom - top))
    return tuple(marks)


def _part(marks: Sequence[Rectangle], width: int, height: int) -> Rectangle:
    """All marks with what is around them, in the shape of a screen; of very high ones, the part with the first mark."""
    if not marks:
        return 0, 0, width, min(height, round(width * SHAPE))
    left, top = (min(mark[side] for mark in marks) - MARGIN for side in (0, 1))
    right, bottom = (max(mark[side] + mark[side + 2] for mark in marks) + MARGIN for side in (0, 1))
    wide = min(float(width), max(right - left, CLOSE_UP, min(bottom - top, float(height)) / SHAPE))
    if wide > 0.8 * width:
        wide = float(width)
    high = min(float(height), wide * SHAPE)
    x = _between(0, (left + right - wide) / 2, width - wide)
    y = _between(0, (top + bottom - high) / 2 if bottom - top <= high else top, height - high)
    return round(x), round(y), round(wide), round(high)


def _between(least: float, value: float, most: float) -> float:
    return max(least, min(value, most))


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return all(max(one[n], other[n]) < min(one[n] + one[n + 2], other[n] + other[n + 2]) for n in (0, 1))
