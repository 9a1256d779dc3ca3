"""Evidence for the tests of reports, from as little as a test needs to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from jostle.findings import FindingKind
from jostle.findings.evidence import (
    ErrorEvidence,
    EvidenceBase,
    HangEvidence,
    InvariantEvidence,
    RequestEvidence,
    SightedEvidence,
    UnreadableEvidence,
)

E = TypeVar("E", bound=EvidenceBase)
_NOTHING: tuple[Any, ...] = ("", [], {}, 0)


def evidence_of(kind: type[E], known: Mapping[str, Any]) -> E:
    """With nothing in place of what is required and not said. What is said must be as documents have it."""
    told = dict(known)
    for field in msgspec.structs.fields(kind):
        if field.required and field.encode_name not in told:
            told[field.encode_name] = next(each for each in _NOTHING if _fits(each, field.type))
    return msgspec.convert(told, kind)


def _fits(value: Any, type_: Any) -> bool:
    try:
        msgspec.convert(value, type_)
    except msgspec.ValidationError:
        return False
    return True


DEFECTS: dict[FindingKind, type[SightedEvidence]] = {
    FindingKind.EXCEPTION: ErrorEvidence,
    FindingKind.CONSOLE_ERROR: ErrorEvidence,
    FindingKind.HTTP_ERROR: RequestEvidence,
    FindingKind.DEAD_LINK: RequestEvidence,
    FindingKind.HANG: HangEvidence,
    FindingKind.BROKEN_INVARIANT: InvariantEvidence,
}


def evidence_of_defect(kind: FindingKind, known: Mapping[str, Any]) -> Any:
    """What an oracle saw. Of other kinds nothing is known."""
    return evidence_of(DEFECTS[kind], known) if kind in DEFECTS else UnreadableEvidence(why="there is none")
