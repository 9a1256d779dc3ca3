"""Doing again, under control, what was done in a watched session: so it becomes a recording like any other.

A person works in real time, and answers arrive as they like. The same things are done once more with the answers of
the session, one event at a time; that run is what is recorded and can be replayed exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.http import Response, SentRequest
from jostle.events import NotEnabled
from jostle.progress import Finished, Listener, Started, Stepped
from jostle.recording.exchange import Exchange
from jostle.recording.recorder import Recorder, exchange_of
from jostle.recording.session import RecordedAction

PATIENCE = 2_000.0
LONGEST_PAUSE = 30_000.0
"""Milliseconds of a person's pause that are waited out; what a page does after that is nothing but time."""


class Reenacted(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it."""

    done: int
    skipped: tuple[str, ...] = ()
    """What could not be done again, with the reason."""


async def reenact(
    app: ChromiumApp, recorder: Recorder, session: Sequence[RecordedAction], listener: Listener
) -> Reenacted:
    """Do what was done, in the same order and with the same pauses. What is not possible is left out."""
    settled = recorder.settled(app)
    listener(Started(what="doing it again under control", total=len(session)))
    settled.patience = _pause(0.0, session[0].at) if session else PATIENCE
    await settled.reset()
    recorder.screen("start", await app.screenshot())
    counts: Counter[str] = Counter()
    skipped: list[str] = []
    for number, done in enumerate(session):
        following = session[number + 1].at if number + 1 < len(session) else done.at
        settled.patience = _pause(done.at, following)
        event = msgspec.structs.replace(done.event, occurrence=counts[done.event.what] + 1)
        try:
            effect = await settled.step(event)
        except NotEnabled as problem:
            skipped.append(f"{event}: {problem.reason}")
            continue
        counts[event.what] += 1
        listener(Stepped(done=number + 1, what=str(event)))
        if effect.hung:
            skipped += [f"{later.event}: {effect.hung}" for later in session[number + 1 :]]
            break
    recorder.screen("end", await app.screenshot())
    reenacted = Reenacted(done=sum(counts.values()), skipped=tuple(skipped))
    listener(Finished(summary=f"Done again: {reenacted.done} of {len(session)}"))
    return reenacted


def failed(order: int, request: SentRequest) -> Exchange:
    """A request that the session did not make: in the recording it has failed."""
    return exchange_of(order, request, Response(status=0, error="Failed"))


def _pause(begin: float, end: float) -> float:
    return min(max(PATIENCE, end - begin), LONGEST_PAUSE)
