"""What can happen in a web application: events and the descriptors by which they are recognised from run to run.

An event is one of a family, a class for each kind, and says in `detail` what other rooms need of it. `what` is for
people and is parsed by nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2s
from typing import Any, ClassVar, Literal, Self, TypeAlias

import msgspec

from jostle.events.detail import (
    AnimationDetail,
    Detail,
    FrameDetail,
    LifecycleDetail,
    MessageDetail,
    NetworkDetail,
    ParseDetail,
    TimerDetail,
    UserAction,
    lenient,
)


class Kind(StrEnum):
    """The source of an event."""

    USER = "user"
    NETWORK = "network"  # a response arrives
    TIMER = "timer"  # setTimeout, setInterval
    FRAME = "frame"  # all animation-frame callbacks of one document
    IDLE = "idle"  # requestIdleCallback
    ANIMATION = "animation"  # a CSS transition or animation ends
    MESSAGE = "message"  # postMessage, MessageChannel, BroadcastChannel, worker, WebSocket, EventSource
    OBSERVER = "observer"  # IntersectionObserver, ResizeObserver
    PARSE = "parse"  # the HTML parser goes on behind a fence
    LIFECYCLE = "lifecycle"  # navigation, DOMContentLoaded, load, popstate


_NO_ACTION = UserAction()
_NO_REQUEST = NetworkDetail()
_NO_TIMER = TimerDetail()


@lru_cache(maxsize=4096)
def _key(kind: Kind, what: str, creator: str, occurrence: int) -> str:
    parts = "\0".join((kind, what, creator, str(occurrence)))
    return f"{kind.value}:{blake2s(parts.encode('utf-8', 'surrogatepass'), digest_size=5).hexdigest()}"


class _Event(msgspec.Struct, frozen=True, kw_only=True, eq=False, omit_defaults=True, tag_field="kind"):
    """One event of one run.

    Two events of different runs are the same event when their `key` is equal. The key is made of the kind, the
    descriptor `what`, the key of the creating event and the occurrence number; `detail` never takes part in
    comparisons.
    """

    kind: ClassVar[Kind]
    what: str
    """The descriptor: `click button "Save"`, `GET /api/items?q`, `timeout 300 at app.js:12:5` ..."""
    creator: str = ""
    """Key of the event that created this one; empty for the user's and for the first event of a run."""
    occurrence: int = 1
    """The n-th event of this kind, descriptor and creator in the run, from 1."""
    detail: Detail = Detail()

    @property
    def key(self) -> str:
        """Short name of the event, the same in every run: `timer:5f0c3a9e12`."""
        return _key(self.kind, self.what, self.creator, self.occurrence)

    @property
    def by_user(self) -> bool:
        return self.kind is Kind.USER

    # What any event can be asked for, whatever its kind.

    @property
    def action(self) -> UserAction:
        """What the user does; an empty one where it is not the user's event."""
        return _NO_ACTION

    @property
    def request(self) -> NetworkDetail:
        """What was requested; an empty one where the event is no response."""
        return _NO_REQUEST

    @property
    def timer(self) -> TimerDetail:
        """The timer that fires; an empty one where the event is none."""
        return _NO_TIMER

    @property
    def from_outside(self) -> bool:
        """A server or a worker sent it, in its own time."""
        return False

    def due_by(self, time: float) -> bool:
        """Whether it need not wait beyond this virtual time."""
        return self.detail.due is None or self.detail.due <= time

    def with_detail(self, **changes: Any) -> Self:
        """The same event with other fields of its detail."""
        return msgspec.structs.replace(self, detail=msgspec.structs.replace(self.detail, **changes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Event) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        nth = f" (#{self.occurrence})" if self.occurrence > 1 else ""
        return f"{self.what}{nth}"


class UserEvent(_Event, frozen=True, kw_only=True, eq=False, tag="user"):
    kind: ClassVar[Literal[Kind.USER]] = Kind.USER
    detail: UserAction = _NO_ACTION

    @property
    def action(self) -> UserAction:
        return self.detail


class NetworkEvent(_Event, frozen=True, kw_only=True, eq=False, tag="network"):
    kind: ClassVar[Literal[Kind.NETWORK]] = Kind.NETWORK
    detail: NetworkDetail = _NO_REQUEST

    @property
    def request(self) -> NetworkDetail:
        return self.detail


class TimerEvent(_Event, frozen=True, kw_only=True, eq=False, tag="timer"):
    kind: ClassVar[Literal[Kind.TIMER]] = Kind.TIMER
    detail: TimerDetail = _NO_TIMER

    @property
    def timer(self) -> TimerDetail:
        return self.detail


class FrameEvent(_Event, frozen=True, kw_only=True, eq=False, tag="frame"):
    kind: ClassVar[Literal[Kind.FRAME]] = Kind.FRAME
    detail: FrameDetail = FrameDetail()


class IdleEvent(_Event, frozen=True, kw_only=True, eq=False, tag="idle"):
    kind: ClassVar[Literal[Kind.IDLE]] = Kind.IDLE


class AnimationEvent(_Event, frozen=True, kw_only=True, eq=False, tag="animation"):
    kind: ClassVar[Literal[Kind.ANIMATION]] = Kind.ANIMATION
    detail: AnimationDetail = AnimationDetail()


class MessageEvent(_Event, frozen=True, kw_only=True, eq=False, tag="message"):
    kind: ClassVar[Literal[Kind.MESSAGE]] = Kind.MESSAGE
    detail: MessageDetail = MessageDetail()

    @property
    def from_outside(self) -> bool:
        return self.detail.outside


class ObserverEvent(_Event, frozen=True, kw_only=True, eq=False, tag="observer"):
    kind: ClassVar[Literal[Kind.OBSERVER]] = Kind.OBSERVER


class ParseEvent(_Event, frozen=True, kw_only=True, eq=False, tag="parse"):
    kind: ClassVar[Literal[Kind.PARSE]] = Kind.PARSE
    detail: ParseDetail = ParseDetail()


class LifecycleEvent(_Event, frozen=True, kw_only=True, eq=False, tag="lifecycle"):
    kind: ClassVar[Literal[Kind.LIFECYCLE]] = Kind.LIFECYCLE
    detail: LifecycleDetail = LifecycleDetail()


Event: TypeAlias = (
    UserEvent
    | NetworkEvent
    | TimerEvent
    | FrameEvent
    | IdleEvent
    | AnimationEvent
    | MessageEvent
    | ObserverEvent
    | ParseEvent
    | LifecycleEvent
)

_CLASSES: dict[Kind, type[Event]] = {
    each.kind: each
    for each in (
        UserEvent,
        NetworkEvent,
        TimerEvent,
        FrameEvent,
        IdleEvent,
        AnimationEvent,
        MessageEvent,
        ObserverEvent,
        ParseEvent,
        LifecycleEvent,
    )
}
_DETAILS: dict[Kind, type[Detail]] = {kind: type(made(what="").detail) for kind, made in _CLASSES.items()}
_NAMES = {kind: frozenset(made.__struct_encode_fields__) for kind, made in _DETAILS.items()}


def event_of(
    kind: Kind, what: str, *, creator: str = "", occurrence: int = 1, detail: Mapping[str, Any] | None = None
) -> Event:
    """An event of a kind that is only known at run time, its detail given as plain data.

    Raises TypeError for a name that its kind does not have, and msgspec.ValidationError for a value that does not fit.
    """
    made = _CLASSES[kind]
    if not detail:
        return made(what=what, creator=creator, occurrence=occurrence)
    if unknown := detail.keys() - _NAMES[kind]:
        raise TypeError(f"a {kind} event has no {', '.join(sorted(unknown))}")
    told: Any = msgspec.convert(detail, _DETAILS[kind])
    return made(what=what, creator=creator, occurrence=occurrence, detail=told)


def event_told(kind: Kind, what: str, creator: str, occurrence: int, told: Mapping[str, Any], **known: Any) -> Event:
    """An event as a page tells it: what does not fit is left out. `known`: what we know better than the page."""
    detail: Any = msgspec.structs.replace(lenient(told, _DETAILS[kind]), **known)
    return _CLASSES[kind](what=what, creator=creator, occurrence=occurrence, detail=detail)
