"""What else must be done for a cause to make an effect slower, learned from when that was seen.

Clicking "Add" with nothing typed may be possible and in vain. So the fields beside it are filled first; and what was
done between two occurrences of the effect, when its cost rose, is done again. When the cost rises again, everything is
left out that the rise does not need; and then, without the cause, it must not rise any more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from jostle.model.label import fills_in
from jostle.slowdowns.history import Pair
from jostle.slowdowns.paths import PathStep
from jostle.slowdowns.trigger import Walker

AGREE = 2
"""So many rises in a row are believed."""
AGREE_FUNCTIONS = 3
"""The same of functions: of many, one may happen to run more often twice."""
STRETCHES = 6
"""How many ways are tried."""
FIELDS = 8
"""Forms with more fields are not filled on the off-chance."""

Way = Sequence[PathStep]


def split(pair: Pair, way: Way) -> tuple[Way, Way]:
    """The way up to the cause, and from there to the effect."""
    cause = (pair.cause.before, pair.cause.label)
    places = [number for number, hop in enumerate(way) if (hop.before, hop.label) == cause]
    cut = places[-1] + 1 if places and not pair.itself else 0
    return way[:cut], way[cut:]


async def way_that_shows(walker: Walker, pair: Pair, *, explained: Collection[str] = ()) -> Way | None:
    """A way from one effect to the next on which the cause, and nothing else, makes the effect slower, as short as can
    be; None when none is known. `explained`: labels of other causes of the effect, which must not be on it."""
    seen = walker.past.rising(pair.cause, pair.effect, without=explained)[:STRETCHES]
    if not seen and not pair.itself:
        return None
    for stretch in (*_filled(walker, pair), *seen):
        if walker.budget.spent:
            return None
        await walker.begin()
        if await _rises(walker, pair, stretch):
            way = await _shortened(walker, pair, stretch)
            if pair.itself or not await _rises(walker, pair, _without(pair, way), cause=False):
                return way
    return None


def _filled(walker: Walker, pair: Pair) -> Iterator[Way]:
    """The cause with everything filled in before it that can be where it is done: it may have been long before."""
    place = pair.cause.before
    fills = [name for name, led in walker.machine.edges(place).items() if place in led and fills_in(name)]
    if fills and len(fills) <= FIELDS and pair.cause.label not in fills:
        yield [*(PathStep(place, name) for name in fills), PathStep(place, pair.cause.label)]


def _without(pair: Pair, way: Way) -> Way:
    return [hop for hop in way if hop.label != pair.cause.label]


async def _shortened(walker: Walker, pair: Pair, way: Way) -> Way:
    for number in range(len(way) - 2, -1, -1):
        hop = way[number]
        if hop.before != way[number + 1].before or hop.label == pair.cause.label or walker.budget.spent:
            continue
        shorter = [*way[:number], *way[number + 1 :]]
        if await _rises(walker, pair, shorter):
            way = shorter
    return way


async def _rises(walker: Walker, pair: Pair, way: Way, *, cause: bool = True) -> bool:
    """Whether the cost of the effect rises every time this way is gone; false also when it cannot be gone. Where it is
    known what each function did, one of them at least must have run more often every time."""
    to_cause, to_effect = split(pair, way) if cause else ((), way)
    without = () if cause else (pair.cause.label,)
    first = await walker.trigger(pair.effect, without=without)
    if first is None or first.effect.cost is None:
        return False
    cost, ran = first.effect.cost, (await walker.probe()).ran
    rising: Collection[Any] | None = None
    for _ in range(AGREE if ran is None else AGREE_FUNCTIONS):
        if cause and not pair.itself and await walker.trigger(pair.cause, along=to_cause) is None:
            return False
        visit = await walker.trigger(pair.effect, along=to_effect, without=without)
        if visit is None or visit.effect.cost is None:
            return False
        if ran is None:
            if visit.effect.cost <= cost:
                return False
        else:
            last, ran = ran, (await walker.probe()).ran or {}
            rising = [name for name in (ran if rising is None else rising) if ran.get(name, 0) > last.get(name, 0)]
            if not rising:
                return False
        cost = visit.effect.cost
    return True
