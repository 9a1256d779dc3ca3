"""Orders tried in the browser: each from a fresh start, with the answers of the original run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.events import Effect, Event, FrameEvent, State, Step
from jostle.events.trace import at_their_events
from jostle.model.page import READABLE
from jostle.oracles.outcome import Outcome, outcome
from jostle.races.rehearsal import Rehearsal
from jostle.races.schedules.approximate import Replays
from jostle.races.schedules.drain import left_to_itself
from jostle.races.schedules.run import PlannedOrder, ScheduleRun
from jostle.races.schedules.scenario import Original
from jostle.races.schedules.verdict import Enacted
from jostle.recording.recorder import Recorder

AFTERWARDS = 8_000.0
"""Virtual milliseconds that every run is left to itself after the time at which the original ended: what is shown for a
few seconds is gone then, and polling has caught up, whatever the order was."""
MOST_AFTERWARDS = 120
"""Events that may happen in that time."""


PATIENCE = 5.0
"""Real seconds that something is waited for that was possible at the same point before."""


class OrderStage:
    """A Runner in the browser."""

    def __init__(self, rehearsal: Rehearsal, original: Original, *, recorded: bool = False) -> None:
        """`recorded`: with a recording and a picture of each run, for those who want to see it again."""
        self._app = _Staged(rehearsal, original, recorded=recorded)
        self._recorded = recorded
        last = original.trace.steps[-1].at if original.trace.steps else 0.0
        self._until = last + AFTERWARDS
        self.count = 0
        """Runs so far."""

    async def run(self, order: PlannedOrder, parent: ScheduleRun | None = None) -> Enacted:
        self.count += 1
        staged = self._app
        replays = Replays(staged, now=lambda: staged.chromium.now, arrives=staged.arrives)
        run = await replays.run(order, parent)
        if run.failed and len(run.trace.steps) < order.sure:
            # What happened so before should happen again: once more, with nothing of an earlier run in the browser.
            staged.chromium.afresh()
            run = await replays.run(order, parent)
        trace = msgspec.structs.replace(run.trace, steps=at_their_events(run.trace.steps))
        run = msgspec.structs.replace(run, trace=trace)
        if not run.failed and not run.cut:  # until all runs are equally old
            drained = await left_to_itself(
                staged, run.state, until=self._until, most=MOST_AFTERWARDS, now=lambda: staged.chromium.now
            )
            run = msgspec.structs.replace(run, drained=drained)
        ended = await self._outcome(staged.chromium, run.steps)
        recording = None
        if self._recorded:
            staged.recorder.screen("end", ended.picture)
            recording = staged.recorder.recording()
        fields = {name: getattr(run, name) for name in ScheduleRun.__struct_fields__}
        return Enacted(**fields, outcome=ended, recording=recording)

    async def _outcome(self, app: ChromiumApp, steps: Sequence[Step]) -> Outcome:
        front = max((tab.number for tab in app.tabs if tab.usable), default=0)
        text, parts = await asyncio.gather(app.evaluate(READABLE, front), app.snapshots())
        picture = await app.screenshot(front, whole=True) if self._recorded and app.tabs else b""
        return outcome(parts, steps, text=str(text or ""), picture=picture)


class _Staged:
    """The application with every event explicit, as an App whose every run gets the answers of the original."""

    def __init__(self, rehearsal: Rehearsal, original: Original, *, recorded: bool) -> None:
        self._rehearsal = rehearsal
        self._original = original
        self._recorded = recorded
        self._begun = False
        self.chromium: ChromiumApp
        self.recorder: Recorder

    async def reset(self) -> None:
        self.chromium, self.recorder = await self._rehearsal.at_first(self._original.recording)
        self._begun = False

    async def enabled(self) -> Sequence[Event]:
        # Before the first event there is nothing that a user could do, and looking for it takes time.
        return await self.chromium.enabled() if self._begun else await self.chromium.waiting()

    async def waiting(self) -> Sequence[Event]:
        return await self.chromium.waiting()

    async def arrives(self, key: str) -> None:
        """On a busy machine a page may take its time to ask for something, or to show it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            await asyncio.sleep(0.1)
            if any(event.key == key for event in await self.chromium.enabled()):
                return

    async def step(self, event: Event) -> Effect:
        self._begun = True
        at = self.chromium.now
        effect = await self.chromium.step(event)
        if self._recorded:
            step = Step(event=_as_asked(event), effect=effect, at=at)
            await self.recorder.stepped(self.chromium, step, whole=event.by_user)
        return effect

    async def state(self) -> State:
        return await self.chromium.state()


def _as_asked(event: Event) -> Event:
    """Without what only the search has to know."""
    asked = event.with_detail(after=()) if event.detail.after else event
    return asked.with_detail(frames=None) if isinstance(asked, FrameEvent) else asked
