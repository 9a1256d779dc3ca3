"""What a command says in the end is true: its exit code, its summary, and the test that shows a finding."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.cli.outcome import Work
from jostle.consumers.summary import Summary
from jostle.consumers.terminal import Terminal
from jostle.errors import Exit
from jostle.exploring.playwright_test import problem_test
from jostle.findings import FindingKind
from jostle.report.run_summary import RunSummary, SearchSummary, read_summary
from jostle.runs import RunDirectory
from jostle.search.redacting import Redaction
from jostle.search.stream import RunEnded, SearchEnded, Status
from jostle.text import printable
from tests.export.test_problem_test import found
from tests.report.test_annotations import heard

GIVEN_UP = SearchSummary(name="races init", not_tried=1, why="a mistake", given_up=("a mistake\nin two lines",))


@pytest.mark.parametrize("search", [GIVEN_UP, SearchSummary(name="races init")])
@pytest.mark.parametrize("with_findings", [True, False])
def test_a_search_that_was_given_up_is_not_nothing_found(search: SearchSummary, with_findings: bool) -> None:
    work = Work(cast(RunDirectory, None), [], Terminal(), Redaction(None))
    work.emit(SearchEnded(RunSummary(searches=(SearchSummary(name="explore", tried=3), search))))
    expected = Exit.COULD_NOT_RUN if search.given_up else Exit.NOTHING_FOUND
    assert work.outcome(found=with_findings) == (Exit.FINDINGS if with_findings else expected)


def test_the_summary_says_what_was_given_up(capsys: pytest.CaptureFixture[str]) -> None:
    summary = Summary(None, None, still=lambda: None, document=Path("-"))
    summary(SearchEnded(RunSummary(searches=(GIVEN_UP,))))
    summary(RunEnded(status=Status.FINISHED, seconds=1.0))
    assert capsys.readouterr().err == (
        "\nNothing was found.\nGiven up, so there may be more:\n  races init: a mistake in two lines\n"
    )


def test_what_was_given_up_is_kept_with_the_run() -> None:
    assert read_summary({"searches": [{"name": "x", "given_up": ["y"]}]}).given_up == ("x: y",)


@given(st.text(st.sampled_from("\n\r\t :#[]a\u2028\u00a0%\x0b\x1c"), max_size=30))
def test_no_text_of_a_page_is_a_command_for_continuous_integration(text: str) -> None:
    assert heard(printable(text)) == []


@pytest.mark.parametrize("thrown", ["Error: no price", "Boom: no price", "Uncaught (in promise) Error: no price"])
def test_a_test_looks_for_what_playwright_reports(thrown: str) -> None:
    """Playwright leaves out the name of an error, also the plain one."""
    assert 'MESSAGE = "no price"' in problem_test(
        "http://shop.test/", [], found(FindingKind.EXCEPTION, message=thrown), name="x"
    )
