"""The real thing: a web application in Chromium as a transition system."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from hashlib import blake2s
from typing import Any

import msgspec

from jostle.browser import agent, fence
from jostle.browser.address import origin, unreachable
from jostle.browser.agenda import Agenda, Waiting, possible
from jostle.browser.chromium import Chromium
from jostle.browser.connection import Disconnected, NoAnswer, Params, ProtocolError
from jostle.browser.connection import answer as answer_to
from jostle.browser.coverage import blocks_run
from jostle.browser.fence import Fences
from jostle.browser.gate import Answer, Answerer, Gate
from jostle.browser.journal import Journal
from jostle.browser.stage import Stage
from jostle.browser.tab import ContextGone, Frame, Settings, Tab
from jostle.browser.user import Aim, User
from jostle.errors import ApplicationProblem, CouldNotRun
from jostle.events import (
    Box,
    Change,
    Effect,
    Event,
    FormWrite,
    NotEnabled,
    State,
    StorageWrite,
)

_TICK = 1.0
"""Virtual milliseconds that pass between two events."""

_SCRIPTS = ("script", "stylesheet")
_MODULE_TURNS = 8


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How long, in real seconds, to wait for what."""

    load: float = 30.0
    """For the server's answer to the first request of a run."""
    answer: float = 10.0
    """For answers that are on their way; a later one is simply possible later."""
    step: float = 10.0
    """For an event's JavaScript to come to an end."""


class Hung(Exception):
    """A page's JavaScript did not come to an end."""


class Socket(msgspec.Struct, kw_only=True, eq=False):
    """A WebSocket or EventSource of the page, followed so that a recording can speak for the server."""

    kind: str
    url: str
    number: int
    sent: int = 0
    fed: int = 0


class ChromiumApp:
    """A web application in a browser context of its own, one event at a time.

    `answerer`: answers from a recording; None lets requests go to the server. `on_exchange` and `on_traffic` are
    told what passes, for a recording to be made.
    """

    def __init__(
        self,
        chromium: Chromium,
        url: str,
        *,
        seed: int = 0,
        allowed_origins: Sequence[str] = (),
        settings: Settings | None = None,
        limits: Limits | None = None,
        answerer: Answerer | None = None,
        on_exchange: Callable[[Answer], None] = lambda answer: None,
        on_traffic: Callable[[Socket, Params], None] = lambda socket, item: None,
        on_limit: Callable[[str], None] = lambda words: None,
        on_dialog: Callable[[str, str, str], tuple[bool, str]] = lambda kind, message, default: (True, default),
        cookies: Sequence[Params] = (),
        local_storage: dict[str, dict[str, str]] | None = None,
        fences: Fences | None = None,
        block_third_party: bool = False,
    ) -> None:
        self.url = url
        self.chromium = chromium
        self.seed = seed
        self.origins = {origin(url), *map(origin, allowed_origins)}
        self.settings = settings or Settings()
        self.limits = limits or Limits()
        self._answerer = answerer
        self._on_exchange = on_exchange
        self._on_traffic = on_traffic
        self._on_limit = on_limit
        self._on_dialog = on_dialog
        self._cookies = tuple(cookies)
        self._local_storage = local_storage or {}
        self._fences = fences
        self._block_third_party = block_third_party
        self._stage: Stage | None = None
        self._spare: asyncio.Task[Stage] | None = None
        self._again = False
        self._cleared: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._agenda = Agenda(self.url)
        self._versions: dict[str, tuple[int, int]] = {}
        self._sockets: dict[tuple[str, int, int], Socket] = {}
        self._socket_counts: dict[tuple[str, str], int] = {}
        self._turn = 0
        self._now = 0.0
        self.user = User(self._unpaintable)

    # The App interface.

    @property
    def tabs(self) -> list[Tab]:
        """All tabs of the run, the closed ones too: an event names its tab by the place in this list."""
        return self._stage.tabs if self._stage is not None else []

    @property
    def gate(self) -> Gate:
        return self._on_stage.gate

    @property
    def journal(self) -> Journal:
        return self._on_stage.journal

    @property
    def _on_stage(self) -> Stage:
        if self._stage is None:
            raise RuntimeError("the application was not reset yet, or is closed")
        return self._stage

    @property
    def now(self) -> float:
        """Virtual milliseconds since the start of the run."""
        return self._now

    async def reset(self) -> None:
        again = self._stage is not None
        await self._leave_stage()
        self._begin_anew()
        self._stage = stage = await self._next_stage()
        await self._open(stage.tabs[0])
        self._collect_answers()
        stage.journal.take()
        self._again = again

    async def enabled(self) -> Sequence[Event]:
        return [*await self.waiting(), *await self.user_events()]

    async def waiting(self) -> Sequence[Event]:
        """The system events that could happen now, in the order in which they would happen by themselves."""
        with contextlib.suppress(TimeoutError):
            await self._until(self._all_answered, self.limits.answer, "answers on their way")
        if any(tab.arrived for tab in self.tabs if tab.usable):
            await self._settle_all({})
        if self.gate.queued() and not self._ready():
            with contextlib.suppress(TimeoutError):
                await self._until(lambda: bool(self._ready()), self.limits.answer, "requests queued by the browser")
        return possible(self._ready())

    def _ready(self) -> list[Waiting]:
        self._collect_answers()
        return self._agenda.ready()

    async def user_events(self) -> Sequence[Event]:
        """What a person could do now."""
        events: list[Event] = []
        for tab, frame in self._present():
            if self.may_act(frame.url):
                events += await self.user.actions(tab, frame, self._versions.get(frame.id), self.may_open)
        if not events:  # a dead end: a picture, a text, an empty page
            for tab in self.tabs:
                if tab.usable and not tab.leaving:
                    events += await self.user.back(tab, self.may_open)
        return [self._agenda.numbered(event) for event in events]

    async def step(self, event: Event) -> Effect:
        if not any(tab.usable for tab in self.tabs):
            raise NotEnabled(event, self.trouble or "there is no page any more")
        waiting = self._agenda.get(event.key)
        self._turn += 1
        if event.by_user:
            aim = await self._aim(event)
        elif waiting is None or not await self._answered(waiting):
            raise NotEnabled(event)
        before = self._agenda.keys
        self._begin(event, waiting)
        reports: list[Params] = []
        hung = ""
        try:
            if event.by_user:
                self._set_up_next()
                await self._announce(aim.frame if event.detail["action"] != "back" else None)
                await self.user.perform(event, aim, self.limits.step)
                reports += await self._rest(await self._settle_all({}, offer=self.user.wants_offers))
            elif waiting is not None and waiting.answer is not None:
                await self._announce()
                reports += await self._deliver(waiting.answer)
            elif waiting is not None:
                reports += await self._fire(waiting)
        except Hung as trouble:
            hung = str(trouble)
        return await self._effect(event, reports, before, hung)

    async def state(self) -> State:
        parts = await self.snapshots(digest_only=True)
        text = "\n".join(f"{part['tab']} {part['frame']} {part['digest']}" for part in parts) or self.trouble
        main = parts[0] if parts else {}
        digest = blake2s(text.encode(), digest_size=16).hexdigest()
        return State(digest=digest, url=str(main.get("url", "")), title=str(main.get("title", "")))

    # Beyond the interface: for recordings and reports.

    @property
    def trouble(self) -> str:
        """Why there is no page to work with, in words; empty while there is one."""
        return next((tab.crashed for tab in self.tabs if tab.crashed), "")

    async def snapshots(self, *, digest_only: bool = False) -> list[Params]:
        """DOM, form values, storage, address and title of every document, in one round trip."""
        asked = [
            (tab, frame, asyncio.ensure_future(tab.ask(frame, agent.call("snapshot", {"digestOnly": digest_only}), 10)))
            for tab, frame in self._present()
        ]
        parts = []
        for tab, frame, question in asked:
            with contextlib.suppress(ContextGone):
                part = await question
                if part:
                    parts.append({"tab": tab.number, "frame": ".".join(map(str, frame.path)), **part})
        return parts

    async def screenshot(self, tab: int = 0) -> bytes:
        """A PNG of what a tab shows; empty when nothing can be painted (a stylesheet is being held)."""
        shown = self.tabs[tab]
        try:
            picture = await shown.session.send("Page.captureScreenshot", {"format": "png"}, timeout=5)
        except (NoAnswer, ProtocolError):
            return b""
        return base64.b64decode(picture["data"])

    def may_open(self, url: str) -> bool:
        return not url.startswith(("http:", "https:")) or origin(url) in self.origins

    def may_act(self, url: str) -> bool:
        return url.startswith("about:") or origin(url) in self.origins

    async def cookies(self) -> list[Params]:
        """All cookies of the run, as Chromium keeps them."""
        if self._stage is None or self._stage.context is None:
            return []
        found = await self.chromium.connection.send("Storage.getCookies", {"browserContextId": self._stage.context.id})
        wanted = ("name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite")
        return [{name: cookie[name] for name in wanted if name in cookie} for cookie in found["cookies"]]

    async def close(self) -> None:
        """Leave nothing of this application in the browser. It can be reset again."""
        await self._leave_stage()
        if self._spare is not None:
            spare, self._spare = self._spare, None
            with contextlib.suppress(ProtocolError, NoAnswer, Disconnected):
                await (await spare).clear()
        if self._cleared is not None:
            await self._cleared

    async def _leave_stage(self) -> None:
        if self._cleared is not None:
            await self._cleared
            self._cleared = None
        if self._stage is not None:
            self._cleared = asyncio.create_task(self._stage.clear())
            self._stage = None

    # Stages.

    async def _new_stage(self) -> Stage:
        journal = Journal()
        journal.on_limit = self._on_limit
        gate = Gate(
            answerer=self._answerer,
            on_exchange=self._on_exchange,
            on_limit=journal.limit,
            changed=self._wake,
            may_open=self.may_open,
            block_third_party=self._block_third_party,
            fences=self._fences,
        )
        gate.held = self.settings.hold
        stage = Stage(
            self.chromium,
            gate=gate,
            journal=journal,
            settings=self.settings,
            changed=self._wake,
            on_dialog=self._on_dialog,
            turn=self._turn_of,
        )
        try:
            await stage.set_up(self._cookies, self._local_storage)
        except BaseException:
            await stage.clear()
            raise
        return stage

    def _set_up_next(self) -> None:
        """Who begins anew once will do so again: set the next stage up beside this run, once its page is loaded."""
        if self._again and self._spare is None:
            self._spare = asyncio.create_task(self._new_stage())
            self._spare.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _next_stage(self) -> Stage:
        """The one that was set up during the last run, else a new one."""
        if self._spare is not None:
            spare, self._spare = self._spare, None
            with contextlib.suppress(ProtocolError, NoAnswer):
                return await spare
        return await self._new_stage()

    async def _open(self, tab: Tab) -> None:
        """Go to the address; the answer is then at the gate. Raises ApplicationProblem when there is none."""
        tab.asked_at = time.monotonic()
        navigation = tab.session.post("Page.navigate", {"url": self.url})

        def arrived() -> bool:
            document = any(answer.ready and answer.main for answer in self.gate.answers)
            return document or navigation.done() or tab.main.document > 1

        try:
            await self._until(arrived, self.limits.load, "the first answer")
        except TimeoutError:
            raise ApplicationProblem(
                f"{self.url} did not answer within {self.limits.load:g} s.", advice="Is the application running?"
            ) from None
        first = next((answer for answer in self.gate.answers if answer.ready and answer.main), None)
        if first is not None and first.reply is not None and first.reply.error:
            await self.gate.release(first)  # Chromium's own words say more
        elif not navigation.done():
            return
        try:
            result = await answer_to(navigation, "Page.navigate", 5)
        except ProtocolError:
            raise unreachable(self.url, "net::ERR_INVALID_URL") from None
        if trouble := result.get("errorText"):
            raise unreachable(self.url, trouble)

    # One step.

    def _begin(self, event: Event, waiting: Waiting | None) -> None:
        self._now = self._moment(event)
        self.journal.current = event.key
        self._agenda.happens(event, self._frame(waiting.frame) if waiting is not None else None)

    def _moment(self, event: Event) -> float:
        return max(self._now + _TICK, float(event.detail.get("due", 0.0)))

    def _turn_of(self, key: str) -> Params:
        return {
            "key": key,
            "turn": self._turn,
            "seed": f"{self.seed} {key}",
            "start": self.settings.start,
            "now": self._now,
        }

    async def _announce(self, knowing: Frame | None = None) -> None:
        """Every document present, but the one that knows, learns what is running before it happens."""
        expression = agent.call("enter", self._turn_of(self.journal.current))
        asked = [
            asyncio.ensure_future(tab.ask(frame, expression, self.limits.step))
            for tab, frame in self._present()
            if frame is not knowing
        ]
        for question in asked:
            try:
                await question
            except ContextGone:
                pass
            except NoAnswer:
                await self._stop_script()

    async def _answered(self, waiting: Waiting) -> bool:
        """The answer is there, or there in time: the browser may have queued the request."""
        answer = waiting.answer
        if answer is not None and answer in self.gate.queued():
            with contextlib.suppress(TimeoutError):
                await self._until(lambda: answer.ready or answer.finished, self.limits.answer, "a queued request")
        return answer is None or answer.ready

    async def _aim(self, event: Event) -> Aim:
        number = int(event.detail.get("tab", 0))
        tab = self.tabs[number] if number < len(self.tabs) else None
        path = tuple(event.detail.get("frame", ()))
        frame = next((each for each in tab.frames.values() if each.path == path), None) if tab else None
        if tab is None or frame is None or not tab.usable or not frame.context:
            raise NotEnabled(event, "its page or frame is not there")
        if not self.may_act(frame.url):
            raise NotEnabled(event, f"{origin(frame.url)} is not among the allowed origins")
        try:
            turn = {**self._turn_of(event.key), "now": self._moment(event)}
            return await self.user.aim(event, tab, frame, turn, self.limits.step)
        except ContextGone:
            raise NotEnabled(event, "its page was replaced") from None

    async def _fire(self, waiting: Waiting) -> list[Params]:
        """Let something happen that the page's agent holds."""
        tab, frame = waiting.tab, None
        if tab is not None:
            frame = tab.frames.get(waiting.frame)
        if tab is None or frame is None or frame.document != waiting.document:
            raise NotEnabled(waiting.event, "its document is gone")
        if len(self._present()) > 1:
            await self._announce()
        expression = agent.call("step", waiting.item, self._turn_of(waiting.event.key))
        return await self._rest(await self._settle_all({frame.id: expression}))

    async def _deliver(self, answer: Answer) -> list[Params]:
        """Let an answer through and see it to its end."""
        frame = self._frame(answer.frame)
        documents = frame.document if frame else 0
        downloads = len(self.journal.downloads)
        is_document = answer.asked.resource == "document" and frame is not None
        headers = [agent.note(self._turn_of(self.journal.current))] if is_document else []
        await self.gate.release(answer, *headers)
        responded_at = 0.0

        def over() -> bool:
            nonlocal responded_at
            if answer.finished and answer.failed:
                return True
            if is_document and frame is not None:
                committed = frame.document > documents and bool(frame.context)
                return committed or len(self.journal.downloads) > downloads
            if answer.responded and not responded_at:
                responded_at = time.monotonic()
            # A body that nobody reads may never count as finished.
            return answer.finished or (responded_at > 0 and time.monotonic() - responded_at > 0.25)

        status = answer.reply.status if answer.reply else 0
        if is_document and status in (204, 205):
            await asyncio.sleep(0.02)  # a navigation that leaves the page where it is
        else:
            with contextlib.suppress(TimeoutError):
                await self._until(over, 5, f"{answer.asked.url} to be delivered")
        if answer.main and self._turn == 1:
            with contextlib.suppress(ProtocolError, NoAnswer):  # the page cannot go back to our empty tab
                await self.tabs[0].session.send("Page.resetNavigationHistory", timeout=2)
        blocked = any(
            other.asked.resource == "stylesheet" and other.frame == answer.frame and not other.released
            for other in self.gate.answers
        )
        arguments: Params = {"released": answer.asked.url, "patience": 30 if blocked else 300}
        if answer.asked.resource in ("script", "stylesheet", "font", "image", "other", "media"):
            arguments["quiet"] = 6
        first = {}
        if frame is not None and frame.context and not is_document:
            first = {frame.id: agent.call("settle", arguments)}
        reports = await self._settle_all(first) if first else []
        if answer.asked.resource == "script":
            reports += await self._modules_run(answer.frame, reports)
        return await self._rest(reports)

    async def _modules_run(self, frame: str, reports: list[Params]) -> list[Params]:
        """When nothing that modules import is missing, they run now. One that waits for more is left waiting."""
        more: list[Params] = []
        last = reports
        for _ in range(_MODULE_TURNS):
            missing = any(
                other.frame == frame and other.asked.resource == "script" and not other.released
                for other in self.gate.answers
            )
            if missing or not any(report.get("modules") for report in last):
                break
            await asyncio.sleep(0.005)
            last = await self._settle_all({frame: agent.call("settle")})
            more += last
        return more

    async def _rest(self, reports: list[Params]) -> list[Params]:
        """Until every document is at rest and every request made so far has reached the gate.

        `reports`: what documents that are at rest already have told.
        """
        deadline = time.monotonic() + self.limits.step
        last, at_rest = reports, {report["context"] for report in reports}
        while True:
            await self._requests_at_gate()
            last = [*last, *await self._heard(last)]
            # What one document did may have reached another that was at rest already.
            stirred = any(report["created"] or report["changes"] for report in last)
            if (stirred and len(self._present()) > 1) or await self._fed(last):
                at_rest = set()
            at_rest -= self._still_parsing(last)
            if all(frame.context in at_rest for _, frame in self._present()):
                return reports
            if time.monotonic() > deadline:
                self.journal.limit(f"the page was still loading after {self.limits.step:g} s")
                return reports
            last = await self._settle_all({}, at_rest)
            reports += last
            at_rest |= {report["context"] for report in last}

    async def _settle_all(
        self, special: dict[str, str], at_rest: Collection[str] = (), *, offer: bool = False
    ) -> list[Params]:
        """Ask documents to come to rest: the `special` ones by their own expression, or all that are not `at_rest`."""
        plain = agent.call("settle", {"offer": True}) if offer else agent.call("settle")
        asked = []
        for tab, frame in self._present():
            if not special:
                tab.arrived = False
            if (not special or frame.id in special) and frame.context not in at_rest:
                expression = special.get(frame.id, plain)
                asked.append((tab, frame, asyncio.ensure_future(self._settle(tab, frame, expression))))
        reports = []
        for tab, frame, question in asked:
            report = await question
            if report is not None:
                self._take_report(tab, frame, report)
                reports.append(report)
        return reports

    async def _settle(self, tab: Tab, frame: Frame, expression: str) -> Params | None:
        context = frame.context
        task = asyncio.ensure_future(tab.ask(frame, expression, self.limits.step))
        while not task.done():
            # A crash leaves the question unanswered for ever.
            waker = asyncio.ensure_future(self._changed_once())
            await asyncio.wait({task, waker}, return_when=asyncio.FIRST_COMPLETED)
            waker.cancel()
            if tab.crashed:
                task.cancel()
                raise Hung(tab.crashed)
            if tab.unreachable(frame):
                # Chromium may put the question to the next document of the same window: its answer is not to be lost.
                task.add_done_callback(lambda done: _late_report(tab, frame, context, done))
                return None
        try:
            report = task.result()
        except ContextGone:
            return None
        except NoAnswer:
            await self._stop_script()
            raise Hung(
                f"the page's JavaScript did not come to an end within {self.limits.step:g} s and was stopped"
            ) from None
        if not isinstance(report, dict) or report.get("gone"):
            return None
        report |= {"frame": frame.id, "context": context}
        return report

    async def _changed_once(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _stop_script(self) -> None:
        """Stop JavaScript that does not end; when even that does not help, give the page up."""
        for tab in self.tabs:
            if not tab.usable:
                continue
            stopped = [session.post("Runtime.terminateExecution") for session in tab.sessions()]
            await asyncio.wait(stopped, timeout=2)
            try:
                await tab.ask(tab.main, "1", 3)
            except NoAnswer:
                tab.crashed = "the page stopped answering"
                await tab.close()
            except ContextGone:
                pass

    async def _requests_at_gate(self) -> None:
        """Every request sent so far is stopped at the gate (with a recording) or on its way to the server."""

        def arrived() -> bool:
            if not all(tab.leaving for tab in self._on_stage.preparing.values()):
                return False
            if any(frame.navigating for tab in self.tabs if tab.usable for frame in tab.frames.values()):
                return False
            if any(tab.usable and (tab.parting_owed or tab.downloads_owed) for tab in self.tabs):
                return False
            if any(answer.refused for answer in self.gate.answers):
                return False
            return not self.gate.recorded or not self.gate.on_the_way()

        try:
            await self._until(arrived, 2, "requests to reach the gate")
        except TimeoutError:
            for tab in self.tabs:
                tab.parting_owed.clear()
                tab.downloads_owed = 0
                for frame in tab.frames.values():
                    frame.navigating = ""

    async def _heard(self, reports: list[Params]) -> list[Params]:
        """What one document told others, by broadcast or storage, belongs to this event: wait until they have it."""
        heard: list[Params] = []
        for report in reports:
            marks, report["marks"] = report.get("marks"), []
            speaker = self._frame(report["frame"])
            if marks and speaker is not None:
                expression = agent.call("settle", {"marks": marks})
                others = [
                    frame
                    for _, frame in self._present()
                    if frame is not speaker and origin(frame.url) == origin(speaker.url)
                ]
                heard += await self._settle_all({frame.id: expression for frame in others}) if others else []
        return heard

    def _still_parsing(self, reports: list[Params]) -> set[str]:
        """Documents that are being parsed although nothing that is held keeps the parser waiting."""
        stopped = {
            answer.frame
            for answer in self.gate.answers
            if answer.asked.resource in _SCRIPTS and not answer.released and not fence.number_of(answer.asked.url)
        }
        return {
            report["context"]
            for report in reports
            if report.get("loading") and report["frame"] not in stopped and not report.get("fenced")
        }

    async def _fed(self, reports: list[Params]) -> bool:
        """Let the recording say what the servers of sockets said. True when there was something."""
        if self._answerer is None:
            return False
        fed = False
        for (frame_id, document, number), socket in list(self._sockets.items()):
            frame = self._frame(frame_id)
            tab = self._tab_of(frame_id)
            if frame is None or tab is None or frame.document != document:
                continue
            items = list(self._answerer.messages(socket.kind, socket.url, socket.number, socket.sent, socket.fed))
            if items:
                socket.fed += len(items)
                with contextlib.suppress(ContextGone):
                    await tab.ask(frame, agent.call("feed", number, items), self.limits.step)
                fed = True
        return fed

    # What came of it.

    def _take_report(self, tab: Tab, frame: Frame, report: Params) -> None:
        self._versions[frame.id] = (frame.document, int(report["version"]))
        self._now = max(self._now, float(report["now"]))
        for words in report["limits"]:
            self.journal.limit(words)
        for item in report["traffic"]:
            self._take_traffic(frame, item)
        if report["context"] != frame.context:
            return  # what it held went with it
        if offered := report.pop("offered", None):
            self.user.offer(frame, self._versions[frame.id], offered)
        for entry in report["created"]:
            self._agenda.add(tab, frame, entry, self.journal.current)
        if report["removed"]:
            self._agenda.cancel(frame, set(report["removed"]))

    def _take_traffic(self, frame: Frame, item: Params) -> None:
        key = (frame.id, frame.document, int(item["socket"]))
        if item["type"] == "new":
            where = (item["kind"], item["address"])
            self._socket_counts[where] = self._socket_counts.get(where, 0) + 1
            self._sockets[key] = Socket(kind=item["kind"], url=item["address"], number=self._socket_counts[where])
        socket = self._sockets.get(key)
        if socket is not None:
            if item["type"] == "send":
                socket.sent += 1
            self._on_traffic(socket, item)

    def _collect_answers(self) -> None:
        self._agenda.collect(self.gate.answers, self.tabs)

    def _partings(self) -> list[Params]:
        """What documents told of themselves when they were about to be left."""
        reports = []
        for tab in self.tabs:
            for report in tab.parting:
                frame = tab.frames.get(report["frame"])
                if frame is not None:
                    self._take_report(tab, frame, report)
                reports.append(report)
            tab.parting.clear()
        return reports

    async def _effect(self, event: Event, reports: list[Params], before: set[str], hung: str) -> Effect:
        reports += self._partings()
        self._collect_answers()
        cost = await blocks_run(self.tabs, self.origins) if self.settings.cost else None
        notes = self.journal.take()
        hung = hung or self.trouble
        lifecycle = [*notes["lifecycle"], *(each for report in reports for each in report["lifecycle"])]
        after = self._agenda.keys
        return Effect(
            created=self._agenda.since(before),
            removed=tuple(sorted(before - after - {event.key})),
            changes=tuple(_change(change) for report in reports for change in report["changes"]),
            form_writes=tuple(FormWrite(**write) for report in reports for write in report["formWrites"]),
            storage_writes=tuple(StorageWrite(**write) for report in reports for write in report["storageWrites"]),
            requests=notes["requests"],
            errors=notes["errors"],
            dialogs=notes["dialogs"],
            downloads=notes["downloads"],
            lifecycle=tuple(lifecycle),
            default_prevented=any(report["prevented"] for report in reports),
            cost=cost,
            hung=hung,
            limits=notes["limits"],
        )

    # Small matters.

    def _unpaintable(self, frame: Frame) -> bool:
        return any(
            answer.asked.resource in ("stylesheet", "document") and answer.frame == frame.id
            for answer in self.gate.answers
        )

    def _present(self) -> list[tuple[Tab, Frame]]:
        """Every document that can be spoken to, the page before its frames."""
        return [
            (tab, frame)
            for tab in self.tabs
            if tab.usable
            for frame in sorted(tab.frames.values(), key=lambda frame: frame.path)
            if frame.context and not tab.unreachable(frame)
        ]

    def _frame(self, frame_id: str) -> Frame | None:
        return next((tab.frames[frame_id] for tab in self.tabs if tab.usable and frame_id in tab.frames), None)

    def _tab_of(self, frame_id: str) -> Tab | None:
        return next((tab for tab in self.tabs if tab.usable and frame_id in tab.frames), None)

    def _all_answered(self) -> bool:
        return not self.gate.on_the_way()

    def _wake(self) -> None:
        self._changed.set()

    async def _until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        """Wait for a condition that some message of the browser will make true. Raises TimeoutError."""
        deadline = time.monotonic() + timeout
        while not condition():
            if not self.chromium.alive:
                raise CouldNotRun("The browser ended while it was needed.", advice="See: jostle doctor")
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"waited {timeout:g} s for {what}")
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), min(left, 0.05))


def _change(change: Params) -> Change:
    box = change.get("box")
    return Change(what=change["what"], target=change["target"], box=Box(*map(float, box)) if box else None)


def _late_report(tab: Tab, frame: Frame, context: str, done: asyncio.Task[Any]) -> None:
    if done.cancelled() or done.exception() is not None:
        return
    report = done.result()
    if isinstance(report, dict) and not report.get("gone"):
        tab.parting.append(report | {"frame": frame.id, "context": context})
