"""Two orders of a user and a timer: going on when a timer of the first event has fired, and going on before.

What a timer shows or hides for a while (a toast, an undo bar, a debounced search) is gone in the end in either order.
So both orders are looked at when the same time has passed since the second event: just before what the second event
set for the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from jostle.events import Event, Kind, Step
from jostle.findings.evidence import Role
from jostle.model.reaction import derived
from jostle.races.pace import QUICKEST
from jostle.races.responses.orders import Acts, Hands, RoledStep, Settles

LONGEST = 10_000.0
"""Virtual milliseconds. What takes longer is no longer part of what the user is doing."""


class Ticks(Settles, Protocol):
    """`Settles`, with a clock."""

    @property
    def now(self) -> float: ...


def can_be_outrun(event: Event) -> bool:
    """Whether a user may go on before this fires. What comes again and again is nobody's in particular."""
    timer = event.timer
    return event.kind is Kind.TIMER and not timer.interval and QUICKEST <= (timer.delay or 0.0) <= LONGEST


def set_by(steps: Sequence[Step]) -> list[Event]:
    """The timers that the first of these steps, and what followed from it, set and that may be outrun."""
    if not steps:
        return []
    mine = derived(steps[0].event.key, steps)
    created = [event for step in steps if step.event.key in mine for event in step.effect.created]
    return [event for event in created if can_be_outrun(event)]


class Window:
    """Which timers may fire. Hand `holds` to the application before it is started."""

    def __init__(self) -> None:
        self._before: set[str] | None = None
        self._mine: dict[str, Event] = {}
        self._until: float | None = None
        self.outrun = False
        """Whether timers of the first event were still to come when the second was done."""

    def begin(self, pending: Iterable[Event]) -> None:
        """From now on timers that may be outrun wait, but for those that were set before."""
        self._before = {event.key for event in pending}

    def close(self, until: float) -> None:
        """The second event is about to be done. What was kept may fire when it is due; nothing else does at `until` or
        later."""
        self.outrun = bool(self._mine)
        self._before = None
        self._until = until

    def fired(self, steps: Iterable[Step]) -> list[Event]:
        """What was kept waiting and fired in these steps all the same: it was not taken back."""
        happened = {step.event.key for step in steps}
        return [event for key, event in self._mine.items() if key in happened]

    def holds(self, event: Event) -> bool:
        if self._before is not None and event.key not in self._before and can_be_outrun(event):
            self._mine[event.key] = event
            return True
        due = event.detail.due
        return self._until is not None and due is not None and due >= self._until and event.key not in self._mine


async def after_timers(app: Ticks, acts: Acts, window: Window) -> tuple[list[RoledStep], float]:
    """The user goes on when all timers of the first event have fired. Gives how long that took, 0.0 when there are
    none. Raises Infeasible."""
    hands = Hands(app, acts)
    told = await hands.go()
    began = app.now
    raced = await hands.first()
    timers = set_by([each.step for each in raced])
    if not timers:
        return [*told, *raced], 0.0
    takes = max((event.detail.due or 0.0) for event in timers) - began
    await app.rest(max(0.0, began + takes - app.now) + QUICKEST)  # what a timer hides is drawn by then
    raced += _others(app)
    window.close(app.now + takes)
    raced += await hands.second()
    await app.rest(takes)
    return [*told, *raced, *_others(app)], takes


async def before_timers(app: Ticks, acts: Acts, window: Window, takes: float) -> list[RoledStep]:
    """The user goes on before any timer of the first event has fired. Raises Infeasible."""
    hands = Hands(app, acts)
    told = await hands.go()
    window.begin(await app.pending())
    raced = await hands.first()
    window.close(app.now + takes)
    raced += await hands.second(waited_for=window.outrun)
    await app.rest(takes)
    raced += _others(app)
    late = {event.key for event in window.fired(each.step for each in raced)}
    marked = [
        RoledStep(each.step, Role.LATE) if each.step.event.key in late and each.role is Role.OTHER else each
        for each in raced
    ]
    return [*told, *marked]


def _others(app: Settles) -> list[RoledStep]:
    return [RoledStep(step, Role.OTHER) for step in app.last_steps]
