"""Leaving an application to itself at the end of a run, so that what polls has caught up and what is shown for a moment
is gone. What happens then is no part of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from jostle.events.app import App, NotEnabled
from jostle.events.event import Event
from jostle.events.trace import State, Step
from jostle.races.schedules.run import Drained


class Drain(msgspec.Struct, frozen=True, kw_only=True):
    """How long an application is left to itself at the end of a run."""

    events: int = 50
    milliseconds: float = 2000
    """Virtual time. Events that are not due by then stay."""


async def left_to_itself(
    app: App, state: State, *, until: float, most: int, now: Callable[[], float] | None = None, at: float = 0.0
) -> Drained:
    """Let what is due `until` then happen in the order in which it would happen by itself, at most so many events, and
    nothing after one that did not come to an end.

    `state`: the present one. `now`: the virtual clock of the application. Without it its time is that of the last event
    that had one, from `at` on.
    """
    steps: list[Step] = []
    refused: set[str] = set()
    left: Sequence[Event] = await app.waiting()
    while len(steps) < most and not (steps and steps[-1].effect.hung):
        due = (event for event in left if event.key not in refused and event.due_by(until))
        event = next(due, None)
        if event is None:
            break
        begun = now() if now is not None else at
        try:
            effect = await app.step(event)
        except NotEnabled:
            refused.add(event.key)
        else:
            at = max(at, event.detail.due or 0.0)
            steps.append(Step(event=event, effect=effect, at=begun))
        left = await app.waiting()
    return Drained(steps=tuple(steps), state=await app.state() if steps else state, left=tuple(left))
