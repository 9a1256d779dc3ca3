"""Running the tests with the repair: against the live application, each must pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from jostle.errors import Problem
from jostle.export.draft import Draft
from jostle.export.reason import Verdict
from jostle.findings import Finding
from jostle.findings.evidence import RaceEvidence, Repair
from jostle.plural import count
from jostle.progress import Finished, Note, Started, Stepped
from jostle.repair.playwright_test import beside
from jostle.repair.repairing import BY, repair_of
from jostle.search.browsers import Browsers
from jostle.search.pytest_run import PytestProcess
from jostle.search.stream import Emit, FileWithdrawn, FindingReported
from jostle.search.verification import Trying

if TYPE_CHECKING:
    from jostle.search.run import Environment

_WHAT = "running the tests with the repair"


async def verified(
    findings: Sequence[Finding],
    read: Callable[[str], bytes],
    url: str,
    environment: Environment,
    browsers: Browsers,
    emit: Emit,
    *,
    until: float | None,
) -> list[Finding]:
    """The findings, with what came of running their tests with the repair. `until`: by `time.monotonic`."""
    told = list(findings)
    with_test = [n for n, each in enumerate(told) if (made := repair_of(each)) is not None and made.test]
    if not with_test:
        return told
    trying = Trying(url, environment, browsers, until)
    emit(Started(what=_WHAT, total=len(with_test), by=BY))
    passed = 0
    async with PytestProcess(environment.browser) as pytest:
        for done, number in enumerate(with_test, 1):
            finding = told[number]
            repair = repair_of(finding)
            assert repair is not None
            repair = await _tried(finding, repair, read, trying, pytest, emit)
            passed += repair.verified
            assert isinstance(finding.evidence, RaceEvidence)
            evidence = msgspec.structs.replace(finding.evidence, repair=repair)
            told[number] = msgspec.structs.replace(finding, evidence=evidence)
            emit(FindingReported(told[number]))
            emit(Stepped(done=done, total=len(with_test), what=finding.title, by=BY))
    emit(Finished(summary=f"{count(len(with_test), 'test')} with the repair: {passed} passed", by=BY))
    return told


async def _tried(
    finding: Finding,
    repair: Repair,
    read: Callable[[str], bytes],
    trying: Trying,
    pytest: PytestProcess,
    emit: Emit,
) -> Repair:
    try:
        source = read(repair.test).decode("utf-8", "replace")
        _, verdict, why = await trying.judge(Draft(source), beside(source, read), pytest)
    except Problem as problem:
        verdict, why = Verdict.NOT_RUN, str(problem)
    if verdict is Verdict.PASSED:
        return msgspec.structs.replace(repair, verified=True)
    if verdict is Verdict.NOT_RUN:
        emit(Note(text=f"The test of {finding.id} with the repair could not be run: {why}"))
        return repair
    why = "with the repair it still fails" if verdict is Verdict.REPRODUCED else why
    emit(FileWithdrawn(repair.test))
    emit(Note(text=f"No test with the repair for {finding.id}: {why}"))
    return msgspec.structs.replace(repair, test="", untested=why)
