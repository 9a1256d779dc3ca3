"""Generated tests are run before they are handed out: against the live application, when a search is over.

A test must fail, and for its reason. One that does not is withdrawn, and the finding says why; where it passed, the
finding is less sure as well. One that could not be run stays, and is told as not verified. Which of its locators
Playwright finds by their names is seen on the way: the others are written by place.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from jostle.errors import Problem
from jostle.export.draft import Draft
from jostle.export.reason import Verdict, judged
from jostle.findings import Confidence, Finding, Severity
from jostle.findings.evidence import EvidenceWithTest, GeneratedTest
from jostle.plural import count
from jostle.progress import Finished, Note, Started, Stepped
from jostle.recording.login import logged_in
from jostle.search.browsers import Browsers
from jostle.search.pytest_run import CHOOSES, PytestProcess, Trial
from jostle.search.stream import (
    CaseDismissed,
    DraftMade,
    Emit,
    FileMade,
    FileWithdrawn,
    FindingReported,
    SearchEvent,
)

if TYPE_CHECKING:
    from jostle.search.run import Environment

LONGEST = 60.0
"""Seconds that one test may take."""
LEAST = 4.0
"""Seconds. With less left, no test is begun."""
_ORDER = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
_BY = "generated tests"
_NO_TIME = "the time was up"


class Verification:
    """Hears the stream of a search on its way to `emit`, and runs the tests that findings in it name."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._findings: dict[str, Finding] = {}
        self._drafts: dict[str, DraftMade] = {}
        self._states: dict[str, bytes] = {}
        self._unverified: Counter[str] = Counter()

    def __call__(self, event: SearchEvent) -> None:
        match event:
            case DraftMade():
                self._drafts[event.name] = event
                return
            case FileMade(name, data) if name.endswith(".json"):
                self._states[name] = data
            case FindingReported(finding):
                self._findings[finding.id] = finding
            case CaseDismissed(finding):
                self._findings.pop(finding.id, None)
            case _:
                pass
        self._emit(event)

    @property
    def waiting(self) -> list[tuple[Finding, DraftMade]]:
        """What is to be run, the worst finding first."""
        found = [
            (each, self._drafts[each.evidence.generated_test])
            for each in self._findings.values()
            if each.evidence.generated_test in self._drafts and not each.evidence.test_verified
        ]
        return sorted(found, key=lambda each: _ORDER.index(each[0].severity))

    async def run(self, url: str, environment: Environment, browsers: Browsers, *, until: float | None) -> None:
        """Run them, as many side by side as the environment says. `until`: when the time is up (`time.monotonic`)."""
        waiting = self.waiting
        if not waiting:
            return
        trying = Trying(url, environment, browsers, until)
        total = len(waiting)
        self._emit(Started(what="running the generated tests", total=total, by=_BY))
        verdicts: Counter[Verdict] = Counter()

        async def work() -> None:
            async with PytestProcess(environment.browser) as pytest:
                while waiting:
                    finding, made = waiting.pop(0)
                    verdict = await self._verify(finding, made, trying, pytest)
                    verdicts[verdict] += 1
                    self._emit(Stepped(done=verdicts.total(), what=finding.title, by=_BY))

        async with asyncio.TaskGroup() as group:
            for _ in range(1 if trying.resets else environment.verifying):
                group.create_task(work())
        good = verdicts[Verdict.REPRODUCED]
        summary = f"{count(total, 'generated test')}: {good} reproduced the finding"
        if bad := verdicts[Verdict.NOT_REPRODUCED] + verdicts[Verdict.PASSED]:
            summary += f", {bad} did not and {'was' if bad == 1 else 'were'} dropped"
        self._emit(Finished(summary=summary, by=_BY))
        for why, number in self._unverified.items():
            self._emit(Note(text=f"{count(number, 'generated test')} could not be verified: {why}"))

    async def _verify(self, finding: Finding, made: DraftMade, trying: Trying, pytest: PytestProcess) -> Verdict:
        beside = {made.beside: self._states[made.beside]} if made.beside in self._states else {}
        test, verdict, why = await trying.judge(made.draft, beside, pytest)
        if verdict is Verdict.NOT_RUN:
            self._unverified[why] += 1
            return verdict
        outcome = GeneratedTest(made.name, verified=True)
        if verdict is not Verdict.REPRODUCED:
            outcome = GeneratedTest(untested=f"the generated test did not reproduce it: {why}")
        elif test != made.draft.written():
            self._emit(FileMade(made.name, test.encode()))
        assert isinstance(finding.evidence, EvidenceWithTest)
        told = finding.tested_by(outcome)
        if verdict is Verdict.PASSED and told.confidence is Confidence.WITNESSED:
            told = msgspec.structs.replace(told, confidence=Confidence.ADVERSE)
        self._findings[finding.id] = told
        self._emit(FindingReported(told))
        if verdict is not Verdict.REPRODUCED:
            self._emit(FileWithdrawn(made.name))
            self._emit(Note(text=f"No Playwright test for {finding.id}: {outcome.untested}"))
        return verdict


class Trying:
    """The application and the time in which tests are tried."""

    def __init__(self, url: str, environment: Environment, browsers: Browsers, until: float | None) -> None:
        self._url = url
        self._environment = environment
        self._browsers = browsers
        self._until = until
        self._context: dict[str, Any] | None = None
        self.resets = environment.loaded.configuration.app.reset is not None

    async def judge(self, draft: Draft, beside: Mapping[str, bytes], pytest: PytestProcess) -> tuple[str, Verdict, str]:
        """The test as it is to be written, what it shows, and why not."""
        test = draft.written()
        try:
            trial = await self._try(draft.probing(CHOOSES), beside, pytest)
            if trial is not None and trial.by_place:
                test = draft.written(trial.by_place)
                if judged(test, trial.outcome)[0] is Verdict.REPRODUCED:  # as it was tried it cannot be handed out
                    trial = await self._try(test, beside, pytest)
        except Problem as problem:
            return test, Verdict.NOT_RUN, str(problem)
        if trial is None:
            return test, Verdict.NOT_RUN, _NO_TIME
        return test, *judged(test, trial.outcome)

    async def _try(self, test: str, beside: Mapping[str, bytes], pytest: PytestProcess) -> Trial | None:
        """None when the time was up."""
        left = self._left()
        if left < LEAST:
            return None
        context = await self._ready()
        left = self._left()
        trial = await pytest.tried(test, beside=beside, context=context, seconds=max(1.0, min(LONGEST, left)))
        return None if trial.outcome.timed_out and left < LONGEST else trial

    def _left(self) -> float:
        return self._until - time.monotonic() if self._until is not None else LONGEST

    async def _ready(self) -> Mapping[str, Any]:
        """The application as at first; the arguments of a browser context in which somebody is logged in."""
        if self.resets:
            await asyncio.to_thread(self._environment.application.reset)
        if self._context is None or self.resets:
            self._context = await self._logged_in()
        return self._context

    async def _logged_in(self) -> dict[str, Any]:
        """A storage state of the configuration is part of the test itself."""
        loaded = self._environment.loaded
        login = loaded.configuration.login
        if login is None or login.storage_state is not None:
            return {}
        async with self._browsers.lent() as chromium:
            state = await logged_in(loaded, chromium, self._url)
        return {"storage_state": msgspec.to_builtins(state)}
