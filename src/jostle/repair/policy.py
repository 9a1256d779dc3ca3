"""Repair policies: plain data that says which events of a page are dispatched, postponed or discarded, and until when.

A policy is a set of rules (EventRaceCommander, ICSE 2017). A rule is *activated* by an operation that it matches while
it is not expired. The strongest action of all activated rules decides; without any, the event is dispatched. What a
policy says is decided by `jostle.repair.decide`, and in a page by the same function in JavaScript.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeAlias

import msgspec


class EventKind(StrEnum):
    """The source of an event, as rules tell them apart."""

    USER = "user"  # a click, a key, an entry in a field: a whole gesture is one event
    TIMER = "timer"  # setTimeout, setInterval
    RESPONSE = "response"  # of fetch or XMLHttpRequest
    SCRIPT = "script"  # an external script that the page inserts: its execution
    IMAGE = "image"  # an image has loaded, or failed to
    FRAME = "frame"  # an iframe has loaded
    MESSAGE = "message"  # postMessage, WebSocket, EventSource, worker, BroadcastChannel


class On(StrEnum):
    """The operation that a rule matches."""

    BEGIN = "begin"  # the event is about to be dispatched
    FORK = "fork"  # the event comes into being: a request is sent, a timer set, a script inserted


class Action(StrEnum):
    """What happens to an event, from the weakest to the strongest."""

    DISPATCH = "dispatch"
    POSTPONE = "postpone"
    DISCARD = "discard"

    @property
    def strength(self) -> int:
        return _STRENGTH[self]


_STRENGTH = {action: strength for strength, action in enumerate(Action)}


class Scope(StrEnum):
    ALWAYS = "always"
    ONCE = "once"  # the rule is gone after its first activation


class Match(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which operations a rule is about. Whatever is left empty does not matter."""

    on: On = On.BEGIN
    kinds: tuple[EventKind, ...] = ()
    types: tuple[str, ...] = ()
    """Event types as in JavaScript (`click`, `keydown`); of a response `fetch` or `xhr`, of a timer `timeout` or
    `interval`. A gesture has all the types it consists of. Hovering (`mouseover` ...) only matches by its type."""
    selector: str = ""
    """CSS: the target of the event, or an element around it, matches. For a request, timer or script: the element of
    the user's event that it follows from."""
    urls: tuple[str, ...] = ()
    """Patterns, of which one must match the address: `*` stands for any text. One that begins with `/` is compared
    without the origin, and one without `?` also without the query."""
    except_urls: tuple[str, ...] = ()
    longest: float | None = None
    """Milliseconds: only timers that are not longer, and that were not set by another timer."""
    lane: str = ""
    """Only requests of this lane: their method and path, with numbers replaced by `*`."""
    events: tuple[int, ...] = ()
    """Only these events. Extensions make such rules; files cannot, for numbers are given while a page runs."""


class Parsed(msgspec.Struct, frozen=True, tag="parsed", tag_field="is", forbid_unknown_fields=True):
    """The page has been parsed, and the handlers of DOMContentLoaded have finished: what they request is part of
    loading."""


class Arrived(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag="arrived",
    tag_field="is",
    forbid_unknown_fields=True,
):
    """The handlers of an event have finished, or it can no longer happen (aborted, cleared)."""

    url: str = ""
    """Any event with an address of this pattern."""
    event: int = 0
    """Exactly this event; see `Match.events`."""


class IsFunction(msgspec.Struct, frozen=True, tag="function", tag_field="is", forbid_unknown_fields=True):
    """A global variable, or a property of one (`app.menu.open`), is a function."""

    name: str


class Present(msgspec.Struct, frozen=True, tag="present", tag_field="is", forbid_unknown_fields=True):
    """An element matches the selector: `#menu[aria-expanded]` waits for an attribute."""

    selector: str


class Absent(msgspec.Struct, frozen=True, tag="absent", tag_field="is", forbid_unknown_fields=True):
    """No element matches the selector: `.spinner`."""

    selector: str


class Listening(msgspec.Struct, frozen=True, tag="listening", tag_field="is", forbid_unknown_fields=True):
    """A listener for events of a type has been registered at an element that matches, at `window` or at `document`."""

    selector: str
    type: str = "click"


class Defined(msgspec.Struct, frozen=True, tag="defined", tag_field="is", forbid_unknown_fields=True):
    """A custom element has been defined."""

    element: str


class Never(msgspec.Struct, frozen=True, tag="never", tag_field="is", forbid_unknown_fields=True):
    """The rule does not expire."""


StatePredicate: TypeAlias = IsFunction | Present | Absent | Listening | Defined
"""What can be read off a page at any time."""
Until: TypeAlias = Parsed | Arrived | IsFunction | Present | Absent | Listening | Defined | Never
"""When a rule is expired. It is not removed then: it is inactive as long as this is true."""


class Do(StrEnum):
    """What an extension does for the event v of the operation that activated its rule."""

    WAIT_FOR = "wait_for"  # the user waits for v
    WAIT_RECURSIVELY = "wait_recursively"  # and for all that is forked before v has arrived, and so on
    ORDER_NEXT = "order_next"  # the next event of this kind waits for v
    ABORT_OLDER = "abort_older"  # older requests that have not arrived are aborted: v has overtaken them
    ORDER = "order"  # v waits for the event `after`; made by `order_next`


class Extension(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Rules that are added when a rule is activated."""

    do: Do
    action: Action = Action.DISCARD
    """What `wait_for` does to the events of the user."""
    selector: str = ""
    """Whom `wait_for` makes wait; empty for all that the user does."""
    lanes: bool = False
    """`order_next` and `abort_older`: only among requests of one lane."""
    silent: bool = False
    """`abort_older`: nobody is told; the page waits for ever for what was aborted."""
    after: int = 0


class Rule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The operations it is about, when it expires, what happens to the event meanwhile, and what rules come of it."""

    match: Match = Match()
    until: Until = Never()
    scope: Scope = Scope.ALWAYS
    action: Action = Action.DISPATCH
    then: tuple[Extension, ...] = ()
    busy: bool = False
    """The elements of its selector are shown as busy all the time, not only while an event of theirs waits."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a page is repaired by."""

    name: str
    explanation: str = ""
    """For people: what it prevents, and what a user notices."""
    rules: tuple[Rule, ...] = ()
    protect: tuple[str, ...] = ()
    """Selectors of fields that keep what the user has entered: scripts that began before that do not overwrite it, and
    do not take the focus away from it."""
    watchdog: float = 10.0
    """Seconds. Nothing waits longer, whatever the rules say, and no rule discards for longer."""
    message: str = "Please wait…"
    """What a screen reader says while an event of the user waits; empty for nothing."""

    def __or__(self, other: Policy) -> Policy:
        """Both at once: the strongest action wins."""
        return Policy(
            name=f"{self.name}+{other.name}",
            explanation="\n".join(filter(None, (self.explanation, other.explanation))),
            rules=tuple(dict.fromkeys(self.rules + other.rules)),
            protect=tuple(dict.fromkeys(self.protect + other.protect)),
            watchdog=min(self.watchdog, other.watchdog),
            message=self.message or other.message,
        )

    @property
    def predicates(self) -> Iterator[StatePredicate]:
        """What of the page's state it depends on."""
        seen = set()
        for rule in self.rules:
            if isinstance(rule.until, StatePredicate) and rule.until not in seen:
                seen.add(rule.until)
                yield rule.until
