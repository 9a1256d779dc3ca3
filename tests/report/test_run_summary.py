"""What a run tells of what it did: what was given up, and where nothing was tested."""

from __future__ import annotations

import msgspec

from jostle.checking.search import _joined
from jostle.report.run_summary import RunSummary, SearchSummary, read_summary

NOTHING = SearchSummary(name="explore", tried=0, untested="the page stayed empty")
SOMETHING = SearchSummary(name="explore", tried=7)


def test_that_nothing_was_tested_is_said_with_the_reason() -> None:
    told = RunSummary(searches=(NOTHING, msgspec.structs.replace(SOMETHING, given_up=("the browser ended",))))
    assert told.given_up == (
        "explore: the browser ended",
        "explore: nothing was tested: the page stayed empty",
    )
    assert not told.nothing_tested and RunSummary(searches=(NOTHING,)).nothing_tested
    assert RunSummary(searches=(SOMETHING,)).given_up == ()


def test_of_several_searches_one_that_tested_something_is_enough() -> None:
    assert _joined("explore", [NOTHING, SOMETHING], 0, 1.0).untested == ""
    assert _joined("explore", [NOTHING, NOTHING], 0, 1.0).untested == "the page stayed empty"


def test_it_is_read_back() -> None:
    written = RunSummary(searches=(NOTHING,))
    assert read_summary(msgspec.to_builtins(written)).given_up == written.given_up
