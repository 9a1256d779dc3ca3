"""Exploration by whole orders."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.races.schedules.prioritise import Priority
from jostle.races.schedules.wave import Ordered, Wave
from tests.races.schedules.applications import Subject, button_before_script, go, paging, slideshow


def explore(subject: Subject, **options: Any) -> tuple[list[Ordered], Wave]:
    search = Wave(subject.runner, subject.recording, **options)

    async def all_of_it() -> list[Ordered]:
        return [each async for each in search.explore()]

    return go(all_of_it()), search


@pytest.mark.parametrize("strategy", list(Priority))
def test_figure_1_has_six_orders_of_which_three_fail(strategy: Priority) -> None:
    subject = button_before_script()
    found, search = explore(subject, strategy=strategy)
    assert (search.feasible, search.explored, search.finished) == (6, 6, True)
    orders = {
        subject.names.all(each.run.trace.events): [e.message for s in each.run.trace.steps for e in s.effect.errors]
        for each in found
    }
    failing = ["ReferenceError: fn is not defined"]
    assert orders == {
        "p1 p2 e1 p3": [],
        "p1 p3 p2 e1": [],
        "p1 p3 e1 p2": failing,
        "p1 e1 p2 p3": failing,
        "p1 e1 p3 p2": failing,
    }
    if strategy is Priority.PRECEDENCE:
        assert subject.names.all(found[0].run.trace.events) == "p1 e1 p3 p2", "the first tried fails"


def test_the_user_keeps_the_order() -> None:
    subject = paging()
    found, search = explore(subject)
    assert search.feasible == 3
    assert {subject.names.all(each.run.trace.events) for each in found} == {"C1 C2 R1 R2", "C1 C2 R2 R1"}


def test_what_cannot_be_done_in_an_order_is_skipped() -> None:
    subject = slideshow()
    found, search = explore(subject)
    assert search.feasible == 20, "L2 and L3 anywhere among C1, C2, T(C2)"
    assert len(found) == 19
    for each in found:
        assert len(each.run.trace.steps) + len(each.run.skipped) == 5
        assert subject.names.all([step.event for step in subject.recording.trace.steps]) != subject.names.all(
            each.run.asked
        )
    assert any(each.run.skipped for each in found)


def test_bounds() -> None:
    found, search = explore(slideshow(), limit=3)
    assert (len(found), search.explored, search.finished) == (3, 4, False)
    time = iter([0, 1, 2])
    found, search = explore(slideshow(), deadline=1, clock=lambda: next(time))
    assert (len(found), search.finished) == (1, False)
