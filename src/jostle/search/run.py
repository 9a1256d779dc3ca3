"""Running a job, in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from jostle.browser import loop
from jostle.browser.connection import Disconnected, NoAnswer
from jostle.browser.watchdog import Stuck
from jostle.config.application import Application
from jostle.config.settings import Loaded
from jostle.errors import ApplicationProblem, CouldNotRun
from jostle.recording.login import StorageState
from jostle.search.browsers import BrowserChoice, Browsers
from jostle.search.instances import Instances
from jostle.search.job import InDirectory, Job, References
from jostle.search.observations import Observations
from jostle.search.registry import opener
from jostle.search.stream import Emit, SearchEnded
from jostle.search.subject import Subject
from jostle.search.technique import Search, SearchContext
from jostle.search.verification import LEAST, Verification

T = TypeVar("T")
_FOR_TESTS = 0.1
"""Of the time, how much is kept back for running the generated tests."""
_OVERTIME = 0.05
"""Of the time, by how much that may exceed it: the search may have as well."""
_AT_MOST = 0.1
"""Of the time, by how much a search may exceed it before it is ended from outside ..."""
_AT_LEAST = 2.0
"""... and the seconds that it is given in any case: a short one may just be recording what it has found."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """What is not part of a job because it differs from one machine to the next."""

    loaded: Loaded
    application: Application
    """Must be up."""
    browser: BrowserChoice = field(default_factory=BrowserChoice)
    references: References = field(default_factory=InDirectory)
    cache: Path | None = None
    verifying: int = 0
    """How many generated tests are run side by side when a search is over; 0: none is run."""
    judged: Callable[[Emit], Emit] | None = None
    """What hears the stream first, and may say more of findings."""


async def run_job(job: Job, environment: Environment, emit: Emit) -> None:
    """Run a job to its end, and tell everything to `emit`; what is known by then also when it fails or is cancelled.

    Raises Problem when the search cannot run, such as UsageProblem for a job that is wrong.
    """
    if environment.judged is not None:
        emit = environment.judged(emit)
    began, budget = time.monotonic(), job.budget
    searching, until = job, None
    if budget is not None and environment.verifying:
        searching = msgspec.structs.replace(job, budget=time_to_search(budget))
        until = began + budget * (1 + _OVERTIME)
    verification = Verification(emit)
    async with Browsers(environment.browser) as browsers:
        subject = subject_of(job, environment, browsers)
        search = opened(searching, environment, subject, verification)
        ended: SearchEnded | None = None
        try:
            await loop.within(search.run(searching.budget), longest(searching.budget))
            ended = _within(search.conclude(), budget)
            if environment.verifying:
                await verification.run(job.url, environment, browsers, until=until)
        except Stuck as stuck:  # the time is up, and what was found until then is kept
            ended = _given_up(_within(search.conclude(), budget), str(stuck))
        except (Disconnected, NoAnswer) as gone:
            raise browser_gone(gone) from gone
        except ApplicationProblem as problem:
            raise await subject.death(problem) or problem from None
        finally:
            verification(ended if ended is not None else _within(search.conclude(), budget))


def _given_up(ended: SearchEnded, why: str) -> SearchEnded:
    searches = tuple(
        msgspec.structs.replace(each, why=each.why or why, given_up=(*each.given_up, why))
        for each in ended.summary.searches
    )
    return SearchEnded(msgspec.structs.replace(ended.summary, searches=searches), ended.stats)


def longest(budget: float | None) -> float | None:
    """Seconds after which a search is ended from outside."""
    return None if budget is None else max(budget * (1 + _AT_MOST), budget + _AT_LEAST)


def time_to_search(budget: float) -> float:
    """Seconds of so many, when generated tests are run afterwards. Where their share is too short for a single one, the
    search gets all of it, and they get what it leaves."""
    kept = budget * _FOR_TESTS
    return budget - kept if kept + budget * _OVERTIME >= LEAST else budget


def _within(ended: SearchEnded, budget: float | None) -> SearchEnded:
    """With the time as it was given, for the search and its tests."""
    summary = ended.summary
    if summary.budget is None:
        return ended
    return SearchEnded(msgspec.structs.replace(summary, budget=budget), ended.stats)


def subject_of(job: Job, environment: Environment, browsers: Browsers) -> Subject:
    """The application under test, at the address of a job. Raises UsageProblem."""
    state = storage_state_of(job, environment.references)
    instances = Instances(environment.application, job.url)
    return Subject(job.url, environment.loaded, instances, browsers, seed=job.seed, state=state)


def opened(job: Job, environment: Environment, subject: Subject, emit: Emit) -> Search:
    """The search of a job, before its first turn. Raises UsageProblem."""
    references = environment.references
    observations = Observations.from_json(references.read(job.observations)) if job.observations else None
    context = SearchContext(
        subject=subject, emit=emit, references=references, observations=observations, cache=environment.cache
    )
    return opener(job.technique)(job, context)


def storage_state_of(job: Job, references: References) -> StorageState | None:
    """Who is logged in when the job begins. Raises Problem when the file is none."""
    return StorageState.from_json(references.read(job.storage_state)) if job.storage_state else None


def browser_gone(error: Disconnected | NoAnswer) -> CouldNotRun:
    """A browser that ended by itself, in words."""
    return CouldNotRun(f"The browser went away: {error}.", advice="See: jostle doctor")


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop of its own. Raises CouldNotRun when the browser ends by itself."""
    try:
        return loop.run(work)
    except (Disconnected, NoAnswer) as gone:
        raise browser_gone(gone) from gone
