"""What can happen in a web application: events and the descriptors by which they are recognised from run to run."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from hashlib import blake2s
from typing import Any

import msgspec


class Kind(StrEnum):
    """The source of an event."""

    USER = "user"
    NETWORK = "network"  # an answer arrives
    TIMER = "timer"  # setTimeout, setInterval
    FRAME = "frame"  # all animation-frame callbacks of one document
    IDLE = "idle"  # requestIdleCallback
    ANIMATION = "animation"  # a CSS transition or animation ends
    MESSAGE = "message"  # postMessage, MessageChannel, BroadcastChannel, worker, WebSocket, EventSource
    OBSERVER = "observer"  # IntersectionObserver, ResizeObserver
    PARSE = "parse"  # the HTML parser goes on behind a fence
    LIFECYCLE = "lifecycle"  # navigation, DOMContentLoaded, load, popstate


@lru_cache(maxsize=4096)
def _key(kind: Kind, what: str, creator: str, occurrence: int) -> str:
    parts = "\0".join((kind, what, creator, str(occurrence)))
    return f"{kind.value}:{blake2s(parts.encode('utf-8', 'surrogatepass'), digest_size=5).hexdigest()}"


class Event(msgspec.Struct, frozen=True, kw_only=True, eq=False, omit_defaults=True):
    """One event of one run.

    Two events of different runs are the same event when their `key` is equal. The key is made of the
    kind, the descriptor `what`, the key of the creating event and the occurrence number; `detail` is
    what the browser needs to bring the event about and never takes part in comparisons.
    """

    kind: Kind
    what: str
    """The descriptor: `click button "Save"`, `GET /api/items?q`, `timeout 300 at app.js:12:5` ..."""
    creator: str = ""
    """Key of the event that created this one; empty for the user's and for the first event of a run."""
    occurrence: int = 1
    """The n-th event of this kind, descriptor and creator in the run, from 1."""
    detail: dict[str, Any] = {}

    @property
    def key(self) -> str:
        """Short name of the event, the same in every run: `timer:5f0c3a9e12`."""
        return _key(self.kind, self.what, self.creator, self.occurrence)

    @property
    def by_user(self) -> bool:
        return self.kind is Kind.USER

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __str__(self) -> str:
        nth = f" (#{self.occurrence})" if self.occurrence > 1 else ""
        return f"{self.what}{nth}"
