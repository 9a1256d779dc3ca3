"""Which failures are one finding, as they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from jostle.adverse.bugs import Bugs, beside, label
from jostle.adverse.failure import AdverseFailure, BlamedInjection
from jostle.adverse.plan import Failure
from jostle.findings import Severity


def failure(condition: str = "hide", screen: str = "list", **more: Any) -> AdverseFailure:
    blamed = BlamedInjection(point=2, condition=condition, title="it happens", words="click", where="/suite/t.py:7")
    settings: dict[str, Any] = {"in_pass": "kept", "neutral": "commonly", "why": "", "category": "silent fail"}
    return AdverseFailure(
        failure=Failure(kind="AssertionError", message="still visible", where="/suite/t.py:9", point=3),
        places=(blamed,),
        token=f"{condition}@2",
        screen=screen,
        **settings | more,
    )


def bugs() -> Bugs:
    return Bugs("adverse", lambda test, failure: f"pytest {test} --jostle-repro {failure.token}", Path("/suite"))


def test_a_further_failure_of_a_bug_is_added_to_its_finding() -> None:
    found = bugs()
    first = found.add("t.py::test_a", failure())
    other = found.add("t.py::test_a", failure("resize"))
    again = found.add("t.py::test_b[x]", failure())
    assert first.id == again.id != other.id
    assert [each.id for each in found.findings] == [first.id, other.id]
    assert found.findings[0] == again
    told: dict[str, Any] = msgspec.to_builtins(again.evidence)
    assert list(told["also"]) == ["t.py::test_b[x, adverse: hide after line 7]"]
    assert told["reproduce"] == "pytest t.py::test_a --jostle-repro hide@2"
    assert (told["failed_at"], told["places"][0]["where"]) == ("t.py:9", "t.py:7")


def test_findings_with_the_same_name_are_one() -> None:
    """The same test, line and message where the page showed something else: not told twice."""
    found = bugs()
    first = found.add("t.py::test_a", failure())
    assert found.add("t.py::test_a", failure(screen="dialog")) == first
    assert found.findings == [first]


def test_alone() -> None:
    found = bugs()
    first = found.add("t.py::test_a", failure())
    assert found.alone("t.py::test_a", failure()).id == first.id
    assert found.alone("t.py::test_b", failure()).id != first.id
    assert len(found.findings) == 1


def test_severity() -> None:
    found = bugs()
    assert found.alone("t", failure()).severity is Severity.HIGH
    assert found.alone("t", failure(category="element disappears")).severity is Severity.MEDIUM
    assert found.alone("t", failure(category="element disappears", neutral="assumed")).severity is Severity.LOW
    assert found.alone("t", failure(category="brittle test")).severity is Severity.LOW


def test_names() -> None:
    assert label(failure()) == "adverse: hide after line 7"
    assert label(failure(isolated=False)) == "adverse: 1 condition"
    assert beside("test_a", "x") == "test_a[x]"
    assert beside("test_a[chromium]", "x") == "test_a[chromium, x]"
