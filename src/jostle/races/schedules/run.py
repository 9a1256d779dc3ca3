"""What the searches ask for and get back: an order to be tried, and the run that came of it."""

from __future__ import annotations

from typing import Protocol

import msgspec

from jostle.events.event import Event, Kind
from jostle.events.trace import State, Step, Trace


class PlannedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Events in the order in which they are to happen."""

    events: tuple[Event, ...]
    exact: int = 0
    """So many of them, from the first, must happen as they are."""
    known: int | None = None
    """So many of the exact ones happened so before, from the first, and are waited for. None: all of them."""
    moved: int | None = None
    """Position of the event that was pulled forward, right behind the exact ones: without it there is nothing new."""
    asleep: Asleep | None = None
    """Events that need not be tried at this point."""
    watched: bool = True
    """What the events read and write is wanted. If not, nobody minds if it is told."""

    @property
    def sure(self) -> int:
        """How many must be possible again, in their turn."""
        return self.exact if self.known is None else min(self.known, self.exact)


class Asleep(Protocol):
    """Events whose turn would lead to nothing new, as long as nothing that they depend on has happened."""

    def sleeps(self, key: str) -> bool: ...

    def stepped(self, step: Step) -> None:
        """This has happened behind the exact part of the order; it may wake some."""
        ...


class Instead(msgspec.Struct, frozen=True):
    """Another event happened in the place of one that was not possible."""

    asked: Event
    done: Event


class Drained(msgspec.Struct, frozen=True, kw_only=True):
    """What happened when the application was left to itself afterwards. Not part of the run that was asked for."""

    steps: tuple[Step, ...] = ()
    state: State
    left: tuple[Event, ...] = ()
    """Still waiting when the bounds were reached, or when there was nothing left to do but for the user."""


class ScheduleRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run, and how far it is the one that was asked for."""

    trace: Trace
    state: State
    """At the end of the order, before anything was drained."""
    asked: tuple[Event, ...] = ()
    skipped: tuple[Event, ...] = ()
    """Asked for, and never possible when their turn had come or later."""
    instead: tuple[Instead, ...] = ()
    new: tuple[Event, ...] = ()
    """System events that wait at the end and that the order did not ask for."""
    drained: Drained | None = None
    failed: str = ""
    """Why the run is not one of the order at all, in words: what had to happen exactly did not, or a step hung."""
    cut: bool = False
    """Stopped half-way, because all that was left would lead to an order equivalent to one that has been run."""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(event.key for event in self.trace.events)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All that happened, also after the order had come to its end."""
        return (*self.trace.steps, *(self.drained.steps if self.drained is not None else ()))

    @property
    def reordered(self) -> bool:
        """Whether all that was asked for happened, and in that order."""
        return not (self.failed or self.cut) and self.keys == tuple(event.key for event in self.asked)


class Runner(Protocol):
    """Tries orders."""

    async def run(self, order: PlannedOrder, parent: ScheduleRun | None) -> ScheduleRun:
        """Try an order from the beginning. What is not determined by events (answers, random numbers) is to be as in
        the parent, the run in which the order was found."""
        ...


def again(step: Step) -> Event:
    """The event of a step as it is asked for in another run."""
    if step.event.kind is not Kind.FRAME or not step.effect.frames:
        return step.event
    # An animation is one event of however many frames: as many as there were.
    return step.event.with_detail(frames=step.effect.frames)
