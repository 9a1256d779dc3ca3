"""What events cost apart from what goes up and down: the functions alone that never ran less often than before.

The whole cost of an event varies with all that a framework does, and a small rise is lost in it. Of the functions that
run for an event some climb: they run more often now and then, and never less often. Their cost alone shows when it
rose, and so what was done before it did.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from jostle.slowdowns.history import Action, Occurrence

Name = TypeVar("Name", bound=Hashable)

RISES = 3
"""A function climbs when it ran more often than ever so many times."""


class _Levels(msgspec.Struct):
    """How often each function ran for an event in one run, where that changed: which occurrence, and how often."""

    positions: list[int] = []
    """Where in the history the event was done."""
    changes: dict[Any, list[tuple[int, int]] | None] = {}
    """None: it ran less often at some time."""


class Climbing(Generic[Name]):
    """Told what ran for each event, knows what climbs."""

    def __init__(self) -> None:
        self._levels: dict[tuple[int, Action], _Levels] = {}

    def add(self, position: int, run: int, action: Action, ran: Mapping[Name, int]) -> None:
        """`position`: of the event in the history. The first time an event is done does not count: things are made
        that stay."""
        levels = self._levels.setdefault((run, action), _Levels())
        number = len(levels.positions)
        levels.positions.append(position)
        if not number:
            return
        changes = levels.changes
        for name, count in ran.items():
            known = changes.get(name, [] if name not in changes else None)
            if known is None:
                continue
            if not known:
                changes[name] = [(1, 0), (number, count)] if number > 1 else [(1, count)]
            elif count > known[-1][1]:
                known.append((number, count))
            elif count < known[-1][1]:
                changes[name] = None
        for name, level in changes.items():
            if level is not None and name not in ran and level[-1][1]:
                changes[name] = None

    def history(self, occurrences: Sequence[Occurrence]) -> list[Occurrence]:
        """The same with the cost of what climbs only; None where nothing does."""
        costs: dict[int, float] = {}
        for levels in self._levels.values():
            climbing = [level for level in levels.changes.values() if level is not None and len(level) > RISES]
            for number, position in enumerate(levels.positions[1:] if climbing else (), 1):
                costs[position] = float(sum(_at(level, number) for level in climbing))
        return [Occurrence(each.action, costs.get(position), each.run) for position, each in enumerate(occurrences)]


def _at(level: Sequence[tuple[int, int]], number: int) -> int:
    return next((count for since, count in reversed(level) if since <= number), 0)
