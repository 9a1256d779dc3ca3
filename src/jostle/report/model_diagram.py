"""The application model as it is drawn: which states stand together, how far from the start, and what connects them.

Where exactly a box lies depends on which boxes are open, so the document's script turns layers and order into places.
"""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

import msgspec

from jostle.events import State
from jostle.model.abstraction import address, explain
from jostle.model.label import goes_by_address
from jostle.model.machine import KnownState, Machine
from jostle.report.rows import shown

MOST_APART = 40
"""States that are shown each by itself; where there are more, those with the same kind of address share a box."""
MOST_TOGETHER = 24
"""States in one box; where there are more, there is a box for each distance from the start."""
MOST_COMPARED = 60
"""States among which the nearest ones to a state are looked for: those met soonest before and after it."""
NEIGHBOURS = 3
"""Of each state, how many others it is compared with."""
LONGEST_NAME = 160
LONGEST_STRUCTURE = 4000
MOST_WORK = 10**9
"""For comparing states, which takes the longer the more is told of them: pairs of characters; some ten seconds."""

_PIECE = re.compile(r"[^\s(){}*]+")


class Neighbour(msgspec.Struct, frozen=True):
    state: int
    words: str
    """Why they are two states; `the first` is the one whose neighbour this is."""


class StateCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One state; states are known by their place in the order in which they were met, from 0."""

    url: str
    title: str
    visits: int
    start: bool = False
    distance: int | None = None
    """Events from the start, at least; None when the model knows no way."""
    before: int | None = None
    """The state before it on a shortest way from the start, and the event that leads from there."""
    by: int = 0
    untried: tuple[int, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    structure: str = ""


class Edge(msgspec.Struct, frozen=True, array_like=True):
    """All events that led from one state to another."""

    source: int
    target: int
    events: tuple[tuple[int, int], ...]
    """Each with how often it did."""


class DiagramBox(msgspec.Struct, frozen=True):
    states: tuple[int, ...]
    name: str = ""
    """What the addresses of its states have in common; empty for a state by itself."""


class ModelDiagram(msgspec.Struct, frozen=True, kw_only=True):
    states: tuple[StateCard, ...]
    events: tuple[str, ...]
    """What states and edges refer to."""
    edges: tuple[Edge, ...]
    layers: tuple[tuple[DiagramBox, ...], ...]
    """By distance from the start; in each, boxes near to those that lead to them."""


class _Reached(msgspec.Struct, frozen=True):
    distance: int
    before: int | None = None
    by: str = ""


def diagram(machine: Machine) -> ModelDiagram:
    places = list(machine)
    number = {place.state: n for n, place in enumerate(places)}
    reached = _reached(places, number)
    names: dict[str, int] = {}

    def named(event: str) -> int:
        return names.setdefault(event, len(names))

    between: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for n, place in enumerate(places):
        for event, led in place.edges.items():
            for after, count in led.items():
                between[n, number[after]].append((named(event), count))
    near = _neighbours(places)
    states = tuple(_card(place, reached.get(n), named, near[n]) for n, place in enumerate(places))
    return ModelDiagram(
        states=states,
        events=tuple(shown(event, LONGEST_NAME) for event in names),
        edges=tuple(Edge(source, target, tuple(events)) for (source, target), events in between.items()),
        layers=_layers(_boxes(places, reached), reached, between),
    )


def _card(
    place: KnownState, reached: _Reached | None, named: Callable[[str], int], neighbours: tuple[Neighbour, ...]
) -> StateCard:
    return StateCard(
        url=shown(place.state.url, LONGEST_NAME),
        title=shown(place.state.title, LONGEST_NAME),
        visits=place.visits,
        start=reached is not None and reached.distance == 0,
        distance=reached.distance if reached else None,
        before=reached.before if reached else None,
        by=named(reached.by) if reached and reached.by else 0,
        untried=tuple(named(event) for event, led in place.edges.items() if not led),
        neighbours=neighbours,
        structure=shown(place.skeleton, LONGEST_STRUCTURE),
    )


# How far from the start.


def _reached(places: Sequence[KnownState], number: Mapping[State, int]) -> dict[int, _Reached]:
    """A shortest way to each state. One that goes to an address by itself is taken only where no other is known."""
    starts = [n for n, place in enumerate(places) if place.starts] or ([0] if places else [])
    queue: list[tuple[int, int, int, int | None, str]] = [(0, 0, n, None, "") for n in starts]
    reached: dict[int, _Reached] = {}
    while queue:
        jumps, events, n, before, by = heapq.heappop(queue)
        if n in reached:
            continue
        reached[n] = _Reached(jumps + events, before, by)
        for event, led in places[n].edges.items():
            jump = goes_by_address(event)
            for after in led:
                if number[after] not in reached:
                    heapq.heappush(queue, (jumps + jump, events + (not jump), number[after], n, event))
    return reached


# Which states stand together.


def _boxes(places: Sequence[KnownState], reached: Mapping[int, _Reached]) -> list[DiagramBox]:
    if len(places) <= MOST_APART:
        return [DiagramBox((n,)) for n in range(len(places))]
    together: defaultdict[str, list[int]] = defaultdict(list)
    for n, name in enumerate(_names(places)):
        together[name].append(n)
    boxes = []
    for name, members in together.items():
        parts: defaultdict[int | None, list[int]] = defaultdict(list)
        for n in members:
            parts[_distance(n, reached) if len(members) > MOST_TOGETHER else None].append(n)
        boxes += [
            DiagramBox(tuple(part), shown(name, LONGEST_NAME) if len(part) > 1 else "") for part in parts.values()
        ]
    return boxes


def _names(places: Sequence[KnownState]) -> list[str]:
    """The kinds of addresses; where these are too many, only how they begin."""
    names = [address(place.state.url, places[0].state.url) for place in places]
    for depth in range(max(name.count("/") for name in names), -1, -1):
        if len(set(names)) <= MOST_APART:
            break
        names = [_beginning(name, depth) for name in names]
    return names


def _beginning(name: str, depth: int) -> str:
    parts = name.split("/")
    return "/".join([*parts[: depth + 1], "…"]) if len(parts) > depth + 1 else name


def _distance(n: int, reached: Mapping[int, _Reached]) -> int:
    """What was not reached comes last."""
    return reached[n].distance if n in reached else 1 + max(each.distance for each in reached.values())


def _layers(
    boxes: Sequence[DiagramBox], reached: Mapping[int, _Reached], between: Mapping[tuple[int, int], object]
) -> tuple[tuple[DiagramBox, ...], ...]:
    """A box is as far from the start as the nearest of its states. Each layer is ordered after those before it."""
    far: defaultdict[int, list[DiagramBox]] = defaultdict(list)
    for box in boxes:
        far[min(_distance(n, reached) for n in box.states)].append(box)
    leading: defaultdict[int, list[int]] = defaultdict(list)
    for source, target in between:
        leading[target].append(source)
    height: dict[int, float] = {}

    def wanted(box: DiagramBox) -> tuple[float, int]:
        above = [height[source] for n in box.states for source in leading[n] if source in height]
        return (fmean(above) if above else 0.5, box.states[0])

    layers = []
    for distance in sorted(far):
        layer = sorted(far[distance], key=wanted)
        height.update({n: (row + 0.5) / len(layer) for row, box in enumerate(layer) for n in box.states})
        layers.append(tuple(layer))
    return tuple(layers)


# Why they are states of their own.


def _neighbours(places: Sequence[KnownState]) -> list[tuple[Neighbour, ...]]:
    """For each state those most like it, the likest first, as far as the work allows."""
    found: list[tuple[Neighbour, ...]] = [()] * len(places)
    nearest = _nearest(places)
    work = 0
    for rank in range(NEIGHBOURS):
        for n, others in nearest.items():
            if rank >= len(others):
                continue
            one, other = places[n].skeleton, places[others[rank]].skeleton
            work += len(one) * len(other)
            if work <= MOST_WORK:
                found[n] += (Neighbour(others[rank], shown(explain(one, other), 1000)),)
    return found


def _nearest(places: Sequence[KnownState]) -> dict[int, list[int]]:
    """By what they were told by; where there are others with the same kind of address, among these."""
    pieces = [frozenset(_PIECE.findall(place.skeleton)) for place in places]
    told = [n for n, place in enumerate(places) if place.skeleton]
    same: defaultdict[str, list[int]] = defaultdict(list)
    for n in told:
        same[_kind(places[n])].append(n)

    def nearest(n: int) -> list[int]:
        alike = same[_kind(places[n])]
        others = [other for other in (alike if len(alike) > 1 else told) if other != n]
        others = sorted(others, key=lambda other: abs(other - n))[:MOST_COMPARED]
        return sorted(others, key=lambda other: (len(pieces[n] ^ pieces[other]), other))[:NEIGHBOURS]

    return {n: nearest(n) for n in told}


def _kind(place: KnownState) -> str:
    return place.skeleton.split("\n", 1)[0]
