"""JUnit XML: every reader's common ground, and no text of a page is anything but text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.findings.baseline import Baseline
from jostle.findings.gating import FailOn, gate
from jostle.report.junit import report
from jostle.runs import Document, Status
from tests.report.outcomes import ALL, OVERWRITTEN, RACE, REFUSED, SEARCHES, THROWN, hostile, outcome
from tests.report.recordings import HOSTILE

COUNTS = {"tests", "failures", "errors", "skipped", "time"}
SHAPE = {
    "testsuites": ({"name", *COUNTS}, set[str](), ["testsuite*"]),
    "testsuite": ({"name", *COUNTS}, set(), ["properties?", "testcase*"]),
    "properties": (set(), set(), ["property*"]),
    "property": ({"name", "value"}, set(), []),
    "testcase": (
        {"name", "classname", "time"},
        {"file", "line"},
        ["properties?", "failure?", "error?", "skipped?", "system-out?"],
    ),
    "failure": ({"message", "type"}, set(), []),
    "error": ({"message", "type"}, set(), []),
    "skipped": ({"message"}, set(), []),
    "system-out": (set(), set(), []),
}
"""Attributes that must be there, those that may be, and the children in their order."""


def check(element: ET.Element) -> None:
    must, may, children = SHAPE[element.tag]
    assert must <= element.attrib.keys() <= must | may, element.tag
    order = "".join(f"(?:{name[:-1]} ){name[-1]}" for name in children)
    assert re.fullmatch(order, "".join(f"{child.tag} " for child in element)), element.tag
    if element.tag in ("testsuite", "testsuites"):
        cases = list(element.iter("testcase"))
        assert int(element.attrib["tests"]) == len(cases)
        for what in ("failure", "error", "skipped"):
            number = sum(case.find(what) is not None for case in cases)
            assert int(element.attrib[what if what == "skipped" else f"{what}s"]) == number
        assert re.fullmatch(r"\d+\.\d{3}", element.attrib["time"])
    if element.tag == "testcase":
        assert sum(element.find(what) is not None for what in ("failure", "error", "skipped")) <= 1
    if children:
        assert not (element.text or "").strip()
    for child in element:
        check(child)


def parsed(xml: str) -> ET.Element:
    """By a parser that refuses what XML does not allow, from the bytes as they would be in a file."""
    root = ET.fromstring(xml.encode())
    assert root.tag == "testsuites"
    check(root)
    return root


def cases(root: ET.Element, suite: str) -> list[ET.Element]:
    found = root.find(f"testsuite[@name='jostle {suite}']")
    assert found is not None
    return found.findall("testcase")


def property_of(element: ET.Element, name: str) -> str | None:
    found = element.find(f"properties/property[@name='{name}']")
    return None if found is None else found.attrib["value"]


def said(case: ET.Element) -> str:
    return case.findtext("system-out") or ""


def test_a_run_with_all_sorts_of_findings() -> None:
    root = parsed(report(outcome(*ALL), SEARCHES, directory="runs/one of many"))
    assert root.attrib["name"] == "jostle check"
    assert [suite.attrib["name"] for suite in root] == [
        "jostle",
        *(f"jostle {name}" for name in ("explore", "races init", "races ajax", "slowdown", "races orders")),
    ]
    assert {name: root.attrib[name] for name in COUNTS} == {
        "tests": "9", "failures": "6", "errors": "0", "skipped": "2", "time": "72.250",
    }  # fmt: skip
    assert root[1].attrib["time"] == "12.500"
    assert property_of(root[0], "url") == "http://shop.test/search"
    assert property_of(root[1], "tried") == "60"
    assert "Limit: a video could not be held" in said(root[0][1])


def test_a_finding_is_a_failure_that_tells_how_to_see_it_again() -> None:
    root = parsed(report(outcome(*ALL), SEARCHES, directory="runs/one of many"))
    case = cases(root, "races ajax")[0]
    assert case.attrib["classname"] == "jostle.races-ajax.ajax-race"
    assert case.attrib["name"] == f"{RACE.title} [ajax-race-1]"
    assert (case.attrib["file"], case.attrib["line"]) == ("assets/search.js", "14")
    failure = case.find("failure")
    assert failure is not None
    assert failure.attrib == {"message": RACE.title, "type": "ajax-race"}
    for text in (failure.text or "", said(case)):
        assert "jostle replay 'runs/one of many/ajax-race-1-bad.jostle'" in text
        assert "pytest 'runs/one of many/test_ajax_race_1.py'" in text
    story = said(case)
    assert "The order that works:" in story
    assert "GET /api/search?q=go  (late)" in story
    assert "text: go, a board game; it should be: gopher, a burrowing rodent" in story
    assert ">    14   list.replaceChildren(" in story
    assert "part-1.js" not in story, "what comes before matters to nobody"
    assert story.endswith("\n[[ATTACHMENT|runs/one of many/ajax-race-1-bad.png]]")
    assert [property_of(case, name) for name in ("id", "severity", "confidence", "standing")] == [
        "ajax-race-1", "medium", "witnessed", "fails",
    ]  # fmt: skip


def test_the_worst_come_first() -> None:
    root = parsed(report(outcome(REFUSED, THROWN)))
    assert [property_of(case, "severity") for case in cases(root, "explore")] == ["high", "low"]


def test_a_search_that_found_nothing_has_passed() -> None:
    root = parsed(report(outcome(), SEARCHES))
    assert root.attrib["failures"] == "0"
    (passed,) = cases(root, "races init")
    assert passed.attrib["name"] == "acting before a page is ready"
    assert passed.attrib["time"] == "31.200"
    assert said(passed) == "12 cases tried, nothing found."


def test_what_was_not_tried_is_skipped() -> None:
    root = parsed(report(outcome(), SEARCHES))
    passed, skipped = cases(root, "races ajax")
    assert passed.find("skipped") is None
    reason = skipped.find("skipped")
    assert reason is not None
    assert reason.attrib["message"] == "3 of 12 not tried: the time was up"
    (untried,) = cases(root, "races orders")
    reason = untried.find("skipped")
    assert reason is not None
    assert reason.attrib["message"] == "7 of 7 not tried: the time was up"


def test_what_is_known_or_not_asked_for_is_skipped() -> None:
    gated = gate(ALL, FailOn.parse(["medium"]), Baseline().updated([THROWN, OVERWRITTEN]))
    root = parsed(report(outcome(*ALL), SEARCHES, gated))
    why = {
        property_of(case, "id"): skipped.attrib["message"]
        for case in root.iter("testcase")
        if (skipped := case.find("skipped")) is not None and property_of(case, "id")
    }
    assert why == {
        "exception-1": "known: it is in the baseline",
        "form-1": "known: it is in the baseline",
        "http-error-1": "found, but --fail-on does not ask for it",
    }
    assert root.attrib["failures"] == str(len(gated.failing)) == "3"


def test_what_was_not_seen_is_perhaps_fixed() -> None:
    gated = gate([RACE], None, Baseline().updated([RACE, THROWN]))
    root = parsed(report(outcome(RACE), SEARCHES, gated))
    assert f"Perhaps fixed: {THROWN.title} (exception-1)" in said(cases(root, "explore")[0]) + said(root[0][1])


@pytest.mark.parametrize("status", [Status.INTERRUPTED, Status.FAILED, Status.RUNNING])
def test_a_run_that_came_to_no_end_is_an_error(status: Status) -> None:
    error = "The browser is gone." if status is Status.FAILED else None
    root = parsed(report(outcome(RACE, status=status, error=error)))
    assert root.attrib["errors"] == "1"
    found = root[0].find("testcase/error")
    assert found is not None
    assert found.attrib["type"] == status.value
    assert found.attrib["message"] == (error or found.text)


def test_without_searches_the_command_itself_is_the_search() -> None:
    root = parsed(report(outcome(command="races init")))
    assert [case.attrib["name"] for case in cases(root, "races init")] == ["races init"]
    assert root.attrib["skipped"] == "0"
    broken_off = parsed(report(outcome(command="races init", status=Status.INTERRUPTED)))
    assert (broken_off.attrib["skipped"], broken_off.attrib["errors"]) == ("1", "1")


def test_files_of_the_repository() -> None:
    root = parsed(report(outcome(THROWN), root="public"))
    assert cases(root, "explore")[0].attrib["file"] == "public/basket.js"


# Hostile texts

EVIL = (
    "]]></system-out></testcase></testsuites>&<!-- \x00\x0b\ufffe\uffff\r\n\t\" ' \ud800 "
    "[[ATTACHMENT|/etc/passwd]] [[[[[ATTACHMENT|/etc/passwd]] 🙂 עברית"
)


@pytest.mark.parametrize("text", [EVIL, HOSTILE, "\x1b]0;x\x07", ""], ids=["evil", "hostile", "escape", "nothing"])
def test_texts_of_pages_stay_texts(text: str) -> None:
    run = hostile(text)
    root = parsed(report(run, SEARCHES, directory="runs"))
    written = "".join(root.itertext())
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", written)
    assert "[[ATTACHMENT|/etc" not in written
    assert root.attrib["failures"] == str(len(run.findings))


@settings(max_examples=15, deadline=None)
@given(st.text(st.characters(exclude_categories=[]), min_size=1, max_size=12))
def test_no_text_makes_or_hides_a_failure(text: str) -> None:
    run: Document = hostile(text)
    root = parsed(report(run))
    assert root.attrib["failures"] == str(len(run.findings))
    assert [property_of(case, "id") for case in root.iter("testcase") if case.find("failure") is not None]
    assert {element.tag for element in root.iter()} <= SHAPE.keys()
