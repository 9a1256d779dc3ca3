"""The network gate: every answer to the page is stopped here and let through when it is its turn.

Live, answers are stopped at the response stage: the server sees the requests in the order in which they are sent, the
page sees the answers in the order in which we release them. A flowing gate stops documents only; everything else comes
when it comes, and is only waited for. With a recording, requests are stopped before they
are sent and answered from it; no server is needed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec

from jostle.browser import agent, fence
from jostle.browser.address import origin
from jostle.browser.connection import NoAnswer, Params, ProtocolError, Session
from jostle.browser.patience import Patience
from jostle.browser.rewriting import Rewriting

Header = tuple[str, str]

LARGEST_BODY = 32 * 1024 * 1024
DRAIN_TIMEOUT = 15.0
STREAM_TIMEOUT = 2.0
STREAM_PIECE = 16
STREAM_PATIENCE = 0.5
"""Seconds after which an answer that has begun and does not end is taken for a stream."""
NOTICE_TIMEOUT = 3.0
MOST_SOURCES = 6
QUEUED_AFTER = 0.2
"""Seconds after which a request that has not been stopped here is taken to wait in a queue of the browser's."""
_NOT_KEPT = {"content-encoding", "content-length", "transfer-encoding"}
_NO_EVENT = ("preflight", "eventsource", "ping", "cspviolationreport", "signedexchange")
_STREAMS = (
    "text/event-stream",
    "application/x-ndjson",
    "application/ndjson",
    "application/stream+json",
    "application/grpc-web",
    "multipart/x-mixed-replace",
)


class Asked(msgspec.Struct, kw_only=True):
    """A request of the page, as it was sent."""

    method: str
    url: str
    headers: tuple[Header, ...] = ()
    body: bytes = b""
    resource: str = ""
    """document, script, stylesheet, image, font, xhr, fetch ..."""


class Reply(msgspec.Struct, kw_only=True):
    """An answer: a response, or the reason why there is none."""

    status: int = 200
    status_text: str = ""
    headers: tuple[Header, ...] = ()
    body: bytes = b""
    error: str = ""
    """Chromium's error reason (`ConnectionRefused`, `Failed` ...) when there is no response."""
    passed_through: bool = False
    """It goes to the page as it is: an error, or a body too large to be looked at, which is not recorded."""

    @property
    def redirect(self) -> bool:
        return self.status in (301, 302, 303, 307, 308) and any(name.lower() == "location" for name, _ in self.headers)

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")


class Answerer(Protocol):
    """Knows the answers beforehand: a recording."""

    asks_server: bool
    """Whether the server is asked for what it does not know; otherwise such requests fail."""

    def answer(self, asked: Asked) -> Reply | None:
        """None when the recording has no answer to this request."""
        ...

    def belonging(self, asked: Asked, event: str) -> Reply | None:
        """What the event of this key delivered in the recording, when that is not what was given: None if it is."""
        ...

    def given_up(self, asked: Asked) -> None:
        """The page gave the request up before it got the answer."""
        ...

    def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> Sequence[Params]:
        """What the server of the n-th socket of this address has still to say.

        `sent`: how many messages the page has sent; `fed`: how many things it was given already.
        Each is what the agent's `feed` takes: type, data, binary, name, last.
        """
        ...


class Answer(msgspec.Struct, kw_only=True, eq=False):
    """One answer at the gate, from the moment its request was sent."""

    asked: Asked
    first: Asked
    """What the page asked for; differs from `asked` after a redirect."""
    session: Session
    request: str
    """The network id, the same for all hops of a redirected request."""
    frame: str = ""
    worker: str = ""
    """Session of the worker that asked for it."""
    order: int = 0
    cause: str = ""
    """Key of the event that sent the request."""
    sources: tuple[str, ...] = ()
    """Where in the application's code it was sent, and from where that was called: `address:line:column`, from 1. Empty
    when no script did."""
    being_rewritten: bool = False
    """It has come, and is made into what the page gets."""
    importer: str = ""
    """Address of the script or document that names it, as far as the browser tells."""
    event: str = ""
    """Key of the event by which the answer will arrive."""
    reply: Reply | None = None
    pause: str = ""
    """The id under which Chromium stopped it; empty while it is on its way."""
    at: float = msgspec.field(default_factory=time.monotonic)
    """When it was asked for, in real time."""
    started: bool = False
    """The browser has begun to ask for it: it queues requests of little importance while others are open."""
    main: bool = False
    """It is the document of a tab's main frame."""
    free: bool = False
    """Let through as soon as it is there: the script of a worker, a synchronous request."""
    drained: bool = False
    """Its body was read, and Chromium still has it."""
    flows: bool = False
    """Not stopped here: the gate is a flowing one."""
    synchronous: bool = False
    refused: bool = False
    """It would lead to an origin that is not allowed."""
    hops: list[Reply] = []
    """Every response of the server: redirects and the last one."""
    cookies: list[tuple[Header, ...]] = []
    """The `Set-Cookie` headers of each of `hops`: Chromium tells them apart from the others, earlier or later."""
    finished: bool = False
    failed: str = ""
    responded: bool = False
    responded_at: float = 0.0
    came_at: float = 0.0
    """When the server began to answer, in real time; known where answers flow."""
    released: bool = False

    @property
    def endpoint(self) -> str:
        return f"{self.first.method} {self.first.url.partition('?')[0]}"

    @property
    def took(self) -> float:
        """Milliseconds until the server began to answer; 0 when that is not known."""
        return max(0.0, 1000 * (self.came_at - self.at)) if self.came_at else 0.0

    @property
    def ready(self) -> bool:
        return self.reply is not None and not self.released and not self.finished


class Gate:
    """The answers of all tabs of one run."""

    def __init__(
        self,
        *,
        answerer: Answerer | None,
        on_exchange: Callable[[Answer], None],
        on_limit: Callable[[str], None],
        changed: Callable[[], None],
        may_open: Callable[[str], bool],
        on_answer: Callable[[Answer], None] = lambda answer: None,
        block_third_party: bool = False,
        fences: fence.Fences | None = None,
        patience: Patience | None = None,
        rewriting: Rewriting | None = None,
    ) -> None:
        """`may_open` says whether a tab may show an address; `changed` is called whenever something has moved.

        `on_answer` is told what reaches the page, but for what comes when it likes: the script of a worker, a favicon.
        """
        self._on_answer = on_answer
        self._fences = fences
        self._answerer = answerer
        self._on_exchange = on_exchange
        self._on_limit = on_limit
        self._changed = changed
        self._may_open = may_open
        self._block_third_party = block_third_party
        self._patience = patience or Patience()
        self.rewriting = rewriting
        """What scripts and documents become on their way to the page; recordings have them as they were."""
        self._order = 0
        self._answers: dict[tuple[str, str], Answer] = {}
        self._notices: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._no_events: set[tuple[str, str]] = set()
        self._synchronous: set[str] = set()
        self.held = True
        self.flowing = False
        """Let everything but documents come when it comes."""

    @property
    def recorded(self) -> bool:
        return self._answerer is not None

    def patterns(self) -> list[Params]:
        if self.recorded:
            return [{"urlPattern": "*", "requestStage": "Request"}]
        everything: Params = {"urlPattern": "*", "requestStage": "Request"}
        if self.flowing:
            # Only what is stopped when it is sent can be kept from asking for a user name and a password.
            sent = [{**everything, "resourceType": each} for each in ("Document", "XHR", "Fetch")]
            documents = {"urlPattern": "*", "requestStage": "Response", "resourceType": "Document"}
            return [documents, *([everything] if self._block_third_party else sent)]
        return [
            {"urlPattern": "*", "requestStage": "Response"},
            everything if self.held else {**everything, "resourceType": "Document"},
            {"urlPattern": f"*{fence.PATH}*", "requestStage": "Request"},
        ]

    @property
    def answers(self) -> list[Answer]:
        """All that were not delivered yet, in the order in which they were asked for."""
        return list(self._answers.values())

    def on_the_way(self) -> list[Answer]:
        """Sent, and no answer yet, but worth waiting for."""
        lately = time.monotonic() - QUEUED_AFTER
        sent = [each for each in self._unanswered() if each.started or each.at > lately]
        return [each for each in sent if self._patience.waits(each.endpoint, each.at)]

    def give_up(self, seconds: float) -> None:
        """Wait no longer for what was not answered in this time, nor for its like."""
        for answer in self.on_the_way():
            if not answer.being_rewritten:
                self._lose(answer, seconds)

    def rewrites(self) -> bool:
        """Whether something that has come is being rewritten."""
        return any(answer.being_rewritten for answer in self._answers.values())

    def flows(self) -> bool:
        """Whether something that is not stopped here is still coming. Streams are not waited for."""
        lately = time.monotonic() - STREAM_PATIENCE
        return any(
            answer.flows
            and (not answer.responded_at or answer.responded_at > lately)
            and self._patience.waits(answer.endpoint, answer.at)
            for answer in self._answers.values()
        )

    def let_flow(self, seconds: float) -> None:
        """Wait no longer for what has not come in this time, nor for its like."""
        for answer in self._answers.values():
            if answer.flows:
                self._lose(answer, seconds)
            answer.flows = False

    def _lose(self, answer: Answer, seconds: float) -> None:
        if self._patience.lose(answer.endpoint):
            self._on_limit(f"{answer.endpoint} was not answered within {seconds:g} s; it is not waited for any longer")

    def queued(self) -> list[Answer]:
        """Asked for by the page, but the browser does not send it before others are answered."""
        return [each for each in self._unanswered() if not each.started]

    def _unanswered(self) -> list[Answer]:
        return [answer for answer in self._answers.values() if answer.reply is None and not answer.free]

    def forget(self, session: Session) -> list[Answer]:
        """The target is gone, and its requests with it."""
        gone = [key for key, answer in self._answers.items() if session.id in (key[0], answer.worker)]
        return [self._answers.pop(key) for key in gone]

    def forget_frame(self, frame: str, keep: str = "") -> list[Answer]:
        """A new document in a frame: the requests of the old one are void."""
        gone = [key for key, answer in self._answers.items() if answer.frame == frame and answer.request != keep]
        return [self._answers.pop(key) for key in gone]

    def mark_synchronous(self, url: str) -> None:
        """The next request for this address freezes the page until it is answered: do not hold it."""
        self._synchronous.add(url.split("#", 1)[0])

    # Events of the Network and Fetch domains.

    def sent(
        self, session: Session, params: Params, cause: str, *, frame: str, main: bool, free: bool, worker: str = ""
    ) -> Answer | None:
        """Network.requestWillBeSent: the page asked for something. None when it is not an event of its own.

        `session`: in which the request is stopped. `worker`: session of the worker that asked.
        """
        request = params["request"]
        if not request["url"].startswith(("http:", "https:")):
            return None
        key = (session.id, params["requestId"])
        resource = str(params.get("type", "Other")).lower()
        if resource in _NO_EVENT:
            self._no_events.add(key)
            self._notice(key)
            return None
        asked = Asked(
            method=request["method"],
            url=request["url"].split("#", 1)[0],
            headers=tuple((name, str(value)) for name, value in request["headers"].items()),
            body=_post_data(request),
            resource=resource,
        )
        if answer := self._answers.get(key):  # the next hop of a redirected request
            if answer.reply is None:
                answer.asked = asked
            return None
        # The favicon and its like are the browser's wish, not the page's.
        by_browser = resource in ("other", "manifest") and params.get("initiator", {}).get("type") == "other"
        synchronous = resource == "xhr" and asked.url in self._synchronous
        if synchronous:
            self._synchronous.discard(asked.url)
            self._on_limit(f"{asked.method} {asked.url} is a synchronous request: it was answered at once")
        refused = main and not self._may_open(asked.url)
        if refused:
            self._on_limit(_refusal(asked.url))
        flows = self.flowing and resource != "document" and not free
        self._order += 1
        answer = Answer(
            asked=asked,
            first=asked,
            session=session,
            request=params["requestId"],
            frame=frame,
            worker=worker,
            order=self._order,
            cause=cause,
            sources=self._sources(params.get("initiator", {})),
            importer=str(params.get("initiator", {}).get("url", "")),
            main=main,
            free=free or by_browser or synchronous or refused or flows,
            flows=flows and not by_browser,
            synchronous=synchronous,
            refused=refused,
            responded=not params.get("loaderId"),  # the script of a worker: its arrival is told to the worker
        )
        self._answers[key] = answer
        self._notice(key)
        return answer

    def _sources(self, initiator: Params) -> tuple[str, ...]:
        """The places in code that is not ours, the innermost first."""
        found: list[str] = []
        stack = initiator.get("stack")
        while stack:
            for frame in stack.get("callFrames", ()):
                url, line, column = frame["url"], frame["lineNumber"] + 1, frame["columnNumber"] + 1
                if url and url != agent.NAME:
                    if self.rewriting is not None:
                        url, line, column = self.rewriting.original(url, line, column)
                    found.append(f"{url}:{line}:{column}")
            stack = stack.get("parent")
        return tuple(found[:MOST_SOURCES])

    def _notice(self, key: tuple[str, str]) -> None:
        notice = self._notices.get(key)
        if notice is not None and not notice.done():
            notice.set_result(None)

    def paused(self, session: Session, params: Params) -> None:
        """Fetch.requestPaused."""
        session.connection.in_background(self._paused(session, params))

    def cookies_set(self, session: Session, params: Params) -> None:
        """Network.responseReceivedExtraInfo: the headers as they came, with the cookies."""
        if answer := self._answers.get((session.id, params["requestId"])):
            # The network tells, and not the page, which may be busy.
            answer.came_at = time.monotonic() if self.flowing else 0.0
            lines = [value for name, value in params["headers"].items() if name.lower() == "set-cookie"]
            answer.cookies.append(tuple(("Set-Cookie", each) for line in lines for each in line.split("\n")))
            _add_cookies(answer)

    def responded(self, session: Session, request: str, status: int) -> None:
        if answer := self._answers.get((session.id, request)):
            answer.responded = True
            answer.responded_at = time.monotonic()
            if answer.flows:
                answer.came_at = answer.came_at or answer.responded_at
                answer.reply = Reply(status=status)
                self._on_answer(answer)

    def ended(self, session: Session, request: str, failure: str = "") -> Answer | None:
        """Network.loadingFinished, loadingFailed or served from the cache: nothing more will come."""
        answer = self._answers.get((session.id, request))
        if answer is None:
            return None
        if failure and answer.reply is not None and not answer.released and self._answerer is not None:
            self._answerer.given_up(answer.asked)
        if failure and answer.flows and answer.reply is None:
            answer.reply = Reply(status=0, error=_reason(failure))
            self._on_answer(answer)
        answer.finished = True
        answer.failed = failure
        del self._answers[session.id, request]
        return answer

    async def correct(self, answer: Answer, event: str) -> None:
        """Give the answer that belongs to the event of this key. In another order fewer requests may have been made
        before, and then the next of the same kind was given what had been said earlier."""
        known = self._answerer
        if known is None or not known.asks_server or answer.reply is None or answer.released:
            return
        if (reply := known.belonging(answer.asked, event)) is not None:
            answer.reply = reply
            self._on_exchange(answer)
            answer.reply = await self._rewritten(answer, self._fenced(answer, reply))

    async def release(self, answer: Answer, *headers: Header) -> None:
        """Let the answer through to the page. A request the page has given up meanwhile is gone: no error.

        `headers` are added to those of the server.
        """
        reply = answer.reply
        if reply is None or answer.released:
            return
        answer.released = True
        if answer.synchronous or not answer.free:
            self._on_answer(answer)
        await self._let_through(answer, reply, answer.pause, headers)

    async def _let_through(self, answer: Answer, reply: Reply, pause: str, more: tuple[Header, ...] = ()) -> None:
        with contextlib.suppress(ProtocolError):
            if reply.passed_through and answer.hops:
                await answer.session.send("Fetch.continueRequest", {"requestId": pause})
            elif answer.drained and not self.held:
                # As it came: what the browser knows of where it came from stays known.
                await answer.session.send("Fetch.continueRequest", {"requestId": pause})
            elif reply.error:
                await answer.session.send("Fetch.failRequest", {"requestId": pause, "errorReason": reply.error})
            else:
                fulfilment = _fulfilment(pause, reply, more, live=bool(answer.hops))
                await answer.session.send("Fetch.fulfillRequest", fulfilment)

    async def _paused(self, session: Session, params: Params) -> None:
        try:
            await self._decide(session, params)
        except ProtocolError:
            pass  # given up by the page while we looked at it
        finally:
            self._changed()

    async def _decide(self, session: Session, params: Params) -> None:
        request, pause = params["request"], params["requestId"]
        response_stage = "responseStatusCode" in params or "responseErrorReason" in params
        answer = self._answers.get((session.id, params.get("networkId", "")))
        if _is_preflight(request):
            await self._preflight(session, pause, request, live=not self.recorded)
            return
        if answer is None and params.get("networkId"):
            answer = await self._noticed((session.id, params["networkId"]))
        if answer is None:
            await self._without_notice(session, params)
            return
        answer.started = True
        if not response_stage and answer.main and not self._may_open(answer.asked.url):
            if not answer.refused:  # a redirect has led there
                self._on_limit(_refusal(answer.asked.url))
            # "Aborted" leaves the page where it is; other reasons would show an error page.
            await session.send("Fetch.failRequest", {"requestId": pause, "errorReason": "Aborted"})
            return
        if answer.asked.url != (url := request["url"].split("#", 1)[0]):  # a redirect the page has not told of yet
            answer.asked = Asked(method=request["method"], url=url, resource=answer.asked.resource)
        if self._fences is not None and fence.number_of(url):
            answer.pause = pause
            answer.reply = Reply(headers=(("Content-Type", "text/javascript"),), body=fence.SCRIPT)
        elif self._answerer is not None and not response_stage:
            answer.asked.body = answer.asked.body or await self._body_of(session, params)
            reply = self._answerer.answer(answer.asked)
            if reply is None and self._answerer.asks_server:
                await session.send("Fetch.continueRequest", {"requestId": pause, "interceptResponse": True})
                return
            answer.pause = pause
            answer.reply = reply or Reply(error="Failed")
            if self._answerer.asks_server:  # then this run is no replay: it is recorded itself
                self._on_exchange(answer)
        elif self._block_third_party and not response_stage and not self._may_open(url):
            self._on_limit(f"requests to {origin(url)} are blocked, as configured")
            answer.pause = pause
            answer.reply = Reply(status=0, error="BlockedByClient")
            self._on_exchange(answer)
        elif response_stage:
            answer.pause = pause
            if not answer.asked.body and request.get("hasPostData"):
                answer.asked.body = await self._body_of(session, params)
            answer.reply = await self._drained(answer, params)
            answer.hops.append(answer.reply)
            _add_cookies(answer)
            self._on_exchange(answer)
        else:
            await session.send("Fetch.continueRequest", {"requestId": pause})
            return
        if answer.reply.redirect:
            await self._redirect(answer)
            return
        reply, answer.reply = self._fenced(answer, answer.reply), None  # not there yet
        answer.reply = await self._rewritten(answer, reply)
        if answer.flows and not response_stage:
            await session.send("Fetch.continueRequest", {"requestId": pause})
        elif answer.free or not self.held:
            await self.release(answer)

    def _fenced(self, answer: Answer, reply: Reply) -> Reply:
        """The document with its fences; the recording has it without."""
        whole = not reply.error and not reply.passed_through and "html" in reply.header("content-type")
        if self._fences is None or answer.asked.resource != "document" or not whole:
            return reply
        url = answer.asked.url
        html, headers = fence.with_fences(url, reply.body, reply.headers, self._fences(url, reply.body))
        return msgspec.structs.replace(reply, body=html, headers=headers)

    async def _rewritten(self, answer: Answer, reply: Reply) -> Reply:
        if self.rewriting is None or fence.number_of(answer.asked.url):
            return reply
        worker = bool(answer.worker) or answer.responded
        answer.being_rewritten = True
        try:
            return await self.rewriting.reply(answer.asked, reply, worker=worker, importer=answer.importer)
        finally:
            answer.being_rewritten = False

    async def _redirect(self, answer: Answer) -> None:
        """Follow at once: what the page waits for is the answer at the end."""
        reply, pause = answer.reply, answer.pause
        answer.reply, answer.pause = None, ""
        if reply is not None:
            await self._let_through(answer, reply, pause)

    async def _noticed(self, key: tuple[str, str]) -> Answer | None:
        """The browser stops a request, the page tells that it was sent: in a new document the second comes later."""
        if key not in self._answers and key not in self._no_events:
            notice = self._notices.setdefault(key, asyncio.get_running_loop().create_future())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(NOTICE_TIMEOUT):
                    await asyncio.shield(notice)
            self._notices.pop(key, None)
        return self._answers.get(key)

    async def _without_notice(self, session: Session, params: Params) -> None:
        """A request the page did not make itself, such as the favicon: not an event."""
        pause = params["requestId"]
        if self.recorded:
            await session.send("Fetch.fulfillRequest", {"requestId": pause, "responseCode": 404})
        else:
            await session.send("Fetch.continueRequest", {"requestId": pause})

    async def _preflight(self, session: Session, pause: str, request: Params, *, live: bool) -> None:
        if live:
            await session.send("Fetch.continueRequest", {"requestId": pause})
            return
        asked = {name.lower(): str(value) for name, value in request["headers"].items()}
        allowed = {
            "Access-Control-Allow-Origin": asked.get("origin", "*"),
            "Access-Control-Allow-Methods": asked.get("access-control-request-method", "*"),
            "Access-Control-Allow-Headers": asked.get("access-control-request-headers", "*"),
            "Access-Control-Allow-Credentials": "true",
        }
        await session.send(
            "Fetch.fulfillRequest",
            {"requestId": pause, "responseCode": 204, "responseHeaders": _header_list(tuple(allowed.items()))},
        )

    async def _body_of(self, session: Session, params: Params) -> bytes:
        # Of a form with files the browser does not tell; the page that sent it cannot be asked any more.
        if not params["request"].get("hasPostData") or params.get("resourceType") == "Document":
            return b""
        with contextlib.suppress(ProtocolError):
            data = await session.send("Network.getRequestPostData", {"requestId": params.get("networkId", "")})
            return _bytes(data["postData"], data.get("base64Encoded", False))
        return b""

    async def _drained(self, answer: Answer, params: Params) -> Reply:
        """Read the whole body: a held one would occupy one of the six sockets to its host."""
        if reason := params.get("responseErrorReason"):
            return Reply(status=0, error=str(reason), passed_through=True)
        headers = tuple((item["name"], item["value"]) for item in params.get("responseHeaders", ()))
        reply = Reply(
            status=params["responseStatusCode"], status_text=params.get("responseStatusText", ""), headers=headers
        )
        if reply.redirect:
            reply.passed_through = True
            return reply
        length = reply.header("content-length")
        if length.isdigit() and int(length) > LARGEST_BODY:
            reply.passed_through = True
            self._on_limit(f"the answer to {_line(answer)} has {int(length) >> 20} MB: not recorded")
            return reply
        try:
            if reply.header("content-type").startswith(_STREAMS):
                reply.body = await self._stream(answer)
            else:
                reply.body = await self._whole(answer)
                answer.drained = True
        except ProtocolError as error:
            if "Can only get response body" not in error.message and "No data" not in error.message:
                raise
        except NoAnswer:
            reply.error = "TimedOut"
            self._on_limit(f"the answer to {_line(answer)} was begun but did not end within {DRAIN_TIMEOUT:g} s")
        return reply

    async def _whole(self, answer: Answer) -> bytes:
        body = await answer.session.send("Fetch.getResponseBody", {"requestId": answer.pause}, timeout=DRAIN_TIMEOUT)
        return _bytes(body["body"], body["base64Encoded"])

    async def _stream(self, answer: Answer) -> bytes:
        """A stream may never end: what has come in time is what the page gets, and then it ends for the page."""
        send, post = answer.session.send, answer.session.post
        handle = (await send("Fetch.takeResponseBodyAsStream", {"requestId": answer.pause}))["stream"]
        received: list[bytes] = []
        ended = False

        async def read() -> None:
            nonlocal ended
            # A reading is answered when it is full: small ones, many at once.
            while not ended and len(received) < LARGEST_BODY // STREAM_PIECE:
                for piece in [post("IO.read", {"handle": handle, "size": STREAM_PIECE}) for _ in range(128)]:
                    read = await piece
                    received.append(_bytes(read["data"], read.get("base64Encoded", False)))
                    if ended := read["eof"]:
                        return

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STREAM_TIMEOUT):
                await read()
        post("IO.close", {"handle": handle})
        if not ended:
            self._on_limit(
                f"{_line(answer)} is a stream that did not end: the page gets what came within {STREAM_TIMEOUT:g} s"
            )
        return b"".join(received)


def _reason(failure: str) -> str:
    """Chromium's reason for a failure as the Fetch domain names it, for the ones that matter: `net::ERR_ABORTED`."""
    return {"net::ERR_ABORTED": "Aborted", "net::ERR_BLOCKED_BY_CLIENT": "BlockedByClient"}.get(failure, failure)


def _add_cookies(answer: Answer) -> None:
    """Chromium leaves `Set-Cookie` out of what it stops; a recording must have it."""
    for reply, cookies in zip(answer.hops, answer.cookies, strict=False):
        if cookies and not reply.header("set-cookie"):
            reply.headers += cookies


def _fulfilment(pause: str, reply: Reply, more: tuple[Header, ...], *, live: bool) -> Params:
    headers = tuple(
        (name, value)
        for name, value in reply.headers
        # Live, the cookie was set when the answer arrived; setting it again could undo a newer one.
        if name.lower() not in _NOT_KEPT and not (live and name.lower() == "set-cookie")
    )
    parameters: dict[str, Any] = {
        "requestId": pause,
        "responseCode": reply.status,
        "responseHeaders": _header_list((*headers, *more)),
    }
    if reply.status_text:
        parameters["responsePhrase"] = reply.status_text
    # Without a body, even an empty one, Chromium would take the one it has, which is no longer there.
    parameters["body"] = base64.b64encode(reply.body).decode("ascii")
    return parameters


def _header_list(headers: tuple[Header, ...]) -> list[Params]:
    return [{"name": name, "value": value} for name, value in headers]


def _post_data(request: Params) -> bytes:
    entries = request.get("postDataEntries")
    if entries and all("bytes" in entry for entry in entries):
        return b"".join(base64.b64decode(entry["bytes"]) for entry in entries)
    return str(request.get("postData", "")).encode("utf-8", "surrogatepass")


def _is_preflight(request: Params) -> bool:
    return request["method"] == "OPTIONS" and any(
        name.lower() == "access-control-request-method" for name in request["headers"]
    )


def _refusal(url: str) -> str:
    return f"{url} was not opened: {origin(url)} is not among the allowed origins"


def _bytes(text: str, base64_encoded: bool) -> bytes:
    return base64.b64decode(text) if base64_encoded else text.encode("utf-8", "surrogatepass")


def _line(answer: Answer) -> str:
    return f"{answer.asked.method} {answer.asked.url}"
