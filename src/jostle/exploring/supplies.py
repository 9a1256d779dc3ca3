"""What an exploration leaves for those who come after it: of the entries of a list, some.

An entry is used up by deleting it, and also by whatever sends something and makes its own control vanish from a list of
such controls: `Archive`, `Accept`, `Mark as done`. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from jostle.events import Effect, Event
from jostle.exploring.alike import kin
from jostle.exploring.avoid import deletes
from jostle.exploring.family import family, shape
from jostle.model.label import label

USES = 2
"""How often an entry of one list is used up."""


class Supplies:
    """Tell it what is offered, then what was done, in turn."""

    def __init__(self) -> None:
        self._deleted: Counter[str] = Counter()
        self._used: Counter[str] = Counter()
        self._offered: Counter[str] = Counter()
        self._sent: tuple[Event, str, int] | None = None
        """What was done last, if it sent something to the server: where, and how many like it could be done."""

    def offered(self, url: str, events: Sequence[Event]) -> None:
        """What a user could do now, at this address."""
        self._offered = Counter(map(kin, events))
        if self._sent is None:
            return
        event, where, before = self._sent
        self._sent = None
        vanished = self._offered[kin(event)] < before and not _has(events, event)
        if where == shape(url) and vanished:
            self._used[kin(event)] += 1

    def done(self, url: str, event: Event, effect: Effect) -> None:
        """What was done at this address, and what it did."""
        self._deleted[family(event)] += deletes(event)
        alike = self._offered[kin(event)]
        sends = any(not request.reads for request in effect.requests)
        self._sent = (event, shape(url), alike) if sends and alike > 1 else None

    def kept(self, events: Sequence[Event]) -> list[Event]:
        """The events without those that would use up too much."""
        spent = {each for each, times in self._deleted.items() if times >= USES}
        used = {each for each, times in self._used.items() if times >= USES or self._offered[each] < USES}
        if not spent and not used:
            return list(events)
        return [each for each in events if not ((deletes(each) and family(each) in spent) or kin(each) in used)]


def _has(events: Collection[Event], event: Event) -> bool:
    """Whether the control is still there, be it to do something else: a box that is ticked can be cleared."""
    return any(label(each) == label(event) or (_name(event) and _name(each) == _name(event)) for each in events)


def _name(event: Event) -> tuple[str, str, str] | None:
    locator = event.action.locator
    return (locator.role, locator.name, locator.within) if locator is not None and locator.name else None
