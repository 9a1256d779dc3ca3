"""What EventRacer says about the races for a location: hints for a report, which decide nothing by themselves.

==========================  =====================================================================================
late event attach           all races for what listens are with a dispatch, and some dispatch found a listener
no event attached           the same, but no dispatch found any
write same value            all writes wrote the same, and all races are between writes
only local write            all uncovered races are between writes, nobody reads next, and the user cannot see it
maybe lazy init             there is one write, and the same event read before it
cookie or class name        it is one
race with unload            every uncovered race is with the end of a document
initialization race         a function or an object was read that nothing but the race says had been written before
answer race                 an event that races is an answer to a script's request
==========================  =====================================================================================

The last two are marks of high risk, the others of low.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from jostle.events.event import LifecycleEvent
from jostle.events.location import Location, LocationKind
from jostle.events.trace import Step, Trace
from jostle.races.schedules.filters import is_something
from jostle.races.schedules.touches import Touch, known

_ENDS = frozenset({"unload", "beforeunload", "pagehide"})
_CLASSES = frozenset({"class", "className"})
_NOT_PRIMITIVE = ("object:", "array:", "function:", "closure:")


class Tag(StrEnum):
    LATE_EVENT_ATTACH = "late event attach"
    NO_EVENT_ATTACHED = "no event attached"
    WRITE_SAME_VALUE = "write same value"
    ONLY_LOCAL_WRITE = "only local write"
    MAYBE_LAZY_INIT = "maybe lazy init"
    COOKIE_OR_CLASSNAME = "cookie or class name"
    RACE_WITH_UNLOAD = "race with unload"
    INITIALIZATION_RACE = "initialization race"
    ANSWER_RACE = "answer race"

    @property
    def high_risk(self) -> bool:
        return self in (Tag.INITIALIZATION_RACE, Tag.ANSWER_RACE)


def tags(
    location: Location,
    touches: Sequence[Touch],
    races: Sequence[tuple[int, int, bool]],
    trace: Trace,
    before: Sequence[int],
) -> tuple[Tag, ...]:
    """The tags of a location. `races`: positions of two events, and whether the race is uncovered; `before`: for each
    event the set of those that happen before it."""
    steps = trace.steps
    at = {touch.event: touch for touch in touches}
    # A race with the end of a document says nothing about handlers.
    staying = [(a, b) for a, b, _ in races if not (_ends(steps[a]) or _ends(steps[b]))]
    uncovered = [(a, b) for a, b, uncovered in races if uncovered]
    found: list[Tag] = []
    if (
        location.kind is LocationKind.HANDLER
        and staying
        and all(_dispatch(at[a]) or _dispatch(at[b]) for a, b in staying)
    ):
        found.append(Tag.LATE_EVENT_ATTACH if any(map(_heard, touches)) else Tag.NO_EVENT_ATTACHED)
    written = {known(touch.write) for touch in touches if touch.writes}
    if len(written) == 1 and None not in written and all(at[a].writes and at[b].writes for a, b, _ in races):
        found.append(Tag.WRITE_SAME_VALUE)
    if not touches[0].access.visible and uncovered and _only_local(touches, uncovered):
        found.append(Tag.ONLY_LOCAL_WRITE)
    writers = [touch for touch in touches if touch.writes]
    if len(writers) == 1 and writers[0].read is not None and writers[0].reads_first:
        found.append(Tag.MAYBE_LAZY_INIT)
    of_class = location.kind is LocationKind.DOM and location.name in _CLASSES
    if location.kind is LocationKind.COOKIE or of_class:
        found.append(Tag.COOKIE_OR_CLASSNAME)
    if uncovered and all(_ends(steps[a]) or _ends(steps[b]) for a, b in uncovered):
        found.append(Tag.RACE_WITH_UNLOAD)
    if any(_first_seen(at[a], at[b], writers, before) for a, b in uncovered):
        found.append(Tag.INITIALIZATION_RACE)
    if any(_answer(steps[position]) for a, b, _ in races for position in (a, b)):
        found.append(Tag.ANSWER_RACE)
    return tuple(found)


def _ends(step: Step) -> bool:
    if isinstance(step.event, LifecycleEvent) and step.event.detail.type in _ENDS:
        return True
    return any(each.name in _ENDS for each in step.effect.lifecycle)


def _dispatch(touch: Touch) -> bool:
    return touch.read is not None


def _heard(touch: Touch) -> bool:
    return touch.read is not None and is_something(touch.read.value)


def _only_local(touches: Sequence[Touch], uncovered: Sequence[tuple[int, int]]) -> bool:
    places = {touch.event: place for place, touch in enumerate(touches)}
    for pair in uncovered:
        for position in pair:
            place = places[position]
            if not touches[place].writes or (place + 1 < len(touches) and touches[place + 1].reads_first):
                return False
    return True


def _first_seen(one: Touch, two: Touch, writers: Sequence[Touch], before: Sequence[int]) -> bool:
    """The second event read an object, and no write is known to come before it but for the race."""
    if not one.writes or two.read is None or not two.reads_first or not two.read.value.startswith(_NOT_PRIMITIVE):
        return False
    return not any(before[two.event] >> writer.event & 1 for writer in writers)


def _answer(step: Step) -> bool:
    return step.event.request.resource in ("xhr", "fetch")
