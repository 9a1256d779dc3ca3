"""Traces and schedules: a run that happened, and an order to be tried. Plain data."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from jostle.events.access import Access, condensed
from jostle.events.effect import Effect
from jostle.events.event import Event


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """An application state: equal when the digests are equal."""

    digest: str
    url: str = ""
    title: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One event of a run with what it did."""

    event: Event
    effect: Effect = Effect()
    at: float = 0.0
    """Virtual time in milliseconds since the start of the run, when the step began."""
    state: State | None = None
    """The state after the step, where it was taken."""


class Trace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run that happened, from `reset()` on."""

    steps: tuple[Step, ...] = ()
    initial: tuple[Event, ...] = ()
    """Events possible before the first step."""

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(step.event for step in self.steps)

    @property
    def schedule(self) -> Schedule:
        return Schedule(keys=tuple(event.key for event in self.events))


class Schedule(msgspec.Struct, frozen=True):
    """An order of events to be tried, by their keys."""

    keys: tuple[str, ...]


def at_their_events(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps of a run, each with all that its event read and wrote, whenever it was told."""
    found: dict[str, list[Access]] = {}
    for step in steps:
        for each in step.effect.earlier:
            found.setdefault(each.event, []).append(each.access)
    if not found:
        return tuple(steps)
    told = []
    for step in steps:
        # What was kept of a location is older than what was told of it at once.
        accesses = condensed((*found.get(step.event.key, ()), *step.effect.accesses))
        told.append(
            msgspec.structs.replace(step, effect=msgspec.structs.replace(step.effect, accesses=accesses, earlier=()))
        )
    return tuple(told)
