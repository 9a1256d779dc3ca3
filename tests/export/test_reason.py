from __future__ import annotations

import pytest

from jostle.export.reason import PytestOutcome, Verdict, judged, reason_of

TEST = 'URL = "http://x/"\nFOUND = "The list is overwritten"\n\ndef test_it():\n    assert not 1, FOUND\n'


def failed(message: str, error: str = "AssertionError", when: str = "call") -> PytestOutcome:
    return PytestOutcome(when=when, error=error, message=message)


def test_the_reason_of_a_test_stands_in_its_source() -> None:
    assert reason_of(TEST) == "The list is overwritten"
    assert reason_of("OTHER = 1\n") == ""
    assert reason_of("FOUND = 1\n") == ""


@pytest.mark.parametrize("said", ["The list is overwritten", "The list\n  is overwritten: Only in the bad order: x"])
def test_a_test_that_fails_for_its_reason_reproduces_the_finding(said: str) -> None:
    assert judged(TEST, failed(said)) == (Verdict.REPRODUCED, "")


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        (PytestOutcome(when="call", timed_out=60), "it did not end within 60 s"),
        (
            failed("After the first step the page does not ask for it.\nassert 0"),
            "it failed for another reason: After the first step the page does not ask for it.",
        ),
        (
            failed("Locator.click: Timeout 30000ms exceeded.\nCall log:", "TimeoutError"),
            "it failed for another reason: TimeoutError: Locator.click: Timeout 30000ms exceeded.",
        ),
        (failed("The list is overwritten", "TimeoutError"), "it failed for another reason: TimeoutError: The list is"),
        (failed("invalid syntax", "ImportError", "collect"), "it failed for another reason: ImportError: invalid syn"),
    ],
)
def test_a_test_that_fails_otherwise_does_not(outcome: PytestOutcome, why: str) -> None:
    verdict, told = judged(TEST, outcome)
    assert verdict is Verdict.NOT_REPRODUCED
    assert told.startswith(why)


def test_a_test_that_passes_says_that_the_application_does_well() -> None:
    assert judged(TEST, PytestOutcome()) == (Verdict.PASSED, "it passed")


@pytest.mark.parametrize(
    "outcome",
    [
        failed("Page.goto: net::ERR_CONNECTION_REFUSED at http://x/", "Error"),
        failed("BrowserType.launch: no such file", "Error", "setup"),
    ],
)
def test_where_application_or_browser_are_missing_it_was_not_run(outcome: PytestOutcome) -> None:
    assert judged(TEST, outcome)[0] is Verdict.NOT_RUN


def test_what_a_page_says_is_shown_short_and_printable() -> None:
    _, told = judged(TEST, failed("\x1b[31m" + "x" * 5000))
    assert "\x1b" not in told and len(told) < 260


def test_a_test_without_a_reason_reproduces_nothing() -> None:
    assert judged("FOUND = ''\n", failed("anything"))[0] is Verdict.NOT_REPRODUCED
