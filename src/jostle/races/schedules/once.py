"""One bug is told once, also when two searches see it."""

from __future__ import annotations

from collections.abc import Iterable

from jostle.findings import Defect, Finding
from jostle.findings.evidence import ResponseRaceEvidence, Role, ScheduleEvidence


def reported_before(defect: Defect, findings: Iterable[Finding]) -> Finding | None:
    """The finding that tells of the same: an order that breaks because responses change places, all of them to what is
    known to break when its responses come late. The query of the address makes no difference: `?q=te`."""
    broken = defect.evidence
    assert isinstance(broken, ScheduleEvidence)
    moved = {each.endpoint for each in broken.bad.order if each.role in (Role.EARLY, Role.LATE)}
    for finding in findings:
        known = finding.evidence
        if moved and isinstance(known, ResponseRaceEvidence) and moved <= set(known.endpoints):
            return finding
    return None
