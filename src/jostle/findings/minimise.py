"""From a long run that shows a problem to the few events that it takes."""

from __future__ import annotations

import inspect
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise

import msgspec

from jostle.events import App, Effect, Event, LifecycleEvent, NotEnabled

START = LifecycleEvent(what="start")
"""Stands for the start of the application, where that alone shows the problem."""

OVERTIME = 5.0
"""Seconds that a replay may go on when the time is up: a long run would take as long as it took at first."""

Shows = Callable[[Event, Effect], bool | Awaitable[bool]]
"""Whether an event and what it did show the problem. The application is still as the event left it."""


class Minimised(msgspec.Struct, frozen=True, kw_only=True):
    """What was left of a sequence of events."""

    events: tuple[Event, ...]
    """Numbered as they happen in this sequence. Empty when the start of the application alone shows the problem."""
    shown: bool
    """They were done in a fresh run and showed the problem. False: it did not show again, `events` are as given."""
    minimal: bool
    """No single event can be left out. False when the bounds did not allow to find out."""
    replays: int
    """How many runs it took."""


async def minimise(
    app: App,
    events: Sequence[Event],
    shows: Shows,
    *,
    replays: int = 60,
    seconds: float = 60.0,
    clock: Callable[[], float] = time.monotonic,
) -> Minimised:
    """Leave out user events as long as the rest still shows the problem (delta debugging).

    `app` is one that runs its system events by itself (`Settled`); what its start did is its `last_effect`. A replay
    passes over events that are not possible and ends as soon as the problem shows; so the last event of what is left is
    the one that shows it. At most `replays` runs are made, and none is begun after `seconds`; one that is under way
    then is given up after `OVERTIME` more. A step in progress is bounded by the application.
    """
    search = _Search(app, shows, replays, clock() + seconds, clock)
    best = await search.replay(tuple(events))
    if best is None:
        return Minimised(events=tuple(events), shown=False, minimal=False, replays=search.replays)
    minimal = True
    parts = 2
    while len(best) > 1:
        before, last = best[:-1], best[-1]
        parts = min(parts, len(before))
        shorter = None
        for rest in _rests(before, parts):
            if search.exhausted:
                break
            shorter = await search.replay((*rest, last))
            if shorter is not None:
                break
        if shorter is not None:
            best = shorter
            parts = max(2, parts - 1)
        elif search.exhausted:
            minimal = False
            break
        elif parts >= len(before):
            break
        else:
            parts = min(2 * parts, len(before))
    return Minimised(events=best, shown=True, minimal=minimal, replays=search.replays)


def _rests(events: tuple[Event, ...], parts: int) -> list[tuple[Event, ...]]:
    """Each part of several alone, then all but each part; the later parts first, for they are nearer to the problem."""
    size, more = divmod(len(events), parts)
    bounds = [0]
    for part in range(parts):
        bounds.append(bounds[-1] + size + (part < more))
    spans = list(pairwise(bounds))[::-1]
    alone = [events[start:end] for start, end in spans]
    without = [(*events[:start], *events[end:]) for start, end in spans]
    if parts == len(events) == 1:
        return [()]
    return without if parts == 2 else [*alone, *without]


class _Search:
    def __init__(self, app: App, shows: Shows, most: int, deadline: float, clock: Callable[[], float]) -> None:
        self._app = app
        self._shows = shows
        self._most = most
        self._deadline = deadline
        self._clock = clock
        self._vain: set[tuple[tuple[str, str], ...]] = set()
        self.replays = 0

    @property
    def exhausted(self) -> bool:
        return self.replays >= self._most or self._clock() > self._deadline

    async def replay(self, events: tuple[Event, ...]) -> tuple[Event, ...] | None:
        """The events that were done when the problem showed, or None."""
        asked = tuple((event.what, event.action.value or "") for event in events)
        if asked in self._vain or self.exhausted:
            return None
        self.replays += 1
        done = await self._run(events)
        if done is None:
            self._vain.add(asked)
        return done

    async def _run(self, events: tuple[Event, ...]) -> tuple[Event, ...] | None:
        await self._app.reset()
        if await self._shown(START, getattr(self._app, "last_effect", Effect())):
            return ()
        counts: Counter[str] = Counter()
        done: list[Event] = []
        for event in events:
            if self._clock() > self._deadline + OVERTIME:
                return None
            # Events are numbered through a run: with others left out it is another number.
            event = msgspec.structs.replace(event, occurrence=counts[event.what] + 1)
            try:
                effect = await self._app.step(event)
            except NotEnabled:
                continue
            counts[event.what] += 1
            done.append(event)
            if await self._shown(event, effect):
                return tuple(done)
            if effect.hung:
                return None
        return None

    async def _shown(self, event: Event, effect: Effect) -> bool:
        answer = self._shows(event, effect)
        return await answer if inspect.isawaitable(answer) else answer
