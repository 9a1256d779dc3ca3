"""Repairing what a run has found, from its findings and files to the verified repairs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import msgspec

from jostle.browser.connection import Disconnected, NoAnswer
from jostle.errors import RunProblem
from jostle.findings import Finding
from jostle.findings.evidence import RepairOutcome
from jostle.repair.policy import Policy
from jostle.repair.repairing import BY, Repaired, Repairing, races_in, repair_of
from jostle.repair.verifying import verified
from jostle.report.run_summary import SearchSummary
from jostle.search.browsers import Browsers
from jostle.search.job import Job
from jostle.search.result import Files, Result
from jostle.search.run import Environment, browser_gone, run_job
from jostle.search.stream import Emit, FileMade, SearchEnded, SearchEvent

_FOR_TESTS = 0.15
"""Of the time, how much is kept back for running the tests with the repair."""
IN_A_CHECK = 0.2
"""Of the time of a check, how much is kept back for repairs."""


async def repair_findings(
    findings: Sequence[Finding],
    read: Callable[[str], bytes],
    url: str,
    environment: Environment,
    emit: Emit,
    *,
    budget: float | None = None,
    live: bool = False,
    policy: Policy | None = None,
) -> Repaired:
    """Try to repair all races among the findings, each told to `emit` with what came of it.

    `read` gives the files that they name; raises Problem. `budget`: seconds. `live`: what the recordings do not know,
    the server is asked for. `policy`: the only one that is tried. The generated tests are run with the repairs if the
    environment verifies tests.
    """
    began = time.monotonic()
    made: dict[str, bytes] = {}

    def told(event: SearchEvent) -> None:
        if isinstance(event, FileMade):
            made[event.name] = event.data
        emit(event)

    def anywhere(name: str) -> bytes:
        return made[name] if name in made else read(name)

    until = began + budget if budget is not None else None
    deadline = until
    if budget is not None and environment.verifying:
        deadline = began + budget * (1 - _FOR_TESTS)
    async with Browsers(environment.browser) as browsers:
        try:
            async with browsers.lent() as chromium:
                repairing = Repairing(anywhere, told, live=live, deadline=deadline, policy=policy)
                repaired = await repairing.run(chromium, findings)
            if environment.verifying:
                tested = await verified(repaired.findings, anywhere, url, environment, browsers, told, until=until)
                repaired = msgspec.structs.replace(repaired, findings=tuple(tested))
        except (Disconnected, NoAnswer) as gone:
            raise browser_gone(gone) from gone
    return repaired


def summary_of(repaired: Repaired, seconds: float) -> SearchSummary:
    """What it comes to, for a report."""
    untried = [
        each for each in repaired.findings if (made := repair_of(each)) and made.outcome is RepairOutcome.NOT_TRIED
    ]
    others = [
        (each.title, made.outcome.value, made.why)
        for each in repaired.findings
        if (made := repair_of(each)) is not None and not made.prevents
    ]
    return SearchSummary(
        name=BY,
        what="repairs of races",
        tried=len(repaired.findings) - len(untried),
        seconds=round(seconds, 1),
        not_tried=len(untried),
        why="see each of them" if untried else "",
        others=tuple(others),
        stats={"races": len(repaired.findings), "prevented": len(repaired.prevented)},
    )


async def run_and_repair(job: Job, environment: Environment, emit: Emit) -> Repaired | None:
    """Run a job, then repair the races that it found, in what is left of its time; None when it found no race."""
    began = time.monotonic()
    result, files = Result(), Files()
    ended: list[SearchEnded] = []

    def told(event: SearchEvent) -> None:
        result(event)
        files(event)
        if isinstance(event, SearchEnded):
            ended.append(event)
        else:
            emit(event)

    searching = job
    if job.budget is not None:
        searching = msgspec.structs.replace(job, budget=job.budget * (1 - IN_A_CHECK))
    repaired: Repaired | None = None
    try:
        await run_job(searching, environment, told)
        if races_in(result.findings):
            left = max(1.0, job.budget - (time.monotonic() - began)) if job.budget is not None else None
            repairing = time.monotonic()
            repaired = await repair_findings(
                result.findings, lambda name: _made(files, name), job.url, environment, emit, budget=left
            )
            seconds = time.monotonic() - repairing
            ended[-1:] = [_with(each, summary_of(repaired, seconds)) for each in ended[-1:]]
    finally:
        for each in ended[-1:]:
            emit(_within(each, job.budget))
    return repaired


def _made(files: Files, name: str) -> bytes:
    if name not in files.made:
        raise RunProblem(f"{name} is not there.")
    return files.made[name]


def _with(ended: SearchEnded, search: SearchSummary) -> SearchEnded:
    summary = msgspec.structs.replace(ended.summary, searches=(*ended.summary.searches, search))
    return SearchEnded(summary, {**ended.stats, "repair": dict(search.stats)})


def _within(ended: SearchEnded, budget: float | None) -> SearchEnded:
    """With the time as it was given, for the search and the repairs."""
    if ended.summary.budget is None:
        return ended
    return SearchEnded(msgspec.structs.replace(ended.summary, budget=budget), ended.stats)
