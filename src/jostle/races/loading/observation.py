"""What was seen while a page loaded: plain data, for the patterns to be looked for in."""

from __future__ import annotations

import msgspec

from jostle.events import Event, Kind, Trace, UserAction

LONG_DELAY = 500
"""Milliseconds from which a timer leaves a user time to act."""
_SLOW = frozenset(("script", "xhr", "fetch"))

DOCUMENT = "document"
WINDOW = "window"


def is_long(event: Event) -> bool:
    """Whether the event may take so long to come that a user acts before it."""
    if event.kind is Kind.NETWORK:
        return event.request.resource in _SLOW
    return event.from_outside or (event.timer.delay or 0) >= LONG_DELAY


def is_script(event: Event) -> bool:
    return event.request.resource == "script"


class Element(msgspec.Struct, frozen=True, kw_only=True):
    """An element that somebody could act on, listens at, or was written to."""

    id: str
    label: str
    """For readers of markup: `input#q`."""
    kind: str = ""
    """`a`, `input:text` ..."""
    born: str = ""
    """Key of the event that brought it into the page; empty when that is not known."""
    behind: tuple[str, ...] = ()
    """Addresses of asynchronous scripts that stand before it in the markup: they may run before it is there."""
    group: str = ""
    """The group of a radio button."""
    src: str = ""
    """What it loads."""
    form: str = ""
    """Path of the form it belongs to."""
    sends: bool = False
    """A button that sends its form."""
    path: str = ""
    standing: UserAction = UserAction()
    """What is needed to act on it: its locator and where it stands. The action itself is left open."""

    @property
    def name(self) -> str:
        """For people: `textbox "Search"`."""
        locator = self.standing.locator
        return locator.words if locator is not None and locator.words else self.label


class Listening(msgspec.Struct, frozen=True, kw_only=True):
    """A script began to listen, or markup does."""

    event: str
    """Key of the event during which."""
    target: str
    """Id of an element, `document` or `window`."""
    type: str
    """As in JavaScript; `upgrade` when a custom element was defined."""
    source: str = ""
    """The listener's text."""
    site: str = ""
    """Where it was registered: `file:line:column`."""
    listener: int = 0
    markup: bool = False
    """By an attribute: there as soon as its element is."""
    within: tuple[str, ...] = ()
    """Ids of elements inside of the target."""


class Wired(msgspec.Struct, frozen=True):
    """A handler that a framework keeps for an element, and calls from a listener further up."""

    type: str
    """As in JavaScript, or as the framework calls it: `click`, `change`, `doubleclick`."""
    source: str = ""


class Unlistening(msgspec.Struct, frozen=True, kw_only=True):
    """A script no longer listens."""

    event: str
    target: str
    type: str
    listener: int


class Write(msgspec.Struct, frozen=True, kw_only=True):
    """A script set a field, or put another one in its place."""

    event: str
    target: str
    value: str = ""
    site: str = ""
    replaced: bool = False


class FocusMove(msgspec.Struct, frozen=True, kw_only=True):
    """A script, or `autofocus`, moved the focus to an element."""

    event: str
    target: str
    site: str = ""
    auto: bool = False


class Boundary(msgspec.Struct, frozen=True, kw_only=True):
    """The moment before an event that may take long: when a user could act, and how."""

    position: int
    """How many events have happened by then."""
    offers: dict[str, tuple[Event, ...]] = {}
    """What the user could do with which element: painted, visible, enabled and not covered."""


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One load of a page, from its first event to rest."""

    trace: Trace
    """With what is known of scripts in the details: see `jostle.events.causality`."""
    boundaries: tuple[Boundary, ...] = ()
    """In order; the event that may take long is the one at `position` of the trace."""
    elements: dict[str, Element] = {}
    listening: tuple[Listening, ...] = ()
    unlistening: tuple[Unlistening, ...] = ()
    wired: dict[str, tuple[Wired, ...]] = {}
    """What elements do in the end, as far as that can be seen, by the id of the element; of a form, at whatever is in
    it."""
    writes: tuple[Write, ...] = ()
    focus_moves: tuple[FocusMove, ...] = ()
    dropped: int = 0
    """Notes that were too many to be kept."""

    def after(self, boundary: Boundary) -> Event:
        """The event that may take long."""
        return self.trace.steps[boundary.position].event
