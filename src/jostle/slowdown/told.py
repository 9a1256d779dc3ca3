"""A root cause as a finding: plain data for reports and the JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from jostle.browser.coverage import Function
from jostle.browser.sources import Place
from jostle.findings import Confidence, Finding, FindingKind, Problem, Severity
from jostle.slowdown.grouping import Root
from jostle.slowdown.growing import Growing, shown
from jostle.slowdown.growth import Law
from jostle.slowdown.verdict import Outcome, Verdict
from jostle.slowdown.wear import FELT, SLOW, Wear

Blamed = Sequence[tuple[Growing[Function], Place | None]]
_KINDS = {
    Outcome.SLOWDOWN: FindingKind.SLOWDOWN,
    Outcome.BOUNDED: FindingKind.BOUNDED_GROWTH,
    Outcome.FAILURE: FindingKind.HTTP_ERROR,
}


def problem_of(root: Root, blamed: Blamed, wear: Wear | None) -> Problem:
    """What a root cause is, apart from how it was shown."""
    verdict = root.main
    pair = verdict.pair
    kind = _KINDS[verdict.outcome]
    if verdict.outcome is Outcome.FAILURE and "answered with" not in verdict.trial.problem:
        kind = FindingKind.HANG if verdict.trial.hung else FindingKind.EXCEPTION
    return Problem(
        kind=kind,
        severity=_severity(verdict, wear),
        title=_title(verdict),
        cause=f"{verdict.culprit}\0{pair.effect.label}",
        evidence=_evidence(root, blamed, wear),
    )


def finding_of(problem: Problem, steps: Sequence[str], *, replay: str | None, test: str | None = None) -> Finding:
    """The finding; without a replay it is only predicted."""
    return Finding(
        id=problem.id,
        technique="slowdown",
        kind=problem.kind,
        confidence=Confidence.WITNESSED if replay else Confidence.PREDICTED,
        severity=problem.severity,
        title=problem.title,
        events=tuple(steps),
        evidence={**problem.evidence, **({"test": test} if test else {})},
        replay=replay,
    )


def _title(verdict: Verdict) -> str:
    pair = verdict.pair
    if verdict.outcome is Outcome.FAILURE:
        return (
            f"{pair.effect} fails when it was done often enough" if pair.itself else _by(verdict.culprit, pair.effect)
        )
    if verdict.outcome is Outcome.BOUNDED:
        what = "itself" if pair.itself else f"{pair.effect}"
        return f"{verdict.culprit} makes {what} slower, up to a limit"
    return f"{verdict.culprit} makes {'itself' if pair.itself else pair.effect} slower and slower"


def _by(cause: object, effect: object) -> str:
    return f"{effect} fails after {cause} was done often enough"


def _severity(verdict: Verdict, wear: Wear | None) -> Severity:
    if verdict.outcome is Outcome.BOUNDED:
        return Severity.LOW
    if verdict.outcome is Outcome.FAILURE:
        return Severity.HIGH
    fast = verdict.growth is not None and verdict.growth.law in (Law.QUADRATIC, Law.EXPONENTIAL)
    felt = wear.passes(SLOW) if wear is not None else None
    return Severity.HIGH if fast or (felt is not None and felt <= 200) else Severity.MEDIUM


def _evidence(root: Root, blamed: Blamed, wear: Wear | None) -> dict[str, Any]:
    verdict = root.main
    trial, law = verdict.trial, verdict.growth
    evidence: dict[str, Any] = {
        "cause": verdict.culprit,
        "effect": verdict.pair.effect.label,
        "outcome": verdict.outcome.value,
        "reason": verdict.reason,
        "costs": [list(point) for point in trial.points],
        "functions": [_function(each, place) for each, place in blamed[: shown([growing for growing, _ in blamed])]],
        "also": [str(each.pair) for each in root.duplicates],
        "inverse": bool(root.inverse),
    }
    if law is not None:
        evidence |= {
            "law": law.law.value,
            "sure": round(law.sure, 3),
            "others": {other.value: round(sure, 3) for other, sure in law.others.items()},
        }
    if trial.control:
        evidence["control"] = [[float(sample.repetitions), sample.cost] for sample in trial.control]
    if verdict.levelled is not None:
        evidence["levelled"] = msgspec.to_builtins(verdict.levelled)
    if wear is not None:
        evidence |= {
            "times": [list(point) for point in wear.times],
            "passes": {f"{limit:g}": wear.passes(limit) for limit in (FELT, SLOW)},
            "grows": {name: [list(point) for point in points] for name, points in wear.grows.items()},
        }
    return evidence


def _function(each: Growing[Function], place: Place | None) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": each.function.name or "(no name)",
        "file": place.file if place else each.function.url,
        "from": each.begin,
        "to": each.end,
        "share": round(each.share, 3),
    }
    if place is not None:
        told |= {"line": place.line, "first_line": place.line, "excerpt": list(place.excerpt)}
    return told
