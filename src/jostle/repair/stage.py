"""Where orders are enacted: the page of a witness, with a repair or without, answered by its recordings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence

import msgspec

from jostle.browser import agent
from jostle.browser.chromium import Chromium
from jostle.browser.responders import SERVER, Replaceable, Responder, layered
from jostle.browser.user import LEAVE
from jostle.events import Dialog, NotEnabled, Step
from jostle.model.page import READABLE
from jostle.oracles.outcome import Outcome, outcome
from jostle.races.hearing import Hearing
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Recording
from jostle.recording.opening import FRAMES, app_of, settings_of
from jostle.recording.replay import as_recorded
from jostle.repair.answering import BothOrders
from jostle.repair.enactment import Enactment, enact
from jostle.repair.log import ControllerLog, log_of
from jostle.repair.orders import TriedOrder
from jostle.repair.script import READ_REPORT
from jostle.repair.witness import Witness
from jostle.report.film import Shot

AFTERWARDS = 4_000.0
"""Virtual milliseconds that every run goes on after the time at which the recorded ones ended: what waited has happened
then, and what is shown for a moment is gone."""
_MOST_SHOTS = 24
_FOCUSED = """(() => { try {
  const { element } = %s;
  return { focused: %s.dom.focused() === element };
} catch { return null; } })()"""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A run of an order, and what it ended in."""

    enactment: Enactment
    outcome: Outcome
    log: ControllerLog
    """What the controller of the repair did; empty without one."""
    focused: bool | None = None
    """Whether what the user did first still has the focus; None where there is no such element."""
    recording: Recording | None = None
    shots: tuple[Shot, ...] = ()


class _Recorded(Replaceable):
    """Whichever recordings: then nothing can get to a server."""

    alone = True


class RepairStage:
    """The page of one witness with one script, or none. Close it in the end."""

    def __init__(
        self,
        chromium: Chromium,
        witness: Witness,
        script: str = "",
        *,
        live: bool = False,
        on_limit: Callable[[str], None] = lambda words: None,
    ) -> None:
        """`live`: what the recordings do not know, the server is asked for."""
        self._witness = witness
        self._live = live
        manifest = witness.bad.manifest
        options = {**manifest.options, "scripts": [script]} if script else manifest.options
        self._manifest = msgspec.structs.replace(manifest, options=options, limits=())
        self._hearing = Hearing(self._manifest)
        self._answers = Replaceable() if live else _Recorded()
        self._app = app_of(
            self._manifest,
            chromium,
            view=msgspec.structs.replace(settings_of(self._manifest), frames=FRAMES),
            recorder=self._hearing,
            responder=self._answers,
            on_limit=on_limit,
        )
        self._until = _end(witness) + AFTERWARDS

    async def run(self, order: TriedOrder, *, recorded: bool = False) -> Ended:
        """Enact an order from a fresh start. `recorded`: with a recording, and pictures of the steps that matter."""
        app, recorder = self._app, self._hearing.anew()
        answers = self._answers.now = self._answering(order)
        dialogs: list[Dialog] = [each for step in order.steps for each in step.effect.dialogs]
        app.on_dialog = lambda kind, message, default: as_recorded(dialogs, kind, message, default)
        shots: list[Shot] = []
        late = {event.key for event in self._witness.late}

        async def watch(step: Step, asked: Step | None) -> Step:
            if not recorded:
                return step
            if len(shots) < _MOST_SHOTS and (step.event.by_user or (asked is not None and asked.event.key in late)):
                shots.append(Shot(await self._picture()))
            return await recorder.stepped(app, step, whole=step.event.by_user)

        await app.reset()
        recorder.begin(tuple(await app.waiting()))
        done = await enact(app, order.steps, until=self._until - AFTERWARDS / 2, watch=watch)
        steps = list(done.steps)
        if not done.hung:
            with contextlib.suppress(NotEnabled):
                at = app.now
                steps.append(await watch(Step(event=LEAVE, effect=await app.step(LEAVE), at=at), None))
            rest = await enact(app, (), until=self._until, watch=watch)
            steps += rest.steps
            done = msgspec.structs.replace(done, hung=rest.hung)
        ended = await self._outcome(steps)
        shots.append(Shot(ended.picture))
        recorder.screen("end", ended.picture)
        return Ended(
            enactment=msgspec.structs.replace(done, steps=tuple(steps)),
            outcome=ended,
            log=log_of(await app.told_by_all(READ_REPORT)),
            focused=await self._focused(),
            recording=self._kept(recorder.recording(), answers) if recorded else None,
            shots=tuple(shots) if recorded else (),
        )

    async def close(self) -> None:
        await self._app.close()

    def _answering(self, order: TriedOrder) -> Responder:
        """As the order was answered when it was recorded, as far as the page asks the same; else as the other was."""
        both = (self._witness.bad, self._witness.good)
        own, other = both if order.bad else both[::-1]
        if not self._live:
            return BothOrders(own, other)
        return layered([RecordedAnswers(own, exact=True), RecordedAnswers(other, exact=True), SERVER])

    def _kept(self, recording: Recording, answers: Responder) -> Recording:
        if isinstance(answers, BothOrders):
            answers.keep_in(recording)
        return recording

    async def _outcome(self, steps: Sequence[Step]) -> Outcome:
        app = self._app
        front = self._front
        text, parts = await asyncio.gather(app.evaluate(READABLE, front), app.snapshots())
        return outcome(parts, steps, text=str(text or ""), picture=await self._picture())

    async def _picture(self) -> bytes:
        return await self._app.screenshot(self._front, whole=True) if self._app.tabs else b""

    @property
    def _front(self) -> int:
        return max((tab.number for tab in self._app.tabs if tab.usable), default=0)

    async def _focused(self) -> bool | None:
        first = self._witness.first
        if first is None or first.action.locator is None:
            return None
        found = agent.call("find", first.action.locator)
        told = await self._app.evaluate(_FOCUSED % (found, agent.AGENT), first.action.tab)
        return bool(told["focused"]) if isinstance(told, dict) else None


def _end(witness: Witness) -> float:
    """The virtual time at which the recorded runs ended."""
    times = (step.at for each in (witness.good, witness.bad) for step in each.trace.steps[-1:])
    return max(times, default=0.0)
