"""An application in memory, described by a few lines of Python: what searches are tested on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2s
from typing import Any

from jostle.events.access import MOST_OF_A_VALUE, Access, condensed
from jostle.events.app import NotEnabled
from jostle.events.effect import Effect, PageError
from jostle.events.event import Event, Kind, UserEvent, event_of
from jostle.events.location import located, location_of_event
from jostle.events.trace import State


class Thrown(Exception):
    """Raised in a handler: an uncaught exception of the modelled application. What was written before it stays."""


class View:
    """The variables of the application, for reading."""

    def __init__(self, variables: dict[str, Any], accesses: list[Access]) -> None:
        self._variables = variables
        self._accesses = accesses

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise Thrown(f"ReferenceError: {name} is not defined")
        return self._variables[name]

    def __contains__(self, name: str) -> bool:
        self._note(False, name)
        return name in self._variables

    def _note(self, write: bool, name: str) -> None:
        location = located(name if ":" in name else f"global:{name}")
        value = _shown(self._variables[name]) if name in self._variables else "undefined"
        self._accesses.append(Access(location=location, write=write, value=value, name=name))


class World(View):
    """What a handler sees and changes. Values are immutable plain data, so that no change escapes the access log."""

    def __init__(self, app: ModelApp, event: Event | None, accesses: list[Access]) -> None:
        super().__init__(app._variables, accesses)
        self._app = app
        self._event = event

    @property
    def event(self) -> Event:
        """The event that is happening."""
        if not self._event:
            raise LookupError("no event happens while the application starts")
        return self._event

    def __setitem__(self, name: str, value: Any) -> None:
        _canonical(value, name)
        self._variables[name] = value
        self._note(True, name)

    def __delitem__(self, name: str) -> None:
        self._variables.pop(name, None)
        self._note(True, name)

    def create(self, kind: Kind, what: str, *, delay: float = 0, handler: Handler | None = None, **detail: Any) -> str:
        """Make an event possible and return its key. By itself it would happen in `delay` virtual milliseconds.

        What it does is the given handler, or the application's handler of that name. `detail` goes into the event, see
        `event_of`.
        """
        return self._app._create(self._event, kind, what, delay, handler, detail)

    def cancel(self, key: str) -> None:
        """Make an event impossible again; nothing happens when it has been and gone."""
        self._accesses.append(Access(location=location_of_event(key), write=True))
        if cancelled := self._app._pending.pop(key, None):
            self._app._holds(cancelled[1], self._accesses)  # whether it was possible is part of what this does


Handler = Callable[[World], object]
Guard = Callable[[View], bool]


class ModelApp:
    """A transition system as an App, deterministic, with virtual time.

    - `variables`: the initial state. Values are immutable plain data: None, bool, numbers, text, tuples, frozensets.
    - `handlers`: what an event does, by its descriptor.
    - `user`: the script of the user, a chain: its next event is possible.
    - `actions`: further user events, possible again and again.
    - `guards`: an event of that descriptor is possible only while the guard holds. A guard only reads.
    - `start`: run at each reset, to create the events that are possible from the start.

    For example, a page that shows whichever answer comes last:

        def go(world: World) -> None:
            world["page"] += 1
            page = world["page"]

            def fill(world: World) -> None:
                world["table"] = page

            world.create(Kind.NETWORK, f"GET ?page={page}", handler=fill)

        ModelApp({"page": 0, "table": 0}, {"click Next": go}, user=["click Next", "click Next"])

    `state()` is that of the variables alone, as a browser's is that of the page: what is still possible is not in it.
    The `created` and `removed` of an Effect are exactly the difference that the step made to `enabled()`, the user's
    events included, but for the event of the step itself. Its `accesses` are those of the guard and of the handler,
    and of the guards of events that it creates or cancels:
    `global:NAME` for a variable (a name with a colon, `dom:table`, is a location as it is) and `event:KEY`.
    """

    def __init__(
        self,
        variables: Mapping[str, Any],
        handlers: Mapping[str, Handler],
        *,
        user: Sequence[str] = (),
        actions: Iterable[str] = (),
        guards: Mapping[str, Guard] | None = None,
        start: Handler | None = None,
    ) -> None:
        self._initial = dict(variables)
        for name, value in self._initial.items():
            _canonical(value, name)
        self._handlers = dict(handlers)
        self._script = tuple(user)
        self._actions = tuple(actions)
        self._guards = dict(guards or {})
        self._start = start
        for what in (*self._script, *self._actions):
            self._handler(what)
        if both := set(self._script) & set(self._actions):
            raise ValueError(f"both in the script of the user and among the actions: {', '.join(sorted(both))}")
        self._begin()

    def _begin(self) -> None:
        self._variables = dict(self._initial)
        self._pending: dict[str, tuple[float, Event, Handler]] = {}  # in the order of creation
        self._occurrences: Counter[tuple[Kind, str, str]] = Counter()
        self._created = 0
        self._scripted = 0
        self._now = 0.0
        if self._start:
            self._start(World(self, None, []))

    @property
    def now(self) -> float:
        """Virtual time in milliseconds. A timed event takes the clock to the time it is due; the rest take no time."""
        return self._now

    @property
    def variables(self) -> Mapping[str, Any]:
        """A copy of the present variables, for looking at; not in the access log."""
        return dict(self._variables)

    async def reset(self) -> None:
        self._begin()

    async def enabled(self) -> Sequence[Event]:
        return tuple(self._enabled().values())

    async def waiting(self) -> Sequence[Event]:
        return tuple(event for event in self._enabled().values() if not event.by_user)

    async def step(self, event: Event) -> Effect:
        key = event.key
        before = self._enabled()
        if key not in before:
            waiting = key in self._pending or key in {user.key for user in self._users()}
            raise NotEnabled(event, "its guard does not hold" if waiting else "no such event is possible now")
        event = before[key]
        known = self._known()
        accesses: list[Access] = []
        self._holds(event, accesses)  # once more: what it reads, the event reads
        if event.by_user:
            handler = self._handler(event.what)
            self._occurrences[event.kind, event.what, ""] += 1
            self._scripted += event.what in self._script
        else:
            due, _, handler = self._pending.pop(key)
            self._now = max(self._now, due)
            accesses.append(Access(location=location_of_event(key)))
        errors: tuple[PageError, ...] = ()
        try:
            handler(World(self, event, accesses))
        except Thrown as thrown:
            errors = (PageError(kind="exception", message=str(thrown)),)
        for created in self._known():
            if created not in known:
                self._holds(created, accesses)  # whether it is possible at once is seen by its creator
        after = self._enabled()
        return Effect(
            created=tuple(event for key, event in after.items() if key not in before),
            removed=tuple(gone for gone in before if gone not in after and gone != key),
            errors=errors,
            accesses=condensed(accesses),
        )

    async def state(self) -> State:
        text = "".join(f"{name!r}={_canonical(self._variables[name], name)};" for name in sorted(self._variables))
        return State(digest=blake2s(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest())

    def _enabled(self) -> dict[str, Event]:
        """By time, then by creation; the user's last."""
        waiting = {key: event for key, (_, event, _) in sorted(self._pending.items(), key=lambda item: item[1][0])}
        waiting |= {event.key: event for event in self._users()}
        return {key: event for key, event in waiting.items() if self._holds(event)}

    def _known(self) -> list[Event]:
        """What is possible, or would be if its guard held."""
        return [*(event for _, event, _ in self._pending.values()), *self._users()]

    def _users(self) -> list[UserEvent]:
        names = (*self._script[self._scripted : self._scripted + 1], *self._actions)
        return [UserEvent(what=what, occurrence=self._occurrences[Kind.USER, what, ""] + 1) for what in names]

    def _holds(self, event: Event, accesses: list[Access] | None = None) -> bool:
        guard = self._guards.get(event.what)
        return guard is None or guard(View(self._variables, [] if accesses is None else accesses))

    def _handler(self, what: str) -> Handler:
        if what not in self._handlers:
            raise ValueError(f"no handler for {what!r}; there are handlers for {', '.join(map(repr, self._handlers))}")
        return self._handlers[what]

    def _create(
        self,
        by: Event | None,
        kind: Kind,
        what: str,
        delay: float,
        handler: Handler | None,
        detail: dict[str, Any],
    ) -> str:
        if kind is Kind.USER:
            raise ValueError(f"{what!r}: a user event is not created, put it into the script (user) or the actions")
        creator = by.key if by else ""
        self._occurrences[kind, what, creator] += 1
        self._created += 1
        due = self._now + max(0, delay)
        if kind is Kind.TIMER:
            detail = {"delay": delay} | detail
        if kind is Kind.TIMER or delay:
            detail = {"due": due} | detail
        if kind in (Kind.TIMER, Kind.NETWORK):
            detail = {"registered": self._created} | detail
        event = event_of(kind, what, creator=creator, occurrence=self._occurrences[kind, what, creator], detail=detail)
        key = event.key
        self._pending[key] = (due, event, handler or self._handler(what))
        return key


def _shown(value: Any) -> str:
    """A value as a page would show it: `null`, `true`, `3`, `"text"`."""
    if value is None or isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)[:MOST_OF_A_VALUE]
    return _canonical(value, "")[:MOST_OF_A_VALUE]


def _canonical(value: Any, name: str) -> str:
    """The same text for equal values in every process."""
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return repr(value)
    if isinstance(value, tuple):
        return f"({''.join(_canonical(item, name) + ',' for item in value)})"
    if isinstance(value, frozenset):
        return f"{{{''.join(sorted(_canonical(item, name) + ',' for item in value))}}}"
    raise TypeError(
        f"variable {name!r}: {type(value).__name__} is not immutable plain data; "
        "use None, bool, numbers, str, bytes, tuple or frozenset"
    )
