"""A user's suite of tests under pytest, each test run several times with something happening around it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from _pytest.runner import runtestprotocol

from jostle.adverse import token
from jostle.adverse.condition import Condition
from jostle.adverse.conditions import known
from jostle.adverse.examine import AdverseFailure, Examination, Examined, Ran, Settings, by_default, chosen
from jostle.adverse.holding import TOKEN, Holding, Mode
from jostle.adverse.holding import read as read_order
from jostle.adverse.orders import OrdersExamination, in_words
from jostle.adverse.patience import Patience, enough, impatient
from jostle.adverse.plan import NOTHING, Failure, Plan, Run
from jostle.adverse.redundancy import Redundancy
from jostle.adverse.releasing import Releasing
from jostle.adverse.stage import Stage, Wanted
from jostle.adverse.watch import Watch
from jostle.errors import Problem, UsageProblem

LONGEST_MESSAGE = 4000
_FIXTURES = frozenset(("page", "context", "browser", "playwright", "browser_type", "new_context"))
"""Of pytest-playwright: a test that uses one of them uses Playwright."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked of the plugin."""

    adverse: bool = False
    orders: bool = False
    repro: str = ""
    conditions: tuple[str, ...] = ()
    """Names of conditions and of passes; none: all that are used by default."""
    select: tuple[str, ...] = ()
    """Parts of the names of tests; none: all."""
    rerun: bool = False
    isolate: bool = True
    reduce: bool = False
    in_setup: bool = False
    budget: float | None = None
    timeout: float = 10.0


class TestTold(msgspec.Struct, kw_only=True):
    """What is told of one test, in a shape that travels from worker to worker."""

    __test__ = False  # none of pytest's

    test: str
    examined: Examined = msgspec.field(default_factory=Examined)
    left_out: str = ""
    """Why it did not take part."""
    changes: list[str] = []
    """Requests of it that may have changed the server, when nothing resets that."""
    plain: float = 0.0
    """Seconds of the ordinary run."""


class Tests:
    """The plugin's part that runs tests: in the only process, or in each worker."""

    def __init__(
        self,
        config: pytest.Config,
        asked: Asked,
        *,
        pictures: Path | None,
        reset: Callable[[], None] | None,
    ) -> None:
        self._config = config
        self._asked = asked
        self._pictures = pictures
        self._reset = reset
        self._began = time.monotonic()
        self._redundancy = Redundancy() if asked.reduce else None
        self._timer: Any = None
        self._failure: Failure | None = None
        self._told = ""
        self._steps = token.read(asked.repro) if asked.repro and not asked.repro.startswith(TOKEN) else ()
        conflicts = {name for each in known().values() for name in each.conflicts}
        self._schedule = read_order(asked.repro) if asked.repro.startswith(TOKEN) else ()
        releasing = Releasing(self._holding) if asked.orders or self._schedule else None
        self._watch = Watch(
            conflicts | {"set_default_timeout"},
            default_timeout=asked.timeout,
            prepare=releasing.prepare if releasing is not None else None,
        )

    def _holding(self) -> Holding | None:
        return self._watch.stage.holding if self._watch.stage is not None else None

    def install(self) -> None:
        self._watch.install()

    @pytest.hookimpl
    def pytest_unconfigure(self) -> None:
        self._watch.uninstall()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """A fixture `jostle_reset` is used by every test, before all others."""
        for item in items:
            names = getattr(item, "fixturenames", None)
            if names is not None and "jostle_reset" not in names and _has_fixture(session, item, "jostle_reset"):
                names.insert(0, "jostle_reset")

    # A test.

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        if not self._takes_part(item):
            return None
        hook = item.ihook
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        try:
            self._one(item, nextitem)
        finally:
            self._watch.stage = None
            hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _takes_part(self, item: pytest.Item) -> bool:
        if not isinstance(item, pytest.Function):
            return False
        return not self._asked.select or any(part in item.nodeid for part in self._asked.select)

    def _one(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        test = _Test(self, item)
        if self._steps or self._schedule:
            self._again(test, nextitem)
            return
        began = time.monotonic()
        reports: Sequence[pytest.TestReport]
        control, reports = test.run(NOTHING, at_ease=not self._asked.orders)
        told = TestTold(test=item.nodeid, plain=round(time.monotonic() - began, 3))
        if not control.stage.points or _skipped(reports):
            told.left_out = control.stage.foreign and f"it runs in {control.stage.foreign}, not in Chromium"
            self._log(item, reports, told if told.left_out else None, nextitem)
            return
        if not control.run.passed:
            control, reports = self._unstable(test, reports, told)
            self._log(item, reports, told, nextitem)
            return
        if control.stage.changes and not self._resets(item):
            told.changes = list(dict.fromkeys(control.stage.changes))
        for report in reports[:-1]:
            item.ihook.pytest_runtest_logreport(report=report)
        try:
            if self._over():
                told.examined.cut = True
            else:
                self._examine(test, control, told)
        except KeyboardInterrupt:
            told.examined.cut = True
            self._log(item, reports[-1:], told, nextitem)  # what was found so far
            raise
        self._log(item, reports[-1:], told, nextitem)

    def _unstable(
        self, test: _Test, reports: Sequence[pytest.TestReport], told: TestTold
    ) -> tuple[Ran, Sequence[pytest.TestReport]]:
        """It failed although nothing happened: does it without us?"""
        plain, again = test.run(NOTHING, watched=False)
        if plain.run.passed:
            told.left_out = "it fails when it waits for the page to come to rest, or now and then"
            return plain, again
        told.left_out = "it fails without any condition"
        return plain, reports

    def _examine(self, test: _Test, control: Ran, told: TestTold) -> None:
        if self._asked.orders:
            orders = OrdersExamination(
                test.ordered, len(control.stage.points), isolate=self._asked.isolate, over=self._over, keep=test.keep
            )
            told.examined = orders.result
            orders.examine()
            return
        mark = test.item.get_closest_marker("adverse")
        skip, only = _names(mark, "skip"), _names(mark, "only")
        conditions, notes = chosen(self.conditions(only), frozenset(control.stage.calls), skip=skip, only=only)
        examination = Examination(
            test.examined,
            control,
            conditions,
            Settings(
                rerun=self._asked.rerun,
                isolate=self._asked.isolate,
                patience=enough(control.stage.longest_action, control.stage.longest_between),
            ),
            redundancy=self._redundancy,
            over=self._over,
            keep=test.keep,
        )
        told.examined = examination.result
        told.examined.notes += notes
        examination.examine()

    def conditions(self, named: Sequence[str] = ()) -> dict[str, Condition]:
        """That are asked for, or that a test names itself."""
        everything = known()
        wanted = self._asked.conditions
        picked = by_default(everything) if not wanted else select(everything, wanted)
        return picked | {name: everything[name] for name in named if name in everything}

    def _again(self, test: _Test, nextitem: pytest.Item | None) -> None:
        """`--jostle-repro`: the test once, as it failed."""
        if self._schedule:
            self._ordered_again(test, nextitem)
            return
        everything = known()
        if unknown := [each.injection.condition for each in self._steps if each.injection.condition not in everything]:
            raise pytest.UsageError(f"--jostle-repro: there is no condition `{unknown[0]}`.")
        plan = Plan.of((each.injection for each in self._steps), tuple(everything))
        ran, reports = test.run(plan, conditions=everything)
        told = TestTold(test=test.item.nodeid)
        points = {point.number: point for point in ran.stage.points}
        done = set(ran.stage.performed)
        for step in self._steps:
            number, point = step.injection.point, points.get(step.injection.point)
            if point is not None and step.mark and token.mark(point.identity) != step.mark:
                told.examined.notes.append(f"The test has changed: action {number} is now {point.words}.")
            elif step.injection in done:
                happened = everything[step.injection.condition].title
                told.examined.notes.append(f"After {point.words if point else ''}, {happened}.")
            else:
                why = point.suspended or point.barred if point else f"the test has {len(points)} actions only"
                told.examined.notes.append(
                    f"{step.injection.condition} did not happen: {why or 'it does not matter here'}."
                )
        told.examined.notes += ran.stage.notes
        self._log(test.item, reports, told, nextitem)

    def _ordered_again(self, test: _Test, nextitem: pytest.Item | None) -> None:
        holding = Holding(Mode.EXACTLY, self._schedule)
        ran, reports = test.run(NOTHING, at_ease=False, holding=holding)
        told = TestTold(test=test.item.nodeid)
        actions = {point.number: point.words for point in ran.stage.points}
        told.examined.notes += [in_words(hold, actions) for hold in holding.performed]
        kept = set(holding.performed)
        told.examined.notes += [
            f"This did not come about: {in_words(hold, actions)}." for hold in self._schedule if hold not in kept
        ]
        self._log(test.item, reports, told, nextitem)

    def _log(
        self,
        item: pytest.Item,
        reports: Sequence[pytest.TestReport],
        told: TestTold | None,
        nextitem: pytest.Item | None,
    ) -> None:
        reports = [*reports[:-1], _torn_down(item, reports[-1], nextitem)]
        if told is not None:
            reports[-1].jostle = msgspec.to_builtins(told)  # type: ignore[attr-defined]
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)

    def _over(self) -> bool:
        return self._asked.budget is not None and time.monotonic() - self._began > self._asked.budget

    def _resets(self, item: pytest.Item) -> bool:
        hook = getattr(item.ihook, "pytest_jostle_reset", None)
        heard = bool(hook.get_hookimpls()) if hook is not None else False
        return heard or self._reset is not None or "jostle_reset" in getattr(item, "fixturenames", ())

    # What pytest tells.

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        stage = self._watch.stage
        if stage is None:
            return (yield)
        stage.phase = "call"
        try:
            result = yield
            stage.waited()
        except BaseException:
            self._watch.picture("failed")
            raise
        finally:
            stage.phase = "teardown"
            self._watch.after_test()
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        report: pytest.TestReport = yield
        stage = self._watch.stage
        if report.failed and self._failure is None and call.excinfo is not None:
            self._failure = _failure(item, call.excinfo, len(stage.points) if stage is not None else 0)
            self._told = str(report.longreprtext)
        return report

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> None:
        self._timer = settings

    def begin(self, item: pytest.Item, stage: Stage | None, first: bool) -> None:
        """A run begins: everything is as it was."""
        self._failure, self._told = None, ""
        self._watch.stage = stage
        self._watch.test_file = str(item.path)
        hooks = item.config.hook
        if self._timer is not None and not first and hasattr(hooks, "pytest_timeout_cancel_timer"):
            settings = self._timer  # each run has the time that one run has
            hooks.pytest_timeout_cancel_timer(item=item)
            hooks.pytest_timeout_set_timer(item=item, settings=settings)
        if first and not _FIXTURES & set(getattr(item, "fixturenames", ())):
            return  # perhaps it has nothing to do with us: then it is left alone
        try:
            if self._reset is not None:
                self._reset()
        except Problem as problem:
            pytest.exit(f"jostle: {problem}", returncode=problem.exit_code)
        item.ihook.pytest_jostle_reset(item=item)

    def ended(self) -> tuple[Failure | None, str]:
        self._watch.stage = None
        return self._failure, self._told

    def keep(self, test: str, name: str, data: bytes) -> str:
        if self._pictures is None:
            return ""
        self._pictures.mkdir(parents=True, exist_ok=True)
        file = f"adverse-{token.mark(test)}-{time.monotonic_ns():x}-{name}.png"
        (self._pictures / file).write_bytes(data)
        return file

    @property
    def in_setup(self) -> bool:
        return self._asked.in_setup


class _Test:
    """A test that can be run again and again."""

    def __init__(self, tests: Tests, item: pytest.Item) -> None:
        self._tests = tests
        self.item = item
        self._runs = 0

    def run(
        self,
        plan: Plan,
        *,
        watched: bool = True,
        conditions: Mapping[str, Condition] | None = None,
        patience: Patience | None = None,
        **more: Any,
    ) -> tuple[Ran, list[pytest.TestReport]]:
        stage = Stage(plan, conditions or known(), in_setup=self._tests.in_setup, patience=patience, **more)
        self._tests.begin(self.item, stage if watched else None, first=not self._runs)
        self._runs += 1
        # With its parent as the next item, only what belongs to the test alone is torn down and built anew.
        with impatient(patience):
            reports = runtestprotocol(self.item, log=False, nextitem=self.item.parent)  # type: ignore[arg-type]
        failure, told = self._tests.ended()
        run = Run(
            failure=failure,
            performed=tuple(stage.performed),
            suspects=tuple(stage.suspects),
            points=len(stage.points),
        )
        return Ran(run=run, stage=stage, told=told), reports

    def examined(
        self,
        plan: Plan,
        *,
        redundancy: Redundancy | None = None,
        wanted: Wanted | None = None,
        at_ease: bool = True,
        held: Mapping[int, tuple[int, int]] | None = None,
        patience: Patience | None = None,
    ) -> Ran:
        return self.run(plan, redundancy=redundancy, wanted=wanted, at_ease=at_ease, held=held, patience=patience)[0]

    def ordered(self, holding: Holding, *, wanted: Wanted | None = None) -> Ran:
        ran = self.run(NOTHING, at_ease=False, holding=holding, wanted=wanted)[0]
        return msgspec.structs.replace(ran, asked=holding.asked)

    def keep(self, name: str, data: bytes) -> str:
        return self._tests.keep(self.item.nodeid, name, data)


def _torn_down(item: pytest.Item, report: pytest.TestReport, nextitem: pytest.Item | None) -> pytest.TestReport:
    """The end of a test: what is wider than it was kept for all its runs, and may not be needed any more."""
    ending: pytest.CallInfo[None] = pytest.CallInfo.from_call(
        lambda: item.session._setupstate.teardown_exact(nextitem), when="teardown", reraise=(KeyboardInterrupt,)
    )
    if ending.excinfo is None or report.failed:
        return report
    failed: pytest.TestReport = item.ihook.pytest_runtest_makereport(item=item, call=ending)
    return failed


def select(conditions: Mapping[str, Condition], names: Sequence[str]) -> dict[str, Condition]:
    """Conditions by their names, or those of their pass. Raises UsageProblem."""
    picked: dict[str, Condition] = {}
    for name in names:
        found = {key: each for key, each in conditions.items() if name in (key, each.in_pass.value, "all")}
        if name in ("all", "kept", "rebuilt", "environment"):
            found = by_default(found)
        if not found:
            import difflib

            near = difflib.get_close_matches(name, list(conditions), n=1)
            raise UsageProblem(
                f"--jostle-conditions: there is no condition `{name}`.",
                advice=f"Did you mean `{near[0]}`?" if near else "`--jostle-conditions list` tells which there are.",
            )
        picked |= found
    return {name: each for name, each in conditions.items() if name in picked}


def _has_fixture(session: pytest.Session, item: pytest.Item, name: str) -> bool:
    return bool(session._fixturemanager.getfixturedefs(name, item))


def _skipped(reports: Sequence[pytest.TestReport]) -> bool:
    return any(report.skipped or hasattr(report, "wasxfail") for report in reports)


def _names(mark: pytest.Mark | None, key: str) -> tuple[str, ...]:
    value = mark.kwargs.get(key, ()) if mark is not None else ()
    return (value,) if isinstance(value, str) else tuple(str(each) for each in value)


def _failure(item: pytest.Item, error: pytest.ExceptionInfo[BaseException], points: int) -> Failure:
    """With the last line of the test's own file that led there."""
    where = ""
    for entry in error.traceback:
        if str(entry.path) == str(item.path):
            where = f"{entry.path}:{entry.lineno + 1}"
    message = str(error.value).strip()[:LONGEST_MESSAGE]
    return Failure(kind=error.typename, message=message, where=where, point=points)


def told_of(report: object) -> TestTold | None:
    """What a report carries of ours."""
    carried = getattr(report, "jostle", None)
    return msgspec.convert(carried, TestTold) if isinstance(carried, dict) else None


__all__ = ["AdverseFailure", "Asked", "TestTold", "Tests", "select", "told_of"]
