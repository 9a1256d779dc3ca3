"""The accesses of a run, location by location: what each event did to it, in the order of the run."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntFlag
from typing import NamedTuple

from jostle.events.access import MOST_OF_A_VALUE, Access
from jostle.events.location import Location
from jostle.events.trace import Trace


class Mode(IntFlag):
    """What an event did to a location. WRITE alone: it was written before it was read, if it was read at all."""

    READ = 1
    WRITE = 2
    UPDATE = 3  # read, and written later


class Touch(NamedTuple):
    """One event and one location."""

    event: int
    """Position in the run."""
    mode: Mode
    read: Access | None
    write: Access | None

    @property
    def writes(self) -> bool:
        return self.write is not None

    @property
    def reads_first(self) -> bool:
        """It saw what other events had left there."""
        return self.mode is not Mode.WRITE

    @property
    def access(self) -> Access:
        """The one that matters most: the write, if there is one."""
        found = self.write or self.read
        assert found is not None
        return found


def touches(trace: Trace) -> dict[Location, list[Touch]]:
    """The locations that were touched by several events of a run and written by one of them, and by which events."""
    shared = _shared(trace)
    found: dict[Location, list[Touch]] = {location: [] for location in shared}
    for position, step in enumerate(trace.steps):
        accesses = [access for access in step.effect.accesses if access.location in shared]
        for location, touch in touched(accesses, position).items():
            found[location].append(touch)
    return found


def _shared(trace: Trace) -> dict[Location, None]:
    """Most locations are touched by one event only; nothing need be made of those."""
    toucher: dict[Location, int] = {}
    several: dict[Location, None] = {}
    written: set[Location] = set()
    for position, step in enumerate(trace.steps):
        for access in step.effect.accesses:
            location = access.location
            if toucher.setdefault(location, position) != position:
                several[location] = None
            if access.write:
                written.add(location)
    return {location: None for location in several if location in written}


def touched(accesses: Sequence[Access], position: int = 0) -> dict[Location, Touch]:
    """The locations that one event touched."""
    found: dict[Location, Touch] = {}
    for access in accesses:
        before = found.get(access.location)
        if before is None:
            touch = (
                Touch(position, Mode.WRITE, None, access) if access.write else Touch(position, Mode.READ, access, None)
            )
        elif access.write:
            mode = Mode.WRITE if before.mode is Mode.WRITE else Mode.UPDATE
            touch = Touch(position, mode, before.read, access)
        elif before.read is None:
            touch = Touch(position, before.mode, access, before.write)
        else:
            continue
        found[access.location] = touch
    return found


def known(access: Access | None) -> str | None:
    """The whole value of an access, or None when it is not known: not told, or too long to be told."""
    return access.value if access is not None and 0 < len(access.value) < MOST_OF_A_VALUE else None
