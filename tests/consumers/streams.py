"""A stream for consumers to take."""

from __future__ import annotations

from collections.abc import Callable

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import ErrorEvidence
from jostle.progress import LimitMet, Note, Started
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.search.stream import (
    ArtefactMade,
    CaseDismissed,
    FileMade,
    FindingReported,
    RunEnded,
    RunEvent,
    RunStarted,
    SearchEnded,
    Status,
)


def finding(name: str, severity: Severity = Severity.HIGH) -> Finding:
    return Finding(
        id=name,
        technique="explore",
        kind=FindingKind.EXCEPTION,
        confidence=Confidence.WITNESSED,
        severity=severity,
        title=f"The title of {name}",
        evidence=ErrorEvidence(message="no price", source="", stack=()),
    )


SUMMARY = RunSummary(
    searches=(SearchSummary(name="races ajax", tried=4, found=2, not_tried=1, why="the time was up"),), seconds=3.0
)
STREAM: tuple[RunEvent, ...] = (
    RunStarted(command="check", url="http://x/", seed=7),
    Started(what="searching"),
    FileMade("test_low.py", b"def test_low(): ..."),
    FindingReported(finding("low", Severity.LOW)),
    FindingReported(finding("high")),
    CaseDismissed(finding("harmless"), "it ends the same"),
    LimitMet(text="a worker"),
    Note(text="a note"),
    ArtefactMade("model.json", b"{}", "application/json"),
    SearchEnded(SUMMARY, {"pairs": 4}),
)


def feed(consumer: Callable[[RunEvent], None], *, status: Status = Status.FINISHED, error: str | None = None) -> None:
    """The whole of it, to its end."""
    for event in STREAM:
        consumer(event)
    consumer(RunEnded(status=status, seconds=3.25, error=error, stats={"pairs": 4}))
