"""When an order that breaks is told by another finding already."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.findings import Confidence, FindingKind, Problem, Severity
from jostle.races.orders.once import reported_before


def problem(kind: FindingKind, evidence: dict[str, Any]) -> Problem:
    return Problem(kind=kind, severity=Severity.MEDIUM, title="", cause=str(evidence), evidence=evidence)


def late(*held: str, technique: str = "races ajax") -> Any:
    return problem(FindingKind.AJAX_RACE, {"held": list(held)}).finding(technique, Confidence.WITNESSED)


def order(*moved: str) -> Problem:
    events = [{"what": what, "role": role} for what, role in zip(moved, ("early", "late"), strict=True)]
    events.append({"what": "GET /page", "role": "other"})
    return problem(FindingKind.ORDER_VIOLATION, {"bad": {"order": events}})


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
        (("GET /api/books?q=tea", "GET /api/books?q=te"), [late("GET /api/books", technique="races init")], False),
    ],
)
def test_is_the_same_when_all_that_moved_are_answers_known_to_come_late(
    moved: tuple[str, str], known: list[Any], told: bool
) -> None:
    assert (reported_before(order(*moved), known) is not None) is told
