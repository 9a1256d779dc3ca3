"""A measured series as a drawing: points over the number of repetitions, and what is to be seen in them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from jostle.findings.evidence import Law
from jostle.slowdowns.growth import Fit, growth

Series = Sequence[tuple[float, float]]
"""Numbers of repetitions, each with what was measured then."""

WIDTH, HEIGHT = 440, 270
LEFT, RIGHT, TOP, BOTTOM = 54, 428, 30, 226
"""The edges of the area in which the points are."""
BESIDE = 14
"""Between two control points, which stand in a strip of their own at the right."""
CURVE_POINTS = 60


class PlotMark(msgspec.Struct, frozen=True):
    """A point, or a place on an axis."""

    x: float
    y: float
    words: str


class Plot(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in coordinates of the drawing."""

    across: tuple[PlotMark, ...]
    up: tuple[PlotMark, ...]
    points: tuple[PlotMark, ...]
    failed: PlotMark | None = None
    """The last point, when what was measured is that of a failure."""
    control: tuple[PlotMark, ...] = ()
    strip: float | None = None
    """Where the strip of the control points begins."""
    curve: str = ""
    law: str = ""
    """Of the curve."""
    level: PlotMark | None = None
    """From there on it rose no more."""
    limits: tuple[PlotMark, ...] = ()


def plot(
    points: Series,
    *,
    noun: str,
    unit: str = "",
    control: Series = (),
    law: Law | None = None,
    level: tuple[float, float] | None = None,
    failed: bool = False,
    limits: Sequence[float] = (),
) -> Plot | None:
    """None when there is nothing to draw.

    `law`: draw its curve, if it is the one that fits. `level`: where it levelled off. `failed`: the last point is
    that of a failure. `limits`: heights to be marked as far as they are in sight.
    """
    if not points:
        return None
    strip = RIGHT - BESIDE * len(control[:12]) if control else None
    right = RIGHT if strip is None else strip - BESIDE
    widest = max(1.0, *(x for x, _ in points))
    reached = max(y for _, y in (*points, *control))
    highest = 1.08 * max(1e-9, reached, level[1] if level else 0.0)
    highest = max(highest, *(1.08 * limit for limit in limits if limit <= 2 * highest), 0.0)

    def x_of(x: float) -> float:
        return round(LEFT + 6 + (right - LEFT - 12) * x / widest, 1)

    def y_of(y: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * min(1.0, max(0.0, y / highest)), 1)

    def mark(x: float, y: float) -> PlotMark:
        times = f"{number(x)} repetition{'' if x == 1 else 's'}"
        return PlotMark(x_of(x), y_of(y), f"after {times}: {noun} {number(y)}{unit}")

    marks = [mark(x, y) for x, y in points]
    # Only a fall is the mark of a failure: else the failure came after the last point.
    fell = failed and len(points) > 1 and points[-1][1] < points[-2][1]
    fit = _fit(points[:-1] if fell else points, law)
    return Plot(
        across=tuple(PlotMark(x_of(at), BOTTOM, _short(at)) for at in ticks(widest, 6, whole=True)),
        up=tuple(PlotMark(LEFT, y_of(at), _short(at)) for at in ticks(highest, 5)),
        points=tuple(marks[:-1] if fell else marks),
        failed=marks[-1] if fell else None,
        control=tuple(
            PlotMark(strip + BESIDE * (n + 0.5), y_of(y), f"then without the cause: {noun} {number(y)}{unit}")
            for n, (_, y) in enumerate(control[:12])
            if strip is not None
        ),
        strip=strip - BESIDE / 2 if strip is not None else None,
        curve=_curve([(x_of(x), y_of(fit.at(x))) for x in _stretch(points)]) if fit else "",
        law=law.value if fit and law else "",
        level=PlotMark(x_of(level[0]), y_of(level[1]), f"level {number(level[1])}{unit}") if level else None,
        limits=tuple(PlotMark(LEFT, y_of(limit), f"{number(limit)}{unit}") for limit in limits if limit < highest),
    )


def number(value: float) -> str:
    """`12,400`, `13.5`, `0.25`."""
    if abs(value) >= 100 or value == round(value):
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) >= 0.001 else f"{value:.1g}"


def _short(value: float) -> str:
    """There is little room at an axis."""
    for size, letter in ((1e9, "G"), (1e6, "M")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return number(value)


def ticks(highest: float, most: int, *, whole: bool = False) -> list[float]:
    """Round numbers from 0 on, at most so many besides 0."""
    rough = highest / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough * 0.999)
    step = max(1.0, step) if whole else step
    return [n * step for n in range(math.floor(highest / step * 1.0001) + 1)]


def line(points: Series, width: float, height: float) -> str:
    """A series as a path of this size, for a drawing without axes."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide, high = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    return _curve([(width * (x - min(xs)) / wide, height * (1 - (y - min(ys)) / high)) for x, y in points])


def _fit(points: Series, law: Law | None) -> Fit | None:
    """The curve of the law where it is the one that fits: what is done for the first time may cost more."""
    for series in (points, points[1:]) if law else ():
        found = growth(series)
        if found is not None and found.law is law:
            return found.fit
    return None


def _stretch(points: Series) -> list[float]:
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    return [first + (last - first) * n / CURVE_POINTS for n in range(CURVE_POINTS + 1)]


def _curve(points: Series) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
