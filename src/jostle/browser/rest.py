"""Coming to rest: everything that an event started has run, and every request it made is at the gate."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection

from jostle.browser import agent, fence
from jostle.browser.address import origin
from jostle.browser.connection import NoAnswer, Params
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.pending import Delivery
from jostle.browser.sockets import Sockets
from jostle.browser.stage import Stage
from jostle.browser.tab import Tab

_SCRIPTS = ("script", "stylesheet")
_MODULE_TURNS = 8
_GATE_TIMEOUT = 2.0
_UNHEARD = 0.03
"""Seconds after which a page that has not noticed an input that the browser calls done is told of it."""

Report = Params
"""What a document tells of itself when it is at rest."""


class Hung(Exception):
    """A page's JavaScript did not come to an end."""


class Rest:
    """Asks the documents of one run to come to rest. `take` is given each report as it comes."""

    def __init__(
        self, stage: Stage, sockets: Sockets, *, timeout: float, take: Callable[[Tab, Frame, Report], None]
    ) -> None:
        """`timeout`: real seconds that an event's JavaScript may take."""
        self._stage = stage
        self._sockets = sockets
        self._timeout = timeout
        self._take = take

    async def after(self, reports: list[Report]) -> list[Report]:
        """Until every document is at rest and every request made so far has reached the gate.

        `reports`: what documents that are at rest already have told. All reports are returned.
        """
        stage = self._stage
        deadline = time.monotonic() + self._timeout
        last, at_rest = reports, {report["context"] for report in reports}
        while True:
            await self._workers_heard()
            flowed = await self._flowed(deadline)
            await self._requests_at_gate()
            heard = await self._heard(last)
            reports += heard
            last = [*last, *heard]
            # What one document did may have reached another that was at rest already.
            stirred = any(report["created"] or report["changes"] for report in last)
            if flowed or (stirred and len(stage.present()) > 1) or await self._sockets.feed(stage, self._timeout):
                at_rest = set()
            at_rest -= self._still_parsing(last)
            if all(frame.context in at_rest for _, frame in stage.present()):
                return reports
            if time.monotonic() > deadline:
                stage.journal.limit(f"the page was still loading after {self._timeout:g} s")
                return reports
            last = await self.ask({}, at_rest)
            reports += last
            at_rest |= {report["context"] for report in last}

    async def ask(self, special: dict[str, str], at_rest: Collection[str] = (), *, offer: bool = False) -> list[Report]:
        """Ask documents to come to rest: the `special` ones by their own expression, or all that are not `at_rest`."""
        plain = agent.call("settle", {"offer": True}) if offer else agent.call("settle")
        asked = []
        for tab, frame in self._stage.present():
            if not special:
                tab.arrived = False
            if (not special or frame.id in special) and frame.context not in at_rest:
                asked.append((tab, frame, special.get(frame.id, plain)))
        if len(asked) == 1:
            answers = [await self._settle(*asked[0])]
        else:
            answers = await asyncio.gather(*(self._settle(*each) for each in asked))
        reports = []
        for (tab, frame, _), report in zip(asked, answers, strict=True):
            if report is not None:
                self._take(tab, frame, report)
                reports.append(report)
        return reports

    async def ask_pressing(
        self, tab: Tab, frame: Frame, expression: str, press: Callable[[], asyncio.Future[Params]]
    ) -> list[Report]:
        """The same for the only document there is, asked while the mouse is being pressed on it.

        The document notices the press by itself, which saves waiting for the browser's word. It is told when
        the browser says it is done and the document has noticed nothing.
        """
        loop = asyncio.get_running_loop()
        telling: asyncio.TimerHandle | None = None
        asking = True

        def unheard() -> None:
            if frame.context:
                told = {"expression": agent.call("pressed") + agent.OURS, "uniqueContextId": frame.context}
                frame.session.post("Runtime.evaluate", told)

        def done(performed: asyncio.Future[Params]) -> None:
            nonlocal telling
            if asking:
                telling = loop.call_later(_UNHEARD, unheard)

        try:
            report = await self._settle(tab, frame, expression, sent=lambda: press().add_done_callback(done))
        finally:
            asking = False
            if telling is not None:
                telling.cancel()
        if report is None:
            return []
        self._take(tab, frame, report)
        return [report]

    async def modules(self, frame: str, reports: list[Report]) -> list[Report]:
        """When nothing that modules import is missing, they run now. One that waits for more is left waiting."""
        more: list[Report] = []
        last = reports
        for _ in range(_MODULE_TURNS):
            missing = any(
                other.frame == frame and other.request.resource == "script" and not other.released
                for other in self._stage.gate.requests.all
            )
            if missing or not any(report.get("modules") for report in last):
                break
            await asyncio.sleep(0.005)
            last = await self.ask({frame: agent.call("settle")})
            more += last
        return more

    async def stop_scripts(self) -> None:
        """Stop JavaScript that does not end; when even that does not help, give the page up."""
        for tab in self._stage.tabs:
            if not tab.usable:
                continue
            stopped = [session.post("Runtime.terminateExecution") for session in tab.frames.sessions()]
            await asyncio.wait(stopped, timeout=2)
            try:
                await tab.ask(tab.main, "1", 3)
            except NoAnswer:
                tab.crashed = "the page stopped answering"
                await tab.close()
            except ContextGone:
                pass

    async def _settle(
        self, tab: Tab, frame: Frame, expression: str, *, sent: Callable[[], None] = lambda: None
    ) -> Report | None:
        context = frame.context

        def late(report: object) -> None:
            # Chromium may put the question to the next document of the same window: its answer is not to be lost.
            if isinstance(report, dict) and not report.get("gone"):
                tab.parting.append(report | {"frame": frame.id, "context": context})

        try:
            report = await tab.ask(frame, expression, self._timeout, late=late, sent=sent)
        except ContextGone:
            if tab.crashed:
                raise Hung(tab.crashed) from None
            return None
        except NoAnswer:
            await self.stop_scripts()
            raise Hung(
                f"the page's JavaScript did not come to an end within {self._timeout:g} s and was stopped"
            ) from None
        if not isinstance(report, dict) or report.get("gone"):
            return None
        report |= {"frame": frame.id, "context": context}
        return report

    async def _workers_heard(self) -> None:
        for tab in self._stage.tabs:
            if tab.usable:
                await tab.workers.hear(_GATE_TIMEOUT)

    async def _requests_at_gate(self) -> None:
        """Every request sent so far is stopped at the gate (with a recording) or on its way to the server."""
        stage, gate = self._stage, self._stage.gate

        def arrived() -> bool:
            if not all(tab.leaving for tab in stage.preparing.values()):
                return False
            for tab in stage.tabs:
                if not tab.usable:
                    continue
                if tab.parting_owed or tab.downloads_owed or any(frame.navigating for frame in tab.frames.values()):
                    return False
            if any(each.delivery is Delivery.REFUSED for each in gate.requests.all):
                return False
            return not gate.has_responder or not gate.requests.on_the_way()

        try:
            await stage.until(arrived, _GATE_TIMEOUT, "requests to reach the gate")
        except TimeoutError:
            for tab in stage.tabs:
                tab.parting_owed.clear()
                tab.downloads_owed = 0
                for frame in tab.frames.values():
                    frame.navigating = ""

    async def _flowed(self, deadline: float) -> bool:
        """Everything that a flowing gate lets through has come. True when there was something."""
        stage = self._stage
        if not stage.gate.requests.flow():
            return False
        left = max(0.0, deadline - time.monotonic())
        try:
            await stage.until(lambda: not stage.gate.requests.flow(), left, "answers on their way")
        except TimeoutError:
            stage.gate.requests.let_flow(self._timeout)
        return True

    async def _heard(self, reports: list[Report]) -> list[Report]:
        """What one document told others, by broadcast or storage, belongs to this event: wait until they have it."""
        heard: list[Report] = []
        for report in reports:
            marks, report["marks"] = report.get("marks"), []
            speaker = self._stage.place(report["frame"])[1]
            if marks and speaker is not None:
                expression = agent.call("settle", {"marks": marks})
                others = [
                    frame
                    for _, frame in self._stage.present()
                    if frame is not speaker and origin(frame.url) == origin(speaker.url)
                ]
                heard += await self.ask({frame.id: expression for frame in others}) if others else []
        return heard

    def _still_parsing(self, reports: list[Report]) -> set[str]:
        """Documents that are being parsed although nothing that is held keeps the parser waiting."""
        stopped = {
            answer.frame
            for answer in self._stage.gate.requests.all
            if answer.request.resource in _SCRIPTS and not answer.released and not fence.number_of(answer.request.url)
        }
        return {
            report["context"]
            for report in reports
            if report.get("loading") and report["frame"] not in stopped and not report.get("fenced")
        }
