"""Findings as earlier versions wrote them: evidence without a `type`, understood by technique and kind.

The one place that knows how evidence looked before it was typed (0.1). Whatever is missing or of another shape is left
out; what cannot be understood at all becomes `UnreadableEvidence`, so that the finding itself is still there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from jostle.findings.evidence import (
    AdverseEvidence,
    DismissedEvidence,
    ErrorEvidence,
    Evidence,
    GrowthOutcome,
    HangEvidence,
    InvariantEvidence,
    LoadRaceEvidence,
    RequestEvidence,
    ResponseRaceEvidence,
    ScheduleEvidence,
    SlowdownEvidence,
    UnreadableEvidence,
)
from jostle.findings.finding import Finding, FindingKind

_BY_TECHNIQUE: Mapping[str, type[Evidence]] = {
    "races init": LoadRaceEvidence,
    "races ajax": ResponseRaceEvidence,
    "races orders": ScheduleEvidence,
    "slowdown": SlowdownEvidence,
    "adverse": AdverseEvidence,
    "adverse orders": AdverseEvidence,
}
_BY_KIND: Mapping[str, type[Evidence]] = {
    FindingKind.EXCEPTION: ErrorEvidence,
    FindingKind.CONSOLE_ERROR: ErrorEvidence,
    FindingKind.HTTP_ERROR: RequestEvidence,
    FindingKind.DEAD_LINK: RequestEvidence,
    FindingKind.HANG: HangEvidence,
    FindingKind.BROKEN_INVARIANT: InvariantEvidence,
}
"""What the exploration sees."""
_DISMISSING = ("races ajax", "races orders")
_OUTCOMES: Mapping[str, GrowthOutcome] = {
    FindingKind.SLOWDOWN: GrowthOutcome.SLOWDOWN,
    FindingKind.BOUNDED_GROWTH: GrowthOutcome.BOUNDED,
}
_NOTHING: tuple[Any, ...] = ("", [], {}, 0)
"""What stands for a value that is not known, one for each type."""


def read_finding(json: bytes | str) -> Finding:
    """One of any version. Raises msgspec.DecodeError when it is no finding."""
    try:
        return msgspec.json.decode(json, type=Finding)
    except msgspec.ValidationError:
        return msgspec.convert(with_typed_evidence(msgspec.json.decode(json)), Finding)


def with_typed_evidence(finding: object) -> object:
    """A finding of any version, as decoded JSON, with evidence that can be converted."""
    if not isinstance(finding, Mapping):
        return finding
    evidence = finding.get("evidence", {})
    return {**finding, "evidence": msgspec.to_builtins(_understood(evidence, finding))}


def _understood(evidence: object, finding: Mapping[str, Any]) -> Evidence:
    if not isinstance(evidence, Mapping):
        return UnreadableEvidence(why="it is no object")
    if "type" in evidence:
        try:
            understood: Evidence = msgspec.convert(evidence, Evidence)
            return understood
        except msgspec.ValidationError as error:
            return UnreadableEvidence(why=str(error))
    technique, kind = str(finding.get("technique", "")), str(finding.get("kind", ""))
    expected = _BY_TECHNIQUE.get(technique) or _BY_KIND.get(kind)
    if technique in _DISMISSING and "outcome" in evidence:
        expected = DismissedEvidence
    if expected is None:
        return UnreadableEvidence(why=f"nothing is known of evidence that `{technique}` has for {kind}")
    if expected is SlowdownEvidence and evidence.get("outcome") not in list(GrowthOutcome):
        evidence = {**evidence, "outcome": _OUTCOMES.get(kind, GrowthOutcome.FAILURE)}
    return _as_far_as_it_goes(evidence, expected)


def _as_far_as_it_goes(known: Mapping[str, Any], expected: type[Evidence]) -> Evidence:
    """What of the evidence is of the right shape; nothing stands for the rest."""
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(expected):
        given = known.get(field.encode_name)
        values = [given, _without_none(given)] if field.encode_name in known else []
        for value in (*values, *(_NOTHING if field.required else ())):
            try:
                fields[field.name] = msgspec.convert(value, field.type, strict=False)
                break
            except (msgspec.ValidationError, UnicodeEncodeError):
                continue
    try:
        return expected(**fields)
    except TypeError as error:
        return UnreadableEvidence(why=str(error))


def _without_none(data: Any) -> Any:
    """What is None was not known."""
    if isinstance(data, Mapping):
        return {key: _without_none(value) for key, value in data.items() if value is not None}
    if isinstance(data, list):
        return [_without_none(each) for each in data if each is not None]
    return data
