"""An application as its user meets it: after each user event the system events run until nothing is left but time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import chain
from typing import Any, Protocol

from jostle.events.access import condensed
from jostle.events.app import App, NotEnabled
from jostle.events.effect import Effect
from jostle.events.event import Event, Kind
from jostle.events.trace import State, Step


class Timed(App, Protocol):
    """An application with a virtual clock. An event that waits for time says in `detail.due` until when."""

    @property
    def now(self) -> float:
        """Virtual time in milliseconds since the start of the run."""
        ...


class Settled:
    """An App in which only the user's events are explicit.

    After a reset and after each user event the system events run in their natural order, the order of `enabled()`.
    Those due later than `patience` virtual milliseconds after the user event stay waiting. At most `limit` system
    events run for one user event; when more are waiting, the Effect says so in `limits`. Nothing more runs after a
    step that hung.
    """

    def __init__(
        self,
        app: Timed,
        *,
        patience: float = 2000,
        limit: int = 200,
        repeats: int = 5,
        frames: int = 30,
        reloads: int = 5,
        observe: Callable[[Step], Awaitable[Step]] | None = None,
        on_reset: Callable[[tuple[Event, ...]], None] | None = None,
        holds: Callable[[Event], bool] = lambda event: False,
    ) -> None:
        """`repeats` and `frames`: how often a timer, and an animation frame, that sets itself again runs for one user
        event. Polling and endless animations are nothing but time. `reloads`: how often a page may bring itself about
        again; then its next document stays waiting, and the Effect says so in `limits`.

        `observe` sees each step of the application as soon as it was made, and may add to it (the state it led to).
        `on_reset` is told what could happen at the very beginning of a run. `holds` says which system events must not
        happen yet.
        """
        self.holds = holds
        self._on_reset = on_reset
        self._app = app
        self._reloads = reloads
        self._repeats = {Kind.TIMER: repeats, Kind.FRAME: frames}
        self._observe = observe
        self.patience = patience
        """How long, in virtual milliseconds, the user waits after each thing done."""
        self._limit = limit
        self.last_steps: tuple[Step, ...] = ()
        """The steps of the application in the last `step()`, the user's first, or in the last `reset()`."""
        self.last_effect = Effect()
        """The effect of `last_steps`; after a `reset()`, what starting the application did."""

    @property
    def now(self) -> float:
        return self._app.now

    async def reset(self) -> None:
        await self._app.reset()
        if self._on_reset is not None:
            self._on_reset(tuple(await self._app.waiting()))
        await self._settle("the start", ())

    async def enabled(self) -> Sequence[Event]:
        return tuple(event for event in await self._app.enabled() if event.by_user)

    async def waiting(self) -> Sequence[Event]:
        return ()  # they happen by themselves

    async def step(self, event: Event) -> Effect:
        if not event.by_user:
            raise NotEnabled(event, "system events happen by themselves here; only the user's can be asked for")
        return await self._settle(str(event), (event,))

    async def pending(self) -> Sequence[Event]:
        """What waits for its time, or is held."""
        return await self._app.waiting()

    async def rest(self, patience: float | None = None) -> Effect:
        """Let happen what would happen by itself, as after a user event: what is no longer held. `patience`: virtual
        milliseconds that are waited this time."""
        return await self._settle("that", (), patience)

    async def state(self) -> State:
        return await self._app.state()

    async def _settle(self, cause: str, first: Sequence[Event], patience: float | None = None) -> Effect:
        until = self._app.now + (self.patience if patience is None else patience)
        self.last_steps = ()  # also when it fails half-way
        steps: list[Step] = []
        limits: tuple[str, ...] = ()
        rounds = _Rounds()
        refused: set[str] = set()
        upcoming = first[0] if first else await self._upcoming(until, rounds)
        while upcoming:
            at = self._app.now
            try:
                step = Step(event=upcoming, effect=await self._app.step(upcoming), at=at)
            except NotEnabled:
                if upcoming.by_user:
                    raise
                if upcoming.key in refused:
                    break  # there is no page any more for it to happen in
                refused.add(upcoming.key)  # it was taken back meanwhile
                upcoming = await self._upcoming(until, rounds)
                continue
            steps.append(step if self._observe is None else await self._observe(step))
            if step.effect.hung:
                break
            rounds.ran(upcoming, step.effect.frames or 1)
            upcoming = await self._upcoming(until, rounds)
            if upcoming and len(steps) - len(first) >= self._limit:
                limits = (f"after {cause}, {self._limit} system events ran and more were waiting; they were left",)
                break
            if upcoming is None and rounds.left:
                limits = (f"after {cause}, {rounds.left} was loaded by itself again and again; then it was left",)
        self.last_steps = tuple(steps)
        self.last_effect = merge(steps, limits=limits)
        return self.last_effect

    async def _upcoming(self, until: float, rounds: _Rounds) -> Event | None:
        """The next system event, unless it is too far off or has had its turns."""
        for event in await self._app.waiting():
            if self.holds(event):
                continue
            most = self._repeats.get(event.kind)
            if most is not None and rounds.had(event) >= most:
                continue
            if event.request.resource == "document" and rounds.loads(event) >= self._reloads:
                rounds.left = event.what
                continue
            if event.due_by(until):
                return _at_most(event, self._repeats[Kind.FRAME] - rounds.had(event))
        return None


def _at_most(event: Event, frames: int) -> Event:
    """An animation of so many frames, however many would be one event otherwise; other events as they are."""
    return event.with_detail(at_most=frames) if event.kind is Kind.FRAME else event


class _Rounds:
    """How often, after one user event, events of one descriptor have run that an earlier one of them had created."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._creators: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self.left = ""
        """The document that was left waiting."""

    def ran(self, event: Event, times: int = 1) -> None:
        self._counts[event.what] += times - (not self._again(event))
        self._names[event.key] = event.what
        self._creators[event.key] = event.creator

    def had(self, event: Event) -> int:
        return self._counts[event.what] + 1 if self._again(event) else 0

    def loads(self, event: Event) -> int:
        """How many of the events that led to this one had the same descriptor."""
        count, key = 0, event.creator
        while key in self._creators:
            count += self._names[key] == event.what
            key = self._creators[key]
        return count

    def _again(self, event: Event) -> bool:
        return self._names.get(event.creator) == event.what


def merge(steps: Iterable[Step], *, limits: Iterable[str] = ()) -> Effect:
    """The effect of consecutive steps taken as one step, with further `limits`.

    `created` and `removed` are the difference between the end and the beginning: an event that was created and
    happened, or was created and removed, within the steps is in neither.
    """
    steps = tuple(steps)
    effects = [step.effect for step in steps]
    created: dict[str, Event] = {}
    removed: dict[str, None] = {}
    for step in steps:
        created.pop(step.event.key, None)
        for key in step.effect.removed:
            if created.pop(key, None) is None:
                removed[key] = None
        for event in step.effect.created:
            if event.key in removed:
                del removed[event.key]
            else:
                created[event.key] = event

    def joined(field: str) -> tuple[Any, ...]:
        return tuple(chain.from_iterable(getattr(effect, field) for effect in effects))

    costs = [effect.cost for effect in effects if effect.cost is not None]
    return Effect(
        created=tuple(created.values()),
        removed=tuple(removed),
        changes=joined("changes"),
        form_writes=joined("form_writes"),
        storage_writes=joined("storage_writes"),
        requests=joined("requests"),
        answers=joined("answers"),
        errors=joined("errors"),
        dialogs=joined("dialogs"),
        downloads=joined("downloads"),
        lifecycle=joined("lifecycle"),
        accesses=condensed(joined("accesses")),
        earlier=joined("earlier"),
        default_prevented=any(effect.default_prevented for effect in effects),
        frames=sum(effect.frames for effect in effects),
        cost=sum(costs) if costs else None,
        hung="; ".join(effect.hung for effect in effects if effect.hung),
        limits=tuple(dict.fromkeys((*joined("limits"), *limits))),
    )
