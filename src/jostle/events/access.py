"""What an event read and wrote: the raw material of conflicts between events.

======================  =========================================================================================
location                what it is
======================  =========================================================================================
`global:NAME`           a global variable
`closure:ID.NAME`       a variable of one activation of a scope
`object:ID.NAME`        a property of an object
`array:ID[N]`           an element; `array:ID.length` its length
`dom:PATH@ATTRIBUTE`    an attribute of an element; `dom:PATH@text`, `dom:PATH@children` its content
`tree:ID`               whether an element is in the page: lookups read it, insertion and removal write it
`form:PATH`             what stands in a field
`handler:PATH TYPE`     what listens: registration writes it, dispatch reads it
`storage:AREA.KEY`      an entry of localStorage or sessionStorage
`cookie:NAME`           a cookie
`event:KEY`             an event itself: cancelling it writes it, its happening reads it
======================  =========================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

MOST_OF_A_VALUE = 80
"""Values are cut at so many characters: one of this length may not be the whole."""

VISIBLE = ("dom:", "form:", "tree:", "handler:", "storage:", "cookie:")
"""Locations that begin so are visible to the user, or outlive the page."""


class Access(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A location was read or written by an event."""

    location: str
    """Unique within a run; see above."""
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
        return self.location.startswith(VISIBLE)


class Earlier(msgspec.Struct, frozen=True):
    """A location was read or written by an event that is over."""

    event: str
    """Its key."""
    access: Access


def condensed(accesses: Iterable[Access]) -> tuple[Access, ...]:
    """Each location with at most one read and one write: the first read and the last write, in the order in which
    they first occurred. So what is read first was there before the event, and what was written is what it left."""
    kept: dict[tuple[str, bool], Access] = {}
    for access in accesses:
        place = access.location, access.write
        if access.write or place not in kept:
            kept[place] = access  # a later write takes the place of the first
    return tuple(kept.values())
