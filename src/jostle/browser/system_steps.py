"""Letting happen what is held: a response at the gate, a timer in a page."""

from __future__ import annotations

import asyncio
import contextlib
import time

from jostle.browser import agent
from jostle.browser.agenda import Agenda, Waiting
from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.pending import PendingResponse
from jostle.browser.rest import Rest
from jostle.browser.stage import Stage
from jostle.browser.turns import Turns
from jostle.events import Event, FrameEvent, Kind, NotEnabled
from jostle.events.detail import FrameDetail

_ANIMATED = 2000
"""Real milliseconds after which further frames of an animation are another event."""


class SystemSteps:
    """The system events of one run."""

    def __init__(
        self, stage: Stage, rest: Rest, agenda: Agenda, turns: Turns, *, most_frames: int, seconds: float
    ) -> None:
        """`most_frames`: so many frames of an animation may be one event; `seconds`: for a page to hear of one."""
        self._stage = stage
        self._rest = rest
        self._agenda = agenda
        self._turns = turns
        self._most_frames = most_frames
        self._seconds = seconds

    async def happen(self, event: Event, waiting: Waiting) -> list[Params]:
        """Let it happen; what documents tell when they are at rest again."""
        if waiting.answer is not None:
            await self.announce()
            return await self._deliver(waiting.answer)
        return await self._fire(waiting, self._frames(event, waiting))

    async def announce(self, knowing: Frame | None = None) -> None:
        """Every document present, but the one that knows, learns what is running before it happens."""
        expression = agent.call("enter", self._turns.of(self._stage.journal.current))
        asked = [
            asyncio.ensure_future(tab.ask(frame, expression, self._seconds))
            for tab, frame in self._stage.present()
            if frame is not knowing
        ]
        for question in asked:
            try:
                await question
            except ContextGone:
                pass
            except NoAnswer:
                await self._rest.stop_scripts()

    def _frames(self, event: Event, waiting: Waiting) -> Params:
        """How many frames of an animation are this event, as the agent is told: those there were when it was recorded,
        or as many as follow each other with nothing in between."""
        asked = event.detail if isinstance(event, FrameEvent) else FrameDetail()
        if asked.frames is not None:
            return {"frames": asked.frames, "exactly": True}
        others = (each for each in self._agenda.ready() if each.frame != waiting.frame or each.answer is not None)
        if event.kind is not Kind.FRAME or any(others):
            return {}
        most = self._most_frames if asked.at_most is None else min(self._most_frames, asked.at_most)
        return {"frames": most, "patience": _ANIMATED}

    async def _fire(self, waiting: Waiting, several: Params) -> list[Params]:
        """Let something happen that the page's agent holds."""
        tab, frame = waiting.tab, None
        if tab is not None:
            frame = tab.frames.get(waiting.frame)
        if tab is None or frame is None or frame.document != waiting.document:
            raise NotEnabled(waiting.event, "its document is gone")
        if len(self._stage.present()) > 1:
            await self.announce()
        expression = agent.call("step", waiting.item, self._turns.of(waiting.event.key), several)
        return await self._rest.after(await self._rest.ask({frame.id: expression}))

    async def _deliver(self, answer: PendingResponse) -> list[Params]:
        """Let an answer through and see it to its end."""
        frame = self._stage.place(answer.frame)[1]
        documents = frame.document if frame else 0
        downloads = len(self._stage.journal.downloads)
        is_document = answer.request.resource == "document" and frame is not None
        headers = [agent.note(self._turns.of(self._stage.journal.current))] if is_document else []
        await self._stage.gate.correct(answer, self._stage.journal.current)
        await self._stage.gate.release(answer, *headers)
        responded_at = 0.0

        def over() -> bool:
            nonlocal responded_at
            if answer.failed:
                return True
            if is_document and frame is not None:
                committed = frame.document > documents and bool(frame.context)
                return committed or len(self._stage.journal.downloads) > downloads
            if answer.responded and not responded_at:
                responded_at = time.monotonic()
            # A body that nobody reads may never count as finished.
            return answer.over or (responded_at > 0 and time.monotonic() - responded_at > 0.25)

        status = answer.response.status if answer.response else 0
        if is_document and status in (204, 205):
            await asyncio.sleep(0.02)  # a navigation that leaves the page where it is
        else:
            with contextlib.suppress(TimeoutError):
                await self._stage.until(over, 5, f"{answer.request.url} to be delivered")
        if answer.main and self._turns.number == 1:
            with contextlib.suppress(ProtocolError, NoAnswer):  # the page cannot go back to our empty tab
                await self._stage.tabs[0].session.send("Page.resetNavigationHistory", timeout=2)
        blocked = any(
            other.request.resource == "stylesheet" and other.frame == answer.frame and not other.released
            for other in self._stage.gate.requests.all
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
