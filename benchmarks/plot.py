"""Mean and 95 % confidence interval over repetitions, in words and as a small SVG plot."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from html import escape

import msgspec

_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
"""Student's t for 95 %, two-sided, by degrees of freedom from 1."""
_COLOURS = ("#7a869a", "#d9730d", "#0b6e99", "#6940a5")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP, _RIGHT = 560, 320, 56, 36, 34, 90


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a plot: a value after each event, for each run."""

    name: str
    runs: Sequence[Sequence[int]]

    def at(self, event: int) -> tuple[float, float]:
        """Mean and half-width of the interval; a run that ended earlier stays where it was."""
        return interval([run[min(event, len(run) - 1)] for run in self.runs if run])


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half of the width of its 95 % confidence interval."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, 0.0
    t = _T[len(values) - 2] if len(values) - 2 < len(_T) else 1.96
    return mean, t * statistics.stdev(values) / math.sqrt(len(values))


def spread(values: Sequence[float]) -> str:
    mean, half = interval(values)
    return f"{mean:.1f} ± {half:.1f}"


def plot(title: str, curves: Sequence[Curve]) -> str:
    """An SVG picture: means as lines, intervals as bars."""
    events = max((len(run) for curve in curves for run in curve.runs), default=1)
    top = max((sum(curve.at(events - 1)) for curve in curves), default=1.0) * 1.05 or 1.0
    width, height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(event: int, value: float) -> tuple[float, float]:
        return _LEFT + width * event / max(1, events - 1), _TOP + height * (1 - value / top)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"',
        ' font-family="sans-serif" font-size="11">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="20" font-size="13">{escape(title)}</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        line_y = _TOP + height * (1 - share)
        parts.append(f'<path d="M{_LEFT} {line_y:.1f}h{width}" stroke="#e5e5e5"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{line_y + 4:.1f}" text-anchor="end">{top * share:.0f}</text>')
        parts.append(
            f'<text x="{_LEFT + width * share:.1f}" y="{_HEIGHT - 14}" text-anchor="middle">{events * share:.0f}</text>'
        )
    for number, curve in enumerate(curves):
        colour = _COLOURS[number % len(_COLOURS)]
        marks = sorted({round((events - 1) * step / 12) for step in range(13)})
        points = [(event, *curve.at(event)) for event in marks]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(event, mean) for event, mean, _ in points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for event, mean, half in points:
            x, low = place(event, mean - half)
            _, high = place(event, mean + half)
            parts.append(f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{colour}" stroke-width="1.2"/>')
        x, y = place(events - 1, points[-1][1])
        parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{escape(curve.name)}</text>')
    return "\n".join((*parts, "</svg>")) + "\n"
