"""Tests of what goes wrong, as text: whatever a page calls itself, it stays text in them."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import Kind, Step, event_of
from jostle.exploring.playwright_test import LONGEST_WAIT, problem_test, stretches
from jostle.findings import Confidence, Finding, FindingKind, Severity
from tests.report.evidence_of import evidence_of_defect

URL = "http://shop.test/"


def found(kind: FindingKind, title: str = "it is wrong", **evidence: Any) -> Finding:
    return Finding(
        id="x-1",
        technique="explore",
        kind=kind,
        confidence=Confidence.WITNESSED,
        severity=Severity.HIGH,
        title=title,
        evidence=evidence_of_defect(kind, evidence),
    )


def click(name: str, at: float = 0.0, action: str = "click") -> Step:
    detail = {"action": action, "locator": {"role": "button", "name": name}}
    return Step(event=event_of(kind=Kind.USER, what=f'{action} button "{name}"', detail=detail), at=at)


def timer(at: float) -> Step:
    return Step(event=event_of(kind=Kind.TIMER, what="timeout"), at=at)


def test_how_long_the_application_went_on() -> None:
    steps = [timer(40), timer(350), click("a", 400), click("b", 401), timer(700), timer(90_000)]
    assert [(each.event and each.event.what, each.wait) for each in stretches(steps)] == [
        (None, 350), ('click button "a"', 0), ('click button "b"', LONGEST_WAIT)
    ]  # fmt: skip
    text = problem_test(URL, steps, found(FindingKind.EXCEPTION, message="no"), name="x")
    assert "using.rest(350)" in text and f"using.rest({LONGEST_WAIT})" in text and text.count("using.rest()") == 1


def test_the_last_response_to_code_of_the_page_is_awaited() -> None:
    asked = [("fetch", "/api/items/12?_=1699999999999"), ("image", "/logo.png")]
    answers = [
        event_of(
            kind=Kind.NETWORK,
            what=f"GET {path}",
            detail={"method": "GET", "url": f"http://shop.test{path}", "resource": resource},
        )
        for resource, path in asked
    ]
    steps = [click("a", 10), *(Step(event=each, at=20) for each in answers), click("b", 30)]
    assert [each.response for each in stretches(steps)] == ["", "GET http://shop.test/api/items/…?_=…", ""]
    text = problem_test(URL, steps, found(FindingKind.EXCEPTION, message="no"), name="x")
    assert 'using.rest(response="GET http://shop.test/api/items/…?_=…")' in text


def test_what_differs_by_data_is_left_open() -> None:
    message = "Uncaught TypeError: item 12 of http://shop.test/a/7 (id 5f0c3a9e12) is <b>gone</b>"
    assert 'MESSAGE = "item … of … (id …) is <b>gone</b>"' in problem_test(
        URL, [], found(FindingKind.EXCEPTION, message=message), name="x"
    )
    url = f"{URL}items/37?v=1&_=1699999999999"
    text = problem_test(URL, [], found(FindingKind.HTTP_ERROR, method="GET", url=url, status=500), name="x")
    assert 'ADDRESS = "http://shop.test/items/…?v=1&_=…"' in text


@pytest.mark.parametrize("message", ["", "Uncaught #<Object>", "Uncaught (in promise) [object Event]"])
def test_an_error_that_says_nothing_is_any_error(message: str) -> None:
    assert 'MESSAGE = "…"' in problem_test(URL, [], found(FindingKind.EXCEPTION, message=message), name="x")


@given(st.text(max_size=60), st.sampled_from(list(FindingKind)))
def test_texts_of_a_page_never_become_code(words: str, kind: FindingKind) -> None:
    evidence = {
        "message": words,
        "method": "GET",
        "url": f"http://shop.test/{words}",
        "status": 500,
        "javascript": words,
    }
    try:
        text = problem_test(URL, [click(words)], found(kind, title=f"coding: {words}", **evidence), name=words)
    except ValueError:
        return
    text.encode("utf-8", "surrogatepass")
    tree = ast.parse(text.encode("utf-8", "replace").decode())
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    assert len(functions) == 1
    assert "coding" not in "\n".join(text.splitlines()[1:2])


@pytest.mark.parametrize(
    ("finding", "why"),
    [
        (found(FindingKind.HTTP_ERROR, method="GET", url="http://shop.test/favicon.ico", status=404), "the icon"),
        (found(FindingKind.HTTP_ERROR, method="GET", url="blob:x", status=0), "by http"),
        (found(FindingKind.BROKEN_INVARIANT, invariant="sum"), "a Python function"),
        (found(FindingKind.AJAX_RACE), "no such test for findings of the kind ajax-race"),
    ],
)
def test_what_there_is_no_test_for(finding: Finding, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        problem_test(URL, [], finding, name="x")


def test_a_step_that_playwright_cannot_do() -> None:
    with pytest.raises(ValueError, match="cannot be done by Playwright"):
        problem_test(URL, [click("a", action="levitate")], found(FindingKind.EXCEPTION, message="no"), name="x")
