"""A session of pytest in adverse conditions: runs tests our way, and hands what comes of them to whoever tells it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jostle.adverse.bugs import Bugs
from jostle.adverse.conditions import known
from jostle.adverse.selection import select
from jostle.adverse.suite import SuiteOptions, SuiteRunner, TestOutcome
from jostle.adverse.tally import SuiteTally
from jostle.config import load
from jostle.config.application import Application
from jostle.errors import UsageProblem
from jostle.pytest_plugin.extra_failures import ExtraFailures
from jostle.pytest_plugin.kept_run import KeptRun
from jostle.pytest_plugin.known_failures import KnownFailures
from jostle.pytest_plugin.relative_names import RelativeNames
from jostle.pytest_plugin.summary import SuiteSummary
from jostle.search.redacting import Redaction


def begin(config: pytest.Config, options: SuiteOptions) -> None:
    """Makes pytest run tests our way. Raises Problem."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        raise UsageProblem(
            "--jostle-adverse, --jostle-orders and --jostle-repro need Playwright, which is not installed.",
            advice="pip install 'jostle[playwright]'",
        ) from None
    if options.conditions:
        select(known(), options.conditions)
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    many = worker is None and bool(getattr(config.option, "numprocesses", 0) or getattr(config.option, "tx", None))
    directory: Path | None = None
    if worker is None:
        session = SuiteSession(config, options)
        config.pluginmanager.register(session, "jostle-session")
        directory = session.directory
    elif worker.get("jostle_pictures"):
        directory = Path(worker["jostle_pictures"])
    if not many:
        tests = SuiteRunner(options, pictures=directory, reset=_reset(config, directory))
        tests.install(config.pluginmanager)


def _reset(config: pytest.Config, directory: Path | None) -> Any:
    loaded = load(start=config.rootpath)
    if loaded.configuration.app.reset is None:
        return None
    redaction = Redaction.configured(loaded.configuration, on=not config.option.jostle_no_redact)
    log = (directory or config.rootpath / ".jostle") / "application.log"
    return Application(loaded, log, clean=redaction.text).reset


class SuiteSession:
    """Hears what came of each test, wherever it ran: findings are kept, then told."""

    def __init__(self, config: pytest.Config, options: SuiteOptions) -> None:
        technique = "adverse orders" if options.orders else "adverse"
        names = RelativeNames(config.rootpath)
        self._tally = SuiteTally()
        self._bugs = Bugs(technique, names.command, config.rootpath)
        self._known = KnownFailures(
            self._bugs, config.option.jostle_baseline, update=bool(config.option.jostle_update_baseline)
        )
        self._failures = ExtraFailures(config, names)
        self._kept = None if options.repro else KeptRun(config, options, technique)
        self._summary = SuiteSummary(options, names, self._known)

    @property
    def directory(self) -> Path | None:
        return self._kept.path if self._kept is not None else None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["jostle_pictures"] = str(self.directory.absolute()) if self.directory is not None else ""

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self._tally.tests += 1
        outcome = TestOutcome.carried_by(report)
        if outcome is None:
            return
        self._tally.outcomes.append(outcome)
        failures = outcome.examined.failures
        for failure in failures:
            finding = self._bugs.add(outcome.test, failure)
            if self._kept is not None:
                self._kept.found(finding)
        for failure in failures:
            if not self._known.has(outcome.test, failure):
                self._failures.tell(report, outcome.test, failure)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._kept is not None:
            interrupted = exitstatus == pytest.ExitCode.INTERRUPTED
            self._kept.end(self._tally, self._bugs, self._known, interrupted=interrupted)

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        self._summary.write(terminalreporter, self._tally, self._bugs, self._kept)
