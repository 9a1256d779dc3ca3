"""Enacting an order of events on a page that may not keep to it: a policy postpones what it was asked for.

An order is what a recording has, step by step. At each point the first of its events that is possible happens. An event
that is not possible when its turn comes is put off, and happens as soon as it is: a click that the page's controller
keeps back asks for its data later, and the response to it is then due later as well. So the order is as near to the one
that was asked for as the page allows, and what counts is what it ends in.

The same event is the one with the same key. What was put off has another cause, and so another key: a response is then
known by its method and address, a timer by its delay and where it was set. What the order does not have happens as it
does by itself: at once, or when it is due. The user keeps to the order of what the user does.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import msgspec

from jostle.events import Effect, Event, Kind, NotEnabled, Step
from jostle.events.event import FrameEvent
from jostle.exploring.family import shape
from jostle.recording.matching import EQUAL_URLS, url_score

MOST_STEPS = 600
"""Steps beyond those of the order."""
_LOOKS = 3
_PATIENCE = 0.05
"""A page may take a moment to show what is in the order: it is looked again so often, after so many seconds."""
_TIMED = frozenset((Kind.TIMER, Kind.FRAME, Kind.IDLE, Kind.ANIMATION))


class Enacts(Protocol):
    """The application with every event explicit, at the start of a run."""

    @property
    def now(self) -> float: ...

    def passed(self, now: float) -> None:
        """It is not earlier than this virtual time."""
        ...

    async def waiting(self) -> Sequence[Event]: ...

    async def step(self, event: Event) -> Effect: ...


class Enactment(msgspec.Struct, frozen=True, kw_only=True):
    """What happened."""

    steps: tuple[Step, ...]
    undone: tuple[Event, ...] = ()
    """What the order has of the user's and could never be done."""
    hung: str = ""
    """Why it was cut short."""


Watch = Callable[[Step, "Step | None"], Awaitable[Step]]
"""Told of each step, and of the step of the order that it is; gives the step as it is to be kept."""


async def enact(app: Enacts, order: Sequence[Step], *, until: float, watch: Watch | None = None) -> Enactment:
    """Let the order happen, and then whatever happens by itself `until` that virtual time."""
    return await _Enacting(app, order, until, watch).run()


class _Enacting:
    def __init__(self, app: Enacts, order: Sequence[Step], until: float, watch: Watch | None) -> None:
        self._app = app
        self._left = list(order)
        self._until = until
        self._watch = watch
        self._keys: dict[str, str] = {}  # of events of the order, and of those that happened in their place
        self._done: Counter[str] = Counter()
        self._refused: dict[str, int] = {}  # when something could not be done: after how many steps
        self._steps: list[Step] = []

    async def run(self) -> Enactment:
        most = len(self._left) + MOST_STEPS
        while len(self._steps) < most:
            chosen = await self._next()
            if chosen is None:
                break
            event, asked = chosen
            if await self._step(event, asked) and (hung := self._steps[-1].effect.hung):
                return self._ended(hung)
        return self._ended("" if len(self._steps) < most else f"the page was not at rest after {most} events")

    def _ended(self, hung: str = "") -> Enactment:
        undone = tuple(step.event for step in self._left if step.event.by_user)
        return Enactment(steps=tuple(self._steps), undone=undone, hung=hung)

    async def _next(self) -> tuple[Event, Step | None] | None:
        """What happens now, and the step of the order that it is."""
        for look in range(_LOOKS + 1):
            waiting = [each for each in await self._app.waiting() if self._refused.get(each.key) != len(self._steps)]
            matched, others = self._matched(waiting)
            soon = next((each for each in others if _at_once(each)), None)
            if soon is not None:
                return soon, None
            for number, step in enumerate(self._left):
                event = self._users(step, number) if step.event.by_user else matched.get(number)
                if event is None:
                    continue
                missing = any(not each.event.by_user for each in self._left[:number])
                if event.by_user and missing and look < _LOOKS:
                    break  # look again: what comes before it may be on its way
                due = next((each for each in others if self._is_before(each, step)), None)
                return (due, None) if due is not None else (event, step)
            else:
                later = next((each for each in others if each.due_by(self._until)), None)
                return (later, None) if later is not None else None
            await asyncio.sleep(_PATIENCE)
        return None

    def _users(self, step: Step, number: int) -> Event | None:
        """The user's event, if it is its turn and it has not been refused since the last step."""
        if any(each.event.by_user for each in self._left[:number]):
            return None
        event = msgspec.structs.replace(step.event, occurrence=self._done[step.event.what] + 1)
        return None if self._refused.get(event.key) == len(self._steps) else event

    def _is_before(self, event: Event, step: Step) -> bool:
        """Whether something that is not in the order is due before the next step of it."""
        due = event.detail.due
        return due is not None and due <= max(self._app.now, step.event.detail.due or 0.0, step.at)

    def _matched(self, waiting: Sequence[Event]) -> tuple[dict[int, Event], list[Event]]:
        """Which of the steps that are left are possible now, by their numbers; and what is possible besides."""
        free = {event.key: event for event in waiting}
        found: dict[int, Event] = {}
        steps = [(number, step.event) for number, step in enumerate(self._left) if not step.event.by_user]
        for number, event in steps:
            same = free.pop(self._translated(event), None)
            if same is not None:
                found[number] = same
        for number, event in steps:
            if number in found or not free:
                continue
            best = max(free.values(), key=lambda each: self._likeness(event, each))
            if any(self._likeness(event, best)):
                found[number] = free.pop(best.key)
        return found, [event for event in waiting if event.key in free]

    def _translated(self, event: Event) -> str:
        """The key under which the event is known in this run."""
        if event.creator not in self._keys:
            return event.key
        return msgspec.structs.replace(event, creator=self._keys[event.creator]).key

    def _likeness(self, asked: Event, other: Event) -> tuple[int, bool, bool]:
        score = _likeness(asked, other)
        creator = self._keys.get(asked.creator, asked.creator)
        return (score, other.creator == creator, other.occurrence == asked.occurrence) if score else (0, False, False)

    async def _step(self, event: Event, asked: Step | None) -> bool:
        if asked is not None and event.detail.due is None:
            self._app.passed(asked.at)  # the user took that long, or the server did
        at = self._app.now
        if isinstance(event, FrameEvent) and asked is not None and asked.effect.frames:
            event = event.with_detail(frames=asked.effect.frames)
        try:
            effect = await self._app.step(event)
        except NotEnabled:
            self._refused[event.key] = len(self._steps)
            return False
        step = Step(event=event, effect=effect, at=at)
        self._steps.append(step if self._watch is None else await self._watch(step, asked))
        if event.by_user:
            self._done[event.what] += 1
        if asked is not None:
            self._left = [each for each in self._left if each is not asked]
            if asked.event.key != event.key:
                self._keys[asked.event.key] = event.key
        return True


def _at_once(event: Event) -> bool:
    """Whether something that an order does not have happens as soon as it is possible."""
    return event.detail.due is None and event.kind not in _TIMED


def _likeness(asked: Event, other: Event) -> int:
    """How like two events are, whoever created them; 0 not at all."""
    if asked.kind is not other.kind:
        return 0
    if asked.kind is Kind.NETWORK:
        one, two = asked.request, other.request
        if (one.resource, one.method) != (two.resource, two.method):
            return 0
        if one.url == two.url:
            return EQUAL_URLS
        return url_score(one.url, two.url) if shape(one.url) == shape(two.url) else 0
    return EQUAL_URLS if asked.what == other.what else 0
