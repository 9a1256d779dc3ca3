"""What was tried, read from whatever is there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.findings import FindingKind
from jostle.report.kinds import KINDS
from jostle.report.run_outcome import line, searches, text
from jostle.report.run_summary import SearchSummary


def test_searches() -> None:
    told = {
        "searches": [
            {"name": "races init", "what": "acting early", "tried": 12, "found": 2, "seconds": 31.2, "not_tried": 3,
             "why": "the time was up", "others": [["a", "harmless", ""]], "noise": [], "stats": {}},
            {"name": "slowdown", "tried": None, "seconds": None},
        ],
        "budget": 300.0,
    }  # fmt: skip
    assert searches(told) == (
        SearchSummary(
            name="races init", what="acting early", tried=12, found=2, not_tried=3, why="the time was up", seconds=31.2,
            others=(("a", "harmless", ""),),
        ),
        SearchSummary(name="slowdown"),
    )  # fmt: skip


@pytest.mark.parametrize(
    "told",
    [None, [], "x", {}, {"searches": None}, {"searches": "abc"}, {"searches": [3, None, {}, {"name": []}]}],
    ids=str,
)
def test_what_is_half_there(told: object) -> None:
    assert searches(told) == ()


def test_the_good_ones_among_bad_ones() -> None:
    assert searches({"searches": [{"tried": 1}, {"name": "explore", "tried": 4}]}) == (
        SearchSummary(name="explore", tried=4),
    )


def test_every_kind_is_explained() -> None:
    assert set(KINDS) == set(FindingKind)
    assert all(each.what.endswith(".") and each.help.endswith(".") for each in KINDS.values())


@given(st.text(), st.integers(1, 30))
def test_texts_can_be_written_anywhere(words: str, longest: int) -> None:
    for made in (text(words, longest), line(words, longest)):
        made.encode()
        assert all(character in "\n\t" or character.isprintable() or ord(character) >= 0xA0 for character in made)
        assert not {"\ufffe", "\uffff", "\r", "\u2028", "\u202e"} & set(made)
        assert len(made) <= longest + 2
    assert "\n" not in line(words, longest)
