"""Outcomes of runs for the tests of reports for machines."""

from __future__ import annotations

from typing import Any

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import ErrorEvidence, HangEvidence, RequestEvidence, SlowdownEvidence
from jostle.report.run_summary import SearchSummary
from jostle.runs import Document, Status
from tests.report import race_findings
from tests.report.evidence_of import evidence_of

URL = "http://shop.test/search"


def slowed(known: dict[str, Any]) -> SlowdownEvidence:
    return evidence_of(SlowdownEvidence, known)


THROWN = Finding(
    id="exception-1",
    technique="explore",
    kind=FindingKind.EXCEPTION,
    confidence=Confidence.WITNESSED,
    severity=Severity.HIGH,
    title="uncaught exception: TypeError: no price at /basket.js:41:17",
    events=('click button "Buy"', "uncaught exception: TypeError: no price at /basket.js:41:17"),
    evidence=ErrorEvidence(
        message="TypeError: no price",
        source="/basket.js:41:17",
        stack=("at total (http://shop.test/basket.js:41:17)", "at http://cdn.test/ui.js:3:9", "at <anonymous>"),
        count=3,
    ),
    replay="exception-1.jostle",
)
REFUSED = Finding(
    id="http-error-1",
    technique="explore",
    kind=FindingKind.HTTP_ERROR,
    confidence=Confidence.PREDICTED,
    severity=Severity.LOW,
    title="GET /api/rows failed with status 500",
    evidence=RequestEvidence(method="GET", url="http://shop.test/api/rows", status=500, resource="fetch"),
)
SLOW = Finding(
    id="slowdown-1",
    technique="slowdown",
    kind=FindingKind.SLOWDOWN,
    confidence=Confidence.WITNESSED,
    severity=Severity.MEDIUM,
    title='click button "Save" makes itself slower and slower',
    events=('click button "Save"',) * 100,
    evidence=slowed(
        {
            "outcome": "slowdown",
            "reason": "every repetition makes it more expensive",
            "costs": [[1.0, 40.0]],
            "others": {"n log n": 0.02},
            "functions": [
                {
                    "name": "aliases",
                    "file": "webpack://shop/./src/aliases.ts",
                    "line": 7,
                    "first_line": 7,
                    "excerpt": ["export function aliases() {", "  for (const each of all) {"],
                },
                {"name": "", "file": "/menus.js"},
            ],
            "test": "test_slowdown_1.py",
        }
    ),
    replay="slowdown-1.jostle",
)
RACE, OVERWRITTEN, PREDICTED = race_findings.search(), race_findings.overwritten(), race_findings.predicted()
ALL = (RACE, OVERWRITTEN, PREDICTED, THROWN, REFUSED, SLOW)
SEARCHES = (
    SearchSummary(name="explore", what="using the application", tried=60, seconds=12.5),
    SearchSummary(name="races init", what="acting before a page is ready", tried=12, seconds=31.2),
    SearchSummary(
        name="races ajax", what="answers that come late", tried=9, not_tried=3, why="the time was up", seconds=20
    ),
    SearchSummary(name="slowdown", what="what gets slower", tried=4, seconds=8),
    SearchSummary(name="races orders", what="all orders that matter", not_tried=7, why="the time was up"),
)


def outcome(*findings: Finding, **changes: Any) -> Document:
    fields: dict[str, Any] = {
        "jostle": "0.1.0",
        "command": "check",
        "url": URL,
        "seed": 7,
        "seconds": 72.25,
        "status": Status.FINISHED,
        "findings": findings,
        "limits": ("a video could not be held",),
    }
    return Document(**fields | changes)


def hostile(text: str) -> Document:
    """Every text that a page or a server can choose is this one."""
    races = race_findings.hostile(text).findings
    others = (
        Finding(
            id="exception-h",
            technique="explore",
            kind=FindingKind.EXCEPTION,
            confidence=Confidence.WITNESSED,
            severity=Severity.HIGH,
            title=text,
            events=(text,),
            evidence=ErrorEvidence(message=text, source=f"{text}:1:2", stack=(text, f"at {text}")),
            replay=text,
        ),
        Finding(
            id="slowdown-h",
            technique="slowdown",
            kind=FindingKind.SLOWDOWN,
            confidence=Confidence.WITNESSED,
            severity=Severity.HIGH,
            title=text,
            evidence=slowed(
                {
                    "outcome": "slowdown",
                    "reason": text,
                    "functions": [{"name": text, "file": text, "line": 3, "excerpt": [text]}],
                }
            ),
        ),
        Finding(
            id="hang-h",
            technique="explore",
            kind=FindingKind.HANG,
            confidence=Confidence.WITNESSED,
            severity=Severity.LOW,
            title=text,
            evidence=HangEvidence(event=text, reason=text),
        ),
    )
    return outcome(*races, *others, limits=(text,), error=text, status=Status.FAILED)
