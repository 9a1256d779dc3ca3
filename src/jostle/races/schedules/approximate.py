"""Approximate replay: try an order of events on an application that may not want to follow.

=====================  ============================================================================================
part of the order      an event whose turn has come but is not possible
=====================  ============================================================================================
`exact`                ends the run: it failed
the event moved        ends the run: the reversal is not possible
the rest               another one that is like it happens in its place; else it is put off, and happens as soon as it
                       becomes possible, or never: then it was skipped
=====================  ============================================================================================

The same event is the one with the same key. When an event took the place of another, what it creates is taken for what
the other created. Like an event is one of the same kind, number and descriptor that another event created; an answer
also when its address fits (`url_score`). What the order asks for later is never taken. The user's events have no likes:
they keep their order, and one that is put off is given up when a later one happens.

What waits at the end and was not asked for is new, and is not run; `further` and `drain` are the two exceptions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

import msgspec

from jostle.events.app import App, NotEnabled
from jostle.events.event import Event, FrameEvent, Kind
from jostle.events.trace import State, Step, Trace
from jostle.races.schedules.drain import Drain, left_to_itself
from jostle.races.schedules.run import Drained, Instead, PlannedOrder, ScheduleRun
from jostle.recording.matching import EQUAL_URLS, url_score


class Replays:
    """A Runner for one application.

    - `fuzzy`: whether an event that is like the one asked for may take its place.
    - `further`: so many new events, at most, are run at the end and become part of the run: for applications that
      come to an end by themselves.
    - `drain`: leave the application to itself at the end; that is no part of the run.
    - `now`: the virtual clock of the application. Without it, its time is that of the last event that had one.
    - `arrives`: waits for the event of a key that must become possible, as long as that is worth while; for
      applications in which a request takes its time to be noticed.
    """

    def __init__(
        self,
        app: App,
        *,
        fuzzy: bool = True,
        further: int = 0,
        drain: Drain | None = None,
        now: Callable[[], float] | None = None,
        arrives: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self._app = app
        self._fuzzy = fuzzy
        self._further = further
        self._drain = drain
        self._now = now
        self._arrives = arrives

    async def run(self, order: PlannedOrder, parent: ScheduleRun | None = None) -> ScheduleRun:
        await self._app.reset()
        replay = _Replay(self._app, order, fuzzy=self._fuzzy, now=self._now, arrives=self._arrives)
        initial = tuple(await self._app.enabled())
        await replay.follow()
        if not replay.ended:
            await replay.catch_up()
            await replay.go_on(self._further)
        state = await self._app.state()
        waiting = () if replay.failed else tuple(await self._app.waiting())
        asked = {event.key for event in order.events}
        drained = None
        if self._drain is not None and not replay.failed and not replay.cut:
            drained = await replay.drain(self._drain, state)
        return ScheduleRun(
            trace=Trace(steps=tuple(replay.steps), initial=initial),
            state=state,
            asked=order.events,
            skipped=(*replay.given_up, *replay.put_off),
            instead=tuple(replay.instead),
            new=tuple(event for event in waiting if event.key not in asked),
            drained=drained,
            failed=replay.failed,
            cut=replay.cut,
        )


class _Replay:
    """One run of an order."""

    def __init__(
        self,
        app: App,
        order: PlannedOrder,
        *,
        fuzzy: bool,
        now: Callable[[], float] | None,
        arrives: Callable[[str], Awaitable[None]] | None,
    ) -> None:
        self._app = app
        self._arrives = arrives
        self._order = order
        self._asleep = order.asleep
        self._fuzzy = fuzzy
        self._clock = now
        self._time = 0.0
        self._keys: dict[str, str] = {}  # of events asked for, and of those that took their place
        self._wanted = Counter(event.key for event in order.events)
        self._done_by_user: Counter[str] = Counter()
        self.steps: list[Step] = []
        self.put_off: list[Event] = []
        self.given_up: list[Event] = []
        self.instead: list[Instead] = []
        self.failed = ""
        self.cut = False

    @property
    def ended(self) -> bool:
        return bool(self.failed) or self.cut

    async def follow(self) -> None:
        """All events of the order, in their turn."""
        exact, moved, sure = self._order.exact, self._order.moved, self._order.sure
        for place, event in enumerate(self._order.events):
            if place >= exact and self.put_off:
                await self.catch_up()
            if self.ended:
                return
            self._wanted[event.key] -= 1
            if self._sleeps(event):
                self.put_off.append(event)
                exact, sure, moved = min(exact, place), min(sure, place), None  # another way from here is as good
            elif await self._do(event) or (place < sure and await self._do_late(event)):
                if event.by_user:  # the user went on: what was put off before will not be done any more
                    self.given_up += [late for late in self.put_off if late.by_user]
                    self.put_off = [late for late in self.put_off if not late.by_user]
            elif place < sure:
                self.failed = f"{event} was possible at this point before, and is not now"
            elif place < exact or place == moved:
                self.failed = f"{event} is not possible so early"
            elif not self.ended and not await self._do_like(event):
                self.put_off.append(event)

    async def catch_up(self) -> None:
        """What was put off and is possible now."""
        while self.put_off and not self.ended and await self._late():
            pass

    async def _late(self) -> bool:
        possible = {event.key for event in await self._app.waiting()}
        users_turn = True
        for place, event in enumerate(self.put_off):
            its_turn = users_turn if event.by_user else self._translated(event) in possible
            users_turn = users_turn and not event.by_user
            if its_turn and not self._sleeps(event) and await self._do(event):
                del self.put_off[place]
                return True
        return False

    async def go_on(self, most: int) -> None:
        """Further events, in the order in which they happen by themselves, together with what was put off."""
        refused: set[str] = set()
        while not self.ended:
            waiting = [event for event in await self._app.waiting() if event.key not in refused]
            late = {event.key for event in self.put_off}
            asleep = [event for event in waiting if self._sleeps(event) and (most or event.key in late)]
            awake = [event for event in waiting if not self._sleeps(event)] if most else []
            if not awake:
                # Everything that could still happen has been tried from here, in another order.
                self.cut = bool(asleep) or await self._user_sleeps()
                return
            most -= 1
            if not await self._step(awake[0]):
                refused.add(awake[0].key)
            await self.catch_up()

    async def drain(self, bounds: Drain, state: State) -> Drained:
        """Leave the application to itself."""
        until = self._at() + bounds.milliseconds
        drained = await left_to_itself(
            self._app, state, until=until, most=bounds.events, now=self._clock, at=self._time
        )
        if drained.steps and (hung := drained.steps[-1].effect.hung):
            self.failed = f"{drained.steps[-1].event} did not come to an end: {hung}"
        return drained

    async def _do(self, event: Event) -> bool:
        """Let the event happen that was asked for, if it is possible."""
        if event.by_user:
            number = self._done_by_user[event.what] + 1  # they are counted through each run
            return await self._step(msgspec.structs.replace(event, occurrence=number), asked=event)
        key = self._translated(event)
        for waiting in await self._app.waiting():
            if waiting.key == key:
                return await self._step(_with_frames(waiting, event), asked=event)
        return False

    async def _do_late(self, event: Event) -> bool:
        """The same for what was possible at this point before, so that it must become so."""
        if self._arrives is None or self.ended:
            return False
        await self._arrives(self._translated(event))
        return await self._do(event)

    async def _do_like(self, event: Event) -> bool:
        """Let another event happen in its place."""
        if not self._fuzzy or event.by_user:
            return False
        creator = self._keys.get(event.creator, event.creator)
        best: tuple[tuple[bool, int], Event] | None = None
        for waiting in await self._app.waiting():
            score = _likeness(event, waiting)
            if not score or self._wanted[waiting.key] > 0 or waiting in self.put_off or self._sleeps(waiting):
                continue
            rank = waiting.creator == creator, score
            if best is None or rank > best[0]:
                best = rank, waiting
        if best is None or not await self._step(_with_frames(best[1], event), asked=event):
            return False
        self.instead.append(Instead(event, best[1]))
        return True

    async def _step(self, event: Event, asked: Event | None = None) -> bool:
        at = self._at()
        try:
            effect = await self._app.step(event)
        except NotEnabled:
            return False
        self._time = max(self._time, event.detail.due or 0.0)
        step = Step(event=event, effect=effect, at=at)
        self.steps.append(step)
        if asked is not None and asked.key != event.key:
            self._keys[asked.key] = event.key
        if event.by_user:
            self._done_by_user[event.what] += 1
        if self._asleep is not None:
            self._asleep.stepped(step)
        if effect.hung:
            self.failed = f"{event} did not come to an end: {effect.hung}"
        return True

    def _translated(self, event: Event) -> str:
        """The key under which the event is known in this run."""
        if event.creator not in self._keys:
            return event.key
        return msgspec.structs.replace(event, creator=self._keys[event.creator]).key

    def _sleeps(self, event: Event) -> bool:
        return self._asleep is not None and self._asleep.sleeps(event.key)

    async def _user_sleeps(self) -> bool:
        asleep = {event.key for event in self.put_off if event.by_user and self._sleeps(event)}
        return bool(asleep) and any(event.key in asleep for event in await self._app.enabled())

    def _at(self) -> float:
        return self._clock() if self._clock is not None else self._time


def _with_frames(event: Event, asked: Event) -> Event:
    if not isinstance(event, FrameEvent) or not isinstance(asked, FrameEvent) or asked.detail.frames is None:
        return event
    return event.with_detail(frames=asked.detail.frames)


def _likeness(asked: Event, other: Event) -> int:
    """How like two events are, whoever created them; 0 not at all."""
    if asked.kind is not other.kind or asked.by_user or asked.occurrence != other.occurrence:
        return 0
    if asked.what == other.what:
        return EQUAL_URLS
    one, two = asked.request, other.request
    if asked.kind is not Kind.NETWORK or (one.resource, one.method) != (two.resource, two.method):
        return 0
    return url_score(one.url, two.url)
