"""Which differences do harm."""

from __future__ import annotations

import pytest

from jostle.findings.evidence import DifferenceKind, OutcomeDifference
from jostle.oracles.outcome import Outcome, differences
from jostle.races.responses.harm import harmful, only_added, only_stored

SAVE = "PUT http://app.test/note "
ADD = "POST http://app.test/items "


def ended(*sent: str, text: str = "", stored: str = "") -> Outcome:
    snapshot = f"tab 1 http://app.test/\n localStorage cache = {stored}" if stored else "tab 1 http://app.test/"
    return Outcome(snapshot=snapshot, text=text, sent=sent)


def told(good: Outcome, bad: Outcome, *, repeats: bool = False) -> list[str]:
    return [str(each) for each in harmful(differences(good, bad), good, bad, repeats=repeats)]


def test_a_save_that_a_later_one_makes_needless() -> None:
    assert not told(ended(SAVE + "a", SAVE + "ab"), ended(SAVE + "ab"))


def test_the_last_save_is_lost() -> None:
    assert told(ended(SAVE + "a", SAVE + "ab"), ended(SAVE + "a")) == [f"request: {SAVE}ab is missing"]


def test_everything_is_lost() -> None:
    assert told(ended(SAVE + "a"), ended()) == [f"request: {SAVE}a is missing"]


def test_a_message_that_is_missing_on_the_page_too_is_lost() -> None:
    good, bad = ended(ADD + "a", ADD + "b", text="a\nb"), ended(ADD + "b", text="b")
    assert f"request: {ADD}a is missing" in told(good, bad)


@pytest.mark.parametrize(("repeats", "lost"), [(True, []), (False, [f"request: {ADD}a is missing"])])
def test_who_is_not_let_do_the_same_again_loses_nothing(repeats: bool, lost: list[str]) -> None:
    other = "POST http://app.test/other b"
    assert told(ended(ADD + "a", other), ended(other), repeats=repeats) == lost


def test_sent_twice() -> None:
    assert told(ended(ADD + "a"), ended(ADD + "a", ADD + "a"), repeats=True) == [f"request: {ADD}a is new"]
    assert not told(ended(SAVE + "a"), ended(SAVE + "a", SAVE + "a")), "to put the same there again changes nothing"
    assert told(ended(SAVE + "a"), ended(SAVE + "a", SAVE + "b")) == [f"request: {SAVE}b is new"]


def test_long_requests_are_told_in_part_and_compared_all_the_same() -> None:
    long = "x" * 5000
    assert not told(ended(SAVE + long), ended(SAVE + long, SAVE + long))
    assert not told(ended(ADD + long, ADD + long), ended(ADD + long)), "sent once instead of twice"


def test_what_asks_for_news_again_and_again() -> None:
    """One more or less is a matter of time."""
    news = ADD + '{"method":"get","fields":["' + "x" * 5000
    assert not told(ended(*[news] * 5), ended(*[news] * 6))
    assert not told(ended(*[news] * 6), ended(*[news] * 5))
    assert told(ended(news), ended(news, news)), "who does something twice sends it twice"


def test_statistics() -> None:
    assert not told(ended(), ended("POST http://app.test/api/analytics click"))
    assert told(ended(), ended("POST http://app.test/api/blogs analytics")), (
        "what is sent does not matter, but where to"
    )


def test_only_what_is_stored() -> None:
    good, bad = ended(stored="1"), ended(stored="2")
    found = harmful(differences(good, bad), good, bad)
    assert [each.what for each in found] == [DifferenceKind.STORAGE] and only_stored(found)
    assert not only_stored(differences(ended(stored="1", text="a"), ended(stored="2", text="b")))
    assert not only_stored(())


def test_what_can_be_too_much() -> None:
    text = OutcomeDifference(DifferenceKind.TEXT, "", "", "new")
    extra = OutcomeDifference(DifferenceKind.REQUEST, "", "", ADD)
    missing = OutcomeDifference(DifferenceKind.REQUEST, "", ADD, "")
    assert only_added([text, extra, missing]) == (extra,)
