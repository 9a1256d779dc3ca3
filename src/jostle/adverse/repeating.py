"""A test of a suite, run again and again, each time from the same state."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from _pytest.runner import runtestprotocol

from jostle.adverse import token
from jostle.adverse.condition import Condition
from jostle.adverse.conditions import known
from jostle.adverse.failure import ObservedRun
from jostle.adverse.plan import Failure, InjectionOutcome
from jostle.adverse.run import AdverseRun, RunSetup
from jostle.adverse.timeouts import shortened
from jostle.adverse.watch import Watch
from jostle.errors import Problem

LONGEST_MESSAGE = 4000
_FIXTURES = frozenset(("page", "context", "browser", "playwright", "browser_type", "new_context"))
"""Of pytest-playwright: a test that uses one of them uses Playwright."""


class TestRepetition:
    """A part of the plugin: begins and ends each run of a test, and hears from pytest how it failed."""

    def __init__(
        self, watch: Watch, *, reset: Callable[[], None] | None, pictures: Path | None, in_setup: bool
    ) -> None:
        """`reset`: puts the application back into its initial state. `pictures`: the directory they are kept in."""
        self.watch = watch
        self._reset = reset
        self._pictures = pictures
        self._in_setup = in_setup
        self._timer: Any = None
        self._failure: Failure | None = None
        self._told = ""

    def resets(self, item: pytest.Item) -> bool:
        """Whether what a test changes is put back before its next run."""
        hook = getattr(item.ihook, "pytest_jostle_reset", None)
        heard = bool(hook.get_hookimpls()) if hook is not None else False
        return heard or self._reset is not None or "jostle_reset" in getattr(item, "fixturenames", ())

    def run(
        self,
        item: pytest.Item,
        setup: RunSetup,
        *,
        conditions: Mapping[str, Condition] | None = None,
        watched: bool = True,
        first: bool = False,
    ) -> tuple[ObservedRun, list[pytest.TestReport]]:
        run = AdverseRun(msgspec.structs.replace(setup, in_setup=self._in_setup), conditions or known())
        self._begin(item, run if watched else None, first)
        # With its parent as the next item, only what belongs to the test alone is torn down and built anew.
        with shortened(setup.timeouts):
            reports = runtestprotocol(item, log=False, nextitem=item.parent)  # type: ignore[arg-type]
        self.watch.run = None
        outcome = InjectionOutcome(
            failure=self._failure,
            performed=tuple(run.performed),
            suspects=tuple(run.suspects),
            points=len(run.points),
        )
        requests = setup.holding.requests if setup.holding is not None else {}
        return ObservedRun(outcome=outcome, run=run, told=self._told, requests=requests), reports

    def _begin(self, item: pytest.Item, run: AdverseRun | None, first: bool) -> None:
        """Everything is as it was."""
        self._failure, self._told = None, ""
        self.watch.run = run
        self.watch.test_file = str(item.path)
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

    def keep(self, test: str, name: str, data: bytes) -> str:
        """Keeps a picture; the name of its file."""
        if self._pictures is None:
            return ""
        self._pictures.mkdir(parents=True, exist_ok=True)
        file = f"adverse-{token.mark(test)}-{time.monotonic_ns():x}-{name}.png"
        (self._pictures / file).write_bytes(data)
        return file

    # What pytest tells.

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        run = self.watch.run
        if run is None:
            return (yield)
        run.phase = "call"
        try:
            result = yield
            run.waited()
        except BaseException:
            self.watch.picture("failed")
            raise
        finally:
            run.phase = "teardown"
            self.watch.after_test()
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        report: pytest.TestReport = yield
        run = self.watch.run
        if report.failed and self._failure is None and call.excinfo is not None:
            self._failure = _failure(item, call.excinfo, len(run.points) if run is not None else 0)
            self._told = str(report.longreprtext)
        return report

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> None:
        self._timer = settings


class RepeatableTest:
    """A test that can be run again and again."""

    def __init__(self, repetition: TestRepetition, item: pytest.Item) -> None:
        self._repetition = repetition
        self.item = item
        self._runs = 0

    def run(self, setup: RunSetup, **more: Any) -> tuple[ObservedRun, list[pytest.TestReport]]:
        """Once; with what pytest reports of it. See `Repetition.run`."""
        self._runs += 1
        return self._repetition.run(self.item, setup, first=self._runs == 1, **more)

    def observed(self, setup: RunSetup) -> ObservedRun:
        return self.run(setup)[0]

    def keep(self, name: str, data: bytes) -> str:
        return self._repetition.keep(self.item.nodeid, name, data)


def torn_down(item: pytest.Item, report: pytest.TestReport, nextitem: pytest.Item | None) -> pytest.TestReport:
    """The end of a test: what is wider than it was kept for all its runs, and may not be needed any more."""
    ending: pytest.CallInfo[None] = pytest.CallInfo.from_call(
        lambda: item.session._setupstate.teardown_exact(nextitem), when="teardown", reraise=(KeyboardInterrupt,)
    )
    if ending.excinfo is None or report.failed:
        return report
    failed: pytest.TestReport = item.ihook.pytest_runtest_makereport(item=item, call=ending)
    return failed


def _failure(item: pytest.Item, error: pytest.ExceptionInfo[BaseException], points: int) -> Failure:
    """With the last line of the test's own file that led there."""
    where = ""
    for entry in error.traceback:
        if str(entry.path) == str(item.path):
            where = f"{entry.path}:{entry.lineno + 1}"
    message = str(error.value).strip()[:LONGEST_MESSAGE]
    return Failure(kind=error.typename, message=message, where=where, point=points)
