"""One tab: its frames, whichever process they live in, its workers and its dialogs."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import msgspec

from jostle import untrusted
from jostle.browser import agent
from jostle.browser.address import origin
from jostle.browser.connection import (
    Connection,
    Disconnected,
    Handler,
    NoAnswer,
    Params,
    ProtocolError,
    Session,
)
from jostle.browser.dialog import OnDialog
from jostle.browser.fence import number_of
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.frame_tree import FrameTree
from jostle.browser.gate import Errand, Gate
from jostle.browser.journal import Journal
from jostle.browser.open_requests import Requested
from jostle.browser.page_code import PageCode
from jostle.browser.pending import Delivery
from jostle.browser.questions import Questions
from jostle.browser.settings import TabSettings
from jostle.browser.tab_setup import TabSetup
from jostle.browser.tab_workers import TabWorkers
from jostle.events import Dialog, Milestone, Request


class TabLinks(msgspec.Struct, frozen=True, kw_only=True):
    """What the tabs of a run have in common."""

    gate: Gate
    journal: Journal
    settings: TabSettings
    changed: Callable[[], None]
    """Called whenever the browser has told something."""
    on_dialog: OnDialog | None
    """None leaves dialogs open: they are somebody else's to answer."""
    turn: Callable[[], Params] = dict
    """The running event, for a worker that starts now."""
    on_note: Callable[[Tab, Frame, Params], None] = lambda tab, frame, note: None
    """Told what the agent says that is not for the tab itself: what a person did."""


class Tab:
    """A page and everything in it."""

    def __init__(self, connection: Connection, target: str, session: str, *, number: int, links: TabLinks) -> None:
        self.target = target
        self.number = number
        self.workers = TabWorkers(connection)
        self.closed = False
        self.crashed = ""
        self.asked_at = self.loaded_at = 0.0
        """When the page was asked for and when its load event fired, by `time.monotonic`."""
        self.leaving: set[str] = set()
        """Sessions whose outermost document is about to be replaced: until then Chromium passes no questions on."""
        self.parting_owed: set[str] = set()
        """Those of them that have not yet told what they did last."""
        self.arrived = False
        """Something came to a document from elsewhere since it was last asked."""
        self.sent_away = False
        """The browser itself is about to load another page, which the present one hears nothing of."""
        self.downloads_owed = 0
        """Downloads the page has asked for and that have not begun."""
        self.parting: list[Params] = []
        """Reports of documents about to be left, sent by themselves."""
        self.origins: set[str] = set()
        """Of all documents there were."""
        self.embedded: set[str] = set()
        """Other origins of which a frame was in the page: what they store there belongs to both."""
        self.parsed: list[Params] = []
        """Scripts that the debugger told of; it is only asked while their sources are looked up."""
        self._links = links
        self._gate = links.gate
        self._requests = links.gate.requests
        self._journal = links.journal
        self._settings = links.settings
        self._setup = TabSetup(links.settings, links.gate)
        self._connection = connection
        self.on_input: Handler = lambda method, params: None
        self.session = connection.session(session, self._handler(session), links.journal.limit)
        self.frames = FrameTree(target, self.session)
        self._roots = {session: target}
        self._code = PageCode(links.gate.rewriting, self.frames, links.journal.limit)
        self._questions = Questions(connection)

    @property
    def main(self) -> Frame:
        return self.frames[self.target]

    def unreachable(self, frame: Frame) -> bool:
        """The page, or the part of it that lives in a process of its own, is about to be replaced."""
        return frame.session.id in self.leaving

    def _stays(self, session: str) -> None:
        self.leaving.discard(session)
        self.parting_owed.discard(session)

    @property
    def usable(self) -> bool:
        return not self.closed and not self.crashed

    async def prepare(self) -> None:
        """Set the tab up before its first document; then let it start."""
        await self._setup.prepare(self.session, leaving=lambda: bool(self.leaving))

    async def ask(
        self,
        frame: Frame,
        expression: str,
        timeout: float,
        *,
        late: Callable[[Any], None] = lambda answer: None,
        sent: Callable[[], None] = lambda: None,
    ) -> Any:
        """Evaluate an expression in a frame's document. Raises ContextGone when that document is gone or about to go.

        `late` is given an answer that comes after that; `sent` is called as soon as the question is on its way.
        Raises NoAnswer after `timeout` seconds, later where the machine does not let the browser run.
        """
        if not frame.context or self.crashed or self.unreachable(frame):
            raise ContextGone
        return await self._questions.ask(frame, expression, timeout, late=late, sent=sent)

    async def restore_storage(self, storage: dict[str, dict[str, str]]) -> None:
        await self._setup.restore_storage(self.session, storage)

    async def set_region(self) -> None:
        await self._setup.set_region(self.session)

    async def close(self) -> None:
        with contextlib.suppress(ProtocolError, NoAnswer, Disconnected):
            await self._connection.send("Target.closeTarget", {"targetId": self.target}, timeout=5)

    async def end(self) -> None:
        """Close it without its page getting to know: a run is over, and nothing of it is to reach the server or the
        next one. Raises NoAnswer and ProtocolError."""
        await self._setup.end(self.session, self.frames.sessions())
        await self._connection.send("Target.closeTarget", {"targetId": self.target}, timeout=5)

    # What Chromium tells.

    def _handler(self, session_id: str) -> Handler:
        def handle(method: str, params: Params) -> None:
            if method.startswith("Input."):
                self.on_input(method, params)
            elif reaction := reactions.get(method):
                try:
                    reaction(self, Session(self._connection, session_id), params)
                finally:
                    self._links.changed()

        reactions = _REACTIONS
        return handle

    def _attached(self, session: Session, params: Params) -> None:
        info = params["targetInfo"]
        child = self._connection.session(params["sessionId"], self._handler(params["sessionId"]), self._journal.limit)
        if info["type"] == "iframe":
            frame = self.frames.get(info["targetId"])
            if frame is None:
                frame = self.frames.add(info["targetId"], "", child)
            frame.session = child
            frame.context = ""
            self._roots[child.id] = frame.id
            self._setup.enable(child)
        elif info["type"] in ("worker", "shared_worker"):
            self.workers.add(child, session)
            self._requests.ended(session, info["targetId"])  # its script has arrived; the rest is told to the worker
            if info["type"] == "worker" and self._settings.control.holds:
                self.workers.control(child, self._links.turn())
        child.post("Runtime.runIfWaitingForDebugger")

    def _detached(self, session: Session, params: Params) -> None:
        gone = params["sessionId"]
        self.workers.remove(gone)
        self._roots.pop(gone, None)
        self._stays(gone)
        self._requests.forget(Session(self._connection, gone))
        self._connection.drop(gone)

    def _frame_detached(self, session: Session, params: Params) -> None:
        if params.get("reason") != "swap":
            self._forget(self.frames.remove(params["frameId"]))

    def _forget(self, frames: list[str]) -> None:
        for gone in frames:
            self._requests.forget_frame(gone)

    def _frame_navigated(self, session: Session, params: Params) -> None:
        information = params["frame"]
        frame = self.frames.get(information["id"])
        if frame is None:
            return
        self._forget(self.frames.remove_within(frame.id))
        self._stays(session.id)
        frame.children = 0
        frame.url = information["url"] + information.get("urlFragment", "")
        if frame.url.startswith(("http:", "https:")):
            self.origins.add(origin(frame.url))
            if frame.parent and origin(frame.url) != origin(self.main.url):
                self.embedded.add(origin(frame.url))
        frame.document += 1
        frame.navigating = ""
        frame.session = session
        self._requests.forget_frame(frame.id, keep=information.get("loaderId", ""))
        self._journal.lifecycle.append(
            Milestone(Milestone.FRAME_COMMIT if frame.parent else Milestone.COMMIT, frame.url)
        )

    def _within_document(self, session: Session, params: Params) -> None:
        if frame := self.frames.get(params["frameId"]):
            frame.url = params["url"]
            frame.navigating = ""
            self._journal.lifecycle.append(Milestone(Milestone.ADDRESS, frame.url))

    def _sent(self, session: Session, params: Params) -> None:
        stopping, by_worker = self.workers.stopping(session), session.id in self.workers
        frame_id = params.get("frameId") or (self._roots.get(stopping.id, "") if by_worker else "")
        is_document = params.get("type") == "Document"
        if params.get("type") in ("XHR", "Fetch"):  # a preflight may be all that goes out
            self._gate.went_to(str(params["request"]["url"]))
        made = self._requests.sent(
            stopping,
            params,
            self._journal.current,
            Requested(
                frame=frame_id,
                main=is_document and frame_id == self.target,
                leaves=self._gate.leaves(params["request"], self._errand(str(params.get("type", "")), frame_id))
                is True,
                worker=session.id if by_worker else "",
                at_once=self.workers.imports(session.id, str(params.get("type"))),
            ),
        )
        if is_document and (frame := self.frames.get(frame_id)):
            by_hand = not frame.navigating and params.get("initiator", {}).get("type") == "other"
            watched = self._settings.control.watches and frame_id == self.target
            if by_hand and watched and "redirectResponse" not in params:
                self._links.on_note(self, frame, {"type": "visit", "address": params["documentURL"]})
            frame.navigating = ""
            if self._roots.get(session.id) == frame_id and session.id not in self.leaving:
                self.leaving.add(session.id)
                self._questions.give_up(session.id)
                if frame.document and not self.sent_away:
                    self.parting_owed.add(session.id)
                self.sent_away = False
        if made is not None and made.main and made.delivery is Delivery.REFUSED:
            self._journal.lifecycle.append(Milestone(Milestone.REFUSED, made.request.url))
        if made is not None and made.delivery.by_page and not number_of(made.request.url):
            sent = made.request
            body = sent.body[:2000].decode("utf-8", "replace")
            self._journal.requests.append(Request(method=sent.method, url=sent.url, body=body, resource=sent.resource))

    def _errand(self, kind: str, frame_id: str) -> Errand:
        frame = self.frames.get(frame_id)
        reasons = frame.reasons if frame is not None else {}
        return Errand(kind=kind, main=frame_id == self.target, reasons=reasons)

    def _paused(self, session: Session, params: Params) -> None:
        self._gate.paused(session, params, self._errand(params["resourceType"], params.get("frameId", "")))

    def _responded(self, session: Session, params: Params) -> None:
        response = params["response"]
        session = self.workers.stopping(session)
        self._requests.responded(session, params["requestId"], int(response["status"]), response.get("headers", {}))

    def _finished(self, session: Session, params: Params) -> None:
        self._requests.ended(self.workers.stopping(session), params["requestId"])

    def _failed(self, session: Session, params: Params) -> None:
        ended = self._requests.ended(
            self.workers.stopping(session), params["requestId"], params.get("errorText", "failed")
        )
        if ended is not None and ended.first.resource == "document" and self._roots.get(session.id) == ended.frame:
            self._stays(session.id)  # aborted, blocked or turned into a download: the old page stays

    def _dialog(self, session: Session, params: Params) -> None:
        if self._links.on_dialog is None:
            return  # somebody else's to answer
        accept, text = self._links.on_dialog(params["type"], params["message"], params.get("defaultPrompt", ""))
        said = ("accept" if accept else "dismiss") if params["type"] != "prompt" or not accept else text
        self._journal.dialogs.append(Dialog(kind=params["type"], message=params["message"], answer=said))
        session.post("Page.handleJavaScriptDialog", {"accept": accept, "promptText": text})

    def _dialog_closed(self, session: Session, params: Params) -> None:
        if self._links.on_dialog is None:
            self._links.on_note(
                self, self.main, {"type": "dialog", "accept": params["result"], "text": params["userInput"]}
            )

    def _told(self, session: Session, params: Params) -> None:
        if params["name"] != agent.BINDING:
            return
        try:
            note = untrusted.decoded(params["payload"], dict[str, Any])
        except msgspec.DecodeError:
            return  # the page got hold of the binding and talks nonsense
        if note.get("type") == "sync" and isinstance(note.get("url"), str):
            self._requests.mark_synchronous(note["url"])
        elif note.get("type") == "arrived":
            self.arrived = True
        elif note.get("type") == "code":
            self._code.told(session, note, params["executionContextId"])
        elif note.get("type") == "download":
            self.downloads_owed += 1
        elif note.get("type") in ("did", "typing", "badge", "traffic", "unseen"):
            for frame in self.frames.speaking(session, params):
                self._links.on_note(self, frame, note)
        elif note.get("type") == "parting" and isinstance(note.get("report"), dict):
            for frame in self.frames.speaking(session, params):
                place = {"frame": frame.id, "context": frame.context, "document": frame.document}
                self.parting.append({**note["report"], **place})
                if self._roots.get(session.id) == frame.id:
                    self.parting_owed.discard(session.id)

    def _loaded(self, session: Session, params: Params) -> None:
        self.loaded_at = time.monotonic()

    def _crashed(self, session: Session, params: Params) -> None:
        if session.id == self.session.id:
            self.crashed = "the page's process crashed"
            self._questions.give_up()

    def _parsed(self, session: Session, params: Params) -> None:
        if self._gate.rewriting is None:
            self.parsed.append(params)


_REACTIONS: dict[str, Callable[[Tab, Session, Params], None]] = {
    "Target.attachedToTarget": Tab._attached,
    "Target.detachedFromTarget": Tab._detached,
    "Page.frameAttached": lambda tab, session, params: tab.frames.attached(session, params),
    "Page.frameDetached": Tab._frame_detached,
    "Page.frameNavigated": Tab._frame_navigated,
    "Page.navigatedWithinDocument": Tab._within_document,
    "Page.frameRequestedNavigation": lambda tab, session, params: tab.frames.requested_navigation(params),
    "Page.loadEventFired": Tab._loaded,
    "Debugger.scriptParsed": Tab._parsed,
    "Debugger.paused": lambda tab, session, params: tab._code.stopped(session),
    "Page.javascriptDialogOpening": Tab._dialog,
    "Page.javascriptDialogClosed": Tab._dialog_closed,
    "Runtime.executionContextCreated": lambda tab, session, params: tab.frames.context_created(session, params),
    "Runtime.executionContextDestroyed": lambda tab, session, params: tab.frames.context_destroyed(params),
    "Runtime.executionContextsCleared": lambda tab, session, params: tab.frames.contexts_cleared(session),
    "Runtime.exceptionThrown": lambda tab, session, params: tab._journal.exception(params["exceptionDetails"]),
    "Runtime.consoleAPICalled": lambda tab, session, params: tab._journal.console(params),
    "Runtime.bindingCalled": Tab._told,
    "Network.requestWillBeSent": Tab._sent,
    "Network.responseReceived": Tab._responded,
    "Network.responseReceivedExtraInfo": lambda tab, session, params: tab._requests.cookies_set(session, params),
    "Network.requestServedFromCache": Tab._finished,
    "Network.loadingFinished": Tab._finished,
    "Network.loadingFailed": Tab._failed,
    "Fetch.requestPaused": Tab._paused,
    "Fetch.authRequired": lambda tab, session, params: tab._gate.asked_for_password(session, params),
    "Inspector.targetCrashed": Tab._crashed,
}
