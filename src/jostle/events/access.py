"""What an event read and wrote: the raw material of conflicts between events."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from jostle.events.location import Location

MOST_OF_A_VALUE = 80
"""Values are cut at so many characters: one of this length may not be the whole."""


class Access(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A location was read or written by an event."""

    location: Location
    write: bool = False
    value: str = ""
    """What was read or written, as short text (cut at 80 characters); objects by their identity (`object:17`).
    Empty when it is not known."""
    name: str = ""
    """For people: `queue.length`, `value of input#q`. Empty when there is nothing better than the location."""
    source: str = ""
    """`file:line:column` of the code, in the original source."""

    @property
    def visible(self) -> bool:
        """Whether the location can be seen by the user, or outlives the page."""
        return self.location.kind.visible


class Earlier(msgspec.Struct, frozen=True):
    """A location was read or written by an event that is over."""

    event: str
    """Its key."""
    access: Access


def condensed(accesses: Iterable[Access]) -> tuple[Access, ...]:
    """Each location with at most one read and one write: the first read and the last write, in the order in which
    they first occurred. So what is read first was there before the event, and what was written is what it left."""
    kept: dict[tuple[Location, bool], Access] = {}
    for access in accesses:
        place = access.location, access.write
        if access.write or place not in kept:
            kept[place] = access  # a later write takes the place of the first
    return tuple(kept.values())
