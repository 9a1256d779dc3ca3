"""How a cost grows with the number of repetitions: which law fits, how sure that is, and where it will end."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from statistics import median

import msgspec

from jostle.findings.evidence import Law, Levelled

POINTS = 5
"""With fewer points nothing is said about growth."""
ENOUGH = 8
"""With fewer points what is said about growth is a guess."""
NOISE = 0.004
"""Deviations of this share of the whole range are as good as none: laws that fit so well are all said to fit."""
FARTHEST = 1_000_000
"""Projections go no further than so many repetitions."""
FIRST = 0.02
"""A first point that is farther off than this share of the whole rise of the others may be left out."""
FALL = 0.3
"""A cost falls by much when it falls by this share of what it had risen by."""
FLAT = 0.03
"""A cost that stays within this share of its whole rise does not rise any more."""


class Fit(msgspec.Struct, frozen=True):
    """A law with its numbers: `offset + slope * f(x)`, and `bend * x²` for the quadratic one."""

    law: Law
    offset: float
    slope: float = 0.0
    shape: float = 0.0
    """Logarithmic and n log n: how many there were at the start; exponential: the factor of one repetition."""
    bend: float = 0.0
    error: float = 0.0
    """The usual distance of a point from the curve."""

    def at(self, x: float) -> float:
        """The cost after x repetitions; infinite when it is beyond all numbers."""
        try:
            return self.offset + self.slope * _BASIS[self.law](x, self.shape) + self.bend * x * x
        except OverflowError:
            return math.inf

    def reaches(self, cost: float) -> int | None:
        """The number of repetitions at which the cost passes a limit; None when it does not within `FARTHEST`."""
        if self.at(0) > cost:
            return 0
        if self.at(FARTHEST) <= cost:
            return None
        low, high = 0, FARTHEST
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.at(middle) > cost else (middle, high)
        return high


_BASIS: dict[Law, Callable[[float, float], float]] = {
    Law.CONSTANT: lambda x, shape: 0.0,
    Law.LOGARITHMIC: lambda x, shape: math.log(x + shape),
    Law.LINEAR: lambda x, shape: x,
    Law.LINEARITHMIC: lambda x, shape: (x + shape) * math.log(x + shape),
    Law.QUADRATIC: lambda x, shape: x,
    Law.EXPONENTIAL: lambda x, shape: shape**x,
}


class Growth(msgspec.Struct, frozen=True):
    """The law that fits a series best, and how sure that is."""

    fit: Fit
    sure: float
    """From 0 to 1, against the other laws; the fewer points, the less."""
    others: dict[Law, float] = {}
    """What else it may be, with how likely that is; only what has at least 1 %."""
    points: int = 0

    @property
    def law(self) -> Law:
        return self.fit.law

    def __str__(self) -> str:
        """`linear growth, 95% sure`, with doubts as there are."""
        if self.points < ENOUGH:
            return f"it looks {self.law}, which {self.points} costs are too few to tell"
        rival = max(self.others, key=self.others.__getitem__, default=None)
        if rival is None or self.sure > 0.9:
            return f"{self.law} growth, {self.sure:.0%} sure"
        if self.sure > 0.6:
            return f"probably {self.law} growth, {self.sure:.0%} sure, else {rival}"
        return f"{self.law} or {rival} growth, {self.sure:.0%} and {self.others[rival]:.0%} sure"


Point = tuple[float, float]
"""A number of repetitions and a cost."""


def growth(points: Sequence[Point]) -> Growth | None:
    """The law that fits best; None for fewer than `POINTS` points. A few points far off the others do not matter.

    Nor does the first one, when the others tell of another beginning: the first time something may be empty that is
    not so any more, or be made that is kept.
    """
    kept, rest = without_outliers(points), without_outliers(sorted(points)[1:])
    if len(kept) < POINTS:
        return None
    if len(rest) >= POINTS:
        (x, y), without = min(points), _best(rest)
        span = max(y for _, y in rest) - min(y for _, y in rest)
        if abs(without.fit.at(x) - y) > max(1.0, FIRST * span, 8 * without.fit.error):
            return without
    return _best(kept)


def _best(points: Sequence[Point]) -> Growth:
    span = max(y for _, y in points) - min(y for _, y in points)
    floor = max(0.3, NOISE * span) ** 2
    weighed: dict[Law, tuple[float, Fit]] = {}
    for fit, parameters in _fits(points):
        squares = sum((y - fit.at(x)) ** 2 for x, y in points)
        count = len(points)
        # Akaike's criterion, with the correction for few points.
        worth = count * math.log(max(squares / count, floor)) + 2 * parameters
        worth += 2 * parameters * (parameters + 1) / max(1, count - parameters - 1)
        fit = msgspec.structs.replace(fit, error=math.sqrt(squares / count))
        if fit.law not in weighed or worth < weighed[fit.law][0]:
            weighed[fit.law] = (worth, fit)
    best = min(worth for worth, _ in weighed.values())
    likely = {law: math.exp((best - worth) / 2) for law, (worth, _) in weighed.items()}
    total = sum(likely.values())
    law = min(weighed, key=lambda each: weighed[each][0])
    others = {each: share / total for each, share in likely.items() if each != law and share / total >= 0.01}
    # However well a law fits: of what so few points show, another one might yet show something else.
    sure = likely[law] / total * len(points) / (len(points) + 1)
    return Growth(weighed[law][1], sure, others, len(points))


def rises(points: Sequence[Point]) -> bool:
    """Whether the costs go up on the whole: most later points are above most earlier ones, by more than the noise."""
    costs = [y for _, y in without_outliers(points)]
    pairs = [(a, b) for n, a in enumerate(costs) for b in costs[n + 1 :]]
    if not pairs:
        return False
    agreement = (sum(a < b for a, b in pairs) - sum(a > b for a, b in pairs)) / len(pairs)
    third = max(1, len(costs) // 3)
    gain = median(costs[-third:]) - median(costs[:third])
    steps = [abs(b - a) for a, b in pairwise(costs)]
    return agreement >= 0.5 and gain > 0 and gain * 2 >= median(steps)


def levelled_off(points: Sequence[Point]) -> Levelled | None:
    """Where a cost that had risen became flat for good.

    It must have risen at least three times, and stand still for at least four points and for clearly longer than ever
    before: the cost of a search in a tree stands still between one doubling and the next.
    """
    points = without_outliers(points)
    if len(points) < POINTS:
        return None
    # The first and the last may be far off too: what is usual there tells the whole rise.
    usual = _smoothed(points)
    highest = max(usual)
    flat = FLAT * (highest - min(usual))
    margin = max(flat, 4 * median(_distances(points)))
    level = median(y for _, y in points[-4:])
    first = len(points)
    while first and abs(points[first - 1][1] - level) <= margin:
        first -= 1
    head, tail = points[: first + 1], points[first:]
    if len(tail) < 4 or len(head) < 4 or level < highest - margin or not rises(head):
        return None
    half = len(tail) // 2
    if median(y for _, y in tail[half:]) - median(y for _, y in tail[:half]) > flat:
        return None
    ups, standstill, since = 0, 0.0, head[0]
    for point in head[1:]:
        if point[1] > since[1] + margin / len(head):
            ups += 1
            standstill = max(standstill, point[0] - since[0])
            since = point
    lasted = tail[-1][0] - tail[0][0]
    if ups < 3 or lasted < 2.5 * standstill or lasted < (tail[0][0] - head[0][0]) / 4:
        return None
    return Levelled(tail[0][0], median(y for _, y in tail), len(tail))


def falls_back(points: Sequence[Point]) -> Levelled | None:
    """Where a cost that had risen fell by much, and not for a moment only: a list that is emptied at some length.

    Costs that are off by themselves, even two in a row, are no peak and no fall: what is usual around them counts. And
    what rises beyond the peak in the end has not fallen back, whatever happened in between.
    """
    points = sorted(points)
    usual = _smoothed(points)
    lowest, highest, at, row = math.inf, -math.inf, 0.0, 0
    noise = 2 * median(abs(y - level) for (_, y), level in zip(points, usual, strict=True)) if points else 0.0
    for number, ((x, _), y) in enumerate(zip(points, usual, strict=True)):
        lowest = min(lowest, y)
        row = row + 1 if y < highest - max(noise, FALL * (highest - lowest)) else 0
        if row == 2:
            beyond = max(usual[number:]) > highest + max(noise, FLAT * (highest - lowest))
            return None if beyond else Levelled(at, highest, len(points))
        if y > highest:
            at, highest = x, y
    return None


def _smoothed(points: Sequence[Point]) -> list[float]:
    """The median of each cost and the two on either side of it; at the ends, of the five there."""
    costs = [y for _, y in points]
    starts = (max(0, min(n - 2, len(costs) - 5)) for n in range(len(costs)))
    return [median(costs[start : start + 5]) for start in starts]


def without_outliers(points: Sequence[Point]) -> list[Point]:
    """Without the few points (a seventh at most) that lie far from the line through their neighbours."""
    kept = sorted(points)
    for _ in range(len(kept) // 7):
        if len(kept) < POINTS:
            break
        off = _distances(kept)
        worst = max(range(len(off)), key=off.__getitem__)
        # A spike lends half of its height to either neighbour, so three of the distances are its own.
        usual = median(each for n, each in enumerate(off) if abs(n - worst) > 1) if len(off) > 3 else max(off)
        if off[worst] <= max(1.0, 12 * usual, 0.1 * (kept[-1][1] - kept[0][1])):
            break
        del kept[worst + 1]
    return kept


def _distances(points: Sequence[Point]) -> list[float]:
    """How far each point but the first and the last is from the line through its neighbours."""
    return [abs(b[1] - _between(a, b, c)) for a, b, c in zip(points, points[1:], points[2:], strict=False)]


def _between(a: Point, b: Point, c: Point) -> float:
    return a[1] if a[0] == c[0] else a[1] + (c[1] - a[1]) * (b[0] - a[0]) / (c[0] - a[0])


def _fits(points: Sequence[Point]) -> Iterator[tuple[Fit, int]]:
    """Every law that could be, with the number of its parameters."""
    span = max(y for _, y in points) - min(y for _, y in points)
    last = max(x for x, _ in points)
    yield Fit(Law.CONSTANT, sum(y for _, y in points) / len(points)), 1
    if not last:
        return
    for law, shapes, parameters in (
        (Law.LINEAR, (0.0,), 2),
        (Law.LOGARITHMIC, (1.0, 2.0, 5.0), 3),
        (Law.LINEARITHMIC, (1.0, 2.0, 5.0, 10.0, 20.0), 3),
        (Law.EXPONENTIAL, tuple(2 ** (n / 16) for n in range(1, 33)), 3),
    ):
        basis = _BASIS[law]
        for shape in shapes:
            # What grows by less than a factor of ten in all cannot be told from a parabola.
            if law is Law.EXPONENTIAL and not math.log(10) < last * math.log(shape) < 500:
                continue
            solved = _least_squares([((1.0, basis(x, shape)), y) for x, y in points])
            if solved is not None and solved[1] > 0:
                yield Fit(law, solved[0], solved[1], shape), parameters
    solved = _least_squares([((1.0, x, x * x), y) for x, y in points])
    if solved is not None:
        offset, slope, bend = solved
        # A parabola that bends by less than this is a line, and one that falls at first is none of a growing cost.
        if bend * last * last > 0.1 * span and slope > -0.1 * bend * last:
            yield Fit(Law.QUADRATIC, offset, slope, bend=bend), 3


def _least_squares(rows: Sequence[tuple[tuple[float, ...], float]]) -> list[float] | None:
    """The coefficients that fit best; None when they are not determined."""
    size = len(rows[0][0])
    scale = [max(abs(row[k]) for row, _ in rows) or 1.0 for k in range(size)]
    matrix = [
        [
            *(sum(row[i] * row[j] / scale[i] / scale[j] for row, _ in rows) for j in range(size)),
            sum(row[i] / scale[i] * y for row, y in rows),
        ]
        for i in range(size)
    ]
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(matrix[i][k]))
        if abs(matrix[pivot][k]) < 1e-12:
            return None
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        for i in range(size):
            if i != k:
                factor = matrix[i][k] / matrix[k][k]
                matrix[i] = [a - factor * b for a, b in zip(matrix[i], matrix[k], strict=True)]
    return [matrix[k][size] / matrix[k][k] / scale[k] for k in range(size)]
