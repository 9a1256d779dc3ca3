"""The two orders that are compared: every answer before the next thing the user does, and answers that come late."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from jostle.events import Effect, Event, NotEnabled, Step
from jostle.exploring.alike import in_same_entry, kin, renumbered, sibling
from jostle.findings.evidence import Role
from jostle.model.label import label
from jostle.model.reaction import can_be_late

LONGEST_WAIT = 2.0
"""Seconds for messages that a server sends in its own time."""
RESTS = 4
"""How often, in the end, what happens by itself is waited for."""
REST = 4_000.0
"""Virtual milliseconds each time: as long as a message is usually shown."""


def anything(event: Event) -> bool:
    return True


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


class Acts(msgspec.Struct, frozen=True):
    """What the user does when a pair is tried."""

    first: Event
    second: Event | None = None
    lead: tuple[Event, ...] = ()
    """What is entered right before the second event, which belongs to it."""
    path: tuple[Event, ...] = ()
    """How to get there, from the start of the application on."""
    messages: tuple[int, int] = (0, 0)
    """How many messages from outside the first and the second event are known to lead to. They are waited for: servers
    and workers send them in their own time."""
    allows: Callable[[Event], bool] = anything
    """What may be done in the place of something that is gone."""
    same_entry: bool = False
    """The second is done to the entry of a list that the first was done to, whatever that is called by then."""

    @classmethod
    def of(cls, told: Sequence[RoledStep]) -> Acts:
        """What was really done in a run."""
        by_user = [(each.step.event, each.role) for each in told if each.step.event.by_user]
        roles = [role for _, role in by_user]
        first = roles.index(Role.FIRST)
        second = roles.index(Role.SECOND) if Role.SECOND in roles else None
        return cls(
            first=by_user[first][0],
            second=by_user[second][0] if second is not None else None,
            lead=tuple(event for event, _ in by_user[first + 1 : second]) if second is not None else (),
            path=tuple(event for event, _ in by_user[:first]),
        )


async def in_turn(app: Settles, acts: Acts) -> list[RoledStep]:
    """The order that developers see: everything comes to rest before the user goes on. Raises Infeasible."""
    hands = Hands(app, acts)
    told = await hands.go()
    raced = await hands.first()
    raced += await _arriving(app, raced, acts.messages[0])
    if acts.second is not None:
        raced += await hands.second()
        raced += await _arriving(app, raced, sum(acts.messages))
    return [*told, *raced, *await _resting(app)]


async def overtaken(app: Settles, acts: Acts, late: Late) -> list[RoledStep]:
    """What the first event asks for is answered after the second event and all that follows from that. Raises
    Infeasible."""
    hands = Hands(app, acts)
    told = await hands.go()
    late.begin(await app.pending())
    raced = await hands.first()
    late.enough()
    if acts.second is not None:
        raced += await hands.second(waited_for=bool(late.events))
    late.release()
    await app.rest()
    held = {event.key for event in late.events}
    raced += [RoledStep(step, Role.LATE if step.event.key in held else Role.OTHER) for step in app.last_steps]
    raced += await _arriving(app, raced, sum(acts.messages) if acts.second is not None else acts.messages[0])
    return [*told, *raced, *await _resting(app)]


async def afterwards(app: Settles, event: Event) -> list[RoledStep]:
    """Something that has no part in the race. Raises Infeasible."""
    return await Hands(app, Acts(event)).also(event)


class Hands:
    """Does what the user does in one run. What is gone meanwhile, because others use the application too or what was
    done before is kept, is done to another entry of the same list."""

    def __init__(self, app: Settles, acts: Acts) -> None:
        self._app = app
        self._acts = acts
        self._instead: dict[str, Event] = {}
        """By labels: what is done in the place of an event."""
        self._first = acts.first
        """As it was done."""
        self._entries = 0
        """How many there were before that to which the second could be done."""

    async def go(self) -> list[RoledStep]:
        """To where the pair is tried. Raises Infeasible."""
        told = [RoledStep(step, Role.LOAD) for step in self._app.last_steps]
        for event in self._acts.path:
            told += await self._do(event, Role.OTHER, siblings=True)
        return told

    async def first(self) -> list[RoledStep]:
        """The first event. To whom the second is done is settled before: once the first is done, what was to be done to
        one entry must not be done to another. Raises Infeasible."""
        event, second = self._acts.first, self._acts.second
        if second is not None and self._acts.same_entry:
            self._entries = _number_like(second, await self._app.enabled())
        if second is not None and label(second) != label(event):
            offered = await self._app.enabled()
            gone = label(second) not in {label(each) for each in offered}
            if gone and (other := self._sibling(second, offered)) is not None:
                self._instead[label(second)] = other
        told = await self._do(event, Role.FIRST, siblings=True)
        self._first = told[0].step.event
        return told

    async def second(self, *, waited_for: bool = False) -> list[RoledStep]:
        """The second event and what is entered before. Raises Infeasible."""
        assert self._acts.second is not None
        if self._acts.same_entry:
            await self._aim(self._acts.second, waited_for)
        told = []
        for each in self._acts.lead:
            told += await self._do(each, Role.OTHER, waited_for=waited_for, second=True)
        return [*told, *await self._do(self._acts.second, Role.SECOND, waited_for=waited_for, second=True)]

    async def _aim(self, second: Event, waited_for: bool) -> None:
        """At the entry that the first was done to. Raises Infeasible."""
        offered = [each for each in await self._app.enabled() if self._acts.allows(each)]
        found = in_same_entry(second, self._first, offered)
        # Where there are fewer now, it may be the entry itself that is gone, and another one stands in its place.
        if found is None or _number_like(second, offered) < self._entries:
            gone = NotEnabled(second, "it cannot be done to the same entry")
            raise Infeasible(gone, guarded=waited_for, second=True)
        self._instead[label(second)] = found

    async def also(self, event: Event) -> list[RoledStep]:
        """Something that has no part in the race. Raises Infeasible."""
        return await self._do(event, Role.OTHER)

    def _sibling(self, event: Event, offered: Sequence[Event]) -> Event | None:
        return sibling(event, [each for each in offered if self._acts.allows(each)])

    async def _do(
        self, event: Event, role: Role, *, siblings: bool = False, waited_for: bool = False, second: bool = False
    ) -> list[RoledStep]:
        event = self._instead.get(label(event), event)
        try:
            await self._app.step(event)
        except NotEnabled as problem:
            # A counter in its name may have another number by now: somebody else uses the application too.
            offered = await self._app.enabled()
            again = renumbered(event, offered) or (self._sibling(event, offered) if siblings else None)
            infeasible = Infeasible(problem, guarded=waited_for, second=second)
            if again is None:
                raise infeasible from None
            self._instead[label(event)] = again
            try:
                await self._app.step(again)
            except NotEnabled:
                raise infeasible from None
        first, *rest = self._app.last_steps
        return [RoledStep(first, role), *(RoledStep(step, Role.OTHER) for step in rest)]


def _number_like(event: Event, offered: Iterable[Event]) -> int:
    return sum(kin(each) == kin(event) for each in offered)


async def _resting(app: Settles) -> list[RoledStep]:
    """What happens by itself in the end. An answer that came late has had less time: what it shows for a few seconds
    must be gone in both orders."""
    came: list[RoledStep] = []
    for _ in range(RESTS):
        await app.rest(REST)
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
