"""Accesses that can be left out because the operations commute (R4): fewer conflicts, a smaller search.

Applied to each location in this order:

=================  ================================================================================================
`ignored`          the location is on the user's list
`lazy init`        on locations the user lists (`x = x ? x : {}`): a write of the same value that was just read, and
                   that is something, is left out; the read stays
`event-local`      no event sees what another has left there: whoever reads it has written it before
`pure increment`   whoever touches it adds one to it, and nobody else looks
`constant value`   it never had but one value: all writes but the first are left out
=================  ================================================================================================

What the user can see (elements, fields, handlers ...) and the events themselves are left out only when the
user's list says so. Values that are not known, or were cut, count as different from all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec

from jostle.events.location import Location, LocationKind
from jostle.races.schedules.touches import Mode, Touch, known

_NOTHING = frozenset({"undefined", "null", "false", "NaN", "0", "-0", '""', "''"})


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """Which filters are on. Patterns (`cache.*`) are compared with the location and with its name for people."""

    ignored: tuple[str, ...] = ()
    lazy: tuple[str, ...] = ()
    event_local: bool = True
    increments: bool = True
    constants: bool = True

    def apply(self, location: Location, all_touches: Sequence[Touch]) -> tuple[Sequence[Touch], tuple[str, ...]]:
        """The touches that are left, and the names of the filters that left something out."""
        if _listed(self.ignored, location, all_touches):
            return (), ("ignored",)
        if location.kind.visible or location.kind is LocationKind.EVENT:
            return all_touches, ()
        touches, used = all_touches, []
        if self.lazy and any(map(_initialises_again, touches)) and _listed(self.lazy, location, touches):
            touches = [_read_only(touch) if _initialises_again(touch) else touch for touch in touches]
            used.append("lazy init")
        if self.event_local and not any(touch.reads_first for touch in touches):
            return (), (*used, "event-local")
        if self.increments and all(map(_increments, touches)):
            return (), (*used, "pure increment")
        if self.constants and _constant(touches):
            first = next((place for place, touch in enumerate(touches) if touch.writes), len(touches))
            rest = [_read_only(touch) for touch in touches[first + 1 :] if touch.read is not None]
            touches = [*touches[: first + 1], *rest]
            used.append("constant value")
        return touches, tuple(used)


NO_FILTERS = Filters(event_local=False, increments=False, constants=False)


def is_something(value: str) -> bool:
    """Whether a value counts as true."""
    return value not in _NOTHING and value != ""


def _listed(patterns: Sequence[str], location: Location, touches: Sequence[Touch]) -> bool:
    if not patterns:
        return False
    names = {str(location), *(touch.access.name for touch in touches)} - {""}
    return any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


def _initialises_again(touch: Touch) -> bool:
    value = known(touch.write)
    return touch.mode is Mode.UPDATE and value is not None and value == known(touch.read) and is_something(value)


def _increments(touch: Touch) -> bool:
    before, after = known(touch.read), known(touch.write)
    if touch.mode is not Mode.UPDATE or before is None or after is None:
        return False
    try:
        return int(after) == int(before) + 1
    except ValueError:
        return False


def _constant(touches: Sequence[Touch]) -> bool:
    accesses = [access for touch in touches for access in (touch.read, touch.write) if access is not None]
    value = known(accesses[0]) if accesses else None
    return value is not None and all(known(access) == value for access in accesses)


def _read_only(touch: Touch) -> Touch:
    return Touch(touch.event, Mode.READ, touch.read, None)
