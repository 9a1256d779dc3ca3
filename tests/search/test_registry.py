"""The techniques that there are."""

from __future__ import annotations

import pytest

from jostle.errors import UsageProblem
from jostle.search.job import Job, SearchOptions
from jostle.search.registry import CHECK, TECHNIQUES, opener, technique


@pytest.mark.parametrize("name", TECHNIQUES)
def test_each_is_complete(name: str) -> None:
    found = technique(name)
    assert found.name == name and found.option == name.removeprefix("races ")
    assert found.in_check is not None and found.in_check.weight > 0
    assert opener(name) is found.opens


def test_their_options_on_the_command_line_differ() -> None:
    options = [technique(name).option for name in TECHNIQUES]
    assert len(set(options)) == len(options)


def test_one_that_is_not_there() -> None:
    with pytest.raises(UsageProblem, match="There is no technique `magic`") as told:
        opener(Job.of("magic", "http://x/", SearchOptions()).technique)
    assert "races ajax" in told.value.advice


def test_a_check_is_a_search_too() -> None:
    assert opener(CHECK).__name__ == "CheckSearch"
