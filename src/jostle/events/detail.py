"""What is known of an event beyond its name: typed, one struct for each kind of event.

All of it is optional, for much of it comes from pages, which are hostile, and from recordings of earlier versions. What
`Causality` makes of it is said there.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import Any, TypeVar, get_args

import msgspec

S = TypeVar("S", bound=msgspec.Struct)


class Detail(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an event of any kind may tell."""

    document: str = ""
    """Name of the document that the event belongs to; of a response with a document, the one it becomes. Not reused
    within a run."""
    channel: str = ""
    """The first-in-first-out queue that the event comes from."""
    after: tuple[str, ...] = ()
    """Keys of further events that are known to come first."""
    due: float | None = None
    """Virtual milliseconds since the start of the run; None for what does not wait for time."""


class Locator(msgspec.Struct, frozen=True):
    """How the page's agent finds an element again. It is given back to the agent as it came, defaults included."""

    words: str = ""
    """For people: `button "Save"`."""
    role: str = ""
    name: str = ""
    test: str = ""
    """Its test id."""
    css: str = ""
    within: str = ""
    """What it is in, where that tells it from others of the same name."""
    nth: int = 1


class Field(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A form field as its page describes it: attributes as they are written, empty where there are none."""

    type: str = ""
    """Of an input; `textarea`, or `editable` for an element whose content can be edited."""
    label: str = ""
    name: str = ""
    value: str = ""
    placeholder: str = ""
    autocomplete: str = ""
    inputmode: str = ""
    pattern: str = ""
    min: str = ""
    max: str = ""
    step: str = ""
    minlength: str = ""
    maxlength: str = ""
    accept: str = ""
    suggestions: tuple[str, ...] = ()
    hint: str = ""
    """What is written beside a log-in."""
    required: bool = False
    checked: bool = False
    multiple: bool = False


class UserAction(Detail, frozen=True, kw_only=True, omit_defaults=True):
    """What a user does, and to which element."""

    type: str = msgspec.field(default="", name="action")
    """`click`, `type`, `press`, `visit` ..."""
    locator: Locator | None = None
    """None for what is done to no element, such as going back."""
    to: Locator | None = None
    """Where a drag ends."""
    element: str = ""
    """Tag name; of an input with its type: `input:checkbox`."""
    xpath: str = ""
    form: str | None = None
    """XPath of the form that the element belongs to."""
    field: Field | None = None
    value: str | None = None
    """The text that is entered, the key that is pressed, the option that is chosen."""
    index: int = 0
    """Which of the options of a list."""
    file: str = ""
    """What is uploaded; empty for a sample."""
    href: str = ""
    """Where a link leads to, or which page is visited."""
    title: str = ""
    """Its tooltip."""
    submits: str = ""
    """Name of the button that Enter presses in a field of a form."""
    sends_to: str = ""
    """The address that its form is sent to, as written."""
    question: str = ""
    """What the dialog says that it stands in, its buttons left aside."""
    target: str = ""
    download: bool = False
    tab: int = 0
    frame: tuple[int, ...] = ()
    """Path of the frame in its tab; empty for the page itself."""
    secret: bool = False
    """What is entered must not be given away."""
    ran: bool | None = None
    """Whether it made JavaScript run, where that was watched."""
    mark: int = 0
    """The number that a person gave to this moment, from 1."""

    @property
    def enters_text(self) -> bool:
        return self.type in ("type", "fill")

    @property
    def is_secret(self) -> bool:
        return self.secret or (self.field is not None and self.field.type == "password")

    @property
    def place(self) -> str:
        """What it is done to, in words: `textbox "City" in frame 1 in tab 2`."""
        return (self.locator.words if self.locator is not None else "") + place_in_browser(self.frame, self.tab)

    @property
    def entry(self) -> str:
        """The descriptor of entering a text: `type "Rome" in textbox "City"`."""
        return f"{self.type} {json.dumps(self.value or '', ensure_ascii=False)} in {self.place}"


class NetworkDetail(Detail, frozen=True, kw_only=True, omit_defaults=True):
    """The request whose response arrives."""

    method: str = ""
    url: str = ""
    resource: str = ""
    """document, script, stylesheet, image, font, xhr, fetch ..."""
    in_frame: bool = False
    """It is the document of a frame."""
    request: str = ""
    """Joins segments, redirects and progress of one request."""
    sources: tuple[str, ...] = ()
    """Where in the code it was sent: `file:line:column`, the innermost first."""
    blocking: bool | None = None
    """The parser waits for it."""
    defer: bool = False
    asynchronous: bool = msgspec.field(default=False, name="async")
    """As on the script element; it wins over `defer`."""
    registered: int = 0
    """Order number of a deferred script in its document."""
    delays_load: bool | None = None
    """Overrides what the resource says (`loading=lazy`)."""


class TimerDetail(Detail, frozen=True, kw_only=True, omit_defaults=True):
    function: str = ""
    """`timeout`, `interval`, or `task` for `scheduler.postTask`."""
    site: str = ""
    """Where in the code it was set: `file:line:column`."""
    delay: float | None = None
    """Milliseconds as asked for. Timers without it take no part in the timer rule."""
    interval: bool = False
    registered: int | None = None
    """Order number of the registration, rising through the run, the same for all firings of one interval."""


class FrameDetail(Detail, frozen=True, kw_only=True, omit_defaults=True):
    delay: float | None = None
    frames: int | None = None
    """Exactly so many animation frames are this event."""
    at_most: int | None = None


class AnimationDetail(Detail, frozen=True, kw_only=True, omit_defaults=True):
    delay: float | None = None


class MessageDetail(Detail, frozen=True, kw_only=True, omit_defaults=True):
    address: str = ""
    """Of the socket or event source it came through."""
    outside: bool = False
    """A server or a worker sent it, in its own time."""


class ParseDetail(Detail, frozen=True, kw_only=True, omit_defaults=True):
    fence: int = 0
    """Number of the fence in its document, from 1, past which the parser goes."""
    brief: bool = False
    """It waits there only for a moment: the user is not so quick, nor is a timer of some length."""


class LifecycleDetail(Detail, frozen=True, kw_only=True, omit_defaults=True):
    type: str = ""
    """As in JavaScript: `DOMContentLoaded`, `load`, `pagehide` ..."""
    parent_document: str | None = None
    """Of the load of a nested document: the document it is in."""


def place_in_browser(frame: Sequence[int], tab: int) -> str:
    """The end of a descriptor: which frame and tab, unless it is the page itself."""
    in_frame = f" in frame {'.'.join(map(str, frame))}" if frame else ""
    return f"{in_frame} in tab {tab + 1}" if tab else in_frame


def lenient(told: Any, kind: type[S]) -> S:
    """What a page tells as a struct. What does not fit is taken as absent, and nothing is raised."""
    try:
        return msgspec.convert(told, kind)
    except (msgspec.ValidationError, RecursionError):
        pass
    fitting: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind) if isinstance(told, Mapping) else ():
        if field.encode_name in told:
            with contextlib.suppress(msgspec.ValidationError, RecursionError):
                fitting[field.name] = _fitting(told[field.encode_name], field.type)
    return kind(**fitting)


def _fitting(told: Any, kind: Any) -> Any:
    inner = next((each for each in get_args(kind) if isinstance(each, type) and issubclass(each, msgspec.Struct)), None)
    if isinstance(kind, UnionType) and inner is not None and isinstance(told, Mapping):
        return lenient(told, inner)
    return msgspec.convert(told, kind)
