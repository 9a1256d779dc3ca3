"""When an order that breaks is told by another finding already."""

from __future__ import annotations

import msgspec
import pytest

from jostle.events import Kind
from jostle.findings import Confidence, Defect, Finding, FindingKind, Severity
from jostle.findings.evidence import (
    LoadRaceEvidence,
    OrderedEvent,
    OrderedRun,
    ResponseRaceEvidence,
    Role,
    ScheduleEvidence,
)
from jostle.races.schedules.once import reported_before
from tests.report.evidence_of import evidence_of


def endpoint(what: str) -> str:
    """Of a response; empty for other events."""
    return what.partition("?")[0] if what.startswith(("GET ", "POST ")) else ""


def late(*held: str) -> Finding:
    problem = Defect(
        kind=FindingKind.AJAX_RACE,
        severity=Severity.MEDIUM,
        title="",
        cause=str(held),
        evidence=evidence_of(ResponseRaceEvidence, {"held": held, "endpoints": tuple(map(endpoint, held))}),
    )
    return problem.finding("races ajax", Confidence.WITNESSED)


def while_loading(*held: str) -> Finding:
    evidence = evidence_of(LoadRaceEvidence, {"held": held})
    return msgspec.structs.replace(late(*held), technique="races init", evidence=evidence)


def order(*moved: str) -> Defect:
    events = [
        OrderedEvent(what, Kind.NETWORK, role, endpoint=endpoint(what))
        for what, role in zip((*moved, "GET /page"), (Role.EARLY, Role.LATE, Role.OTHER), strict=True)
    ]
    return Defect(
        kind=FindingKind.ORDER_VIOLATION,
        severity=Severity.MEDIUM,
        title="",
        cause=str(moved),
        evidence=ScheduleEvidence(
            good=OrderedRun(), bad=OrderedRun(tuple(events)), differences=(), racing=(), shared=""
        ),
    )


BOOKS = late("GET /api/books?q=l", "GET /api/books?q=le")


@pytest.mark.parametrize(
    ("moved", "known", "told"),
    [
        (("GET /api/books?q=tea", "GET /api/books?q=te"), [BOOKS], True),
        (("GET /api/books?q=tea", "GET /api/books?q=te"), [late("GET /api/authors"), BOOKS], True),
        (("GET /api/books?q=tea", "GET /api/books?q=te"), [], False),
        (("GET /api/books?q=tea", "POST /api/books"), [BOOKS], False),
        (("GET /api/books?q=tea", "GET /api/authors"), [BOOKS], False),
        (('click button "Save"', "GET /api/books?q=te"), [BOOKS], False),
        (("timeout 150 at /app.js:3", "GET /api/books?q=te"), [BOOKS], False),
        (("GET /api/books?q=tea", "GET /api/books?q=te"), [while_loading("GET /api/books")], False),
    ],
)
def test_is_the_same_when_all_that_moved_are_answers_known_to_come_late(
    moved: tuple[str, str], known: list[Finding], told: bool
) -> None:
    assert (reported_before(order(*moved), known) is not None) is told
