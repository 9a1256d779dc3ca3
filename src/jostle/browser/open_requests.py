"""The requests of a run that are not over: what the Network domain tells of them, and which are worth waiting for."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

import msgspec

from jostle.browser import agent
from jostle.browser.address import origin
from jostle.browser.connection import Params, Session
from jostle.browser.http import UNKNOWN_TO_MOCK, Response, sent_request
from jostle.browser.interception import Interception
from jostle.browser.patience import Patience
from jostle.browser.pending import Delivery, PendingResponse, ResponseState
from jostle.browser.responders import Responder

STREAM_PATIENCE = 0.5
"""Seconds after which a response that has begun and does not end is taken for a stream."""
NOTICE_TIMEOUT = 3.0
MOST_SOURCES = 6
QUEUED_AFTER = 0.2
"""Seconds after which a request that has not been stopped here is taken to wait in a queue of the browser's."""
_NO_EVENT = ("preflight", "eventsource", "ping", "cspviolationreport", "signedexchange")

Key = tuple[str, str]
"""The session in which a request is stopped, and its network id."""


class NetworkListener(msgspec.Struct, frozen=True, kw_only=True):
    """Who is told what happens at the gate."""

    exchanged: Callable[[PendingResponse], None] = lambda pending: None
    """A request was answered, and by whom a recording could not know: it is to be recorded."""
    delivered: Callable[[PendingResponse], None] = lambda pending: None
    """Something reaches the page, but for what comes when it likes: the script of a worker, a favicon."""
    limit: Callable[[str], None] = lambda words: None
    """Something could not be controlled, in words."""
    changed: Callable[[], None] = lambda: None
    """Something has moved."""


class Requested(msgspec.Struct, frozen=True, kw_only=True):
    """By whom a request was sent."""

    frame: str
    main: bool = False
    """For the document of a tab's main frame."""
    worker: str = ""
    """Session of the worker that asked."""
    leaves: bool = False
    """It leads out of the application."""
    at_once: bool = False
    """It must come at once: what a worker imports, or it does not start."""


class OpenRequests:
    """Those of all tabs of one run."""

    def __init__(
        self,
        interception: Interception,
        listener: NetworkListener,
        *,
        patience: Patience,
        responder: Responder | None,
        original: Callable[[str, int, int], tuple[str, int, int]],
    ) -> None:
        """`original` gives the place in the application's own code of one that the browser tells."""
        self._flowing = interception.flows
        self._listener = listener
        self._patience = patience
        self._responder = responder
        self._original = original
        self._order = 0
        self._pending: dict[Key, PendingResponse] = {}
        self._notices: dict[Key, asyncio.Future[None]] = {}
        self._no_events: set[Key] = set()
        self._synchronous: set[str] = set()

    @property
    def all(self) -> list[PendingResponse]:
        """All that were not delivered yet, in the order in which they were asked for."""
        return list(self._pending.values())

    def get(self, key: Key) -> PendingResponse | None:
        return self._pending.get(key)

    async def noticed(self, key: Key) -> PendingResponse | None:
        """The browser stops a request, the page tells that it was sent: in a new document the second comes later."""
        if key not in self._pending and key not in self._no_events:
            notice = self._notices.setdefault(key, asyncio.get_running_loop().create_future())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(NOTICE_TIMEOUT):
                    await asyncio.shield(notice)
            self._notices.pop(key, None)
        return self._pending.get(key)

    # What is worth waiting for.

    def on_the_way(self) -> list[PendingResponse]:
        """Sent, and no response yet, but worth waiting for."""
        lately = time.monotonic() - QUEUED_AFTER
        sent = [each for each in self._expected() if not each.queued or each.sent_at > lately]
        return [each for each in sent if self._patience.waits(each.endpoint, each.sent_at)]

    def give_up(self, seconds: float) -> None:
        """Wait no longer for what was not answered in this time, nor for its like."""
        for pending in self.on_the_way():
            if not pending.rewriting:
                self._lose(pending, seconds)

    def rewriting(self) -> bool:
        """Whether something that has come is being rewritten."""
        return any(pending.rewriting for pending in self._pending.values())

    def flow(self) -> bool:
        """Whether something that is not stopped at the gate is still coming. Streams are not waited for."""
        lately = time.monotonic() - STREAM_PATIENCE
        return any(
            pending.flowing
            and (not pending.responded_at or pending.responded_at > lately)
            and self._patience.waits(pending.endpoint, pending.sent_at)
            for pending in self._pending.values()
        )

    def let_flow(self, seconds: float) -> None:
        """Wait no longer for what has not come in this time, nor for its like."""
        for pending in self._pending.values():
            if pending.flowing:
                self._lose(pending, seconds)
                pending.delivery = Delivery.AT_ONCE

    def _lose(self, pending: PendingResponse, seconds: float) -> None:
        if self._patience.lose(pending.endpoint):
            self._listener.limit(
                f"{pending.endpoint} was not answered within {seconds:g} s; it is not waited for any longer"
            )

    def queued(self) -> list[PendingResponse]:
        """Asked for by the page, but the browser does not send it before others are answered."""
        return [each for each in self._expected() if each.queued]

    def _expected(self) -> list[PendingResponse]:
        return [pending for pending in self._pending.values() if pending.expected and pending.in_turn]

    def keep_unpainted(self, frame: str) -> bool:
        """Whether nothing can be painted in a frame because of what it waits for: a document, a stylesheet."""
        return any(
            pending.request.resource in ("stylesheet", "document") and pending.frame == frame
            for pending in self._pending.values()
        )

    # What is gone.

    def forget(self, session: Session) -> None:
        """The target is gone, and its requests with it."""
        self._abandon([key for key, each in self._pending.items() if session.id in (key[0], each.worker)])

    def forget_frame(self, frame: str, keep: str = "") -> None:
        """A new document in a frame: the requests of the old one are void."""
        self._abandon([key for key, each in self._pending.items() if each.frame == frame and each.network_id != keep])

    def _abandon(self, gone: list[Key]) -> None:
        for key in gone:
            self._pending.pop(key).abandon()

    # Events of the Network domain.

    def mark_synchronous(self, url: str) -> None:
        """The next request for this address freezes the page until it is answered: do not hold it."""
        self._synchronous.add(url.split("#", 1)[0])

    def sent(self, session: Session, params: Params, cause: str, by: Requested) -> PendingResponse | None:
        """Network.requestWillBeSent: the page asked for something. None when it is not an event of its own.

        `session`: in which the request is stopped. `cause`: key of the running event.
        """
        if not params["request"]["url"].startswith(("http:", "https:")):
            return None
        key = (session.id, params["requestId"])
        request = sent_request(params)
        if request.resource in _NO_EVENT:
            self._no_events.add(key)
            self._notice(key)
            return None
        if known := self._pending.get(key):  # the next hop of a redirected request
            if known.state in (ResponseState.QUEUED, ResponseState.SENT):
                known.request = request
            return None
        initiator = params.get("initiator", {})
        # The favicon and its like are the browser's wish, not the page's.
        by_browser = request.resource in ("other", "manifest") and initiator.get("type") == "other"
        synchronous = request.resource == "xhr" and request.url in self._synchronous
        if synchronous:
            self._synchronous.discard(request.url)
            self._listener.limit(f"{request.method} {request.url} is a synchronous request: it was answered at once")
        if by.leaves:
            delivery = Delivery.REFUSED
            self._listener.limit(refusal(request.url))
        elif self._flowing and request.resource != "document" and not by.at_once and not by_browser:
            delivery = Delivery.FLOWING
        elif synchronous:
            delivery = Delivery.SYNCHRONOUS
        else:
            delivery = Delivery.AT_ONCE if by.at_once or by_browser else Delivery.IN_TURN
        self._order += 1
        pending = PendingResponse(
            request=request,
            first=request,
            session=session,
            network_id=params["requestId"],
            delivery=delivery,
            frame=by.frame,
            worker=by.worker,
            order=self._order,
            cause=cause,
            sources=self._sources(initiator),
            importer=str(initiator.get("url", "")),
            main=by.main,
            starts_worker=not params.get("loaderId"),
        )
        self._pending[key] = pending
        self._notice(key)
        return pending

    def _sources(self, initiator: Params) -> tuple[str, ...]:
        """The places in code that is not ours, the innermost first."""
        found: list[str] = []
        stack = initiator.get("stack")
        while stack:
            for frame in stack.get("callFrames", ()):
                if frame["url"] and frame["url"] != agent.NAME:
                    place = self._original(frame["url"], frame["lineNumber"] + 1, frame["columnNumber"] + 1)
                    found.append(":".join(map(str, place)))
            stack = stack.get("parent")
        return tuple(found[:MOST_SOURCES])

    def _notice(self, key: Key) -> None:
        notice = self._notices.get(key)
        if notice is not None and not notice.done():
            notice.set_result(None)

    def cookies_set(self, session: Session, params: Params) -> None:
        """Network.responseReceivedExtraInfo: the headers as they came, with the cookies."""
        if pending := self._pending.get((session.id, params["requestId"])):
            # The network tells, and not the page, which may be busy.
            pending.came_at = time.monotonic() if self._flowing else 0.0
            lines = [value for name, value in params["headers"].items() if name.lower() == "set-cookie"]
            pending.cookies.append(tuple(("Set-Cookie", each) for line in lines for each in line.split("\n")))
            pending.add_cookies()

    def responded(self, session: Session, network_id: str, status: int, headers: Params) -> None:
        """Network.responseReceived: the page was told that it comes. Only headers of ours are of interest."""
        if pending := self._pending.get((session.id, network_id)):
            pending.responded_at = time.monotonic()
            own = ((UNKNOWN_TO_MOCK, "1"),) if UNKNOWN_TO_MOCK in headers or UNKNOWN_TO_MOCK.lower() in headers else ()
            if pending.flowing and pending.arrive(Response(status=status, headers=own)):
                pending.came_at = pending.came_at or pending.responded_at
                self._listener.delivered(pending)

    def ended(self, session: Session, network_id: str, failure: str = "") -> PendingResponse | None:
        """Network.loadingFinished, loadingFailed or served from the cache: nothing more will come."""
        key = (session.id, network_id)
        self._no_events.discard(key)
        pending = self._pending.pop(key, None)
        if pending is None:
            return None
        if failure and self._responder is not None and pending.response is not None and not pending.released:
            self._responder.abandoned(pending.request)
        if failure and pending.flowing and pending.response is None:
            pending.response = Response(status=0, error=_reason(failure))
            self._listener.delivered(pending)
        pending.end(failed=bool(failure))
        return pending


def as_told(url: str, line: int, column: int) -> tuple[str, int, int]:
    """A place in code that was not rewritten."""
    return url, line, column


def refusal(url: str) -> str:
    return f"{url} was not opened: {origin(url)} is not among the allowed origins"


def _reason(failure: str) -> str:
    """Chromium's reason for a failure as the Fetch domain names it, for the ones that matter: `net::ERR_ABORTED`."""
    return {"net::ERR_ABORTED": "Aborted", "net::ERR_BLOCKED_BY_CLIENT": "BlockedByClient"}.get(failure, failure)
