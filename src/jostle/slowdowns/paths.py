"""Ways to a target event: short ones by the learned model, and stretches of what was done before and worked."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from jostle.events import State
from jostle.model.label import fills_in, label
from jostle.model.machine import Machine
from jostle.model.visit import Visit
from jostle.slowdowns.history import Action, action_of

LONGER = 0.33
"""The paper's γ: how likely the search goes on beyond the length of the shortest ways."""
LONGEST = 16
"""Stretches of the past that are longer are no way to anything."""
RECENT = 12
"""How many of the latest occurrences of a target are looked at for ways to it."""


LEAD = 6
"""So many fields, at most, are held to be filled in for the sake of what is done next."""


def leading(earlier: Sequence[Action], action: Action) -> tuple[str, ...]:
    """Labels of the fields that were filled in right before the action, where it was done."""
    names: list[str] = []
    for each in reversed(earlier[-LEAD:]):
        if each.after != action.before or not fills_in(each.label):
            break
        if each.label not in names:
            names.append(each.label)
        if each.before != action.before:  # a list of proposals was open meanwhile
            break
    return tuple(reversed(names))


class PathStep(msgspec.Struct, frozen=True):
    """An event of a way: to be done in `before`."""

    before: State
    label: str


class Way(msgspec.Struct, frozen=True):
    """Events to be done one after the other; the last one is the target."""

    hops: tuple[PathStep, ...]
    chance: float = 1.0
    """How likely it is believed to work."""

    @property
    def effort(self) -> float:
        """The events it is likely to take, with what it costs to be wrong."""
        return len(self.hops) / self.chance


def ways(
    machine: Machine, past: Past, start: State, target: Action, chance: random.Random, *, longer: float = LONGER
) -> Iterator[Way]:
    """Short sequences of events in the model that end with the target: all shortest, and some longer ones. The same
    also with the fields filled in as they were when an event of it worked: forms are in vain without."""
    for route in machine.routes(
        start, lambda state, name: state == target.before and name == target.label, chance, longer=longer
    ):
        believed = with_fields = 1.0
        hops: list[PathStep] = []
        for hop in route:
            after = target.after if hop is route[-1] else hop.after
            led = machine.successors(hop.before, hop.label)
            # One more try than was seen, which failed: what worked once in one try is not sure to work.
            likely = (led.get(after, 0) if after is not None else 0) / (sum(led.values()) + 1) or 0.05
            filled, times = past.filled(Action(hop.label, hop.before, after)) if after is not None else ((), 0)
            hops += [PathStep(hop.before, name) for name in filled]
            hops.append(PathStep(hop.before, hop.label))
            believed *= likely
            with_fields *= _sure(times) if filled else likely
        yield Way(tuple(PathStep(hop.before, hop.label) for hop in route), believed)
        if len(hops) > len(route):
            yield Way(tuple(hops), with_fields)


def _sure(times: int) -> float:
    """How likely it works again what worked so many times: more often is surer."""
    return 1 - 0.4 / (1 + times)


class Past:
    """What was done, for finding how a target was reached before."""

    def __init__(self, visits: Iterable[Visit] = ()) -> None:
        self._visits: list[Visit] = []
        self._where: dict[Action, list[int]] = {}
        self._restarts: list[int] = []
        """For each position, where its run began."""
        self._run: object = None
        self._filled: dict[Action, dict[tuple[str, ...], int]] = {}
        for visit in visits:
            self.add(visit)

    def add(self, visit: Visit, *, run: object = None) -> None:
        """`run` tells one run from another; by default, the visit's own number."""
        position, run = len(self._visits), visit.run if run is None else run
        begins = not self._visits or run != self._run
        self._run = run
        self._restarts.append(position if begins else self._restarts[-1])
        self._visits.append(visit)
        action = action_of(visit)
        self._where.setdefault(action, []).append(position)
        if fields := self._leading(position):
            filled = self._filled.setdefault(action, {})
            filled[fields] = filled.get(fields, 0) + 1

    def _leading(self, position: int) -> tuple[str, ...]:
        earlier = self._visits[max(self._restarts[position], position - LEAD) : position]
        return leading([action_of(each) for each in earlier], action_of(self._visits[position]))

    def times(self, action: Action) -> int:
        """How often it was done."""
        return len(self._where.get(action, ()))

    def filled(self, action: Action) -> tuple[tuple[str, ...], int]:
        """Labels of the fields that were filled in before the action most often when any were, and how often; where it
        was never done, before events of its name."""
        known = self._filled.get(action, {})
        if not known and action not in self._where:
            alike = (filled for each, filled in self._filled.items() if each.label == action.label)
            known = {fields: times for filled in alike for fields, times in filled.items()}
        return max(known.items(), key=lambda each: each[1], default=((), 0))

    def ways(self, start: State, target: Action) -> Iterator[Way]:
        """What was done from `start` to the target and led there, short ones first."""
        found: dict[tuple[PathStep, ...], int] = {}
        for end in self._where.get(target, ())[-RECENT:]:
            near = max(self._restarts[end], end - LONGEST + 1)
            stretches = [self._hops(begin, end) for begin in range(end, near - 1, -1) if self._begins(begin, start)]
            if not stretches:  # it was long ago: without what led back to where it began
                far = next(
                    (each for each in range(near - 1, self._restarts[end] - 1, -1) if self._begins(each, start)), None
                )
                stretches = [self._straight(far, end)] if far is not None else []
            for hops in stretches:
                found[hops] = found.get(hops, 0) + 1
        # A long way is rarely the same twice.
        for hops in sorted(found, key=len):
            yield Way(hops, _sure(found[hops]))

    def rising(self, cause: Action, effect: Action, *, without: Collection[str] = ()) -> list[Sequence[PathStep]]:
        """What was done after the effect, up to and with the effect again, when the cause was among it and the effect
        then cost more; short ones first. `without`: labels that must not be in it."""
        found: dict[tuple[PathStep, ...], None] = {}
        for begin, end in pairwise(self._where.get(effect, ())):
            before, after = self._visits[begin].effect.cost, self._visits[end].effect.cost
            if (
                self._restarts[begin] == self._restarts[end]
                and end - begin <= LONGEST
                and before is not None
                and after is not None
                and after > before
                and (cause == effect or any(begin < place < end for place in self._where.get(cause, ())))
                and not any(label(each.event) in without for each in self._visits[begin + 1 : end])
            ):
                found[self._hops(begin + 1, end)] = None
        return sorted(found, key=len)

    def _begins(self, position: int, start: State) -> bool:
        return self._visits[position].before == start

    def _straight(self, begin: int, end: int) -> tuple[PathStep, ...]:
        """What was done, without what led back to where it began, but with the fields that were filled in."""
        kept: list[int] = []
        for position in range(begin, end):
            visit = self._visits[position]
            if visit.before == visit.after:
                continue
            kept.append(position)
            back = (n for n, each in enumerate(kept) if self._visits[each].before == visit.after)
            del kept[next(back, len(kept)) :]
        hops: list[PathStep] = []
        for position in (*kept, end):
            before = self._visits[position].before
            hops += [
                PathStep(before, name) for name in (*self._leading(position), action_of(self._visits[position]).label)
            ]
        return tuple(hops)

    def _hops(self, begin: int, end: int) -> tuple[PathStep, ...]:
        return tuple(PathStep(each.before, action_of(each).label) for each in self._visits[begin : end + 1])
