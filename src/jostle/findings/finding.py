"""One thing that was found, as reports and the JSON document have it."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from jostle.findings.contract import Contract
from jostle.findings.evidence import Evidence, EvidenceWithTest, GeneratedTest


class FindingKind(StrEnum):
    """What is wrong."""

    EXCEPTION = "exception"
    FORM_INPUT_OVERWRITTEN = "form-input-overwritten"
    LATE_HANDLER = "late-handler"
    ACCESS_BEFORE_DEFINITION = "access-before-definition"
    AJAX_RACE = "ajax-race"
    ORDER_VIOLATION = "order-violation"
    ATOMICITY_VIOLATION = "atomicity-violation"
    SCHEDULE_DIFFERENCE = "schedule-difference"
    SLOWDOWN = "slowdown"
    BOUNDED_GROWTH = "bounded-growth"
    ADVERSE_FAILURE = "adverse-failure"
    TYPE_VIOLATION = "type-violation"
    CONSOLE_ERROR = "console-error"
    HTTP_ERROR = "http-error"
    DEAD_LINK = "dead-link"
    HANG = "hang"
    BROKEN_INVARIANT = "broken-invariant"


class Confidence(StrEnum):
    """How sure it is, weakest first."""

    PREDICTED = "predicted"
    ADVERSE = "adverse"
    WITNESSED = "witnessed"
    """Shown by trusted input in runs that can be repeated; where orders are compared, in two that differ."""


class Severity(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Finding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that was found."""

    id: str
    """The same for the same finding in every run."""
    technique: str
    kind: FindingKind
    confidence: Confidence
    severity: Severity
    title: str
    events: tuple[str, ...] = ()
    """What to do and what happens, in order, in words."""
    evidence: Evidence
    replay: str | None = None
    """File that replays it, relative to the run directory."""
    contract: Contract | None = None
    """Whether the server kept to its description meanwhile; None where none is known, or there is no replay."""

    def tested_by(self, test: GeneratedTest) -> Finding:
        """The same with its generated test, or the reason why there is none."""
        evidence = self.evidence
        assert isinstance(evidence, EvidenceWithTest)
        return msgspec.structs.replace(self, evidence=evidence.tested_by(test))
