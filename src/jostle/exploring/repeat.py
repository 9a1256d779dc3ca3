"""Doing again what is in a recording, one event of the user after the other."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence

from jostle.errors import UsageProblem
from jostle.events import App, Event, NotEnabled
from jostle.model.visit import Visit
from jostle.progress import Finished, Listener, Note, Started, Stepped


async def repeated(
    app: App, events: Sequence[Event], listener: Listener, *, deadline: float | None = None
) -> AsyncIterator[Visit]:
    """Each event that could be done, from a fresh start on. What cannot be done is told and left out, and so is what
    comes after `deadline`, a time of `time.monotonic`.

    Raises UsageProblem when nothing can be done.
    """
    listener(Started(what="doing again what was recorded", total=len(events)))
    await app.reset()
    before = await app.state()
    done = impossible = 0
    for number, event in enumerate(events, 1):
        if deadline is not None and time.monotonic() > deadline:
            listener(Note(text=f"Left out, as the time for it is up: the last {len(events) - number + 1} events"))
            break
        try:
            effect = await app.step(event)
        except NotEnabled as problem:
            listener(Note(text=f"Left out: {event}: {problem.reason}"))
            impossible += 1
            continue
        after = await app.state()
        done += 1
        yield Visit(before=before, event=event, effect=effect, after=after)
        before = after
        listener(Stepped(done=number, what=str(event)))
    listener(Finished(summary=f"{done} of {len(events)} recorded events were done"))
    if not done and impossible:
        raise UsageProblem("Nothing of what was recorded can be done in the application as it is now.")
