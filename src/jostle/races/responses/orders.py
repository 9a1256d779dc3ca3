"""The two orders that are compared: every answer before the next thing the user does, and answers that come late."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from jostle.browser.user import visit
from jostle.events import Effect, Event, NotEnabled, Step
from jostle.exploring.alike import renumbered
from jostle.findings.evidence import Role
from jostle.model.reaction import can_be_late

LONGEST_WAIT = 2.0
"""Seconds for messages that a server sends in its own time."""
RESTS = 4
"""How often, in the end, what happens within the patience of a user is waited for."""


class Settles(Protocol):
    """An application at rest between the user's events, in which events can be held: `Explored`."""

    @property
    def last_steps(self) -> tuple[Step, ...]: ...

    async def pending(self) -> Sequence[Event]:
        """What waits for its time, or is held."""
        ...

    async def enabled(self) -> Sequence[Event]: ...

    async def step(self, event: Event) -> Effect: ...

    async def rest(self, patience: float | None = None) -> Effect:
        """Let happen what is no longer held; what is due within so many virtual milliseconds."""
        ...


class RoledStep(msgspec.Struct, frozen=True):
    """A step of a run and its part in it."""

    step: Step
    role: Role


class Infeasible(Exception):
    """One of the events was not possible when its turn came."""

    def __init__(self, problem: NotEnabled, *, guarded: bool = False, second: bool = False) -> None:
        super().__init__(f"{problem.event}: {problem.reason}")
        self.guarded = guarded
        """It was the second event, and answers to the first were missing: the application may take care of it."""
        self.second = second
        """The first event was possible."""


class Late:
    """Which answers are held. Hand `holds` to the application before it is started."""

    def __init__(self, only: int | None = None) -> None:
        """`only`: hold just the n-th answer, from 0, not all of them."""
        self._only = only
        self._others: set[str] = set()
        self._passed: set[str] = set()
        self._held: set[str] = set()
        self._looking = False
        self.events: list[Event] = []
        """What was held, in the order in which it could have happened."""

    def begin(self, pending: Iterable[Event]) -> None:
        """From now on answers are held, but for those to what was pending already: polling and the like."""
        self._others = {event.key for event in pending}
        self._looking = True

    def enough(self) -> None:
        """What is held stays so; what is asked for from now on comes as it comes."""
        self._looking = False

    def release(self) -> None:
        self._held.clear()
        self._looking = False

    def holds(self, event: Event) -> bool:
        if event.key in self._held:
            return True
        if not self._looking or event.key in self._passed:
            return False
        if event.key in self._others or event.creator in self._others:
            self._others.add(event.key)
            return False
        if not can_be_late(event):
            return False
        if self._only is not None and self._only != len(self._held) + len(self._passed):
            self._passed.add(event.key)
            return False
        self._held.add(event.key)
        self.events.append(event)
        return True


async def in_turn(
    app: Settles,
    path: Sequence[Event],
    first: Event,
    second: Event | None,
    *,
    lead: Sequence[Event] = (),
    messages: tuple[int, int] = (0, 0),
) -> list[RoledStep]:
    """The order that developers see: everything comes to rest before the user goes on. Raises Infeasible.

    `lead`: what the user enters before the second event, which belongs to it. `messages`: how many messages from
    outside the first and the second event are known to lead to. They are waited for: servers and workers send them in
    their own time.
    """
    told = await on_the_way(app, path)
    raced = await perform(app, first, Role.FIRST)
    raced += await _arriving(app, raced, messages[0])
    if second is not None:
        raced += await do_second(app, lead, second)
        raced += await _arriving(app, raced, sum(messages))
    return [*told, *raced, *await _resting(app)]


async def overtaken(
    app: Settles,
    path: Sequence[Event],
    first: Event,
    second: Event | None,
    late: Late,
    *,
    lead: Sequence[Event] = (),
    messages: tuple[int, int] = (0, 0),
) -> list[RoledStep]:
    """What the first event asks for is answered after the second event and all that follows from that.

    Raises Infeasible. `lead` and `messages` as for `in_turn`.
    """
    told = await on_the_way(app, path)
    late.begin(await app.pending())
    raced = await perform(app, first, Role.FIRST)
    late.enough()
    if second is not None:
        raced += await do_second(app, lead, second, waited_for=bool(late.events))
    late.release()
    await app.rest()
    held = {event.key for event in late.events}
    raced += [RoledStep(step, Role.LATE if step.event.key in held else Role.OTHER) for step in app.last_steps]
    raced += await _arriving(app, raced, sum(messages) if second is not None else messages[0])
    return [*told, *raced, *await _resting(app)]


async def reload(app: Settles, url: str) -> list[RoledStep]:
    """The page is opened once more: what was stored may show now. Raises Infeasible."""
    return await perform(app, visit(url), Role.OTHER)


async def do_second(app: Settles, lead: Sequence[Event], second: Event, *, waited_for: bool = False) -> list[RoledStep]:
    told = [
        each for event in lead for each in await perform(app, event, Role.OTHER, waited_for=waited_for, second=True)
    ]
    return [*told, *await perform(app, second, Role.SECOND, waited_for=waited_for, second=True)]


async def _resting(app: Settles) -> list[RoledStep]:
    """What happens by itself in the end. An answer that came late has had less time: what it shows for a few seconds
    must be gone in both orders."""
    came: list[RoledStep] = []
    for _ in range(RESTS):
        await app.rest()
        came += [RoledStep(step, Role.OTHER) for step in app.last_steps]
    return came


async def _arriving(app: Settles, raced: Sequence[RoledStep], messages: int) -> list[RoledStep]:
    """What came while so many messages from outside, in all, were waited for."""
    came: list[RoledStep] = []
    until = time.monotonic() + LONGEST_WAIT
    while sum(each.step.event.from_outside for each in (*raced, *came)) < messages and time.monotonic() < until:
        await asyncio.sleep(0.01)
        await app.rest()
        came += [RoledStep(step, Role.OTHER) for step in app.last_steps]
    return came


async def on_the_way(app: Settles, path: Sequence[Event]) -> list[RoledStep]:
    told = [RoledStep(step, Role.LOAD) for step in app.last_steps]
    for event in path:
        told += await perform(app, event, Role.OTHER)
    return told


async def perform(
    app: Settles, event: Event, role: Role, *, waited_for: bool = False, second: bool = False
) -> list[RoledStep]:
    try:
        await app.step(event)
    except NotEnabled as problem:
        # A counter in its name may have another number by now: somebody else uses the application too.
        again = renumbered(event, await app.enabled())
        if again is None:
            raise Infeasible(problem, guarded=waited_for, second=second) from None
        try:
            await app.step(again)
        except NotEnabled:
            raise Infeasible(problem, guarded=waited_for, second=second) from None
    first, *rest = app.last_steps
    return [RoledStep(first, role), *(RoledStep(step, Role.OTHER) for step in rest)]
