"""Which event of a replay is that of a recorded step, and what of two steps can be compared. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from jostle.events import Event, Kind, Step


def comparable(step: Step) -> Step:
    """The step without what others sent meanwhile: a server or a worker speaks when it likes, also in a recording.

    Observers neither: the browser notices a change of size or sight when it next paints, which may be a step earlier or
    later, or once more. When it is the turn of one it must be there, and what it does is compared.
    """
    created = tuple(
        event for event in step.effect.created if not event.from_outside and event.kind is not Kind.OBSERVER
    )
    return msgspec.structs.replace(step, effect=msgspec.structs.replace(step.effect, created=created))


def same_event(expected: Step, possible: Sequence[Event]) -> Event:
    """The event of this run that has the key of the recorded one; a user's event is taken as recorded.

    The key of an observer says in which step it was noticed: another of the same name will do.
    """
    event = expected.event
    if event.by_user:
        return event
    found = next((each for each in possible if each.key == event.key), None)
    if found is None and event.kind is Kind.OBSERVER:
        found = next((each for each in possible if each.kind is event.kind and each.what == event.what), None)
    if found is None:
        return event
    if found.kind is not Kind.FRAME:
        return found
    return found.with_detail(frames=expected.effect.frames or 1)
