"""From failures of tests to findings: one for each bug, as failures come in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from jostle.adverse.condition import Neutral
from jostle.adverse.failure import AdverseFailure
from jostle.adverse.triage import MEANINGS, Category
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import AdverseEvidence, EndScreen, InjectedCondition
from jostle.plural import count

_GRAVE = frozenset(
    (Category.CRASH, Category.SILENT, Category.NOT_PERSISTED, Category.UNEXPECTED_SCREEN, Category.WRONG_CONTENT)
)


class Bugs:
    """The findings of a suite: failures with the same symptom are one."""

    def __init__(self, technique: str, command: Callable[[str, AdverseFailure], str], root: Path) -> None:
        """`command`: what shows a failure of a test again. `root`: lines of tests are relative to it."""
        self._technique = technique
        self._command = command
        self._root = root
        self._failures: dict[tuple[str, ...], list[tuple[str, AdverseFailure]]] = {}
        self._found: dict[str, tuple[tuple[str, ...], Finding]] = {}

    def add(self, test: str, failure: AdverseFailure) -> Finding:
        """The finding that the failure belongs to, as it is now: a new one, or one with a failure more."""
        several = self._failures.setdefault(failure.symptom, [])
        several.append((test, failure))
        finding = self._finding(several)
        symptom, known = self._found.get(finding.id, (failure.symptom, finding))
        if symptom != failure.symptom:  # the same to all appearances, but for what the page showed
            return known
        self._found[finding.id] = symptom, finding
        return finding

    def alone(self, test: str, failure: AdverseFailure) -> Finding:
        """The finding that it would be by itself."""
        return self._finding([(test, failure)])

    @property
    def findings(self) -> list[Finding]:
        """In the order in which the first failure of each came."""
        return [finding for _, finding in self._found.values()]

    def _finding(self, several: Sequence[tuple[str, AdverseFailure]]) -> Finding:
        return _finding(several, self._technique, self._command, self._root)


def label(failure: AdverseFailure) -> str:
    """`hide after line 12`"""
    names = "+".join(dict.fromkeys(place.condition for place in failure.places))
    lines = ", ".join(dict.fromkeys(place.where.rpartition(":")[2] for place in failure.places if place.where))
    if not failure.isolated:
        return f"adverse: {count(len(failure.places), 'condition')}"
    return f"adverse: {names} after line {lines}" if lines else f"adverse: {names}"


def beside(test: str, label: str) -> str:
    """The name of a test with more in its brackets."""
    return f"{test[:-1]}, {label}]" if test.endswith("]") else f"{test}[{label}]"


def what_happens(failure: AdverseFailure) -> str:
    titles = list(dict.fromkeys(place.title for place in failure.places))
    if not failure.isolated:
        return f"all of this happens: {'; '.join(titles)}"
    return " and ".join(titles)


def first_line(failure: AdverseFailure) -> str:
    lines = [line.strip() for line in failure.failure.message.splitlines() if line.strip()]
    return lines[0] if lines else ""


def _inside(where: str, root: Path) -> str:
    try:
        return str(Path(where).relative_to(root)) if where else ""
    except ValueError:
        return where


def _finding(
    several: Sequence[tuple[str, AdverseFailure]],
    technique: str,
    command: Callable[[str, AdverseFailure], str],
    root: Path,
) -> Finding:
    """Lines of tests are relative to `root`."""
    test, failure = several[0]
    name = test.partition("::")[2] or test
    identity = "\n".join([test, *failure.symptom[:1], *failure.symptom[2:], *(place.words for place in failure.places)])
    kind = Category(failure.category)
    severity = Severity.HIGH if kind in _GRAVE else Severity.LOW if kind is Category.BRITTLE else Severity.MEDIUM
    if severity is Severity.MEDIUM and failure.neutral == Neutral.ASSUMED.value:
        severity = Severity.LOW
    pictures = failure.pictures
    return Finding(
        id=f"{FindingKind.ADVERSE_FAILURE.value}-{hashlib.sha256(identity.encode()).hexdigest()[:10]}",
        technique=technique,
        kind=FindingKind.ADVERSE_FAILURE,
        confidence=Confidence.ADVERSE,
        severity=severity,
        title=f"{name} fails when {what_happens(failure)}",
        events=failure.actions,
        evidence=AdverseEvidence(
            test=test,
            conditions=tuple(dict.fromkeys(place.condition for place in failure.places)),
            places=tuple(
                InjectedCondition(
                    point=place.point,
                    condition=place.condition,
                    title=place.title,
                    words=place.words,
                    where=_inside(place.where, root),
                )
                for place in failure.places
            ),
            failed_at=_inside(failure.failure.where, root),
            message=f"{failure.failure.kind}: {first_line(failure)}",
            category=failure.category,
            meaning=MEANINGS[kind],
            why=failure.why,
            neutral=failure.neutral,
            approximate=failure.approximate,
            errors=tuple(failure.errors),
            reproduce=command(test, failure),
            also=tuple(beside(each, label(one)) for each, one in several[1:]),
            told=failure.told,
            runs=failure.runs,
            good=EndScreen(pictures.get("usual", "")),
            bad=EndScreen(pictures.get("failed", "")),
            before=pictures.get("before", ""),
            after=pictures.get("after", ""),
        ),
    )
