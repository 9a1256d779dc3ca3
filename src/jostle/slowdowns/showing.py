"""Doing a slowdown that was found once more: recorded, and in a plain browser, which optimises as always."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

import msgspec

from jostle.browser.chromium import Chromium
from jostle.browser.coverage import ScriptFunction
from jostle.browser.settings import Control
from jostle.events import Event, NotEnabled
from jostle.exploring.opening import explored, recorded
from jostle.findings import Defect, Finding
from jostle.model.visit import Visit
from jostle.progress import Finished, Note, Started, Stepped
from jostle.search.generated_test import emit_test
from jostle.search.stream import CaseDismissed, Emit, FileMade, FindingReported
from jostle.search.subject import Subject
from jostle.slowdowns.alternate import Trial, problem_of
from jostle.slowdowns.grouping import Root
from jostle.slowdowns.growth import rises
from jostle.slowdowns.history import Pair, action_of
from jostle.slowdowns.playwright_test import failure_test, slowdown_test
from jostle.slowdowns.steady import Steady
from jostle.slowdowns.told import finding_of
from jostle.slowdowns.verdict import PairJudgement, PairOutcome
from jostle.slowdowns.wear import Wear, wear
from jostle.slowdowns.weight import weigh

FOR_SHOWING = 0.25
"""Of the time, how much is kept back for doing what was found once more."""
_RECORDED = 12
"""Effects that the recording of a slowdown has: enough to see it grow."""

Names = Callable[[Root, Wear | None], Defect]
"""What a root cause is called, and how bad it is."""


class Showing:
    """Shows root causes, one after the other, and reports each."""

    def __init__(self, subject: Subject, emit: Emit, names: Names) -> None:
        self._subject = subject
        self._emit = emit
        self._names = names
        self._done = 0
        self.shown: set[str] = set()
        """Ids of the findings that were reported."""
        self.harmless: dict[str, tuple[Root, str]] = {}
        """By id, growths that are no problem, with the reason."""

    async def all(
        self, chromium: Chromium, plain: Chromium, roots: Sequence[Root], over: float | None, seconds: float | None
    ) -> None:
        """`over`: when the time is up, by `time.monotonic`; `seconds`: how much there was of it."""
        self._emit(Started(what="doing what was found once more"))
        last = _at_last(over, seconds)
        for number, root in enumerate(roots):
            now = time.monotonic()
            # One half of its share of what is left is for measuring, the other for recording.
            until = now + (over - now) / (len(roots) - number) / 2 if over is not None else None
            try:
                async with asyncio.timeout_at(last):
                    await self._show(chromium, plain, root, until)
            except TimeoutError:
                self._emit(Note(text="The time is up: what was found is told without being done once more."))
                break
        self._emit(Finished(summary=f"{self._done} events were done once more"))

    def as_seen(self, root: Root) -> None:
        """Report what could not be done once more, as it was seen."""
        problem = self._names(root, None)
        known = self.shown | self.harmless.keys()
        if problem.id not in known and not self._dismissed(root, problem, None):
            self._report(finding_of(problem, _words(_shortened(root.main)), replay=None))

    async def _show(self, chromium: Chromium, plain: Chromium, root: Root, until: float | None) -> None:
        worn = await self._wear(plain, root.main.trial, until)
        problem = self._names(root, worn)
        if self._dismissed(root, problem, worn):
            return
        steps = _shortened(root.main)
        replay = await self._record(chromium, problem.id, steps, root.main)
        test = None
        if replay:
            loaded = self._subject.loaded
            test = emit_test(self._emit, problem.id, lambda name: self._test(name, problem, root.main), loaded)
        self._report(finding_of(problem, _words(steps), replay=replay, test=test))

    def _dismissed(self, root: Root, problem: Defect, worn: Wear | None) -> bool:
        """Whether it is no problem that the cost grows, which is said then."""
        weight = weigh(root.main, worn)
        if weight.told:
            return False
        self.harmless[problem.id] = (root, weight.reason)
        finding = finding_of(problem, _words(_shortened(root.main)), replay=None)
        self._emit(CaseDismissed(finding, f"{weight.harm.value}: {weight.reason}"))
        return True

    def _report(self, finding: Finding) -> None:
        self.shown.add(finding.id)
        self._emit(FindingReported(finding))

    def _step(self, event: Event) -> None:
        self._done += 1
        self._emit(Stepped(done=self._done, what=str(event)))

    async def _wear(self, plain: Chromium, trial: Trial, until: float | None) -> Wear:
        actions = [action_of(visit) for visit in trial.steps]
        await self._subject.restore(plain)
        app = self._subject.opened(plain, self._subject.seen_with(control=Control.FLOWING))
        try:
            return await wear(
                explored(self._subject, app),
                [visit.event for visit in trial.steps],
                [action == trial.pair.effect for action in actions],
                [action == trial.pair.cause for action in actions],
                enough=_RECORDED,
                deadline=until,
                on_step=self._step,
            )
        finally:
            await app.close()

    async def _record(
        self, chromium: Chromium, name: str, steps: Sequence[Visit], verdict: PairJudgement
    ) -> str | None:
        looking, recorder = await recorded(self._subject, chromium, cost=True)
        costs: list[float] = []
        steady: Steady[ScriptFunction] = Steady()
        failed = ""
        try:
            await looking.reset()
            for visit in steps:
                looking.app.ran.clear()
                effect = await looking.step(visit.event)
                if action_of(visit) == verdict.pair.effect and effect.cost is not None:
                    costs.append(effect.cost)
                    steady.add(looking.app.ran.copy())
                failed = failed or problem_of(effect)
                self._step(visit.event)
            recorder.screen("end", await looking.app.screenshot())
        except NotEnabled:
            return None
        finally:
            await looking.app.close()
        grows = rises(list(enumerate(costs))) or bool(steady.functions)
        shown = bool(failed) if verdict.outcome is PairOutcome.FAILURE else grows
        if not shown:
            self._emit(Note(text=f"Not recorded: {name} did not show when every answer was held"))
            return None
        file = f"{name}.jostle"
        self._emit(FileMade(file, recorder.recording().to_bytes()))
        return file

    def _test(self, name: str, problem: Defect, verdict: PairJudgement) -> str:
        """A Playwright test that fails because of it; empty for what is no bug. Raises ValueError."""
        url, origins, title = self._subject.url, self._subject.configuration.allowed_origins, problem.title
        steps, effect = verdict.trial.steps, verdict.pair.effect
        pair = Pair(msgspec.structs.replace(verdict.pair.cause, label=verdict.culprit), effect)
        if verdict.trial.hung:
            raise ValueError("The page hangs, and a test that waits for it would hang too.")
        if verdict.outcome is PairOutcome.FAILURE:
            said = verdict.trial.problem
            return failure_test(url, steps, pair, problem=said, title=title, name=name, origins=origins)
        if verdict.outcome is PairOutcome.SLOWDOWN and verdict.growth is not None:
            law = verdict.growth.law
            steady = [cost for _, cost in verdict.trial.steady]
            return slowdown_test(url, steps, pair, law=law, title=title, name=name, origins=origins, steady=steady)
        return ""


def _at_last(over: float | None, seconds: float | None) -> float | None:
    """When showing ends, whatever is being done: somewhat after the time is up, in the time of the event loop."""
    if over is None or seconds is None:
        return None
    return asyncio.get_running_loop().time() + max(0.0, over - time.monotonic()) + FOR_SHOWING * seconds


def _words(steps: Sequence[Visit]) -> list[str]:
    return [str(visit.event) for visit in steps]


def _shortened(verdict: PairJudgement) -> list[Visit]:
    """As much of its trial as is needed to see it."""
    steps = verdict.trial.steps
    if verdict.outcome is PairOutcome.FAILURE:
        return steps
    effects = 0
    for number, visit in enumerate(steps, 1):
        effects += action_of(visit) == verdict.trial.pair.effect
        if effects == _RECORDED:
            return steps[:number]
    return steps
