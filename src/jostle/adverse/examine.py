"""One test in all conditions: the passes, what is to blame for each failure, and whether it happens again.

Knows nothing of pytest: a test is a function that runs under a plan.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from jostle.adverse import token
from jostle.adverse.condition import Condition, Neutral, Pass
from jostle.adverse.patience import Patience
from jostle.adverse.plan import NOTHING, Failure, Injection, Plan, Run
from jostle.adverse.redundancy import Redundancy, Situation
from jostle.adverse.search import Found, Isolated, Searched, basic, extended, isolate
from jostle.adverse.stage import Picture, Stage, Wanted
from jostle.adverse.triage import Evidence, category, normal


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """A run with all that was seen in it."""

    run: Run
    stage: Stage
    told: str = ""
    """What pytest says of the failure."""
    asked: dict[str, int] = {}
    """What was asked of the server, and after which action."""


class Runner(Protocol):
    """Runs the test once, from the same state each time."""

    def __call__(
        self,
        plan: Plan,
        *,
        redundancy: Redundancy | None = None,
        wanted: Wanted | None = None,
        at_ease: bool = True,
        held: Mapping[int, tuple[int, int]] | None = None,
        patience: Patience | None = None,
    ) -> Ran: ...


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How thoroughly tests are examined."""

    rerun: bool = False
    isolate: bool = True
    patience: Patience | None = None
    """In runs in which a failure is looked for; None for as long as the test says."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a condition was injected."""

    point: int
    condition: str
    title: str
    words: str
    where: str


class AdverseFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A failure that a test has only because of what happened after one of its actions."""

    failure: Failure
    places: tuple[Place, ...]
    """One, or all that are needed together."""
    token: str
    in_pass: str
    neutral: str
    why: str
    """Why the condition should make no difference."""
    approximate: str = ""
    category: str = ""
    screen: str = ""
    """The skeleton of the page where the condition happened."""
    errors: tuple[str, ...] = ()
    """Of the page, that it has not in the ordinary run."""
    actions: tuple[str, ...] = ()
    """What the test does up to the failure."""
    runs: int = 0
    isolated: bool = True
    told: str = ""
    pictures: dict[str, str] = {}
    """By what they show, the names of their files."""

    @property
    def symptom(self) -> tuple[str, ...]:
        """The same for failures of the same bug, probably."""
        conditions = "+".join(sorted({each.condition for each in self.places}))
        return conditions, self.screen, self.failure.kind, normal(self.failure.message)


class Examined(msgspec.Struct, kw_only=True):
    """What came of a test."""

    failures: list[AdverseFailure] = []
    notes: list[str] = []
    unstable: str = ""
    """Why it did not take part, or not to the end."""
    runs: int = 0
    injected: int = 0
    skipped: int = 0
    points: int = 0
    suspended: int = 0
    barred: int = 0
    seconds: dict[str, float] = {}
    """By what the runs were for."""
    cut: bool = False


def passes(conditions: Mapping[str, Condition]) -> Iterator[tuple[Pass, tuple[str, ...]]]:
    """What is injected together: all that keeps the document, all that builds it anew, and the rest one by one."""
    for one in (Pass.KEPT, Pass.REBUILT):
        if names := tuple(name for name, each in conditions.items() if each.in_pass is one):
            yield one, names
    for name, each in conditions.items():
        if each.in_pass is Pass.ENVIRONMENT:
            yield Pass.ENVIRONMENT, (name,)


def chosen(
    conditions: Mapping[str, Condition],
    calls: frozenset[str],
    *,
    skip: Sequence[str] = (),
    only: Sequence[str] = (),
) -> tuple[dict[str, Condition], list[str]]:
    """Those that a test can be put in, and in words what was left out because the test controls it itself."""
    left, why = {}, []
    for name, condition in conditions.items():
        if name in skip or condition.in_pass.value in skip:
            continue
        if only and name not in only and condition.in_pass.value not in only:
            continue
        if clash := sorted(condition.conflicts & calls):
            why.append(f"{name} is left out: the test uses {', '.join(clash)} itself")
        else:
            left[name] = condition
    return left, why


class Examination:
    """Examines one test."""

    def __init__(
        self,
        run: Runner,
        control: Ran,
        conditions: Mapping[str, Condition],
        settings: Settings,
        *,
        redundancy: Redundancy | None = None,
        over: Callable[[], bool] = lambda: False,
        keep: Callable[[str, bytes], str] = lambda name, data: "",
    ) -> None:
        """`control`: the ordinary run, which passed. `over`: whether the time is up. `keep`: keeps a picture, and gives
        the name of its file."""
        self._run = run
        self._control = control
        self._conditions = dict(conditions)
        self._settings = settings
        self._redundancy = redundancy
        self._over = over
        self._keep = keep
        self._elements = control.stage.elements
        self._patience: Patience | None = None
        self._situations: dict[Injection, Situation] = {}
        """In which injections were made."""
        self.result = Examined(points=len(control.stage.points))

    def examine(self) -> Examined:
        for in_pass, names in passes(self._conditions):
            if self._over():
                self.result.cut = True
                break
            # Where everything takes longer, less time would be too little.
            self._patience = self._settings.patience if in_pass is not Pass.ENVIRONMENT else None
            failures, notes = list(self.result.failures), list(self.result.notes)
            if not self._pass(in_pass, names):
                self._patience = None
                self.result.failures, self.result.notes = failures, notes
                self._pass(in_pass, names)
            if self.result.unstable:
                break
        return self.result

    # A pass.

    def _pass(self, in_pass: Pass, names: tuple[str, ...]) -> bool:
        """Whether it has been told; not when a failure was none but for want of patience."""
        while names:
            searched, troubled = self._search(in_pass, names)
            if not troubled:
                break
            # What could not be put back is no condition for this page: once more without it.
            for name, why in troubled.items():
                self.result.notes.append(f"{name} is left out: {why}")
            names = tuple(name for name in names if name not in troubled)
        else:
            return True
        if searched.flaky and self._patience is not None:
            return False
        if searched.flaky:
            self.result.unstable = f"Flaky: {searched.flaky}."
        for found in searched.found:
            if self.result.unstable:
                break
            if not self._explain(found, in_pass):
                return False
        if searched.cut:
            self.result.cut = True
        return True

    def _search(self, in_pass: Pass, names: tuple[str, ...]) -> tuple[Searched, dict[str, str]]:
        troubled: dict[str, str] = {}

        def run(plan: Plan) -> Run:
            ran = self._ran(plan, in_pass.value, redundancy=self._redundancy, patience=self._patience)
            if self._redundancy is not None:
                self._redundancy.ended(passed=ran.run.passed)
            if not ran.run.passed:
                troubled.update(ran.stage.unrestored)
            return ran.run

        points = len(self._control.stage.points)
        if self._settings.rerun:
            searched = extended(run, names, points, go_on=lambda: not self._over() and not troubled)
        else:
            searched = basic(run, names)
        return searched, {name: why for name, why in troubled.items() if name in names}

    # A failure.

    def _explain(self, found: Found, in_pass: Pass) -> bool:
        """Whether that is all there is to say of it; not when there was not patience enough."""
        isolated = Isolated(injections=found.performed)
        if self._settings.isolate:
            isolated = isolate(
                lambda plan: self._ran(plan, "isolation", patience=self._patience).run,
                found.failure,
                found.performed,
                suspects=found.suspects,
                smallest=True,
                go_on=lambda: not self._over(),
            )
        again, usual = self._confirm(found.failure, isolated.injections, in_pass)
        if again is None or usual is None:
            return self._patience is None or self.result.unstable != ""
        self.result.failures.append(self._failure(found.failure, isolated, again, usual, in_pass))
        self._remember(isolated)
        return True

    def _confirm(
        self, failure: Failure, injections: Sequence[Injection], in_pass: Pass
    ) -> tuple[Ran | None, Ran | None]:
        """Once more with what is to blame, and once more without: nothing else may make the difference."""
        blamed = sorted(injections)[-1:]
        wanted = Wanted(around=frozenset(blamed), after=failure.point)
        plan = Plan.of(injections, tuple(self._conditions))
        again = self._ran(plan, "confirmation", wanted=wanted)
        words = self._in_words(injections)
        if not failure.same(again.run.failure):
            self.result.notes.append(f"It failed once when {words}, and not again.")
            return None, None
        if trouble := again.stage.unrestored:
            name, why = next(iter(trouble.items()))
            self.result.notes.append(f"{name}: {why}, so that it failed when {words} says nothing.")
            return None, None
        at_ease = in_pass is not Pass.ENVIRONMENT
        usual = self._ran(NOTHING, "confirmation", wanted=Wanted(after=failure.point), at_ease=at_ease)
        if not usual.run.passed:
            self.result.unstable = "Flaky: it passed at first, and failed later although nothing happened."
            return None, None
        return again, usual

    def _failure(self, failure: Failure, isolated: Isolated, again: Ran, usual: Ran, in_pass: Pass) -> AdverseFailure:
        stage = again.stage
        assert again.run.failure is not None
        points = {point.number: point for point in stage.points}
        first = self._conditions[sorted(isolated.injections)[-1].condition]
        before, end = stage.pictures.get("before"), stage.pictures.get("end")
        good = usual.stage.pictures.get("end")
        errors = tuple(dict.fromkeys(each for each in stage.errors if each not in usual.stage.errors))
        seen = Evidence(
            message=again.run.failure.message,
            errors=errors,
            screen=end.screen if end else None,
            usual=good.screen if good else None,
            address=end.address if end else "",
            usual_address=good.address if good else "",
        )
        identities = {number: point.identity for number, point in points.items()}
        return AdverseFailure(
            failure=again.run.failure,
            places=tuple(
                Place(
                    point=each.point,
                    condition=each.condition,
                    title=self._conditions[each.condition].title,
                    words=points[each.point].words if each.point in points else "",
                    where=points[each.point].where if each.point in points else "",
                )
                for each in sorted(isolated.injections)
            ),
            token=token.written(isolated.injections, identities),
            in_pass=in_pass.value,
            neutral=first.neutral.value,
            why=first.why,
            approximate="; ".join(
                dict.fromkeys(stage.approximated[name] for name in isolated.conditions if name in stage.approximated)
            ),
            category=category(seen).value,
            screen=before.screen if before else "",
            errors=errors,
            actions=tuple(point.words for point in stage.points),
            runs=isolated.runs,
            isolated=self._settings.isolate and not isolated.cut,
            told=again.told,
            pictures=self._pictures(stage, usual.stage),
        )

    def _pictures(self, stage: Stage, usual: Stage) -> dict[str, str]:
        shots: dict[str, Picture | None] = {
            "before": stage.pictures.get("before"),
            "after": stage.pictures.get("after"),
            "usual": usual.pictures.get("end"),
            "failed": stage.pictures.get("failed") or stage.pictures.get("end"),
        }
        return {name: self._keep(name, shot.png) for name, shot in shots.items() if shot is not None}

    def _remember(self, isolated: Isolated) -> None:
        if self._redundancy is None or isolated.single is None:
            return
        situation = self._situations.get(isolated.single)
        if situation is not None:
            self._redundancy.blamed(situation)

    def _in_words(self, injections: Sequence[Injection]) -> str:
        return " and ".join(dict.fromkeys(self._conditions[each.condition].title for each in sorted(injections)))

    # Runs.

    def _ran(self, plan: Plan, purpose: str, **more: Any) -> Ran:
        began = time.monotonic()
        ran = self._run(plan, held=self._elements, **more)
        self.result.seconds[purpose] = self.result.seconds.get(purpose, 0.0) + time.monotonic() - began
        self.result.runs += 1
        self.result.injected += len(ran.stage.performed)
        self.result.skipped += ran.stage.skipped
        if more.get("redundancy") is not None:
            self._situations.update(ran.stage.situations)
        for note in ran.stage.notes:
            if note not in self.result.notes:
                self.result.notes.append(note)
        if plan.conditions and plan.only is None:
            self.result.suspended = max(self.result.suspended, sum(bool(p.suspended) for p in ran.stage.points))
            self.result.barred = max(self.result.barred, sum(bool(p.barred) for p in ran.stage.points))
        return ran


def by_default(conditions: Mapping[str, Condition]) -> dict[str, Condition]:
    """Those that are used unless names are given."""
    return {name: each for name, each in conditions.items() if each.neutral is not Neutral.ASKED}
