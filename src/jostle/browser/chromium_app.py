"""The real thing: a web application in Chromium as a transition system."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import re
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2s
from operator import itemgetter
from typing import Any

from jostle.browser import agent
from jostle.browser.address import origin, unreachable
from jostle.browser.agenda import Agenda, Waiting, document_name, possible
from jostle.browser.caption import Area, Captions
from jostle.browser.chromium import Chromium
from jostle.browser.connection import Disconnected, NoAnswer, Params, ProtocolError
from jostle.browser.connection import answer as answer_to
from jostle.browser.coverage import Coverage, Function, functions_run, scripts_run
from jostle.browser.editing import Editing
from jostle.browser.fence import Fences
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.gate import Gate
from jostle.browser.http import Response
from jostle.browser.journal import Journal
from jostle.browser.open_requests import NetworkListener
from jostle.browser.patience import Patience
from jostle.browser.pending import PendingResponse
from jostle.browser.responders import Responder
from jostle.browser.rest import Hung, Rest
from jostle.browser.rewriting import Rewriting
from jostle.browser.settings import AccessLog, Limits, Profiling, TabSettings
from jostle.browser.signal import Signal
from jostle.browser.sockets import Socket, Sockets
from jostle.browser.stage import Stage
from jostle.browser.tab import OnDialog, Tab, accept
from jostle.browser.user import Aim, User
from jostle.errors import ApplicationProblem
from jostle.events import (
    Access,
    Box,
    Change,
    Effect,
    Event,
    FormWrite,
    FrameEvent,
    Kind,
    Milestone,
    NotEnabled,
    State,
    StorageWrite,
)
from jostle.events.access import Earlier, condensed
from jostle.events.detail import FrameDetail
from jostle.events.location import located_in, location_of_event
from jostle.rewriting import ScriptRewriter

_MOST_USES = 50
"""Runs in one context, before a new one is made: a browser's process grows with what it has shown."""
_ITEM = "item:"
"""How the agent calls something that it holds, and that is to become an event, among locations."""
_TICK = 1.0
"""Virtual milliseconds that pass between two events."""
_ANIMATED = 2000
"""Real milliseconds after which further frames of an animation are another event."""
_HIGHEST = 3000
"""Pixels of a page that are in its picture."""
_LOOK_SECONDS = 2.0
_DOWNLOADED = re.compile(r"application/(octet-stream|zip|gzip|x-|vnd\.)", re.IGNORECASE)
"""What the browser does not show."""


class ChromiumApp:
    """A web application in a browser context of its own, one event at a time.

    `responder`: who answers in place of the server; None lets requests go to the server. `on_exchange` and `on_traffic`
    are told what passes, for a recording to be made. `rewriter`: what scripts become before they run; with it nothing
    flows, for everything has to pass through our hands.
    """

    def __init__(
        self,
        chromium: Chromium,
        url: str,
        *,
        seed: int = 0,
        allowed_origins: Sequence[str] = (),
        settings: TabSettings | None = None,
        limits: Limits | None = None,
        responder: Responder | None = None,
        on_exchange: Callable[[PendingResponse], None] = lambda answer: None,
        on_traffic: Callable[[Socket, Params], None] = lambda socket, item: None,
        on_limit: Callable[[str], None] = lambda words: None,
        on_dialog: OnDialog = accept,
        cookies: Sequence[Params] = (),
        local_storage: dict[str, dict[str, str]] | None = None,
        fences: Fences | None = None,
        block_third_party: bool = False,
        rewriter: ScriptRewriter | None = None,
    ) -> None:
        self.url = url
        self.chromium = chromium
        self.seed = seed
        self.origins = {origin(url), *map(origin, allowed_origins)}
        self.settings = settings or TabSettings()
        self.limits = limits or Limits()
        self._responder = responder
        self._on_exchange = on_exchange
        self._on_traffic = on_traffic
        self._on_limit = on_limit
        self.on_dialog = on_dialog
        self._cookies = tuple(cookies)
        self._local_storage = local_storage or {}
        self._fences = fences
        self._block_third_party = block_third_party
        self._rewriter = rewriter
        self._patience = Patience()
        self.coverage = Coverage()
        self.ran: Counter[Function] = Counter()
        """How often blocks of each function ran, with `Profiling.COST`; whoever asks may clear it."""
        self._stage: Stage | None = None
        self._spare: asyncio.Task[Stage] | None = None
        self._again = False
        self._cleared: asyncio.Task[None] | None = None
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._agenda = Agenda(self.url, remembers=self.settings.accesses is not AccessLog.NONE)
        self._first_document = ""
        self._turns: list[tuple[int, str]] = []  # the number of an event, as pages know it, and its key
        self._touched: list[Earlier] = []  # what has been read and written, as far as it is known and not told yet
        self._versions: dict[str, tuple[int, int]] = {}
        self._sockets = Sockets(self._responder, self._on_traffic)
        self._turn = 0
        self._by_user = False
        self._actions = 0
        self._now = 0.0
        self._spoiled = False  # something hung: better not to have anything to do with its processes
        self.user = User(self._unpaintable)
        self._captions = Captions()

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
        left = await self._left_stage()
        self._begin_anew()
        self._stage = stage = await self._next_stage(left)
        self._rest = Rest(stage, self._sockets, timeout=self.limits.step, take=self._take_report)
        await self._open(stage.tabs[0])
        self._collect_answers()
        limits = stage.journal.take()["limits"]
        if self._rewriter is not None:
            stage.journal.limits.extend(limits)  # of the first document, which was rewritten already
        self._again = again

    async def enabled(self) -> Sequence[Event]:
        return [*await self.waiting(), *await self.user_events()]

    async def waiting(self) -> Sequence[Event]:
        """The system events that could happen now, in the order in which they would happen by themselves."""
        try:
            await self._on_stage.until(self._all_answered, self.limits.answer, "answers on their way")
        except TimeoutError:
            self.gate.requests.give_up(self.limits.answer)
        if self.gate.requests.rewriting():
            with contextlib.suppress(TimeoutError):  # then it is simply possible later
                await self._on_stage.until(
                    lambda: not self.gate.requests.rewriting(), self.limits.rewriting, "rewriting"
                )
        if any(tab.arrived for tab in self.tabs if tab.usable):
            await self._rest.ask({})
        if self.gate.requests.queued() and not self._ready():
            with contextlib.suppress(TimeoutError):
                await self._on_stage.until(
                    lambda: bool(self._ready()), self.limits.answer, "requests queued by the browser"
                )
        return possible(self._ready())

    def _ready(self) -> list[Waiting]:
        self._collect_answers()
        return self._agenda.ready()

    async def user_events(self) -> Sequence[Event]:
        """What a person could do now."""
        events: list[Event] = []
        for tab, frame in self._on_stage.present():
            if self.may_act(frame.url):
                events += await self.user.actions(tab, frame, self._versions.get(frame.id), self.may_open, self._turn)
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
        self._by_user = event.by_user
        if event.by_user:
            self._actions += 1
            try:
                aim = self._offered(event) or await self._aim(event)
            except NotEnabled:
                self._actions -= 1
                raise
        elif waiting is None or not await self._answered(waiting):
            raise NotEnabled(event)
        before = self._agenda.keys
        self._begin(event, waiting)
        reports: list[Params] = []
        hung = ""
        try:
            if event.by_user:
                self._set_up_next()
                await self._announce(aim.frame if event.action.type not in ("back", "visit", "close") else None)
                reports += await self._rest.after(await self._act(event, aim))
            elif waiting is not None and waiting.answer is not None:
                await self._announce()
                reports += await self._deliver(waiting.answer)
            elif waiting is not None:
                reports += await self._fire(waiting, self._frames(event, waiting))
        except Hung as trouble:
            hung = str(trouble)
            self._spoiled = True
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
        return await self._parts(agent.call("snapshot", {"digestOnly": digest_only}))

    async def skeletons(self) -> list[Params]:
        """The structure of what every document shows, its address and title, in one round trip."""
        return await self._parts(agent.call("skeleton"))

    async def evaluate(self, expression: str, tab: int = 0) -> Any:
        """The value of a JavaScript expression in the page, a promise's when it is fulfilled; None without a page."""
        for place, frame in self._on_stage.present():
            if place.number == tab:
                with contextlib.suppress(ContextGone):
                    return await place.ask(frame, expression, self.limits.step)
        return None

    async def new_blocks(self) -> int:
        """Blocks of the application's code that have run for the first time, in any run, since this was last asked.

        Needs `Profiling.COVERAGE`.
        """
        return await self.coverage.read(self.tabs, self.origins)

    async def _parts(self, expression: str) -> list[Params]:
        asked = [
            (tab, frame, asyncio.ensure_future(tab.ask(frame, expression, 10)))
            for tab, frame in self._on_stage.present()
        ]
        parts = []
        for tab, frame, question in asked:
            with contextlib.suppress(ContextGone):
                part = await question
                if part:
                    parts.append({"tab": tab.number, "frame": ".".join(map(str, frame.path)), **part})
        return parts

    async def screenshot(self, tab: int = 0, *, whole: bool = False) -> bytes:
        """A PNG of what a tab shows; empty when nothing can be painted (a stylesheet is being held).

        `whole`: with what one would have to scroll to. The page sees its window grow for it.
        """
        session = self.tabs[tab].session
        wanted: Params = {"format": "png"}
        try:
            if whole:
                wanted |= _beyond(await session.send("Page.getLayoutMetrics", timeout=5))
            picture = await session.send("Page.captureScreenshot", wanted, timeout=5)
        except (NoAnswer, ProtocolError):
            return b""
        return base64.b64decode(picture["data"])

    async def thumbnail(self, tab: int = 0, width: int = 320) -> bytes:
        """A small JPEG of what a tab shows; empty when nothing can be painted."""
        size = {"x": 0, "y": 0, "width": self.settings.width, "height": self.settings.height}
        wanted = {"format": "jpeg", "quality": 60, "clip": {**size, "scale": width / self.settings.width}}
        try:
            picture = await self.tabs[tab].session.send("Page.captureScreenshot", wanted, timeout=5)
        except (NoAnswer, ProtocolError):
            return b""
        return base64.b64decode(picture["data"])

    async def caption(self, words: str, event: Event | None = None) -> None:
        """Put words over the page, for people who watch, and a mark around the element that an event acts on. The page
        does not see them. Without words they are taken away."""
        number = event.action.tab if event is not None else 0
        tab = self.tabs[number] if number < len(self.tabs) else None
        if tab is None or not tab.usable:
            return
        area = await self._whereabouts(tab, event) if event is not None and event.by_user else None
        await self._captions.show(tab, words, area)

    async def _whereabouts(self, tab: Tab, event: Event) -> Area | None:
        """Of an element in the main frame."""
        locator = event.action.locator
        if locator is None or event.action.frame or event.action.element == "html":
            return None
        try:
            box = await tab.ask(tab.main, agent.call("whereabouts", locator), _LOOK_SECONDS)
        except (ContextGone, NoAnswer):
            return None
        return tuple(map(float, box)) if box and len(box) == 4 else None  # type: ignore[return-value]

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

    async def begin_with(self, cookies: Sequence[Params], local_storage: dict[str, dict[str, str]]) -> None:
        """What a log-in has left behind, for the runs from now on."""
        self._cookies = tuple(cookies)
        self._local_storage = local_storage
        await self._discard_spare()

    def afresh(self) -> None:
        """The next run is to have nothing in common with this one, not even a process (see `TabSettings.reused`)."""
        self._spoiled = True

    async def close(self) -> None:
        """Leave nothing of this application in the browser. It can be reset again."""
        await self._leave_stage()
        await self._discard_spare()
        if self._cleared is not None:
            await self._cleared

    async def _discard_spare(self) -> None:
        if self._spare is not None:
            spare, self._spare = self._spare, None
            with contextlib.suppress(ProtocolError, NoAnswer, Disconnected):
                await (await spare).clear()

    async def _leave_stage(self) -> None:
        if self._cleared is not None:
            await self._cleared
            self._cleared = None
        if self._stage is not None:
            self.user.leave()
            self._cleared = asyncio.create_task(self._stage.clear())
            self._stage = None

    async def _left_stage(self) -> Stage | None:
        """The stage of the last run, if its context can be used again; else it is gone."""
        stage = self._stage
        if stage is None or not self.settings.reused or self._spoiled or stage.uses >= _MOST_USES:
            await self._leave_stage()
            return None
        self.user.leave()
        self._stage = None
        return stage

    # Stages.

    async def _new_stage(self, left: Stage | None = None) -> Stage:
        signal = Signal()
        journal = Journal()
        journal.on_limit = self._on_limit
        if self._rewriter is not None and self.settings.control.holds:
            journal.rewriting = Rewriting(self._rewriter, journal.limit)
        gate = Gate(
            self.settings.control,
            NetworkListener(
                exchanged=self._on_exchange, delivered=journal.delivered, limit=journal.limit, changed=signal
            ),
            may_open=self.may_open,
            block_third_party=self._block_third_party,
            responder=self._responder,
            editing=Editing(self._fences, journal.rewriting),
            patience=self._patience,
        )
        stage = Stage(
            self.chromium,
            gate=gate,
            journal=journal,
            settings=self.settings,
            signal=signal,
            on_dialog=lambda kind, message, default: self.on_dialog(kind, message, default),
            turn=self._turn_of,
        )
        try:
            await stage.set_up(self._cookies, self._local_storage, left=left)
        except BaseException:
            await stage.clear()
            raise
        return stage

    def _set_up_next(self) -> None:
        """Who begins anew once will do so again: set the next stage up beside this run, once its page is loaded."""
        if self._again and self._spare is None and not self.settings.reused:
            self._spare = asyncio.create_task(self._new_stage())
            self._spare.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _next_stage(self, left: Stage | None) -> Stage:
        """The one that was set up during the last run, else one in the context of that run, else a new one."""
        if left is not None:
            with contextlib.suppress(ProtocolError, NoAnswer):
                return await self._new_stage(left)
            return await self._new_stage()
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
            document = any(answer.ready and answer.main for answer in self.gate.requests.all)
            return document or navigation.done() or tab.main.document > 1

        try:
            await self._on_stage.until(arrived, self.limits.load, "the first answer")
        except TimeoutError:
            raise ApplicationProblem(
                f"{self.url} did not answer within {self.limits.load:g} s.", advice="Is the application running?"
            ) from None
        first = next((answer for answer in self.gate.requests.all if answer.ready and answer.main), None)
        if first is not None and first.response is not None and first.response.error:
            await self.gate.release(first)  # Chromium's own words say more
        elif not navigation.done():
            if first is not None and first.response is not None:
                _check_page(self.url, first.response)
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
        self._turns.append((self._turn, event.key))
        self._agenda.happens(event, self._on_stage.place(waiting.frame)[1] if waiting is not None else None)

    def _moment(self, event: Event) -> float:
        return max(self._now + _TICK, event.detail.due or 0.0)

    def _turn_of(self, key: str) -> Params:
        # A press gets to the page before its name does: the seed of the user's events goes by their number.
        own = f"user {self._actions}" if self._by_user else key
        return {
            "key": key,
            "turn": self._turn,
            "seed": f"{self.seed} {own}",
            "next": f"{self.seed} user {self._actions + 1}",
            "tick": _TICK,
            "start": self.settings.start,
            "now": self._now,
        }

    async def _announce(self, knowing: Frame | None = None) -> None:
        """Every document present, but the one that knows, learns what is running before it happens."""
        expression = agent.call("enter", self._turn_of(self.journal.current))
        asked = [
            asyncio.ensure_future(tab.ask(frame, expression, self.limits.step))
            for tab, frame in self._on_stage.present()
            if frame is not knowing
        ]
        for question in asked:
            try:
                await question
            except ContextGone:
                pass
            except NoAnswer:
                await self._rest.stop_scripts()

    async def _answered(self, waiting: Waiting) -> bool:
        """The answer is there, or there in time: the browser may have queued the request, or we are still rewriting."""
        answer = waiting.answer
        if answer is not None and (answer.rewriting or answer in self.gate.requests.queued()):
            most = self.limits.rewriting if answer.rewriting else self.limits.answer
            with contextlib.suppress(TimeoutError):
                await self._on_stage.until(lambda: answer.ready or answer.over, most, "a queued request")
        return answer is None or answer.ready

    def _offered(self, event: Event) -> Aim | None:
        """Where to click, when the only document has just told and nothing has happened since."""
        present = self._on_stage.present()
        if len(present) != 1 or not _is_press(event):
            return None
        tab, frame = present[0]
        named = (event.action.tab, event.action.frame)
        if named != (tab.number, frame.path) or not self.may_act(frame.url):
            return None
        return self.user.offered(event, tab, frame, self._versions.get(frame.id), self._turn - 1)

    async def _aim(self, event: Event) -> Aim:
        number, path = event.action.tab, event.action.frame
        tab = self.tabs[number] if number < len(self.tabs) else None
        frame = next((each for each in tab.frames.values() if each.path == path), None) if tab else None
        if tab is None or frame is None or not tab.usable or not frame.context:
            raise NotEnabled(event, "its page or frame is not there")
        target = event.action.href if event.action.type == "visit" else frame.url
        if event.action.type != "close" and not self.may_act(target):
            raise NotEnabled(event, f"{origin(target)} is not among the allowed origins")
        try:
            turn = {**self._turn_of(event.key), "now": self._moment(event)}
            return await self.user.aim(event, tab, frame, turn, self.limits.step)
        except ContextGone:
            raise NotEnabled(event, "its page was replaced") from None

    async def _act(self, event: Event, aim: Aim) -> list[Params]:
        """Let the user do it and the documents come to rest."""
        offer = self.user.wants_offers
        if _is_press(event) and self._on_stage.present() == [(aim.tab, aim.frame)]:
            if "offered" in aim:
                turn = self._turn_of(event.key)
                settled = agent.call("press", turn, event.action.locator, aim["offered"], offer)
            else:
                settled = agent.call("settle", {"pressed": True, "offer": offer})
            return await self._rest.ask_pressing(aim.tab, aim.frame, settled, lambda: self.user.press(aim))
        await self.user.perform(event, aim, self.limits.step)
        return await self._rest.ask({}, offer=offer)

    def _frames(self, event: Event, waiting: Waiting) -> Params:
        """How many frames of an animation are this event, as the agent is told: those there were when it was recorded,
        or as many as follow each other with nothing in between."""
        asked = event.detail if isinstance(event, FrameEvent) else FrameDetail()
        if asked.frames is not None:
            return {"frames": asked.frames, "exactly": True}
        others = (each for each in self._agenda.ready() if each.frame != waiting.frame or each.answer is not None)
        if event.kind is not Kind.FRAME or any(others):
            return {}
        most = self.settings.frames if asked.at_most is None else min(self.settings.frames, asked.at_most)
        return {"frames": most, "patience": _ANIMATED}

    async def _fire(self, waiting: Waiting, several: Params) -> list[Params]:
        """Let something happen that the page's agent holds."""
        tab, frame = waiting.tab, None
        if tab is not None:
            frame = tab.frames.get(waiting.frame)
        if tab is None or frame is None or frame.document != waiting.document:
            raise NotEnabled(waiting.event, "its document is gone")
        if len(self._on_stage.present()) > 1:
            await self._announce()
        expression = agent.call("step", waiting.item, self._turn_of(waiting.event.key), several)
        return await self._rest.after(await self._rest.ask({frame.id: expression}))

    async def _deliver(self, answer: PendingResponse) -> list[Params]:
        """Let an answer through and see it to its end."""
        frame = self._on_stage.place(answer.frame)[1]
        documents = frame.document if frame else 0
        downloads = len(self.journal.downloads)
        is_document = answer.request.resource == "document" and frame is not None
        headers = [agent.note(self._turn_of(self.journal.current))] if is_document else []
        await self.gate.correct(answer, self.journal.current)
        await self.gate.release(answer, *headers)
        responded_at = 0.0

        def over() -> bool:
            nonlocal responded_at
            if answer.failed:
                return True
            if is_document and frame is not None:
                committed = frame.document > documents and bool(frame.context)
                return committed or len(self.journal.downloads) > downloads
            if answer.responded and not responded_at:
                responded_at = time.monotonic()
            # A body that nobody reads may never count as finished.
            return answer.over or (responded_at > 0 and time.monotonic() - responded_at > 0.25)

        status = answer.response.status if answer.response else 0
        if is_document and status in (204, 205):
            await asyncio.sleep(0.02)  # a navigation that leaves the page where it is
        else:
            with contextlib.suppress(TimeoutError):
                await self._on_stage.until(over, 5, f"{answer.request.url} to be delivered")
        if answer.main and self._turn == 1:
            with contextlib.suppress(ProtocolError, NoAnswer):  # the page cannot go back to our empty tab
                await self.tabs[0].session.send("Page.resetNavigationHistory", timeout=2)
        blocked = any(
            other.request.resource == "stylesheet" and other.frame == answer.frame and not other.released
            for other in self.gate.requests.all
        )
        arguments: Params = {"released": answer.request.url, "patience": 30 if blocked else 300}
        if answer.request.resource in ("script", "stylesheet", "font", "image", "other", "media"):
            arguments["quiet"] = 6
        first = {}
        if frame is not None and frame.context and not is_document:
            first = {frame.id: agent.call("settle", arguments)}
        reports = await self._rest.ask(first) if first else []
        if answer.request.resource == "script":
            reports += await self._rest.modules(answer.frame, reports)
        return await self._rest.after(reports)

    # What came of it.

    def _take_report(self, tab: Tab, frame: Frame, report: Params) -> None:
        self._versions[frame.id] = (frame.document, int(report["version"]))
        self._now = max(self._now, float(report["now"]))
        for words in report["limits"]:
            self.journal.limit(words)
        for item in report["traffic"]:
            self._sockets.take(frame, item)
        if report["context"] != frame.context:
            self._take_accesses(tab, frame, report)
            return  # what it held went with it
        offered = report.pop("offered", None)
        self.user.told(frame, self._versions[frame.id], offered, self._turn)
        for entry in report["created"]:
            if self.journal.rewriting is not None:
                for name in ("what", "channel", "site"):
                    if entry.get(name):
                        entry[name] = self.journal.rewriting.restored(entry[name])
            if entry.get("channel") == "storage" and not self._has_neighbour(frame):
                continue  # what the document before it in the same tab wrote last: it comes or it does not
            self._agenda.add(tab, frame, entry, self.journal.current)
        if report["removed"]:
            self._agenda.cancel(frame, set(report["removed"]))
        self._take_accesses(tab, frame, report)

    def _take_accesses(self, tab: Tab, frame: Frame, report: Params) -> None:
        """What a document tells that was read and written in it. Objects are numbered document by document, and in one
        that can reach the document around it together with that."""
        accesses = report.pop("accesses", ())
        if not accesses:
            return
        number = int(report.get("document", frame.document))
        numbering, at = frame, number
        for _ in range(int(report["above"])):
            numbering = tab.frames.get(numbering.parent, numbering)
            at = numbering.document
        here, around = self._within(document_name(tab, frame, number)), self._within(document_name(tab, numbering, at))
        for turn, told, write, value, name, source in accesses:
            if told.startswith(_ITEM):
                told = self._agenda.named(frame, number, int(told[len(_ITEM) :]))
                location = location_of_event(told)
            else:
                location = located_in(told, here, around)
            if source and self.journal.rewriting is not None:
                source = self.journal.rewriting.source(source)
            event = self._event_of(turn)
            if told and event:
                access = Access(location=location, write=write, value=value, name=name, source=source)
                self._touched.append(Earlier(event, access))

    def _event_of(self, turn: int) -> str:
        """The key of an event as the page knows it. A page may not have heard of a turn in which nothing happened."""
        if turn < 0:
            return self.journal.current
        index = bisect_left(self._turns, turn, key=itemgetter(0))
        return self._turns[index][1] if index < len(self._turns) else self.journal.current

    def _within(self, document: str) -> str:
        """The document of a location, for all but the first document of a run."""
        self._first_document = self._first_document or document
        return "" if document == self._first_document else document

    def _has_neighbour(self, frame: Frame) -> bool:
        """Whether another document of the same origin is open."""
        return any(
            other is not frame and origin(other.url) == origin(frame.url) for _, other in self._on_stage.present()
        )

    def _collect_answers(self) -> None:
        self._agenda.collect(self.gate.requests.all, self.tabs)

    async def _cost(self) -> int:
        scripts = await scripts_run(self.tabs, self.origins)
        if Profiling.COVERAGE in self.settings.profiling:  # what is read is counted from nothing again
            self.coverage.learn(scripts)
        ran = functions_run(scripts)
        self.ran.update(ran)
        return ran.total()

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
        self._agenda.leave(
            {frame.id for tab in self.tabs if tab.leaving for frame in tab.frames.values() if tab.unreachable(frame)}
        )
        cost = await self._cost() if Profiling.COST in self.settings.profiling else None
        notes = self.journal.take()
        hung = hung or self.trouble
        self._spoiled = self._spoiled or bool(hung)
        lifecycle = [*notes["lifecycle"], *(Milestone(str(each)) for report in reports for each in report["lifecycle"])]
        removed = tuple(sorted(before - self._agenda.keys - {event.key}))
        touched, self._touched = self._touched, []
        return Effect(
            created=self._agenda.since(before),
            removed=removed,
            changes=tuple(_change(change) for report in reports for change in report["changes"]),
            form_writes=tuple(FormWrite(**write) for report in reports for write in report["formWrites"]),
            storage_writes=tuple(StorageWrite(**write) for report in reports for write in report["storageWrites"]),
            requests=notes["requests"],
            answers=notes["answers"],
            errors=notes["errors"],
            dialogs=notes["dialogs"],
            downloads=notes["downloads"],
            lifecycle=tuple(lifecycle),
            accesses=_merged(event, touched, removed) if self.settings.accesses is not AccessLog.NONE else (),
            earlier=tuple(each for each in touched if each.event != event.key),
            default_prevented=any(report["prevented"] for report in reports),
            frames=sum(report.get("frames", 0) for report in reports) if event.kind is Kind.FRAME else 0,
            cost=cost,
            hung=hung,
            limits=notes["limits"],
        )

    # Small matters.

    def _unpaintable(self, frame: Frame) -> bool:
        return any(
            answer.request.resource in ("stylesheet", "document") and answer.frame == frame.id
            for answer in self.gate.requests.all
        )

    def _all_answered(self) -> bool:
        return not self.gate.requests.on_the_way()


def _merged(event: Event, touched: Sequence[Earlier], removed: Sequence[str]) -> tuple[Access, ...]:
    """All that an event read and wrote, the events themselves included: what happens was not taken back."""
    happens = [] if event.by_user else [Access(location=location_of_event(event.key), name=str(event))]
    taken_back = [Access(location=location_of_event(key), write=True, value="cleared") for key in removed]
    return condensed([*happens, *(each.access for each in touched if each.event == event.key), *taken_back])


def _is_press(event: Event) -> bool:
    """Whether it is a click that has all its effects in the page."""
    return event.action.type == "click" and not event.action.href


def _beyond(metrics: Params) -> Params:
    """How to take a picture of a page that is higher than its window."""
    size, window = metrics["cssContentSize"], metrics["cssLayoutViewport"]
    if size["height"] <= window["clientHeight"]:
        return {}
    part = {"x": 0, "y": 0, "width": window["clientWidth"], "height": min(size["height"], _HIGHEST), "scale": 1}
    return {"clip": part, "captureBeyondViewport": True}


def _check_page(url: str, response: Response) -> None:
    """The first answer must be something that the browser shows."""
    if response.status in (204, 205):
        why = f"it was answered with status {response.status}, which means that there is nothing to show"
    elif response.header("content-disposition").lower().startswith("attachment") or _DOWNLOADED.match(
        response.header("content-type")
    ):
        why = "it is a download"
    else:
        return
    raise ApplicationProblem(f"{url} is not a page: {why}.", advice="Give the address of a page of the application.")


def _change(change: Params) -> Change:
    box = change.get("box")
    return Change(what=change["what"], target=change["target"], box=Box(*map(float, box)) if box else None)
