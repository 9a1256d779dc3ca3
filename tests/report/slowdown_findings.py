"""Slowdowns for the tests of reports."""

from __future__ import annotations

from typing import Any

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import ServerSlower, SlowdownEvidence
from jostle.slowdowns.report.page import SlowdownReport
from tests.report.evidence_of import evidence_of

SAVE, MENUS = 'click button "Save menu"', 'click link "Menus"'
TIMES = [*range(20), *range(24, 101, 5)]
COSTS = [[n, 40 + 2 * n + 3 * n * n] for n in TIMES]
STATS = {
    "events": 1240,
    "states": 9,
    "candidates": 6,
    "targets": 240,
    "reached": 233,
    "events a target": 3.25,
    "seconds": 95.2,
}
OTHERS = (
    (MENUS, SAVE, "refuted", "the cost stays the same (12), however often it is done"),
    ('click button "Delete"', MENUS, "unreachable", "it could not be done again after 2 repetitions"),
)


def slowed(told: dict[str, Any]) -> SlowdownEvidence:
    """What is None is not known."""
    known = {"outcome": "slowdown"} | {key: value for key, value in told.items() if value is not None}
    return evidence_of(SlowdownEvidence, known)


def slowdown(**evidence: Any) -> Finding:
    """A quadratic one with everything that can be known of it."""
    told: dict[str, Any] = {
        "cause": SAVE,
        "effect": MENUS,
        "outcome": "slowdown",
        "law": "quadratic",
        "sure": 0.98,
        "others": {"n log n": 0.02},
        "reason": "every repetition makes it more expensive (40, 45, 56, …)",
        "costs": COSTS,
        "control": [[99, COSTS[-1][1]]] * 4,
        "functions": [
            {
                "name": "sharedAliases",
                "file": "/slow-menu/aliases.js",
                "line": 7,
                "from": 1,
                "to": 120,
                "share": 0.93,
                "excerpt": [
                    "",
                    "export function sharedAliases() {",
                    "  let shared = 0;",
                    "  for (const alias of aliases) {",
                ],
                "first_line": 6,
            },
            {"name": "", "file": "/slow-menu/menus.js"},
        ],
        "times": [[n, 0.4 + 0.004 * n * n] for n in TIMES],
        "passes": {"50": 140, "200": 310},
        "grows": {"DOM nodes": [[n, 120 + 3 * n] for n in TIMES], "event listeners": [[n, 4 + n] for n in TIMES]},
        "also": [f'click button "Copy" → {MENUS}'],
        "inverse": True,
        "test": "test_slowdown_1.py",
    }
    return Finding(
        id="slowdown-1",
        technique="slowdown",
        kind=FindingKind.SLOWDOWN,
        confidence=Confidence.WITNESSED,
        severity=Severity.HIGH,
        title="“Save menu” makes “Menus” slower and slower",
        events=('click link "New menu"', *[MENUS, SAVE] * 19, MENUS, *[*[SAVE] * 5, MENUS] * 16),
        evidence=slowed(told | evidence),
        replay="slowdown-1.jostle",
    )


def bounded(**evidence: Any) -> Finding:
    return Finding(
        id="bounded-1",
        technique="slowdown",
        kind=FindingKind.BOUNDED_GROWTH,
        confidence=Confidence.WITNESSED,
        severity=Severity.LOW,
        title="“Add article” makes “Articles” slower, up to a page of 12",
        events=('click link "Articles"', 'type "one" in textbox "Title"', 'click button "Add article"'),
        evidence=slowed(
            {
                "cause": 'click button "Add article"',
                "effect": 'click link "Articles"',
                "outcome": "bounded",
                "costs": [[n, 29 + 15 * min(n, 12)] for n in range(30)],
                "levelled": {"at": 12, "cost": 209},
                "times": [[0, 0.4], [29, 3.1]],
                "reason": "the cost rises up to 209 and no further",
            }
            | evidence
        ),
    )


def failure(**evidence: Any) -> Finding:
    return Finding(
        id="http-error-1",
        technique="slowdown",
        kind=FindingKind.HTTP_ERROR,
        confidence=Confidence.WITNESSED,
        severity=Severity.MEDIUM,
        title="“Save” fails in the end",
        events=('click button "Save"',) * 15,
        evidence=slowed(
            {
                "cause": 'click button "Save"',
                "effect": 'click button "Save"',
                "outcome": "failure",
                "law": "linear",
                "sure": 0.99,
                "costs": [*([n, 20 + 9 * n] for n in range(14)), [14, 3]],
                "reason": 'after 14 repetitions “click button "Save"” failed: POST /articles was answered with 500',
            }
            | evidence
        ),
        replay="http-error-1.jostle",
    )


def server(words: str = 'click button "Older"', request: str = "GET /api/log") -> ServerSlower:
    times = tuple((float(n), 15.0 + 10 * n) for n in range(1, 13))
    return ServerSlower(request=request, cause=words, effect=words, times=times)


def report(*findings: Finding, **changes: Any) -> SlowdownReport:
    fields: dict[str, Any] = {
        "url": "http://shop.test/",
        "findings": findings,
        "others": OTHERS,
        "stats": STATS,
        "directory": "runs/one of many",
    }
    return SlowdownReport(**fields | changes)
