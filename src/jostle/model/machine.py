"""The application model: a nondeterministic state machine learned from what was seen.

States are abstract states, edges are user events by their labels. The machine approximates: an event may lead to
several states, and may not be possible every time the state is met.
"""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from jostle.errors import UsageProblem
from jostle.events import Event, State
from jostle.model.label import label
from jostle.reading import read_named
from jostle.writing import write_whole

VERSION = 1
"""Raised whenever an older jostle could not read the document rightly."""

_BEYOND = 8
"""How much longer than the shortest a route may get."""


class Transition(msgspec.Struct, frozen=True):
    """One event of a route: done in `before`, it is expected to lead to `after`."""

    before: State
    label: str
    after: State | None
    """None when the event was never done there."""


Route = tuple[Transition, ...]
Wanted = Callable[[State, str], bool]
Hops = Callable[[State], Iterator[tuple[Transition, bool]]]


class KnownState(msgspec.Struct, omit_defaults=True):
    """What is known of one state."""

    state: State
    visits: int = 0
    """How often the application was seen to come into this state."""
    starts: int = 0
    """How often a run began in it."""
    picture: str = ""
    """File name of a screenshot, relative to the model's file."""
    skeleton: str = ""
    """What the state was told by, for explanations."""
    edges: dict[str, dict[State, int]] = {}
    """What is possible in the state, by label, and where it led how often; nothing for what was never done."""


class Machine:
    """Learns one event at a time; equal to what is learned from the whole history at once."""

    def __init__(self) -> None:
        self._places: dict[State, KnownState] = {}

    # Learning.

    def started(self, state: State) -> None:
        """A run began in this state."""
        place = self._place(state)
        place.visits += 1
        place.starts += 1

    def sighted(self, state: State, events: Iterable[Event]) -> None:
        """These user events are possible in this state."""
        edges = self._place(state).edges
        for event in events:
            if event.by_user:
                edges.setdefault(label(event), {})

    def learn(self, before: State, event: Event, after: State) -> None:
        """The event was done in `before` and led to `after`."""
        arrived = self._place(after)
        arrived.visits += 1
        led = self._place(before).edges.setdefault(label(event), {})
        led[arrived.state] = led.get(arrived.state, 0) + 1

    def illustrate(self, state: State, *, picture: str = "", skeleton: str = "") -> None:
        """Add the file name of a screenshot, and the text the state was told by, to a state."""
        place = self._place(state)
        place.picture = picture or place.picture
        place.skeleton = skeleton or place.skeleton

    def _place(self, state: State) -> KnownState:
        place = self._places.get(state)
        if place is None:
            place = self._places[state] = KnownState(state=state)
        return place

    # What is known.

    def __contains__(self, state: object) -> bool:
        return state in self._places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[KnownState]:
        """The states in the order in which they were met."""
        return iter(self._places.values())

    @property
    def states(self) -> tuple[State, ...]:
        """All states, in the order in which they were met."""
        return tuple(self._places)

    @property
    def transitions(self) -> int:
        """How many different (state, event, state) were seen."""
        return sum(len(led) for place in self for led in place.edges.values())

    def visits(self, state: State) -> int:
        """How often the application came into the state."""
        return self._places[state].visits if state in self._places else 0

    def labels(self, state: State) -> Sequence[str]:
        """What is possible in the state, tried or not."""
        return tuple(self._places[state].edges) if state in self._places else ()

    def edges(self, state: State) -> Mapping[str, Mapping[State, int]]:
        """What is possible in the state, and where each event led how often."""
        return self._places[state].edges if state in self._places else {}

    def successors(self, state: State, event: str) -> Mapping[State, int]:
        """Where the event of this label led from the state, and how often."""
        return self.edges(state).get(event, {})

    def tried(self, state: State, event: str) -> int:
        """How often the event of this label was done in the state."""
        return sum(self.successors(state, event).values())

    def unexplored(self, state: State) -> Sequence[str]:
        """What is possible in the state and was never done there."""
        return tuple(event for event, led in self.edges(state).items() if not led)

    # Routes.

    def away_from(self, start: State, allows: Wanted = lambda state, event: True) -> dict[State, int]:
        """The states that can be reached from `start`, and by how many events. `allows`: which may be on the way."""
        away = {start: 0}
        queue = deque([start])
        while queue:
            state = queue.popleft()
            for event, led in self.edges(state).items():
                for after in led if allows(state, event) else ():
                    if after not in away:
                        away[after] = away[state] + 1
                        queue.append(after)
        return away

    def routes(
        self,
        start: State,
        wanted: Wanted,
        chance: random.Random,
        *,
        longer: float = 0.33,
        most: int = 32,
        allows: Wanted = lambda state, event: True,
    ) -> list[Route]:
        """Short sequences of events from `start` that end with an event for which `wanted(state, label)` holds.

        All shortest ones, and some longer ones: wherever the search could go beyond the length of the shortest, it does
        so with probability `longer`. The model believes more than is true, and a longer way may be the one that works.
        At most `most` of each sort, chosen at random; empty when the model knows no way.

        `allows`: which events may be on the way.
        """
        away = self._away(wanted, allows)
        if start not in away:
            return []

        def hops(state: State) -> Iterator[tuple[Transition, bool]]:
            return self._hops(state, wanted, allows, away)

        shortest = self._shortest(start, hops, away, chance, most)
        return shortest + self._longer(start, hops, away, chance, longer, most)

    def _away(self, wanted: Wanted, allows: Wanted) -> dict[State, int]:
        """By how many events each state is away from having done a wanted one, the wanted one included."""
        leading: dict[State, dict[State, None]] = {}
        away: dict[State, int] = {}
        for state, place in self._places.items():
            for event, led in place.edges.items():
                if wanted(state, event):
                    away[state] = 1
                for after in led if allows(state, event) else ():
                    leading.setdefault(after, {})[state] = None
        queue = deque(away)
        while queue:
            state = queue.popleft()
            for before in leading.get(state, ()):
                if before not in away:
                    away[before] = away[state] + 1
                    queue.append(before)
        return away

    def _hops(
        self, state: State, wanted: Wanted, allows: Wanted, away: Mapping[State, int]
    ) -> Iterator[tuple[Transition, bool]]:
        """Events from which the wanted can still be reached, and whether the event is itself wanted."""
        for event, led in self.edges(state).items():
            if wanted(state, event):
                # Where it leads does not matter; the place it led to most often stands for all.
                yield Transition(state, event, max(led, key=lambda after: led[after]) if led else None), True
            elif allows(state, event):
                yield from ((Transition(state, event, after), False) for after in led if after in away)

    def _shortest(
        self, start: State, hops: Hops, away: Mapping[State, int], chance: random.Random, most: int
    ) -> list[Route]:
        walks: list[Route] = [()]
        for left in range(away[start], 0, -1):
            grown: list[Route] = []
            for walk in walks:
                state = walk[-1].after if walk else start
                assert state is not None
                for hop, arrives in hops(state):
                    if arrives if left == 1 else (hop.after is not None and away.get(hop.after) == left - 1):
                        grown.append((*walk, hop))
            walks = _some(grown, most, chance)
        return walks

    def _longer(
        self, start: State, hops: Hops, away: Mapping[State, int], chance: random.Random, longer: float, most: int
    ) -> list[Route]:
        found: list[Route] = []
        walks: list[Route] = [()]
        for length in range(1, away[start] + _BEYOND + 1):
            grown: list[Route] = []
            for walk in walks:
                state = walk[-1].after if walk else start
                for hop, arrives in hops(state) if state is not None else ():
                    beyond = length > away[start]
                    if beyond and chance.random() >= longer:
                        continue
                    grown.append((*walk, hop))
                    if beyond and arrives:
                        found.append(grown[-1])
            if len(found) >= most or not grown:
                break
            walks = _some([walk for walk in grown if walk[-1].after in away], most, chance)
        return _some(found, most, chance)

    # The document.

    def to_json(self, *, pictures: bool = True) -> bytes:
        """The model as a JSON document. The names of pictures mean something only where the pictures are."""
        document = {
            "jostle-model": VERSION,
            "states": [
                {
                    "digest": place.state.digest,
                    "url": place.state.url,
                    "title": place.state.title,
                    "visits": place.visits,
                    "starts": place.starts,
                    **({"picture": place.picture} if place.picture and pictures else {}),
                    **({"skeleton": place.skeleton} if place.skeleton else {}),
                    "events": [
                        {"event": event, "led": {after.digest: count for after, count in led.items()}}
                        for event, led in place.edges.items()
                    ],
                }
                for place in self
            ],
        }
        # The standard writer, for half surrogate pairs, which JavaScript strings may hold.
        return json.dumps(document, indent=1).encode("ascii") + b"\n"

    @classmethod
    def from_json(cls, text: bytes, name: str = "the model") -> Machine:
        """The model in a document; `name` is what messages call it. Raises UsageProblem."""
        document = _read(text, name)
        machine = cls()
        states = {each.digest: State(digest=each.digest, url=each.url, title=each.title) for each in document.states}
        if len(states) < len(document.states):
            raise _unreadable(name, "two states have the same digest")
        for each in document.states:
            if Path(each.picture).name != each.picture or "\\" in each.picture:
                raise _unreadable(name, f"`picture` of state {each.digest} must be a plain file name")
            place = machine._place(states[each.digest])
            place.visits, place.starts, place.picture, place.skeleton = (
                each.visits, each.starts, each.picture, each.skeleton,
            )  # fmt: skip
            for edge in each.events:
                if lost := set(edge.led) - set(states):
                    raise _unreadable(name, f"state {each.digest} leads to {min(lost)}, which is not in it")
                if edge.event in place.edges:
                    raise _unreadable(name, f"state {each.digest} has the event {edge.event} twice")
                place.edges[edge.event] = {states[digest]: count for digest, count in edge.led.items()}
        return machine

    def save(self, file: Path) -> None:
        """Without the names of pictures. The file is complete or not there. Raises CouldNotRun."""
        write_whole(file, self.to_json(pictures=False))

    @classmethod
    def load(cls, file: Path) -> Machine:
        """Raises UsageProblem when the file is no model."""
        try:
            text = read_named(file)
        except OSError as error:
            raise UsageProblem(f"{file} cannot be read: {error.strerror}.") from None
        return cls.from_json(text, str(file))


_Count = Annotated[int, msgspec.Meta(gt=0)]
_Number = Annotated[int, msgspec.Meta(ge=0)]


class _Edge(msgspec.Struct, frozen=True):
    event: str
    led: dict[str, _Count] = {}


class _State(msgspec.Struct, frozen=True):
    digest: str
    url: str = ""
    title: str = ""
    visits: _Number = 0
    starts: _Number = 0
    picture: str = ""
    skeleton: str = ""
    events: tuple[_Edge, ...] = ()


class _Document(msgspec.Struct, frozen=True):
    version: int = msgspec.field(name="jostle-model")
    states: tuple[_State, ...]


def _read(text: bytes, name: str) -> _Document:
    try:
        plain: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise _unreadable(name, "it is not valid JSON") from None
    version = plain.get("jostle-model") if isinstance(plain, dict) else None
    if version is None:
        raise _unreadable(name, "the key `jostle-model` is missing")
    if isinstance(version, int) and version > VERSION:
        raise UsageProblem(
            f"{name} was written by a newer jostle (version {version} of the format, this one reads {VERSION}).",
            advice="Update jostle, or have the model written anew with `jostle explore --model`.",
        )
    try:
        return msgspec.convert(plain, _Document)
    except (msgspec.ValidationError, UnicodeError, RecursionError) as error:
        raise _unreadable(name, str(error)) from None


def _unreadable(name: str, why: str) -> UsageProblem:
    return UsageProblem(
        f"{name} is not an application model: {why}.", advice="`jostle explore URL --model FILE` writes one."
    )


def _some(routes: list[Route], most: int, chance: random.Random) -> list[Route]:
    return routes if len(routes) <= most else chance.sample(routes, most)
