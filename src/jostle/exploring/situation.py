"""What an explorer's strategy sees, and what it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from jostle.events import Event, State
from jostle.model.machine import Machine
from jostle.model.visit import Visit


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """Where the exploration stands when it is to be decided what to do next."""

    state: State
    events: Sequence[Event]
    """What a person could do now and the exploration may."""
    pages: Sequence[Event] = ()
    """Going back to a page that was seen before: `visit URL`."""
    machine: Machine
    """The model of the application as learned so far; the present state and its events are in it."""


class Strategy(Protocol):
    """Decides what to do next."""

    reason: str
    """Why nothing was chosen, in words."""

    def choose(self, situation: Situation) -> Event | None:
        """One of the events of the situation, or one of its fields with another value; None to end the exploration.

        It may be asked again in the same state with fewer events, when the chosen one turned out not to be possible.
        """
        ...

    def observe(self, visit: Visit) -> None:
        """An event was done: the chosen one, or one that got the exploration out of a dead end."""
        ...
