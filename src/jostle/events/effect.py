"""What one event did: the result of a step."""

from __future__ import annotations

from typing import final

import msgspec

from jostle.events.access import Access, Earlier
from jostle.events.event import Event


class Box(msgspec.Struct, frozen=True, array_like=True):
    """A rectangle on the page, in CSS pixels from the top left corner of the document."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: Box) -> bool:
        """Half-open rectangles; an empty box overlaps nothing."""
        return max(self.x, other.x) < min(self.x + self.width, other.x + other.width) and max(self.y, other.y) < min(
            self.y + self.height, other.y + other.height
        )


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change of the document: what was done to which element, and where on the screen it shows."""

    what: str
    """`children`, `text` or `attribute NAME`; `more` stands for those that are too many to be listed."""
    target: str
    box: Box | None = None


class FormWrite(msgspec.Struct, frozen=True):
    """A script (not the user) set the value of a form field."""

    target: str
    value: str


class StorageWrite(msgspec.Struct, frozen=True):
    area: str
    """`localStorage`, `sessionStorage` or `cookie`."""
    key: str
    value: str | None
    """None when the entry was removed."""


class PageError(msgspec.Struct, frozen=True, omit_defaults=True):
    """An uncaught exception, an unhandled rejection or a console error."""

    kind: str
    """`exception`, `rejection` or `console`."""
    message: str
    source: str = ""
    """`file:line:column` where it was thrown."""
    stack: tuple[str, ...] = ()


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    method: str
    url: str
    body: str = ""
    resource: str = ""

    @property
    def reads(self) -> bool:
        """Whether it only asks: others may change something on the server."""
        return self.method in ("GET", "HEAD", "OPTIONS")


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer that reached the page. Redirects are followed: it is the one at their end."""

    method: str
    url: str
    status: int
    """0 when there was none: see `error`."""
    resource: str = ""
    """document, script, stylesheet, image, font, xhr, fetch ..."""
    error: str = ""
    """Why there was none: `ConnectionRefused`, `TimedOut` ..."""
    took: float = 0.0
    """Milliseconds until the server began to answer. 0 when that is not known: only answers that flow are timed, so
    that recordings have nothing in them that differs from run to run."""
    unknown: bool = False
    """A mock gave it that knows nothing of the request: what the server would say is not known."""


class Dialog(msgspec.Struct, frozen=True):
    kind: str
    """`alert`, `confirm`, `prompt` or `beforeunload`."""
    message: str
    answer: str
    """What it was answered with: `accept`, `dismiss`, or the text of a prompt."""


@final
class Milestone:
    """Something that documents pass while they come, live and go. Immutable."""

    COMMIT = "commit"
    """A page took the place of the one that was there."""
    FRAME_COMMIT = "frame commit"
    """The same in a frame."""
    ADDRESS = "address"
    """A script changed the address of its page."""
    REFUSED = "refused"
    """A page of an origin that is not allowed would have taken the place of the one that was there."""
    STAYED = "stayed"
    """The same for a link or form, where a page is not to be left at all (`stay` of the page agent)."""

    __slots__ = ("name", "url")

    def __init__(self, name: str, url: str = "") -> None:
        """`name`: one of the above, or an event as in JavaScript: `DOMContentLoaded`, `load`, `pagehide` ..."""
        self.name = name
        self.url = url

    @staticmethod
    def parse(text: str) -> Milestone:
        """The milestone that is written so."""
        for name in (Milestone.COMMIT, Milestone.FRAME_COMMIT, Milestone.ADDRESS, Milestone.REFUSED):
            if text.startswith(f"{name} ") and len(text) > len(name) + 1:
                return Milestone(name, text[len(name) + 1 :])
        return Milestone(text)

    def __str__(self) -> str:
        return f"{self.name} {self.url}" if self.url else self.name

    def __repr__(self) -> str:
        return f"Milestone({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Milestone) and (self.name, self.url) == (other.name, other.url)

    def __hash__(self) -> int:
        return hash((self.name, self.url))


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything one event caused until the application was quiet again."""

    created: tuple[Event, ...] = ()
    """Events that became possible."""
    removed: tuple[str, ...] = ()
    """Keys of events that were possible before and are gone (a cleared timer, an aborted request)."""
    changes: tuple[Change, ...] = ()
    form_writes: tuple[FormWrite, ...] = ()
    storage_writes: tuple[StorageWrite, ...] = ()
    requests: tuple[Request, ...] = ()
    answers: tuple[Answered, ...] = ()
    errors: tuple[PageError, ...] = ()
    dialogs: tuple[Dialog, ...] = ()
    downloads: tuple[str, ...] = ()
    lifecycle: tuple[Milestone, ...] = ()
    accesses: tuple[Access, ...] = ()
    """What was read and written, when that is being watched: each location with at most one read (the first) and one
    write (with the last value), in the order of their first occurrence. So a location that was read before it was
    written comes first as a read."""
    earlier: tuple[Earlier, ...] = ()
    """What earlier events read and wrote, where that was not told before this one touched the same. See
    `at_their_events`."""
    default_prevented: bool = False
    frames: int = 0
    """Animation frames that ran: those that follow each other with nothing in between are one event."""
    cost: int | None = None
    """Blocks of the application's JavaScript that ran, when cost is being counted."""
    hung: str = ""
    """Why the step was cut short, empty when it came to rest by itself."""
    limits: tuple[str, ...] = ()
    """What could not be controlled in this step, in words."""

    @property
    def commits(self) -> bool:
        """Whether a page took the place of the one that was there; pages in frames do not count."""
        return any(each.name == Milestone.COMMIT for each in self.lifecycle)
