"""One bug is told once, also when two searches see it."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from jostle.findings import Defect, Finding
from jostle.findings.evidence import ResponseRaceEvidence, Role, ScheduleEvidence


def reported_before(problem: Defect, findings: Iterable[Finding]) -> Finding | None:
    """The finding that tells of the same: an order that breaks because answers change places, all of them to what is
    known to break when its answers come late. What was asked for in the address makes no difference: `?q=te`."""
    broken = problem.evidence
    assert isinstance(broken, ScheduleEvidence)
    moved = {_endpoint(each.what) for each in broken.bad.order if each.role in (Role.EARLY, Role.LATE)}
    for finding in findings:
        known = finding.evidence
        if moved and isinstance(known, ResponseRaceEvidence) and moved <= {_endpoint(what) for what in known.held}:
            return finding
    return None


def _endpoint(what: str) -> str:
    """`GET /api/books?q=te` without its query; other events are themselves."""
    method, _, address = what.partition(" ")
    return f"{method} {urlsplit(address).path}" if method.isupper() and address else what
