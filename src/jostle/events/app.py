"""The one interface between searches and applications: an application is a transition system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from jostle.events.effect import Effect
from jostle.events.event import Event
from jostle.events.trace import State


class NotEnabled(Exception):
    """The event asked for cannot happen now: its element is gone, its request was never made, it was cancelled."""

    def __init__(self, event: Event, reason: str = "it is not possible now") -> None:
        super().__init__(f"{event}: {reason}")
        self.event = event
        self.reason = reason


class App(Protocol):
    """An application under test, one event at a time."""

    async def reset(self) -> None:
        """Begin a fresh run from the initial state."""
        ...

    async def enabled(self) -> Sequence[Event]:
        """What could happen now, in the order in which it would happen by itself; the user's events last."""
        ...

    async def waiting(self) -> Sequence[Event]:
        """The system events among the enabled ones: what would happen if the user did nothing."""
        ...

    async def step(self, event: Event) -> Effect:
        """Let exactly this event happen and run to quiescence. Raises NotEnabled."""
        ...

    async def state(self) -> State:
        """The present state, comparable and hashable."""
        ...
