"""The gate and the agenda under all orders of protocol messages that a browser may send.

A model of the browser's network stands in for Chromium: it stops requests as it was told to, takes each decision once,
follows redirects, and tells of everything in whichever order its processes happen to have. What waits for something (a
body, a responder, the rewriting of a script) waits until the machine says so.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from types import SimpleNamespace
from typing import Any, cast

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jostle.browser.agenda import Agenda, Waiting, possible
from jostle.browser.connection import Params, ProtocolError, Session
from jostle.browser.editing import Editing
from jostle.browser.frame import Frame
from jostle.browser.gate import Errand, Gate
from jostle.browser.http import Response, SentRequest
from jostle.browser.interception import Interception
from jostle.browser.open_requests import NOTICE_TIMEOUT, NetworkListener, Requested
from jostle.browser.pending import Delivery, PendingResponse
from jostle.browser.responders import SERVER, Responder, Route, layered
from jostle.browser.rewriting import Rewriting
from jostle.browser.settings import Control
from jostle.browser.tab import Tab

HOST = "http://app.test"
OTHER = "http://other.test"
KINDS = {"document": "Document", "script": "Script", "fetch": "Fetch", "xhr": "XHR", "image": "Image"}
ANSWERS = st.sampled_from(["page", "moved", "failed", "empty"])


class Loop(asyncio.SelectorEventLoop):
    """Its time passes when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def time(self) -> float:
        return self.now


class Sent(msgspec.Struct, kw_only=True, eq=False):
    """A request, as the browser knows it."""

    id: str
    session: Channel
    frame: str
    main: bool
    kind: str
    urls: list[str]
    """Where its hops lead; the first is the present one."""
    told: bool = False
    """The page has told of the present hop."""
    stage: str = "request"
    """What comes next: it may be stopped before it is sent, or the server has it."""
    intercepted: bool = False
    pause: str = ""
    """Stopped, and not decided yet."""
    due: list[str] = []
    """What the page has still to tell: received, finished, failed."""
    keepalive: bool = False
    """It outlives its document."""
    pending: PendingResponse | None = None
    unnoticed: bool = False
    """It was decided before the page told of it: nobody can wait for that for ever."""
    aborted: bool = False
    gone: bool = False

    @property
    def url(self) -> str:
        return self.urls[0]

    def __repr__(self) -> str:
        return f"<{self.id}: {self.kind} of {self.frame}, {self.stage}>"


class Channel:
    """In place of a `Session`."""

    def __init__(self, network: Network, name: str) -> None:
        self.id = name
        self.network = network
        self.connection = network
        self.detached = False

    async def send(self, method: str, params: Params | None = None, timeout: float = 30) -> Params:
        params = params or {}
        if method == "Fetch.getResponseBody":
            await self.network.wait("body")
            self.network.stopped(self, method, params["requestId"])
            return {"body": "it", "base64Encoded": False}
        return self.network.decided(self, method, params)


class Network:
    """The browser's side of the Network and Fetch domains, and the connection to it."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.requests: list[Sent] = []
        self.decisions: Counter[str] = Counter()
        self.tasks: dict[str, asyncio.Task[Any]] = {}
        self.waiting: list[tuple[str, asyncio.Future[Any]]] = []
        self.stopping = ""
        self._pauses = 0

    def in_background(self, work: Coroutine[Any, Any, Any], troubled: Callable[[str], None]) -> None:
        self.tasks[self.stopping] = self.loop.create_task(work)

    async def wait(self, what: str) -> Any:
        """Until the machine says so."""
        future: asyncio.Future[Any] = self.loop.create_future()
        self.waiting.append((what, future))
        return await future

    def new_pause(self) -> str:
        self._pauses += 1
        return f"pause-{self._pauses}"

    def stopped(self, session: Channel, method: str, pause: str) -> Sent:
        for each in self.requests:
            if each.pause == pause and not each.gone and not session.detached:
                assert each.session is session
                return each
        raise ProtocolError(method, "Invalid InterceptionId.")

    def decided(self, session: Channel, method: str, params: Params) -> Params:
        assert method in ("Fetch.continueRequest", "Fetch.fulfillRequest", "Fetch.failRequest"), method
        assert not self.decisions[params["requestId"]], f"{params['requestId']} was decided twice"
        sent = self.stopped(session, method, params["requestId"])
        self.decisions[sent.pause] += 1
        sent.unnoticed = sent.unnoticed or not sent.told
        sent.pause = ""
        if method == "Fetch.failRequest":
            sent.stage, sent.due = "over", ["failed"]
        elif method == "Fetch.fulfillRequest":
            names = {header["name"].lower() for header in params.get("responseHeaders", ())}
            moved = params["responseCode"] == 302 and "location" in names
            self.follow(sent) if moved else self.deliver(sent)
        elif sent.stage == "request":
            sent.stage, sent.intercepted = "server", bool(params.get("interceptResponse"))
        elif sent.stage == "moved":
            self.follow(sent)
        elif sent.stage == "failed":
            sent.stage, sent.due = "over", ["failed"]
        else:
            self.deliver(sent)
        return {}

    def follow(self, sent: Sent) -> None:
        sent.urls = sent.urls[1:] or [HOST + "/last"]
        sent.stage, sent.told = "request", False

    def deliver(self, sent: Sent) -> None:
        sent.stage, sent.due = "over", ["received", "finished"]


class Thinking(Responder):
    """A layer that takes its time, and then does what the machine says."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.gave: list[SentRequest] = []
        self.left: list[SentRequest] = []
        self.corrects = False

    async def respond(self, request: SentRequest) -> Response | Route | None:
        given = await self._network.wait("respond")
        if isinstance(given, Exception):
            raise given
        if isinstance(given, Response):
            self.gave.append(request)
        return cast(Response | Route | None, given)

    def correction(self, request: SentRequest, event: str) -> Response | None:
        given = any(each is request for each in self.gave)
        return Response(body=b"another") if self.corrects and given else None

    def abandoned(self, request: SentRequest) -> None:
        assert not any(each is request for each in self.left), "told twice"
        self.left.append(request)


class Slowly:
    """In place of a `Rewriting`."""

    probes = ""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def edited(self, request: SentRequest, response: Response, *, worker: bool, importer: str) -> Response:
        await self._network.wait("rewriting")
        return msgspec.structs.replace(response, body=b"rewritten")

    def original(self, url: str, line: int, column: int) -> tuple[str, int, int]:
        return url, line, column


MADE: dict[str, Response | Route | Exception | None] = {
    "known": Response(body=b"known"),
    "moved": Response(status=302, headers=(("Location", "/elsewhere"),)),
    "unknown": None,
    "server": Route.SERVER,
    "wrong": RuntimeError("a mistake"),
}


class Embedded(dict[str, str]):
    """Why a frame was sent anywhere: the page embeds it."""

    def get(self, key: str, default: str = "") -> str:  # type: ignore[override]
        return "initialFrameNavigation"


class Orders(RuleBasedStateMachine):
    """Random interleavings of what the browser may tell."""

    @initialize(
        control=st.sampled_from([Control.SCHEDULED, Control.FLOWING, Control.WATCHED]),
        layers=st.sampled_from(["none", "thinking", "thinking, server"]),
        rewrites=st.booleans(),
        blocks=st.booleans(),
        corrects=st.booleans(),
    )
    def begin(self, control: Control, layers: str, rewrites: bool, blocks: bool, corrects: bool) -> None:
        self.loop = Loop()
        self.network = Network(self.loop)
        self.thinking = Thinking(self.network)
        self.thinking.corrects = corrects
        pile: Sequence[Responder] = [self.thinking, SERVER] if "server" in layers else [self.thinking]
        if layers != "none":
            control = Control.SCHEDULED
        self.delivered: list[PendingResponse] = []
        self.limits: list[str] = []
        rewriting = cast(Rewriting, Slowly(self.network)) if rewrites and control.holds else None
        self.gate = Gate(
            control,
            NetworkListener(delivered=self.delivered.append, limit=self.limits.append),
            may_open=lambda url: url.startswith(HOST),
            block_third_party=blocks,
            responder=layered(pile) if layers != "none" else None,
            editing=Editing(None, rewriting),
        )
        self.agenda = Agenda(HOST)
        self.channels = [Channel(self.network, "page"), Channel(self.network, "inner")]
        frames = {
            "top": Frame(id="top", session=cast(Session, self.channels[0])),
            "child": Frame(id="child", session=cast(Session, self.channels[0]), parent="top", path=(1,)),
            "far": Frame(id="far", session=cast(Session, self.channels[1]), parent="top", path=(2,)),
        }
        self.tab = SimpleNamespace(number=0, usable=True, frames=frames)
        self.delivering: asyncio.Task[None] | None = None
        self.items = 0
        self.happened: set[str] = set()

    def settle(self) -> None:
        async def turns() -> None:
            for _ in range(30):
                await asyncio.sleep(0)

        self.loop.run_until_complete(turns())
        self.agenda.collect(self.gate.requests.all, [cast(Tab, self.tab)])

    # What the page does.

    @rule(
        frame=st.sampled_from(["top", "child", "far"]),
        kind=st.sampled_from(sorted(KINDS)),
        urls=st.lists(st.sampled_from([f"{HOST}/a", f"{HOST}/b", f"{OTHER}/c"]), min_size=1, max_size=3),
        told=st.booleans(),
        special=st.sampled_from(["", "", "synchronous", "keepalive"]),
    )
    def sends(self, frame: str, kind: str, urls: list[str], told: bool, special: str) -> None:
        if frame not in self.tab.frames:
            return
        if special == "synchronous" and kind == "xhr":
            self.gate.requests.mark_synchronous(urls[0])
        sent = Sent(
            id=f"request-{len(self.network.requests) + 1}",
            session=cast(Channel, self.tab.frames[frame].session),
            frame=frame,
            main=kind == "document" and frame == "top",
            kind=kind,
            urls=urls,
            keepalive=special == "keepalive" and kind == "fetch",
        )
        self.network.requests.append(sent)
        if told:
            self.tell(sent)
        self.settle()

    def tell(self, sent: Sent) -> None:
        sent.told = True
        params = {
            "requestId": sent.id,
            "loaderId": "loader",
            "type": KINDS[sent.kind],
            "request": {"url": sent.url, "method": "GET", "headers": {}},
        }
        leaves = self.gate.leaves({"url": sent.url, "method": "GET"}, self._errand(sent)) is True
        by = Requested(frame=sent.frame, main=sent.main, leaves=leaves)
        made = self.gate.requests.sent(cast(Session, sent.session), params, "cause", by)
        sent.pending = sent.pending or made

    def some(self, *, told: bool | None = None, stage: Sequence[str] = (), due: bool = False) -> list[Sent]:
        return [
            each
            for each in self.network.requests
            if not each.gone
            and not each.pause
            and (told is None or each.told is told)
            and (not stage or each.stage in stage)
            and (not due or each.due)
        ]

    @precondition(lambda self: self.untold())
    @rule(data=st.data())
    def tells(self, data: st.DataObject) -> None:
        """The page tells of a request that the browser may have stopped already."""
        self.tell(data.draw(st.sampled_from(self.untold())))
        self.settle()

    def untold(self) -> list[Sent]:
        return [each for each in self.network.requests if not each.told and not each.gone]

    @precondition(lambda self: self.some(stage=["request"]))
    @rule(data=st.data())
    def goes_out(self, data: st.DataObject) -> None:
        """A request is stopped before it is sent, or sent."""
        self.go_out(data.draw(st.sampled_from(self.some(stage=["request"]))))
        self.settle()

    def go_out(self, sent: Sent) -> None:
        if self._stops("Request", sent):
            self.pause(sent)
        else:
            sent.stage, sent.intercepted = "server", False

    def _stops(self, stage: str, sent: Sent) -> bool:
        return any(
            each["requestStage"] == stage
            and each["urlPattern"] == "*"
            and each.get("resourceType", KINDS[sent.kind]) == KINDS[sent.kind]
            for each in self.gate.patterns()
        )

    def pause(self, sent: Sent, **more: object) -> None:
        sent.pause = self.network.stopping = self.network.new_pause()
        request = {"url": sent.url, "method": "GET", "headers": {}}
        params = {"requestId": sent.pause, "networkId": sent.id, "request": request, **more}
        self.gate.paused(cast(Session, sent.session), params, self._errand(sent))

    def _errand(self, sent: Sent) -> Errand:
        return Errand(kind=KINDS[sent.kind], main=sent.main, reasons=Embedded())

    @precondition(lambda self: self.some(told=True, stage=["server"]))
    @rule(data=st.data(), answer=ANSWERS)
    def server_answers(self, data: st.DataObject, answer: str) -> None:
        self.answer(data.draw(st.sampled_from(self.some(told=True, stage=["server"]))), answer)
        self.settle()

    def answer(self, sent: Sent, answer: str) -> None:
        if not sent.intercepted and not self._stops("Response", sent):
            if answer == "moved":
                self.network.follow(sent)
            elif answer == "failed":
                sent.stage, sent.due = "over", ["failed"]
            else:
                self.network.deliver(sent)
            return
        sent.stage = answer
        headers = [{"name": "Location", "value": "/elsewhere"}] if answer == "moved" else []
        if answer == "failed":
            self.pause(sent, responseErrorReason="ConnectionReset")
        else:
            status = {"page": 200, "empty": 204, "moved": 302}[answer]
            self.pause(sent, responseStatusCode=status, responseHeaders=headers)

    @precondition(lambda self: self.some(told=True, due=True))
    @rule(data=st.data())
    def page_hears(self, data: st.DataObject) -> None:
        self.hear(data.draw(st.sampled_from(self.some(told=True, due=True))))
        self.settle()

    def hear(self, sent: Sent) -> None:
        session, news = cast(Session, sent.session), sent.due.pop(0)
        if news == "received":
            pending = self.gate.requests.get((session.id, sent.id))
            late = sent.unnoticed or pending is None or not pending.in_turn
            assert late or (pending is not None and pending.released), "it came without being let through"
            self.gate.requests.responded(session, sent.id, 200, {})
        else:
            sent.gone = True
            self.gate.requests.ended(session, sent.id, "net::ERR_FAILED" if news == "failed" else "")
            if news == "finished" and sent.kind == "document" and sent.frame in self.tab.frames:
                self._shows_another(sent.frame, keep=sent.id)

    def open(self) -> list[Sent]:
        return [each for each in self.network.requests if each.told and not each.gone]

    @precondition(lambda self: self.open())
    @rule(data=st.data())
    def page_aborts(self, data: st.DataObject) -> None:
        sent = data.draw(st.sampled_from(self.open()))
        sent.gone = sent.aborted = True
        self.gate.requests.ended(cast(Session, sent.session), sent.id, "net::ERR_ABORTED")
        self.settle()

    @rule(what=st.sampled_from(["top", "child", "far", "inner session", "time", "patience"]))
    def changes(self, what: str) -> None:
        """A frame shows another document, or something else that seldom happens."""
        if what in self.tab.frames:
            self._shows_another(what)
        elif what == "inner session":
            self._inner_session_ends()
        elif what == "time":
            self.loop.now += NOTICE_TIMEOUT + 1
        elif what == "patience":
            self.gate.requests.give_up(10)
            self.gate.requests.let_flow(10)
        self.settle()

    def _shows_another(self, frame: str, keep: str = "") -> None:
        """The browser cancels the requests of the old document, but for those that are to outlive it. One of those that
        is held then was given up by us."""
        for each in self.network.requests:
            if each.frame == frame and each.id != keep:
                held = each.pending is not None and each.pending.ready
                each.gone = each.gone or not each.keepalive or held or not each.told
        self.tab.frames[frame].document += 1
        self.gate.requests.forget_frame(frame, keep=keep)

    def _inner_session_ends(self) -> None:
        """The frame of another process is removed."""
        channel = self.channels[1]
        if not channel.detached:
            channel.detached = True
            for each in self.network.requests:
                each.gone = each.gone or each.session is channel
            self.gate.requests.forget(cast(Session, channel))
            del self.tab.frames["far"]

    # What we wait for.

    @precondition(lambda self: self.network.waiting)
    @rule(data=st.data(), made=st.sampled_from(sorted(MADE)))
    def goes_on(self, data: st.DataObject, made: str) -> None:
        self.go_on(data.draw(st.integers(0, len(self.network.waiting) - 1)), made)
        self.settle()

    def go_on(self, number: int, made: str) -> None:
        what, future = self.network.waiting.pop(number)
        future.set_result(MADE[made] if what == "respond" else None)

    # What we do.

    def held(self) -> list[Waiting]:
        return [each for each in self.agenda.ready() if each.answer is not None]

    @precondition(lambda self: self.held() and (self.delivering is None or self.delivering.done()))
    @rule(data=st.data())
    def delivers(self, data: st.DataObject) -> None:
        self.deliver(data.draw(st.sampled_from(self.held())))
        self.settle()

    def deliver(self, waiting: Waiting) -> None:
        answer, key = waiting.answer, waiting.event.key
        assert answer is not None and key not in self.happened, "the same event happens twice"
        self.happened.add(key)
        self.agenda.happens(waiting.event, None)

        async def work() -> None:
            await self.gate.correct(answer, key)
            await self.gate.release(answer)

        self.delivering = self.loop.create_task(work())

    @rule(frame=st.sampled_from(["top", "child"]), delay=st.integers(0, 3), cleared=st.sets(st.integers(1, 9)))
    def sets_timer(self, frame: str, delay: int, cleared: set[int]) -> None:
        """And clears some."""
        self.items += 1
        entry = {"kind": "timer", "what": "timer", "id": self.items, "delay": delay, "due": float(delay)}
        self.agenda.add(cast(Tab, self.tab), self.tab.frames[frame], entry, "cause")
        self.agenda.cancel(self.tab.frames[frame], cleared)
        self.settle()
        left = [each for each in self.agenda.ready() if each.frame == frame and each.item]
        assert not cleared & {each.item for each in left}

    # What must hold at any moment.

    @invariant()
    def nothing_went_wrong(self) -> None:
        for task in [*self.network.tasks.values(), *([self.delivering] if self.delivering else [])]:
            if task.done():
                assert task.exception() is None, task.exception()

    @invariant()
    def nothing_stopped_is_lost(self) -> None:
        """Whatever the browser keeps stopped, and nobody works on, is held and can be let through."""
        working = self.delivering is not None and not self.delivering.done()
        for sent in self.network.requests:
            if sent.pause and not sent.gone and self.network.tasks[sent.pause].done() and not working:
                pending = self.gate.requests.get((sent.session.id, sent.id))
                assert pending is not None, "still stopped, and nobody knows it"
                assert pending.pause == sent.pause
                assert pending.ready and pending.in_turn, pending.state
                waiting = self.agenda.get(pending.event)
                assert waiting is not None and waiting.answer is pending
                assert waiting.event in possible(self.agenda.ready())

    @invariant()
    def what_is_stopped_is_known_at_once(self) -> None:
        for sent in self.network.requests:
            pending = self.gate.requests.get((sent.session.id, sent.id))
            assert not (sent.pause and sent.told and pending is not None and pending.queued)

    @invariant()
    def only_what_has_to_wait_is_held(self) -> None:
        held = [each for each in self.gate.requests.all if each.ready]
        assert not (held and self.gate.interception is Interception.PASSING)
        assert not any(each.response is not None and each.response.redirect for each in held)

    @invariant()
    def nothing_reaches_the_page_twice(self) -> None:
        counts = Counter(id(each) for each in self.delivered)
        assert set(counts.values()) <= {1}
        assert not any(each.delivery is Delivery.REFUSED for each in self.delivered)

    @invariant()
    def the_agenda_has_every_response_to_come_once(self) -> None:
        requests = self.gate.requests.all
        assert not any(each.over for each in requests)
        expected = {id(each) for each in requests if each.in_turn and not each.released}
        listed = [self.agenda.get(key) for key in self.agenda.keys - self.happened]
        answers = [id(each.answer) for each in listed if each is not None and each.answer is not None]
        assert len(answers) == len(set(answers))
        assert set(answers) <= expected
        delivering = self.delivering is not None and not self.delivering.done()
        assert delivering or set(answers) == expected

    def teardown(self) -> None:
        """Let everything come to its end: nothing stays behind."""
        if not hasattr(self, "loop"):
            return
        try:
            for _ in range(60):
                if not self._one_more():
                    break
                self.settle()
                self.nothing_went_wrong()
                self.nothing_reaches_the_page_twice()
            else:
                raise AssertionError("it does not come to an end")
            assert all(task.done() for task in self.network.tasks.values())
            left = [each for each in self.network.requests if not each.gone]
            assert left == []
            assert self.gate.requests.all == []
            self._responders_know_what_was_aborted()
            flowing = self.gate.interception is Interception.DOCUMENTS
            assert flowing or all(each.delivery.by_page for each in self.delivered)
        finally:
            self.loop.run_until_complete(self._cancelled())
            self.loop.close()

    def _responders_know_what_was_aborted(self) -> None:
        """A recording has to give again what nobody got."""
        delivered = {id(each.request) for each in self.delivered}
        aborted = [each.pending.request for each in self.network.requests if each.aborted and each.pending]
        gave, left = ({id(each) for each in some} for some in (self.thinking.gave, self.thinking.left))
        for request in aborted:
            if id(request) in gave - delivered:
                assert id(request) in left
        assert not left & delivered

    def _one_more(self) -> bool:
        for sent in self.untold():
            self.tell(sent)
        for _ in range(len(self.network.waiting)):
            self.go_on(0, "known")
        self.changes("time")
        did = False
        for sent in self.some(stage=["request"]):
            self.go_out(sent)
            did = True
        for sent in self.some(told=True, stage=["server"]):
            self.answer(sent, "page")
            did = True
        while due := self.some(told=True, due=True):
            self.hear(due[0])
            did = True
        if self.delivering is None or self.delivering.done():
            for waiting in self.held()[:1]:
                self.deliver(waiting)
                did = True
        return did or bool(self.network.waiting)

    async def _cancelled(self) -> None:
        for task in self.network.tasks.values():
            task.cancel()
        await asyncio.gather(*self.network.tasks.values(), return_exceptions=True)


Orders.TestCase.settings = settings(
    max_examples=120, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
)
TestOrders = Orders.TestCase
