"""One test in all conditions: the passes, what is to blame for each failure, and whether it happens again.

Knows nothing of pytest: a test is a function that runs under a plan.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from jostle.adverse import token
from jostle.adverse.condition import Condition, Pass
from jostle.adverse.failure import AdverseFailure, BlamedInjection, Comparison, ExaminationResult, ObservedRun
from jostle.adverse.pictures import PicturePlan
from jostle.adverse.plan import Failure, Injection, InjectionOutcome, InjectionPlan
from jostle.adverse.redundancy import InjectionSituation, TriedSituations
from jostle.adverse.run import RunSetup
from jostle.adverse.search import FailedRun, IsolationResult, PassOutcome, basic, extended, isolate
from jostle.adverse.selection import passes
from jostle.adverse.timeouts import Timeouts

Runner = Callable[[RunSetup], ObservedRun]
"""Runs the test once, from the same state each time."""


class ExaminationOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How thoroughly tests are examined."""

    rerun: bool = False
    isolate: bool = True
    timeouts: Timeouts | None = None
    """In runs in which a failure is looked for; None for as long as the test says."""


class Examination:
    """Examines one test."""

    def __init__(
        self,
        run: Runner,
        control: ObservedRun,
        conditions: Mapping[str, Condition],
        options: ExaminationOptions,
        *,
        redundancy: TriedSituations | None = None,
        over: Callable[[], bool] = lambda: False,
        keep: Callable[[str, bytes], str] = lambda name, data: "",
    ) -> None:
        """`control`: the ordinary run, which passed. `over`: whether the time is up. `keep`: keeps a picture, and gives
        the name of its file."""
        self._run = run
        self._control = control
        self._conditions = dict(conditions)
        self._options = options
        self._redundancy = redundancy
        self._over = over
        self._keep = keep
        self._elements = control.run.elements
        self._timeouts: Timeouts | None = None
        self._situations: dict[Injection, InjectionSituation] = {}
        """In which injections were made."""
        self.result = ExaminationResult(points=len(control.run.points))

    def examine(self) -> ExaminationResult:
        for in_pass, names in passes(self._conditions):
            if self._over():
                self.result.cut = True
                break
            # Where everything takes longer, less time would be too little.
            self._timeouts = self._options.timeouts if in_pass is not Pass.ENVIRONMENT else None
            failures, notes = list(self.result.failures), list(self.result.notes)
            if not self._pass(in_pass, names):
                self._timeouts = None
                self.result.failures, self.result.notes = failures, notes
                self._pass(in_pass, names)
            if self.result.unstable:
                break
        return self.result

    # A pass.

    def _pass(self, in_pass: Pass, names: tuple[str, ...]) -> bool:
        """Whether it has been told; not when a failure was none but for want of patience."""
        while names:
            outcome, troubled = self._search(in_pass, names)
            if not troubled:
                break
            # What could not be put back is no condition for this page: once more without it.
            for name, why in troubled.items():
                self.result.notes.append(f"{name} is left out: {why}")
            names = tuple(name for name in names if name not in troubled)
        else:
            return True
        if outcome.flaky and self._timeouts is not None:
            return False
        if outcome.flaky:
            self.result.unstable = f"Flaky: {outcome.flaky}."
        for failed in outcome.failed:
            if self.result.unstable:
                break
            if not self._explain(failed, in_pass):
                return False
        if outcome.cut:
            self.result.cut = True
        return True

    def _search(self, in_pass: Pass, names: tuple[str, ...]) -> tuple[PassOutcome, dict[str, str]]:
        troubled: dict[str, str] = {}

        def run(plan: InjectionPlan) -> InjectionOutcome:
            setup = RunSetup(plan=plan, redundancy=self._redundancy, timeouts=self._timeouts)
            observed = self._observed(setup, in_pass.value)
            if self._redundancy is not None:
                self._redundancy.ended(passed=observed.outcome.passed)
            if not observed.outcome.passed:
                troubled.update(observed.run.unrestored)
            return observed.outcome

        points = len(self._control.run.points)
        if self._options.rerun:
            outcome = extended(run, names, points, go_on=lambda: not self._over() and not troubled)
        else:
            outcome = basic(run, names)
        return outcome, {name: why for name, why in troubled.items() if name in names}

    # A failure.

    def _explain(self, failed: FailedRun, in_pass: Pass) -> bool:
        """Whether that is all there is to say of it; not when there was not patience enough."""
        blame = IsolationResult(injections=failed.performed)
        if self._options.isolate:
            blame = isolate(
                lambda plan: self._isolating(plan, failed.failure),
                failed.failure,
                failed.performed,
                suspects=failed.suspects,
                smallest=True,
                go_on=lambda: not self._over(),
            )
        compared = self._confirm(failed.failure, blame.injections, in_pass)
        if compared is None:
            return self._timeouts is None or self.result.unstable != ""
        self.result.failures.append(self._failure(blame, compared, in_pass))
        self._remember(blame)
        return True

    def _isolating(self, plan: InjectionPlan, failure: Failure) -> InjectionOutcome:
        outcome = self._observed(RunSetup(plan=plan, timeouts=self._timeouts), "isolation").outcome
        if self._timeouts is None or outcome.failure is None or failure.same(outcome.failure):
            return outcome
        # It failed in another way, perhaps only for want of time on a busy machine, which would say nothing.
        return self._observed(RunSetup(plan=plan), "isolation").outcome

    def _confirm(self, failure: Failure, injections: Sequence[Injection], in_pass: Pass) -> Comparison | None:
        """Once more with what is to blame, and once more without: nothing else may make the difference."""
        pictures = PicturePlan(around=frozenset(sorted(injections)[-1:]), after=failure.point)
        plan = InjectionPlan.of(injections, tuple(self._conditions))
        again = self._observed(RunSetup(plan=plan, pictures=pictures), "confirmation")
        words = self._in_words(injections)
        if not failure.same(again.outcome.failure):
            self.result.notes.append(f"It failed once when {words}, and not again.")
            return None
        if trouble := again.run.unrestored:
            name, why = next(iter(trouble.items()))
            self.result.notes.append(f"{name}: {why}, so that it failed when {words} says nothing.")
            return None
        without = RunSetup(pictures=PicturePlan(after=failure.point), at_ease=in_pass is not Pass.ENVIRONMENT)
        usual = self._observed(without, "confirmation")
        if not usual.outcome.passed:
            self.result.unstable = "Flaky: it passed at first, and failed later although nothing happened."
            return None
        return Comparison(again, usual)

    def _failure(self, blame: IsolationResult, compared: Comparison, in_pass: Pass) -> AdverseFailure:
        run = compared.failed.run
        points = {point.number: point for point in run.points}
        first = self._conditions[sorted(blame.injections)[-1].condition]
        before = run.pictures.get("before")
        pictures = compared.pictures(around=("before", "after"))
        return AdverseFailure(
            failure=compared.failure,
            places=tuple(
                BlamedInjection(
                    point=each.point,
                    condition=each.condition,
                    title=self._conditions[each.condition].title,
                    words=points[each.point].words if each.point in points else "",
                    where=points[each.point].where if each.point in points else "",
                )
                for each in sorted(blame.injections)
            ),
            token=token.written(blame.injections, {number: point.identity for number, point in points.items()}),
            in_pass=in_pass.value,
            neutral=first.neutral.value,
            why=first.why,
            approximate="; ".join(
                dict.fromkeys(run.approximated[name] for name in blame.conditions if name in run.approximated)
            ),
            category=compared.category.value,
            screen=before.screen if before else "",
            errors=compared.errors,
            actions=compared.actions,
            runs=blame.runs,
            isolated=self._options.isolate and not blame.cut,
            told=compared.failed.told,
            pictures={name: self._keep(name, picture.png) for name, picture in pictures.items()},
        )

    def _remember(self, blame: IsolationResult) -> None:
        if self._redundancy is None or blame.single is None:
            return
        situation = self._situations.get(blame.single)
        if situation is not None:
            self._redundancy.blamed(situation)

    def _in_words(self, injections: Sequence[Injection]) -> str:
        return " and ".join(dict.fromkeys(self._conditions[each.condition].title for each in sorted(injections)))

    # Runs.

    def _observed(self, setup: RunSetup, purpose: str) -> ObservedRun:
        began = time.monotonic()
        observed = self._run(msgspec.structs.replace(setup, elements=self._elements))
        result, run = self.result, observed.run
        result.spend(purpose, time.monotonic() - began)
        result.injected += len(run.performed)
        result.skipped += run.skipped
        if setup.redundancy is not None:
            self._situations.update(run.situations)
        result.notes += [note for note in dict.fromkeys(run.notes) if note not in result.notes]
        if setup.plan.conditions and setup.plan.only is None:
            result.suspended = max(result.suspended, sum(bool(point.suspended) for point in run.points))
            result.barred = max(result.barred, sum(bool(point.barred) for point in run.points))
        return observed
