"""The state machine of a macro as a drawing: its states in a row, arrows forward above it, back and around below."""

from __future__ import annotations

import math
from collections import defaultdict

import msgspec

from jostle.model.macro import Macro
from jostle.report.rows import shown

RADIUS, LINE, LETTER, MARGIN = 15, 15, 7, 24
"""Of a state, between lines of text, the width of a letter, and around the drawing."""
MOST_NAMED = 8
"""Arrows that can be named with what is done; where there are more, the numbers of the table stand at them."""


class Circle(msgspec.Struct, frozen=True):
    x: float
    label: str
    kind: str
    """`first`, `last` or `between`."""


class Arrow(msgspec.Struct, frozen=True):
    path: str
    x: float
    lines: tuple[tuple[float, str], ...]
    """Its name line by line, each with its height."""


class Diagram(msgspec.Struct, frozen=True):
    box: tuple[int, int, int, int]
    """Left, top, width and height; the states are at height 0."""
    circles: tuple[Circle, ...]
    arrows: tuple[Arrow, ...]


def diagram(macro: Macro) -> Diagram:
    order = sorted(range(macro.states), key=lambda state: (macro.is_final(state), state != macro.initial, state))
    column = {state: n for n, state in enumerate(order)}
    names: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    pairs = {(each.source, each.target) for each in macro.transitions}
    for number, each in enumerate(macro.transitions, 1):
        name = shown(str(each.event), 24) if len(pairs) <= MOST_NAMED else str(number)
        names[column[each.source], column[each.target]].append(name)
    lines = {pair: _lines(each) for pair, each in names.items()}
    gap = 4 * RADIUS + max(60, LETTER * max(len(line) for each in lines.values() for line in each))
    rise = 12 + LINE * max(map(len, lines.values()))
    arrows = [_arrow(start, end, each, gap, rise) for (start, end), each in lines.items()]
    heights = [height for each in arrows for height, _ in each.lines] + [-float(RADIUS), float(RADIUS)]
    top, bottom = math.floor(min(heights)) - LINE - MARGIN, math.ceil(max(heights)) + MARGIN
    side = max(RADIUS, LETTER * max(len(line) for each in lines.values() for line in each) // 2) + MARGIN
    return Diagram(
        box=(-side, top, gap * (len(order) - 1) + 2 * side, bottom - top),
        circles=tuple(
            Circle(gap * n, "end" if macro.is_final(state) else str(state), _kind(macro, state))
            for n, state in enumerate(order)
        ),
        arrows=tuple(arrows),
    )


def _lines(names: list[str]) -> list[str]:
    """Names one below the other; numbers beside each other, four in a line."""
    if not names[0].isdigit():
        return list(dict.fromkeys(names))
    return [", ".join(names[n : n + 4]) for n in range(0, len(names), 4)]


def _arrow(start: int, end: int, lines: list[str], gap: float, rise: float) -> Arrow:
    """The further apart, the higher: so the names of arrows do not meet."""
    one, other, span = gap * start, gap * end, abs(end - start)
    middle, base = (one + other) / 2, 0.0
    if start == end:
        path = f"M{one - 9:.1f} 13C{one - 36:.1f} 58 {one + 36:.1f} 58 {one + 9:.1f} 15"
        base = 46 + LINE
    elif end == start + 1:
        path = f"M{one + RADIUS:.1f} 0H{other - RADIUS - 2:.1f}"
        base = -6 - LINE * (len(lines) - 1)
    else:
        side = -1 if end > start else 1
        height = rise * (span - 1) + 2 * LINE + (0 if end > start else rise)
        bend = height * 4 / 3
        lean = 6 if end > start else -6
        path = (
            f"M{one + lean:.1f} {side * 14}C{one + lean + gap * lean / 20:.1f} {side * bend:.1f} "
            f"{other - lean - gap * lean / 20:.1f} {side * bend:.1f} {other - lean:.1f} {side * 16}"
        )
        base = -height - 8 - LINE * (len(lines) - 1) if end > start else height + LINE + 3
    return Arrow(path, middle, tuple((base + n * LINE, line) for n, line in enumerate(lines)))


def _kind(macro: Macro, state: int) -> str:
    return "last" if macro.is_final(state) else "first" if state == macro.initial else "between"
