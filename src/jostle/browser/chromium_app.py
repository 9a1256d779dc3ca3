"""The real thing: a web application in Chromium as a transition system."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2s
from typing import Any

import msgspec

from jostle.browser import agent
from jostle.browser.address import origin
from jostle.browser.agenda import Agenda, Waiting, possible
from jostle.browser.app_options import AppListeners, InitialState, NetworkRules
from jostle.browser.caption import Captions, whereabouts
from jostle.browser.chromium import Chromium
from jostle.browser.connection import Params, ProtocolError
from jostle.browser.coverage import Coverage, ScriptFunction, functions_run, scripts_run
from jostle.browser.first_page import open_first
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.gate import Gate
from jostle.browser.journal import Journal
from jostle.browser.pictures import screenshot, thumbnail
from jostle.browser.reports import Reports
from jostle.browser.rest import Hung, Rest
from jostle.browser.settings import AccessLog, Limits, Profiling, TabSettings
from jostle.browser.sockets import Sockets
from jostle.browser.stage import Stage
from jostle.browser.stage_maker import StageMaker
from jostle.browser.stages import Stages
from jostle.browser.system_steps import SystemSteps
from jostle.browser.tab import Tab
from jostle.browser.touched import Touched
from jostle.browser.turns import Turns
from jostle.browser.user import User
from jostle.browser.user_steps import UserSteps
from jostle.events import (
    Effect,
    Event,
    NotEnabled,
    State,
)


class ChromiumApp:
    """A web application in a browser context of its own, one event at a time."""

    def __init__(
        self,
        chromium: Chromium,
        url: str,
        *,
        settings: TabSettings | None = None,
        limits: Limits | None = None,
        initial: InitialState | None = None,
        network: NetworkRules | None = None,
        listeners: AppListeners | None = None,
    ) -> None:
        self.url = url
        self.chromium = chromium
        self.settings = settings or TabSettings()
        self.limits = limits or Limits()
        self._initial = initial or InitialState()
        self._network = network or NetworkRules()
        self._listeners = listeners or AppListeners()
        self.origins = {origin(url), *map(origin, self._network.allowed_origins)}
        self.on_dialog = self._listeners.dialog
        self.coverage = Coverage()
        self.ran: Counter[ScriptFunction] = Counter()
        """How often blocks of each function ran, with `Profiling.COST`; whoever asks may clear it."""
        made = StageMaker(
            chromium,
            self.settings,
            self._network,
            self._listeners,
            origins=self.origins,
            may_open=self.may_open,
            turn=lambda key: self._turns.of(key),
            on_dialog=lambda kind, message, default: self.on_dialog(kind, message, default),
        )
        self._stages = Stages(made, self._initial)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._agenda = Agenda(self.url, remembers=self.settings.accesses is not AccessLog.NONE)
        self._turns = Turns(self._initial.seed, self.settings.start)
        self._versions: dict[str, tuple[int, int]] = {}
        self._sockets = Sockets(self._network.responder, self._listeners.traffic)
        self.user = User(self._unpaintable)
        self._captions = Captions()

    # The App interface.

    @property
    def tabs(self) -> list[Tab]:
        """All tabs of the run, the closed ones too: an event names its tab by the place in this list."""
        stage = self._stages.present
        return stage.tabs if stage is not None else []

    @property
    def gate(self) -> Gate:
        return self._on_stage.gate

    @property
    def journal(self) -> Journal:
        return self._on_stage.journal

    @property
    def _on_stage(self) -> Stage:
        stage = self._stages.present
        if stage is None:
            raise RuntimeError("the application was not reset yet, or is closed")
        return stage

    @property
    def now(self) -> float:
        """Virtual milliseconds since the start of the run."""
        return self._turns.now

    def passed(self, now: float) -> None:
        """It is not earlier than this, in virtual milliseconds since the start of the run."""
        self._turns.put_forward(now)

    async def reset(self) -> None:
        self.user.leave()
        if self.chromium.worn:
            await self._stages.leave_browser()
            await self.chromium.renew()
        left = await self._stages.leave()
        self._begin_anew()
        stage = await self._stages.enter(left)
        noted = self.settings.accesses is not AccessLog.NONE
        self._reports = Reports(
            stage,
            self._agenda,
            self._turns,
            self._sockets,
            self.user,
            versions=self._versions,
            touched=Touched(self._agenda, stage.journal, self._turns) if noted else None,
        )
        self._rest = Rest(stage, self._sockets, timeout=self.limits.step, take=self._reports.take)
        self._system = SystemSteps(
            stage,
            self._rest,
            self._agenda,
            self._turns,
            most_frames=self.settings.frames,
            seconds=self.limits.step,
        )
        self._hands = UserSteps(
            stage,
            self._rest,
            self._turns,
            self.user,
            versions=self._versions,
            may_act=self.may_act,
            seconds=self.limits.step,
        )
        await open_first(stage, self.url, self.limits.load)
        self._collect_answers()
        limits = stage.journal.take()["limits"]
        if self._network.rewriter is not None:
            stage.journal.limits.extend(limits)  # of the first document, which was rewritten already

    async def enabled(self) -> Sequence[Event]:
        return [*await self.waiting(), *await self.user_events()]

    async def waiting(self) -> Sequence[Event]:
        """The system events that could happen now, in the order in which they would happen by themselves."""
        requests, until = self.gate.requests, self._on_stage.until
        try:
            await until(lambda: not requests.on_the_way(), self.limits.answer, "answers on their way")
        except TimeoutError:
            requests.give_up(self.limits.answer)
        if requests.rewriting():
            with contextlib.suppress(TimeoutError):  # then it is simply possible later
                await until(lambda: not requests.rewriting(), self.limits.rewriting, "rewriting")
        if any(tab.arrived for tab in self.tabs if tab.usable):
            await self._rest.ask({})
        if requests.queued() and not self._ready():
            with contextlib.suppress(TimeoutError):
                await until(lambda: bool(self._ready()), self.limits.answer, "requests queued by the browser")
        return possible(self._ready())

    def _ready(self) -> list[Waiting]:
        self._collect_answers()
        return self._agenda.ready()

    async def user_events(self) -> Sequence[Event]:
        """What a person could do now."""
        events: list[Event] = []
        for tab, frame in self._on_stage.present():
            if self.may_act(tab.frames.owner(frame)):
                events += await self.user.actions(
                    tab, frame, self._versions.get(frame.id), self.may_open, self._turns.number
                )
        if not events:  # a dead end: a picture, a text, an empty page
            for tab in self.tabs:
                if tab.usable and not tab.leaving:
                    events += await self.user.back(tab, self.may_open)
        return [self._agenda.numbered(event) for event in events]

    async def step(self, event: Event) -> Effect:
        if not any(tab.usable for tab in self.tabs):
            raise NotEnabled(event, self.trouble or "there is no page any more")
        waiting = self._agenda.get(event.key)
        self._turns.next(event)
        if event.by_user:
            try:
                aim = await self._hands.aim(event)
            except NotEnabled:
                self._turns.not_done()
                raise
        elif waiting is None or not await self._answered(waiting):
            raise NotEnabled(event)
        before = self._agenda.keys
        self._turns.begin(event)
        self.journal.current = event.key
        self._agenda.happens(event, self._on_stage.place(waiting.frame)[1] if waiting is not None else None)
        reports: list[Params] = []
        hung = ""
        try:
            if event.by_user:
                knowing = aim.frame if event.action.type not in ("back", "visit", "close") else None
                await self._system.announce(knowing)
                reports += await self._rest.after(await self._hands.act(event, aim))
            elif waiting is not None:
                reports += await self._system.happen(event, waiting)
        except Hung as trouble:
            hung = str(trouble)
            self._stages.spoiled = True
        except ProtocolError as refused:  # the tab, or the process of its page, has just gone
            hung = f"the browser refused to go on with the page ({refused.message})"
            self._stages.spoiled = True
        effect = await self._effect(event, reports, before, hung)
        self._listeners.stepped(event, effect)
        return effect

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
        return await self._on_stage.told_by_all(agent.call("snapshot", {"digestOnly": digest_only}))

    async def skeletons(self) -> list[Params]:
        """The structure of what every document shows, its address and title, in one round trip."""
        return await self._on_stage.told_by_all(agent.call("skeleton"))

    async def evaluate(self, expression: str, tab: int = 0) -> Any:
        """The value of a JavaScript expression in the page, a promise's when it is fulfilled; None without a page."""
        for place, frame in self._on_stage.present():
            if place.number == tab:
                with contextlib.suppress(ContextGone):
                    return await place.ask(frame, expression, self.limits.step)
        return None

    async def told_by_all(self, expression: str) -> list[Params]:
        """What each document says to a JavaScript expression that gives an object or nothing, in one round trip."""
        return await self._on_stage.told_by_all(expression)

    async def new_blocks(self) -> int:
        """Blocks of the application's code that have run for the first time, in any run, since this was last asked.

        Needs `Profiling.COVERAGE`.
        """
        return await self.coverage.read(self.tabs, self.origins)

    async def screenshot(self, tab: int = 0, *, whole: bool = False) -> bytes:
        """A PNG of what a tab shows; empty when nothing can be painted (a stylesheet is being held).

        `whole`: with what one would have to scroll to. The page sees its window grow for it.
        """
        return await screenshot(self.tabs[tab], whole=whole)

    async def thumbnail(self, tab: int = 0, width: int = 320) -> bytes:
        """A small JPEG of what a tab shows; empty when nothing can be painted."""
        return await thumbnail(self.tabs[tab], self.settings, width)

    async def caption(self, words: str, event: Event | None = None) -> None:
        """Put words over the page, for people who watch, and a mark around the element that an event acts on. The page
        does not see them. Without words they are taken away."""
        number = event.action.tab if event is not None else 0
        tab = self.tabs[number] if number < len(self.tabs) else None
        if tab is None or not tab.usable:
            return
        area = await whereabouts(tab, event) if event is not None and event.by_user else None
        await self._captions.show(tab, words, area)

    def may_open(self, url: str) -> bool:
        return not url.startswith(("http:", "https:")) or origin(url) in self.origins

    def may_act(self, owner: str) -> bool:
        """Whether the user may do something in a document that belongs to this origin."""
        return owner in self.origins

    async def cookies(self) -> list[Params]:
        """All cookies of the run, as Chromium keeps them."""
        stage = self._stages.present
        return await stage.cookies() if stage is not None else []

    async def begin_with(self, cookies: Sequence[Params], local_storage: dict[str, dict[str, str]]) -> None:
        """What a log-in has left behind, for the runs from now on."""
        begun = {"cookies": tuple(cookies), "local_storage": local_storage}
        self._initial = msgspec.structs.replace(self._initial, **begun)
        self._stages.begin_with(self._initial)

    def afresh(self) -> None:
        """The next run is to have nothing in common with this one, not even a process."""
        self._stages.spoiled = True

    async def close(self) -> None:
        """Leave nothing of this application in the browser. It can be reset again."""
        self.user.leave()
        await self._stages.close()

    async def _answered(self, waiting: Waiting) -> bool:
        """The answer is there, or there in time: the browser may have queued the request, or we are still rewriting."""
        answer = waiting.answer
        if answer is not None and (answer.rewriting or answer in self.gate.requests.queued()):
            most = self.limits.rewriting if answer.rewriting else self.limits.answer
            with contextlib.suppress(TimeoutError):
                await self._on_stage.until(lambda: answer.ready or answer.over, most, "a queued request")
        return answer is None or answer.ready

    # What came of it.

    def _collect_answers(self) -> None:
        self._agenda.collect(self.gate.requests.all, self.tabs)

    async def _cost(self) -> int:
        scripts = await scripts_run(self.tabs, self.origins)
        if Profiling.COVERAGE in self.settings.profiling:  # what is read is counted from nothing again
            self.coverage.learn(scripts)
        ran = functions_run(scripts)
        self.ran.update(ran)
        return ran.total()

    async def _effect(self, event: Event, reports: list[Params], before: set[str], hung: str) -> Effect:
        reports += self._reports.partings()
        self._collect_answers()
        cost = await self._cost() if Profiling.COST in self.settings.profiling else None
        hung = hung or self.trouble
        self._stages.spoiled = self._stages.spoiled or bool(hung)
        return self._reports.effect(event, reports, before, hung=hung, cost=cost)

    def _unpaintable(self, frame: Frame) -> bool:
        return self.gate.requests.keep_unpainted(frame.id)
