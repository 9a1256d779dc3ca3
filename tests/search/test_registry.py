"""The techniques that there are."""

from __future__ import annotations

import pytest

from jostle.errors import UsageProblem
from jostle.search.job import Job, SearchOptions
from jostle.search.registry import CHECK, TECHNIQUES, in_checks, opener, reported_techniques, technique


@pytest.mark.parametrize("name", TECHNIQUES)
def test_each_is_complete(name: str) -> None:
    found = technique(name)
    assert found.name == found.report.name == name
    if name.startswith("adverse"):  # run by the pytest plugin
        assert found.in_check is None
        with pytest.raises(UsageProblem, match="is for suites of tests"):
            opener(name)
        return
    assert found.option == name.removeprefix("races ")
    assert found.in_check is not None and found.in_check.weight > 0
    assert opener(name) is found.opens


def test_those_that_a_check_uses() -> None:
    assert list(in_checks()) == ["explore", "init", "ajax", "orders", "slowdown"]
    assert list(reported_techniques()) == list(TECHNIQUES)


def test_one_that_is_not_there() -> None:
    with pytest.raises(UsageProblem, match="There is no technique `magic`") as told:
        opener(Job.of("magic", "http://x/", SearchOptions()).technique)
    assert "races ajax" in told.value.advice


def test_a_check_is_a_search_too() -> None:
    assert opener(CHECK).__name__ == "CheckSearch"
