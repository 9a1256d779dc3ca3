"""What went over the network while recording: requests with their answers, and conversations that stay open."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256

import msgspec

Header = tuple[str, str]

_INTERESTING = frozenset(
    [
        "accept",
        "accept-language",
        "authorization",
        "content-type",
        "cookie",
        "origin",
        "proxy-authorization",
        "range",
        "referer",
        "if-match",
        "if-modified-since",
        "if-none-match",
        "if-range",
        "hx-request",
        "hx-target",
        "hx-trigger",
        "hx-boosted",
        "turbo-frame",
        "rsc",
        "next-action",
        "next-url",
    ]
)


def interesting(headers: Iterable[Header]) -> tuple[Header, ...]:
    """The request headers worth keeping: those a server may answer by, not what every browser sends with everything."""
    return tuple(
        (name, value)
        for name, value in headers
        if (low := name.lower()) in _INTERESTING or low.startswith("x-") or "csrf" in low or "token" in low
    )


def content_name(data: bytes) -> str:
    """The name under which a body is stored: its SHA-256."""
    return sha256(data).hexdigest()


class Exchange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request and what came of it. A redirect is an exchange of its own; the next hop is another."""

    order: int
    """The n-th request of the recording, from 1."""
    method: str
    url: str
    resource: str = ""
    """`Document`, `Script`, `XHR`, `Fetch`, `Image` ... as the browser names it."""
    request_headers: tuple[Header, ...] = ()
    request_body: bytes = b""
    status: int = 0
    """0 when no answer came: see `error`."""
    status_text: str = ""
    headers: tuple[Header, ...] = ()
    """Of the answer, in order; several `Set-Cookie` are several pairs."""
    body: str = ""
    """Name of the answer's body among the recording's bodies (its SHA-256); empty when it had none."""
    error: str = ""
    """Why the request failed: `ConnectionRefused`, `TimedOut`, `Aborted` ...; empty when it was answered."""
    redirect: bool = False
    """The answer sent the browser elsewhere."""
    unkept: bool = False
    """Its body is not in the recording: too large, or a stream."""
    event: str = ""
    """Key of the event by which the answer arrived."""
    asked_by: str = ""
    """Key of the event that sent the request."""
    sent: float = 0.0
    """Milliseconds from the beginning of the recording until it was sent, in real time."""
    took: float = 0.0
    """Milliseconds until the server began to answer; known where answers flow."""

    def header(self, name: str) -> str:
        """The first header of the answer with this name, or an empty string."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


class Happening(StrEnum):
    """What can happen in a conversation."""

    OPEN = "open"
    SENT = "sent"  # by the page
    RECEIVED = "received"
    CLOSE = "close"
    ERROR = "error"


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that happened in a conversation."""

    what: Happening
    text: str | None = None
    data: bytes | None = None
    """A binary message; then `text` is None."""
    name: str = ""
    """EventSource: the type of the event when it is not `message`."""
    id: str = ""
    """EventSource: the last event id."""
    code: int = 0
    """WebSocket: the code of a close."""
    reason: str = ""
    by_page: bool = False
    """The page closed the conversation, not the server."""
    event: str = ""
    """Key of the event by which it reached the page."""


class Conversation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that passed over one WebSocket or EventSource."""

    order: int
    """The n-th conversation of the recording, from 1."""
    kind: str
    """`websocket` or `eventsource`."""
    url: str
    protocol: str = ""
    """The protocol agreed upon (WebSocket)."""
    messages: tuple[Message, ...] = ()

    def due(self, sent: int, delivered: int) -> tuple[Message, ...]:
        """What the server has still to say once the page has sent `sent` messages and been given `delivered` things.

        The server's words keep their place between the page's: what came after the third message of the page
        is due only when three were sent.
        """
        due: list[Message] = []
        seen = 0
        for message in self.messages:
            if message.what is Happening.SENT:
                seen += 1
                if seen > sent:
                    break
            elif not message.by_page:
                due.append(message)
        return tuple(due[delivered:])
