"""The situations that were tried."""

from __future__ import annotations

import pytest

from jostle.adverse.redundancy import Commit, InjectionSituation, TriedSituations

NAMES = ("resize", "hide")
SCREENS = ("list", "menu", "dialog", "list")
"""After Yes the page looks as after Programs."""


def walk(tried: TriedSituations, events: tuple[str, ...]) -> int:
    performed = 0
    for screen, event in zip(SCREENS, events, strict=True):
        performed += sum(not tried.known(InjectionSituation(screen, event, name)) for name in NAMES)
    return performed


@pytest.mark.parametrize(
    ("events", "first", "size"),
    [(("click",) * 4, 6, 6), (("click open", "contextmenu li", "click del", "click yes"), 8, 8)],
)
def test_early(events: tuple[str, ...], first: int, size: int) -> None:
    tried = TriedSituations(Commit.EARLY)
    assert walk(tried, events) == first
    tried.ended(passed=False)
    assert len(tried) == size
    before = tried.skipped
    assert walk(tried, events) == 0
    assert tried.skipped - before == 8


def test_late_keeps_what_is_to_blame_only() -> None:
    tried = TriedSituations()
    assert walk(tried, ("click",) * 4) == 6
    tried.ended(passed=False)
    tried.blamed(InjectionSituation("dialog", "click", "hide"))
    assert len(tried) == 1
    assert walk(tried, ("click",) * 4) == 5


def test_late_keeps_all_of_a_test_that_passes() -> None:
    tried = TriedSituations()
    walk(tried, ("click",) * 4)
    tried.ended(passed=True)
    assert walk(tried, ("click",) * 4) == 0
