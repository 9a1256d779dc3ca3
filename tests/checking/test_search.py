"""A check whose searches are stand-ins: what it tells of them, whatever they do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from jostle.checking import engine
from jostle.checking import search as checking
from jostle.checking.search import CheckOptions, CheckSearch
from jostle.errors import ApplicationDied, ApplicationProblem, CouldNotRun, Problem
from jostle.events import Effect, Kind, State, event_of
from jostle.model.visit import Visit
from jostle.progress import Note
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.search.job import Job
from jostle.search.stream import SearchEnded
from jostle.search.technique import SearchContext

TURN = 0.02
"""Seconds."""
EXPLORE, LOADING, RESPONSES = "explore", "races init", "races ajax"


class StandIn:
    """A search that does what a test says in each of its turns."""

    def __init__(self, name: str, turns: Iterable[Callable[[], None]], context: SearchContext) -> None:
        self.name = name
        self._turns = list(turns)
        self._done = 0
        self._context = context

    @property
    def more(self) -> bool:
        return self._done < len(self._turns)

    async def run(self, seconds: float | None) -> None:
        await asyncio.sleep(TURN)
        self._done += 1
        if self.name == EXPLORE:
            visit = _visit()
            assert self._context.observations is not None
            self._context.observations.exploration.visits.append(visit)
            assert self._context.on_visit is not None
            await self._context.on_visit(visit, None)  # type: ignore[arg-type]
        self._turns[self._done - 1]()

    def conclude(self) -> SearchEnded:
        stats = {"seconds": 99.0, "avoided": {f"{self.name} {id(self)}": "paying"}}
        summary = SearchSummary(name=self.name, tried=self._done, seconds=99.0, stats=stats)
        return SearchEnded(RunSummary(searches=(summary,)), stats)


class Instances:
    """How often the application runs."""

    def __init__(self) -> None:
        self.number = 1
        self.grown = 0
        self.fails: Problem | None = None
        self.hangs = False

    def __len__(self) -> int:
        return self.number

    async def grow(self, browsers: object) -> None:
        self.grown += 1
        if self.hangs:
            await asyncio.sleep(600)
        if self.fails is not None:
            raise self.fails
        self.number += 1


class Application:
    """The subject, as far as a check looks at it."""

    resets = False
    dead = False
    only_one = ""
    browsers: Any = None

    def __init__(self) -> None:
        self.instances = Instances()

    def at(self, url: str, *, state: object = None) -> Application:
        return self

    async def death(self, problem: ApplicationProblem) -> ApplicationDied | None:
        return ApplicationDied("It stopped answering after: this") if self.dead else None


def _visit() -> Visit:
    here = State(digest="1", url="http://x/")
    return Visit(
        before=here,
        event=event_of(Kind.USER, "click"),
        effect=Effect(),
        after=here,
        run=1,
        new_state=False,
        new_blocks=0,
    )


def nothing() -> None:
    pass


def fails(error: Exception) -> Callable[[], None]:
    def turn() -> None:
        raise error

    return turn


class Check:
    def __init__(
        self,
        patch: pytest.MonkeyPatch,
        turns: dict[str, list[Callable[[], None]]],
        *,
        budget: float = 60.0,
        workers: int = 1,
        application: Application | None = None,
    ) -> None:
        def opener(name: str) -> Callable[[Job, SearchContext], Any]:
            return lambda job, context: StandIn(name, turns.get(name, [nothing]), context)

        patch.setattr(checking, "opener", opener)
        patch.setattr(checking, "_LEAST", TURN)
        patch.setattr(engine, "HARDLY", 0.0)  # who is quicker does not get on
        self.told: list[Any] = []
        self.application = application or Application()
        options = CheckOptions(techniques=(EXPLORE, LOADING, RESPONSES), workers=workers)
        job = Job.of("check", "http://x/", options, budget=budget)
        context = SearchContext(subject=self.application, emit=self.told.append)  # type: ignore[arg-type]
        self.search = CheckSearch(job, context)
        self.raised: Problem | None = None

    def run(self) -> dict[str, SearchSummary]:
        try:
            asyncio.run(asyncio.wait_for(self.search.run(None), 60))
        except Problem as problem:
            self.raised = problem
        return {each.name: each for each in self.search.conclude().summary.searches}

    @property
    def notes(self) -> list[str]:
        return [each.text for each in self.told if isinstance(each, Note)]


def test_a_mistake_of_ours_in_one_search_does_not_end_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check(monkeypatch, {LOADING: [fails(ZeroDivisionError("by zero"))]})
    searches = check.run()
    assert check.raised is None
    why = "jostle itself failed: ZeroDivisionError: by zero"
    assert f"races init /: given up: {why}" in check.notes
    assert (searches[LOADING].not_tried, searches[LOADING].why) == (1, why)
    assert searches[LOADING].given_up == (why,)
    assert searches[RESPONSES].given_up == ()
    assert searches[RESPONSES].tried == 1
    assert searches[EXPLORE].tried == 1


def test_who_debugs_gets_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOSTLE_DEBUG", "1")
    check = Check(monkeypatch, {LOADING: [fails(ZeroDivisionError("by zero"))]})
    searches = check.run()
    assert any("Traceback" in note and "in turn" in note for note in check.notes)
    assert "Traceback" not in searches[LOADING].why


def test_what_a_failed_exploration_has_seen_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check(monkeypatch, {EXPLORE: [fails(KeyError("x"))]})
    searches = check.run()
    assert check.raised is None
    assert "KeyError" in searches[EXPLORE].why
    assert searches[RESPONSES].tried == 1


def test_a_proposer_that_fails_is_told_once_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check(monkeypatch, {EXPLORE: [nothing, nothing]})

    async def visited(visit: object, app: object) -> list[Any]:
        raise ZeroDivisionError

    monkeypatch.setattr(check.search._proposers[LOADING], "visited", visited)
    searches = check.run()
    assert check.notes.count("races init: jostle itself failed: ZeroDivisionError: ") == 1
    assert searches[EXPLORE].tried == 2
    assert searches[RESPONSES].tried == 1


def test_a_search_that_cannot_conclude_does_not_take_the_others_along(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check(monkeypatch, {})
    conclude = StandIn.conclude
    monkeypatch.setattr(
        StandIn, "conclude", lambda self: conclude(self) if self.name != LOADING else fails(KeyError("x"))()
    )
    searches = check.run()
    assert searches[RESPONSES].tried == searches[EXPLORE].tried == 1
    assert searches[LOADING].why == "jostle itself failed when it was done"
    assert "races init /: jostle itself failed: KeyError: 'x'" in check.notes


def test_an_application_that_dies_ends_the_check_with_what_was_done_last(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check(monkeypatch, {RESPONSES: [fails(ApplicationProblem("It cannot be opened."))]})
    check.application.dead = True
    searches = check.run()
    assert isinstance(check.raised, ApplicationDied)
    assert searches[RESPONSES].why == "It stopped answering after: this"
    assert searches[EXPLORE].tried == 1


def test_a_problem_of_one_search_does_not_end_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check(monkeypatch, {RESPONSES: [fails(CouldNotRun("No.", advice="Try."))]})
    searches = check.run()
    assert check.raised is None
    assert searches[RESPONSES].why == "No."


def test_all_turns_count(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check(monkeypatch, {EXPLORE: [nothing], LOADING: [nothing, nothing, nothing]})
    loading = check.run()[LOADING]
    assert loading.tried == 3
    assert loading.seconds is not None
    assert 3 * TURN <= loading.seconds < 60
    assert loading.stats["seconds"] == loading.seconds
    assert loading.why == ""


def test_who_could_have_gone_on_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    loading = Check(monkeypatch, {LOADING: [nothing] * 10_000}, budget=0.5).run()[LOADING]
    assert (loading.not_tried, loading.why) == (0, "the time was up before it was done")


def test_who_had_no_turn_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = Check(monkeypatch, {LOADING: [lambda: time.sleep(0.5)]}, budget=0.4).run()
    assert searches[LOADING].tried == 1
    assert (searches[EXPLORE].not_tried, searches[EXPLORE].why) == (1, "the time was up before it was its turn")
    assert (searches[RESPONSES].tried, searches[RESPONSES].why) == (0, "nothing was seen that it could try")


def test_who_is_ended_from_outside_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    check = Check(monkeypatch, {}, budget=0.4)

    async def forever(self: StandIn, seconds: float | None) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(StandIn, "run", forever)
    loading = check.run()[LOADING]
    assert (loading.not_tried, loading.why) == (1, "it took longer than its time and was ended")


def resetting(only_one: str = "") -> Application:
    application = Application()
    application.resets = True
    application.only_one = only_one
    return application


class Crowd:
    """How many searches have a turn at the same time."""

    def __init__(self, patch: pytest.MonkeyPatch, seconds: float = TURN) -> None:
        self.most = self._now = 0
        run = StandIn.run

        async def counted(search: StandIn, given: float | None) -> None:
            self._now += 1
            self.most = max(self.most, self._now)
            try:
                await run(search, given)
                await asyncio.sleep(seconds)
            finally:
                self._now -= 1

        patch.setattr(StandIn, "run", counted)


MANY = {EXPLORE: [nothing] * 5, LOADING: [nothing] * 5, RESPONSES: [nothing] * 5}


def test_browsers_share_an_application_that_is_not_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd, check = Crowd(monkeypatch), Check(monkeypatch, MANY, workers=3)
    check.run()
    assert crowd.most > 1
    assert check.application.instances.grown == 0


def test_an_application_that_is_reset_is_started_for_each_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd, application = Crowd(monkeypatch), resetting()
    check = Check(monkeypatch, MANY, workers=2, application=application)
    searches = check.run()
    assert crowd.most == 2
    assert application.instances.grown == 1
    assert check.notes == ["starting another instance of the application, for browser 2"]
    assert all(searches[name].tried == 5 for name in MANY)


def test_where_there_can_be_one_instance_only_one_works_and_it_is_said_why(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd, application = Crowd(monkeypatch), resetting("Use {port}.")
    check = Check(monkeypatch, MANY, workers=2, application=application)
    check.run()
    words = "One browser at a time: resetting the application would disturb the others. Use {port}."
    assert check.notes == [words]
    assert (crowd.most, application.instances.grown) == (1, 0)


def test_an_instance_that_does_not_start_leaves_fewer_browsers(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd, application = Crowd(monkeypatch), resetting()
    application.instances.fails = ApplicationProblem("Port 1 is taken.", advice="Use another.")
    check = Check(monkeypatch, MANY, workers=3, application=application)
    searches = check.run()
    assert (crowd.most, application.instances.grown) == (1, 1)
    assert check.raised is None
    assert check.notes[1:] == [
        "Going on with 1 browser: another instance of the application is not available. Port 1 is taken.\nUse another."
    ]
    assert all(searches[name].tried == 5 for name in MANY)


def test_nobody_waits_for_an_instance_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    application = resetting()
    application.instances.hangs = True
    check = Check(monkeypatch, MANY, workers=2, application=application)
    searches = check.run()
    assert application.instances.grown == 1
    assert all(searches[name].tried == 5 for name in MANY)


def test_an_instance_that_dies_leaves_fewer_browsers_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    application = resetting()
    crowd = Crowd(monkeypatch)

    def dies() -> None:
        application.dead = True
        application.instances.number = 1
        raise ApplicationProblem("It cannot be opened.")

    check = Check(monkeypatch, {**MANY, LOADING: [nothing, nothing, dies]}, workers=2, application=application)
    searches = check.run()
    assert isinstance(check.raised, ApplicationDied)
    assert application.instances.grown == 1 and crowd.most == 2
    assert searches[RESPONSES].tried == searches[EXPLORE].tried == 5
