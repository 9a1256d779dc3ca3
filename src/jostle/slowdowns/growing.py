"""Which functions run more and more often along a series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from jostle.slowdowns.growth import rises

Name = TypeVar("Name", bound=Hashable)

LEAST = 0.05
"""A function with a smaller share of the whole growth is left out."""
MOST = 5
"""Functions that are shown."""
NAMED, LEAST_NAMED = 40, 0.01
"""Functions that are told, and their least share: by those it is seen which pairs have the same root cause."""


class Growing(msgspec.Struct, Generic[Name], frozen=True):
    """A function that runs more often the longer the series goes on."""

    function: Name
    begin: int
    end: int
    """How often its blocks ran at first, and in the end."""
    share: float
    """Of the growth of the whole cost."""


def growing(series: Sequence[Mapping[Name, int]]) -> list[Growing[Name]]:
    """Those to blame, the worst first: what each effect of a series ran, by function."""
    if len(series) < 2:
        return []
    grown: Counter[Name] = Counter()
    for name in dict.fromkeys(name for counts in series for name in counts):
        points = [(float(number), float(counts.get(name, 0))) for number, counts in enumerate(series)]
        if rises(points):
            grown[name] = series[-1].get(name, 0) - series[0].get(name, 0)
    whole = sum(count for count in grown.values() if count > 0)
    worst = sorted(
        ((name, count) for name, count in grown.items() if count > 0), key=lambda each: (-each[1], repr(each[0]))
    )
    return [
        Growing(name, series[0].get(name, 0), series[-1].get(name, 0), count / whole)
        for place, (name, count) in enumerate(worst[:NAMED])
        if count >= LEAST_NAMED * whole or not place
    ]


def shown(functions: Sequence[Growing[Name]]) -> int:
    """How many of them are worth showing: at least the first."""
    return max(1, sum(each.share >= LEAST for each in functions[:MOST]))
