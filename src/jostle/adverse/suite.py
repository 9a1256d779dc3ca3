"""A user's suite of tests under pytest, each test run several times with something happening around it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from jostle.adverse.condition import Condition
from jostle.adverse.conditions import known
from jostle.adverse.examination import Examination, ExaminationOptions
from jostle.adverse.failure import ExaminationResult, ObservedRun
from jostle.adverse.holding import Holding
from jostle.adverse.orders import OrdersExamination
from jostle.adverse.redundancy import TriedSituations
from jostle.adverse.releasing import Releasing
from jostle.adverse.repeating import RepeatableTest, TestRepetition, torn_down
from jostle.adverse.reproduction import Reproduction
from jostle.adverse.run import RunSetup
from jostle.adverse.selection import by_default, chosen, select
from jostle.adverse.timeouts import enough
from jostle.adverse.watch import Watch


class SuiteOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the user wants of the plugin."""

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


class TestOutcome(msgspec.Struct, kw_only=True):
    """What came of one test, in a shape that travels from worker to worker."""

    __test__ = False  # none of pytest's

    test: str
    examined: ExaminationResult = msgspec.field(default_factory=ExaminationResult)
    left_out: str = ""
    """Why it did not take part."""
    changes: list[str] = []
    """Requests of it that may have changed the server, when nothing resets that."""
    plain: float = 0.0
    """Seconds of the ordinary run."""

    @classmethod
    def carried_by(cls, report: object) -> TestOutcome | None:
        """By pytest's report of the end of a test."""
        carried = getattr(report, "jostle", None)
        return msgspec.convert(carried, cls) if isinstance(carried, dict) else None


class SuiteRunner:
    """A part of the plugin: runs tests, in the only process or in each worker."""

    def __init__(self, options: SuiteOptions, *, pictures: Path | None, reset: Callable[[], None] | None) -> None:
        self._options = options
        self._began = time.monotonic()
        self._redundancy = TriedSituations() if options.reduce else None
        self._reproduction = Reproduction(options.repro) if options.repro else None
        ordered = options.orders or (self._reproduction is not None and bool(self._reproduction.schedule))
        conflicts = {name for each in known().values() for name in each.conflicts}
        self._watch = Watch(
            conflicts | {"set_default_timeout"},
            default_timeout=options.timeout,
            prepare=Releasing(self._holding).prepare if ordered else None,
        )
        self._repetition = TestRepetition(self._watch, reset=reset, pictures=pictures, in_setup=options.in_setup)

    def install(self, plugins: pytest.PytestPluginManager) -> None:
        self._watch.install()
        plugins.register(self, "jostle-tests")
        plugins.register(self._repetition, "jostle-repetition")

    def _holding(self) -> Holding | None:
        return self._watch.run.setup.holding if self._watch.run is not None else None

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

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
        if not self._takes_part(item):
            return None
        hook = item.ihook
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        try:
            self._one(item, nextitem)
        finally:
            self._watch.run = None
            hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _takes_part(self, item: pytest.Item) -> bool:
        if not isinstance(item, pytest.Function):
            return False
        return not self._options.select or any(part in item.nodeid for part in self._options.select)

    def _one(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        test = RepeatableTest(self._repetition, item)
        outcome = TestOutcome(test=item.nodeid)
        reports: Sequence[pytest.TestReport]
        if self._reproduction is not None:
            reports, outcome.examined.notes = self._reproduction.run(test)
            self._log(item, reports, outcome, nextitem)
            return
        began = time.monotonic()
        control, reports = test.run(RunSetup(at_ease=not self._options.orders))
        outcome.plain = round(time.monotonic() - began, 3)
        if not control.run.points or _skipped(reports):
            outcome.left_out = control.run.foreign and f"it runs in {control.run.foreign}, not in Chromium"
            self._log(item, reports, outcome if outcome.left_out else None, nextitem)
            return
        if not control.outcome.passed:
            reports = self._unstable(test, reports, outcome)
            self._log(item, reports, outcome, nextitem)
            return
        if control.run.changes and not self._repetition.resets(item):
            outcome.changes = list(dict.fromkeys(control.run.changes))
        for report in reports[:-1]:
            item.ihook.pytest_runtest_logreport(report=report)
        try:
            if self._over():
                outcome.examined.cut = True
            else:
                self._examine(test, control, outcome)
        except KeyboardInterrupt:
            outcome.examined.cut = True
            self._log(item, reports[-1:], outcome, nextitem)  # what was found so far
            raise
        self._log(item, reports[-1:], outcome, nextitem)

    def _unstable(
        self, test: RepeatableTest, reports: Sequence[pytest.TestReport], outcome: TestOutcome
    ) -> Sequence[pytest.TestReport]:
        """It failed although nothing happened: does it without us?"""
        plain, again = test.run(RunSetup(), watched=False)
        if plain.outcome.passed:
            outcome.left_out = "it fails when it waits for the page to come to rest, or now and then"
            return again
        outcome.left_out = "it fails without any condition"
        return reports

    def _examine(self, test: RepeatableTest, control: ObservedRun, outcome: TestOutcome) -> None:
        options = self._options
        if options.orders:
            points = len(control.run.points)
            orders = OrdersExamination(test.observed, points, isolate=options.isolate, over=self._over, keep=test.keep)
            outcome.examined = orders.result
            orders.examine()
            return
        mark = test.item.get_closest_marker("adverse")
        skip, only = _names(mark, "skip"), _names(mark, "only")
        conditions, notes = chosen(self._conditions(only), frozenset(control.run.calls), skip=skip, only=only)
        examination = Examination(
            test.observed,
            control,
            conditions,
            ExaminationOptions(
                rerun=options.rerun,
                isolate=options.isolate,
                timeouts=enough(control.run.longest_action, control.run.longest_between),
            ),
            redundancy=self._redundancy,
            over=self._over,
            keep=test.keep,
        )
        outcome.examined = examination.result
        outcome.examined.notes += notes
        examination.examine()

    def _conditions(self, named: Sequence[str] = ()) -> dict[str, Condition]:
        """That the user wants, or that a test names itself."""
        everything = known()
        wanted = self._options.conditions
        picked = by_default(everything) if not wanted else select(everything, wanted)
        return picked | {name: everything[name] for name in named if name in everything}

    def _log(
        self,
        item: pytest.Item,
        reports: Sequence[pytest.TestReport],
        outcome: TestOutcome | None,
        nextitem: pytest.Item | None,
    ) -> None:
        reports = [*reports[:-1], torn_down(item, reports[-1], nextitem)]
        if outcome is not None:
            reports[-1].jostle = msgspec.to_builtins(outcome)  # type: ignore[attr-defined]
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)

    def _over(self) -> bool:
        return self._options.budget is not None and time.monotonic() - self._began > self._options.budget


def _has_fixture(session: pytest.Session, item: pytest.Item, name: str) -> bool:
    return bool(session._fixturemanager.getfixturedefs(name, item))


def _skipped(reports: Sequence[pytest.TestReport]) -> bool:
    return any(report.skipped or hasattr(report, "wasxfail") for report in reports)


def _names(mark: pytest.Mark | None, key: str) -> tuple[str, ...]:
    value = mark.kwargs.get(key, ()) if mark is not None else ()
    return (value,) if isinstance(value, str) else tuple(str(each) for each in value)
