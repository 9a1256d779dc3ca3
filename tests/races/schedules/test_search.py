"""Scenarios that cannot be compared: whose they were decides what that means."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from jostle.errors import ApplicationProblem
from jostle.events import Event, UserEvent
from jostle.races.schedules import search as orders
from jostle.races.schedules.reordering import BrokenOrder, NotRepeatable, OrderStrategy
from jostle.races.schedules.search import OrderOptions, OrderSearch
from jostle.report.run_summary import RunSummary
from jostle.search.job import InMemory, Job
from jostle.search.observations import Observations
from jostle.search.technique import SearchContext

WHY = "The scenario does not go the same way twice: the list is another one."


class _Rehearsal:
    async def close(self) -> None:
        pass


class _Subject:
    @contextlib.asynccontextmanager
    async def browser(self, **more: Any) -> AsyncIterator[None]:
        yield None

    async def death(self, problem: ApplicationProblem) -> None:
        return None


class _Reordering:
    """A scenario of one event is never the same twice; of others, two orders are tried."""

    def __init__(self, *given: Any, **more: Any) -> None:
        self.tried = self.pending = self.races = 0
        self.seconds = 0.0
        self.original, self.dismissed, self.noise = None, (), ()

    async def run(self, scenario: Sequence[Event]) -> AsyncIterator[BrokenOrder]:
        if len(scenario) == 1:
            raise NotRepeatable(WHY)
        self.tried = 2
        for broken in tuple[BrokenOrder, ...]():
            yield broken


def searched(
    monkeypatch: pytest.MonkeyPatch, *lengths: int, in_check: bool = False, chosen: bool = False
) -> RunSummary:
    scenarios: list[list[Event]] = [[UserEvent(what=f"click {n}") for n in range(length)] for length in lengths]
    monkeypatch.setattr(orders, "Reordering", _Reordering)
    monkeypatch.setattr(orders, "rehearsal_of", lambda *given, **more: _Rehearsal())
    monkeypatch.setattr(orders, "scenarios_in", lambda reactions: scenarios)
    monkeypatch.setattr(orders, "careful", lambda subject, options: type("", (), {"met": {}}))

    async def looked(*given: Any, **more: Any) -> None:
        pass

    monkeypatch.setattr(orders, "look", looked)
    context = SearchContext(
        subject=_Subject(),  # type: ignore[arg-type]
        emit=lambda event: None,
        references=InMemory(),
        observations=Observations() if in_check else None,
    )
    search = OrderSearch(Job.of("races orders", "http://x/", OrderOptions(strategy=OrderStrategy.RANDOM)), context)
    if chosen:
        search._scenarios, search._chosen = scenarios, True
    asyncio.run(search.run(None))
    return search.conclude().summary


def test_a_scenario_of_ours_that_differs_each_time_is_no_failure_where_others_were_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    summary = searched(monkeypatch, 1, 2)
    assert summary.given_up == ()
    [told] = summary.searches
    assert (told.tried, told.not_tried, told.why) == (2, 1, WHY)


def test_in_a_check_other_techniques_tested_something(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = searched(monkeypatch, 1, in_check=True)
    assert summary.given_up == ()
    [told] = summary.searches
    assert (told.tried, told.not_tried, told.why, told.untested) == (0, 1, WHY, "")


def test_by_itself_nothing_was_tested_then(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = searched(monkeypatch, 1)
    assert summary.nothing_tested
    assert summary.given_up == (f"races orders: nothing was tested: {WHY}",)


def test_the_scenario_that_was_asked_for_must_be_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ApplicationProblem, match="same way twice"):
        searched(monkeypatch, 1, chosen=True)
    assert searched(monkeypatch, 1, 2, chosen=True).given_up == (f"races orders: {WHY}",)
