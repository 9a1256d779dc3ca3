"""The turns of a run: what a page has to know of the running event, its number, its time and its seed."""

from __future__ import annotations

from bisect import bisect_left
from operator import itemgetter

from jostle.browser.connection import Params
from jostle.events import Event

_TICK = 1.0
"""Virtual milliseconds that pass between two events."""


class Turns:
    """One turn for each event that happens or was to happen."""

    def __init__(self, seed: int, start: float) -> None:
        """`start`: the page's clock at the start of the run."""
        self._seed = seed
        self._start = start
        self._by_user = False
        self._actions = 0
        self._names: list[tuple[int, str]] = []  # the number of an event, as pages know it, and its key
        self.number = 0
        self.now = 0.0
        """Virtual milliseconds since the start of the run."""
        self.ahead = False
        """Whether it is later than the pages know."""

    def next(self, event: Event) -> None:
        """It is this event's turn."""
        self.number += 1
        self._by_user = event.by_user
        self._actions += event.by_user

    def not_done(self) -> None:
        """The user could not do it."""
        self._actions -= 1

    def begin(self, event: Event) -> None:
        """It is about to happen."""
        self.now = self.moment(event)
        self.ahead = False
        self._names.append((self.number, event.key))

    def moment(self, event: Event) -> float:
        """When it happens."""
        return max(self.now + _TICK, event.detail.due or 0.0)

    def passed(self, now: float) -> None:
        """A page says that it is later there."""
        self.now = max(self.now, now)

    def put_forward(self, now: float) -> None:
        """It is not earlier than this; pages learn of it with the next event."""
        self.ahead = self.ahead or now > self.now
        self.now = max(self.now, now)

    def of(self, key: str) -> Params:
        """What a page is told of the event of this key."""
        # A press gets to the page before its name does: the seed of the user's events goes by their number.
        own = f"user {self._actions}" if self._by_user else key
        return {
            "key": key,
            "turn": self.number,
            "seed": f"{self._seed} {own}",
            "next": f"{self._seed} user {self._actions + 1}",
            "tick": _TICK,
            "start": self._start,
            "now": self.now,
        }

    def event_of(self, turn: int) -> str:
        """The key of an event as the page knows it; empty for the running one. A page may not have heard of a turn in
        which nothing happened."""
        if turn < 0:
            return ""
        index = bisect_left(self._names, turn, key=itemgetter(0))
        return self._names[index][1] if index < len(self._names) else ""
