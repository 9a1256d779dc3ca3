"""A response at the gate, from the moment its request was sent: what is known of it, and how far it has come."""

from __future__ import annotations

import time
from enum import Enum

import msgspec

from jostle.browser.connection import Session
from jostle.browser.http import Header, Response, SentRequest


class Delivery(Enum):
    """When a response gets to the page. Known when its request is sent."""

    IN_TURN = "in turn"
    """Held until its turn comes: an event of its own."""
    AT_ONCE = "at once"
    """As soon as it is there, and no event: the script of a worker, a favicon."""
    SYNCHRONOUS = "synchronous"
    """As soon as it is there: the page stands still until then. Belongs to the running event."""
    FLOWING = "flowing"
    """When it comes, not stopped at the gate. Belongs to the running event."""
    REFUSED = "refused"
    """Never: it would lead to an origin that is not allowed."""

    @property
    def by_page(self) -> bool:
        """Whether the request is one of the page's deeds; the others come when they like."""
        return self in (Delivery.IN_TURN, Delivery.SYNCHRONOUS, Delivery.FLOWING)


class ResponseState(Enum):
    """How far a response has come."""

    QUEUED = "queued"
    """The page asked for it; the browser has not begun: it queues requests of little importance while others are
    open."""
    SENT = "sent"
    """On its way: the server works on it, or a responder, or its body is being read."""
    ARRIVED = "arrived"
    """There, as it came. One that flows is on its way into the page."""
    REWRITING = "rewriting"
    """Being made into what the page gets."""
    HELD = "held"
    """Ready for the page, and held."""
    RELEASED = "released"
    """Let through to the page."""
    FINISHED = "finished"
    """The page has it all."""
    FAILED = "failed"
    """There is none, or the page gave it up."""
    ABANDONED = "abandoned"
    """The document or worker that asked for it is gone."""


_OVER = frozenset({ResponseState.FINISHED, ResponseState.FAILED, ResponseState.ABANDONED})
_NEXT: dict[ResponseState, frozenset[ResponseState]] = {
    ResponseState.QUEUED: _OVER | {ResponseState.SENT, ResponseState.ARRIVED},
    ResponseState.SENT: _OVER | {ResponseState.SENT, ResponseState.ARRIVED},
    # Sent again: a redirect is followed.
    ResponseState.ARRIVED: _OVER | {ResponseState.SENT, ResponseState.REWRITING, ResponseState.HELD},
    ResponseState.REWRITING: _OVER | {ResponseState.HELD},
    # Made again: another response belongs to the event.
    ResponseState.HELD: _OVER | {ResponseState.REWRITING, ResponseState.HELD, ResponseState.RELEASED},
    ResponseState.RELEASED: _OVER,
    ResponseState.FINISHED: frozenset(),
    ResponseState.FAILED: frozenset(),
    ResponseState.ABANDONED: frozenset(),
}


class PendingResponse(msgspec.Struct, kw_only=True, eq=False):
    """One response at the gate. Its state changes by its methods only; each says whether it could be done: messages of
    the browser about one request come from several processes, and not always in the order in which things happened."""

    request: SentRequest
    first: SentRequest
    """What the page asked for; differs from `request` after a redirect."""
    session: Session
    network_id: str
    """The same for all hops of a redirected request."""
    delivery: Delivery = Delivery.IN_TURN
    frame: str = ""
    worker: str = ""
    """Session of the worker that asked for it."""
    order: int = 0
    cause: str = ""
    """Key of the event that sent the request."""
    sources: tuple[str, ...] = ()
    """Where in the application's code it was sent, and from where that was called: `address:line:column`, from 1. Empty
    when no script did."""
    importer: str = ""
    """Address of the script or document that names it, as far as the browser tells."""
    main: bool = False
    """It is the document of a tab's main frame."""
    starts_worker: bool = False
    """It is the script of a worker, which is told that it has arrived; the page is not."""
    event: str = ""
    """Key of the event by which the response will arrive."""
    state: ResponseState = ResponseState.QUEUED
    response: Response | None = None
    pause: str = ""
    """The id under which Chromium stopped it; empty while it is on its way."""
    drained: bool = False
    """Its body was read, and Chromium still has it."""
    hops: list[Response] = []
    """Every response of the server: redirects and the last one."""
    cookies: list[tuple[Header, ...]] = []
    """The `Set-Cookie` headers of each of `hops`: Chromium tells them apart from the others, earlier or later."""
    sent_at: float = msgspec.field(default_factory=time.monotonic)
    """When it was asked for, in real time."""
    responded_at: float = 0.0
    """When the page was told that it begins to arrive; 0 before."""
    came_at: float = 0.0
    """When the server began to answer, in real time; known where responses flow."""

    @property
    def endpoint(self) -> str:
        return f"{self.first.method} {self.first.url.partition('?')[0]}"

    @property
    def took(self) -> float:
        """Milliseconds until the server began to answer; 0 when that is not known."""
        return max(0.0, 1000 * (self.came_at - self.sent_at)) if self.came_at else 0.0

    @property
    def in_turn(self) -> bool:
        return self.delivery is Delivery.IN_TURN

    @property
    def flowing(self) -> bool:
        return self.delivery is Delivery.FLOWING

    @property
    def expected(self) -> bool:
        """It has not come yet, or not as the page will get it."""
        return self.state in (
            ResponseState.QUEUED, ResponseState.SENT, ResponseState.ARRIVED, ResponseState.REWRITING,
        )  # fmt: skip

    @property
    def queued(self) -> bool:
        return self.state is ResponseState.QUEUED

    @property
    def rewriting(self) -> bool:
        return self.state is ResponseState.REWRITING

    @property
    def ready(self) -> bool:
        return self.state is ResponseState.HELD

    @property
    def released(self) -> bool:
        return self.state is ResponseState.RELEASED

    @property
    def over(self) -> bool:
        return self.state in _OVER

    @property
    def failed(self) -> bool:
        return self.state is ResponseState.FAILED

    @property
    def responded(self) -> bool:
        """The page, or the worker that it starts, was told that it arrives."""
        return self.starts_worker or self.responded_at > 0

    def add_cookies(self) -> None:
        """Chromium leaves `Set-Cookie` out of what it stops; a recording must have it."""
        for response, cookies in zip(self.hops, self.cookies, strict=False):
            if cookies and not response.header("set-cookie"):
                response.headers += cookies

    # Transitions.

    def send(self) -> bool:
        """The browser has begun to ask for it, or asks for the next hop of a redirect."""
        if not self._move(ResponseState.SENT):
            return False
        self.response, self.pause = None, ""
        return True

    def arrive(self, response: Response, pause: str = "") -> bool:
        """The response is there, stopped under this id or on its way into the page."""
        if not self._move(ResponseState.ARRIVED):
            return False
        self.response, self.pause = response, pause
        return True

    def rewrite(self) -> bool:
        return self._move(ResponseState.REWRITING)

    def hold(self, response: Response) -> bool:
        """It is ready, as the page will get it."""
        if not self._move(ResponseState.HELD):
            return False
        self.response = response
        return True

    def release(self) -> bool:
        return self._move(ResponseState.RELEASED)

    def end(self, *, failed: bool) -> bool:
        return self._move(ResponseState.FAILED if failed else ResponseState.FINISHED)

    def abandon(self) -> bool:
        return self._move(ResponseState.ABANDONED)

    def _move(self, state: ResponseState) -> bool:
        if state not in _NEXT[self.state]:
            return False
        self.state = state
        return True
