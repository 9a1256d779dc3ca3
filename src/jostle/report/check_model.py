"""Of a model with thousands of states, the part that can be drawn and read."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable

from jostle.events import State
from jostle.model.machine import Machine

MOST_STATES = 400


def cut(machine: Machine, wanted: Iterable[State], most: int = MOST_STATES) -> Machine:
    """At most so many states: those wanted, with the ways that lead there from the start, then those nearest to it."""
    if len(machine) <= most:
        return machine
    before = _ways(machine)
    kept: dict[str, None] = {}
    for state in wanted:
        way = [state]
        while (last := before.get(way[-1])) is not None:
            way.append(last)
        if len(kept.keys() | {each.digest for each in way}) <= most:
            kept.update(dict.fromkeys(each.digest for each in reversed(way)))
    for state in (*before, *machine.states):
        if len(kept) == most:
            break
        kept[state.digest] = None
    return _only(machine, kept.keys())


def _ways(machine: Machine) -> dict[State, State | None]:
    """Each state that can be reached, the nearest first, with the one before it on a shortest way from the start."""
    starts = [place.state for place in machine if place.starts] or list(machine.states[:1])
    before: dict[State, State | None] = dict.fromkeys(starts)
    queue = deque(starts)
    while queue:
        state = queue.popleft()
        for led in machine.edges(state).values():
            for after in led:
                if after not in before:
                    before[after] = state
                    queue.append(after)
    return before


def _only(machine: Machine, digests: Iterable[str]) -> Machine:
    kept = frozenset(digests)
    document = json.loads(machine.to_json())
    document["states"] = [each for each in document["states"] if each["digest"] in kept]
    for state in document["states"]:
        # What led only to states that are not kept was tried: without it, it does not look as if it was not.
        tried = [event for event in state["events"] if not event["led"] or kept & event["led"].keys()]
        for event in tried:
            event["led"] = {digest: count for digest, count in event["led"].items() if digest in kept}
        state["events"] = tried
    return Machine.from_json(json.dumps(document).encode())
