"""Ids that a page makes up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jostle.findings.evidence import DifferenceKind, OutcomeDifference
from jostle.oracles.made_up import in_substance


def text(good: str, bad: str) -> OutcomeDifference:
    return OutcomeDifference(DifferenceKind.TEXT, "", good, bad)


def test_ids_that_nobody_has_told_the_page() -> None:
    assert in_substance([text("Text #i1e1g", "Text #i1zun")], [b"<p>Text</p>"], []) == []
    apart = [text("Text #i1e1g", ""), text("", "Text #i1zun")]
    assert in_substance(apart, [], []) == []
    uuids = ("4bf92f35-77b3-4da6-a3ce-929d0e0e4736", "1bf92f35-77b3-4da6-a3ce-929d0e0e4737")
    assert in_substance([text(*uuids)], [], []) == []


def test_what_a_server_said_or_a_user_entered_is_data() -> None:
    stale = [text("Results for ab12", "Results for cd34")]
    assert in_substance(stale, [b'{"code": "ab12"}'], []) == stale
    assert in_substance(stale, [], ["cd34"]) == stale


def test_other_differences_stay() -> None:
    found = [
        text("Saved", "Failed"),
        text("Text #i1e1g", "Text #i1zun"),
        text("", "One more #i1e1g"),
        text("Room 12", "Room 14"),
    ]
    assert in_substance(found, [], []) == [found[0], found[2], found[3]]


WORDS = st.text(alphabet="ab1 #", max_size=8)


@given(st.lists(st.builds(text, WORDS, WORDS).filter(lambda each: each.good != each.bad), max_size=6))
def test_it_only_leaves_out(found: list[OutcomeDifference]) -> None:
    kept = in_substance(found, [], [])
    assert all(each in found for each in kept)
    everything = [" ".join(part for each in found for part in (each.good, each.bad))]
    assert in_substance(found, [], everything) == found  # all of it is data
