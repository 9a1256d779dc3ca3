"""The search that uses all techniques: the application is explored, and what was observed is tried in every way."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.connection import Disconnected, NoAnswer
from jostle.checking.engine import Engine
from jostle.checking.plan import Plan, PlannedSearch, Turn
from jostle.checking.progress import Joined
from jostle.errors import ApplicationDied, ApplicationProblem, Problem, told
from jostle.exploring.search import ExploreOptions, StrategyName
from jostle.model.visit import Visit
from jostle.plural import count
from jostle.progress import Note
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.search.job import InMemory, Job, References, SearchOptions
from jostle.search.observations import Observations
from jostle.search.registry import in_checks, opener, technique
from jostle.search.run import browser_gone, storage_state_of
from jostle.search.stream import ArtefactMade, FileMade, SearchEnded
from jostle.search.subject import Subject
from jostle.search.technique import CheckSettings, InCheck, Proposal, Search, SearchContext

EXPLORE = "explore"
WORKERS = min(4, os.cpu_count() or 1)
_FOR_EXPLORING = 0.3
"""Of the time, how much goes at most into exploring and into what goes wrong on the way."""
_LEAST = 3.0
"""Seconds; with less left, no further search is begun."""
_GRACE = 0.05
"""Of the time, by how much a search may exceed its own before it is ended from outside."""
_PATIENCE = 60
"""After so many events that brought nothing new, there are better things to do."""
_NO_TURN = "the time was up before it was its turn"
_ENDED_EARLY = "it took longer than its time and was ended"
_NOTHING_SEEN = "nothing was seen that it could try"
_UNFINISHED = "the time was up before it was done"
_LOOK_EVERY = 10
"""Events of the exploration after which techniques are asked whether what was observed is enough for them."""


class CheckOptions(SearchOptions, frozen=True, kw_only=True):
    """Options of a check."""

    techniques: tuple[str, ...] = msgspec.field(default_factory=lambda: tuple(in_checks().values()))
    """Those whose findings are wanted. It is explored in any case: the others need what is observed."""
    workers: int = WORKERS
    """How many browsers work at the same time, at most."""
    macros: str = ""
    """Name of the macros to explore by."""


class _Layered:
    """What was made in this check, else what the job came with."""

    def __init__(self, made: InMemory, given: References) -> None:
        self._made = made
        self._given = given

    def read(self, name: str) -> bytes:
        return self._made.read(name) if name in self._made else self._given.read(name)


@dataclass(frozen=True)
class _Opened:
    """A search that had a turn, or is about to have one."""

    technique: str
    search: Search
    subject: Subject


class CheckSearch:
    """One turn is the whole of it."""

    def __init__(self, job: Job, context: SearchContext) -> None:
        self._job = job
        self._options = options = job.options_as(CheckOptions)
        self._context = context
        self._stream = Joined(context.emit)
        self._made = InMemory()
        self._references = _Layered(self._made, context.references)
        self._observations = Observations()
        self._workers = options.workers
        """How many browsers work at the same time, at most."""
        if self._workers > 1 and context.subject.resets and (why := context.subject.only_one):
            words = "One browser at a time: resetting the application would disturb the others."
            context.emit(Note(text=f"{words} {why}"))
            self._workers = 1
        self._separate = self._workers > 1 and context.subject.resets
        """Each of them works with an instance of its own. There is one at first."""
        self._starting: asyncio.Task[None] | None = None
        self._parts = {name: _part(name) for name in dict.fromkeys((EXPLORE, *options.techniques))}
        settings = CheckSettings(
            url=job.url,
            seed=job.seed,
            avoid=options.avoid,
            allow=options.allow,
            resets=context.subject.resets,
        )
        self._proposers = {name: self._parts[name].proposer(settings) for name in options.techniques}
        self._plan = Plan(
            {name: part.weight for name, part in self._parts.items()},
            seconds=job.budget,
            workers=1 if self._separate else self._workers,
            least=_LEAST,
        )
        grace = _GRACE * job.budget if job.budget is not None else None
        self._engine = Engine(
            self._plan,
            workers=self._workers,
            failed=self._fail,
            grace=grace,
            found=self._stream.found,
            short=self._start_another,
        )
        self._tried: dict[str, set[tuple[str, ...]]] = {name: set() for name in self._parts}
        self._searches: dict[str, _Opened] = {}
        """By the names of their jobs."""
        self._spent: defaultdict[str, float] = defaultdict(float)
        """Seconds, by technique."""
        self._failures: list[tuple[str, str]] = []
        """The technique of each job that failed, and why it did."""
        self._ending: Problem | None = None
        """What leaves nothing to go on with, to be told in the end."""
        self._mistakes: set[str] = set()
        self._began = time.monotonic()

    @property
    def more(self) -> bool:
        return bool(self._plan.waiting or self._plan.unfinished)

    async def run(self, seconds: float | None) -> None:
        self._began = time.monotonic()
        if self._options.macros:
            macros = self._references.read(self._options.macros)
            self._context.emit(ArtefactMade("macros.json", macros, "application/json"))
        least = self._parts[EXPLORE].least
        planned = PlannedSearch(name=EXPLORE, search=EXPLORE, least=least, last=True)
        explore = self._searches[EXPLORE] = self._opened(EXPLORE, self._exploration())
        self._engine.add(planned, lambda turn: self._explore(turn, explore))
        self._engine.expect(*(name for name in self._options.techniques if self._parts[name].needs_exploration))
        for name, proposer in self._proposers.items():
            with self._survived(name):
                self._take(proposer.begin(self._job.recordings))
        try:
            await self._engine.run()
        finally:
            if self._starting is not None:
                self._starting.cancel()
                await asyncio.wait([self._starting])
        if self._ending is not None:
            raise self._ending

    def _fail(self, planned: PlannedSearch, error: Exception) -> None:
        """Without the application, or a page to begin with, there is nothing to go on with; else the others go on."""
        unreachable = planned.search == EXPLORE and not self._observations.exploration.visits
        if isinstance(error, ApplicationDied) or (unreachable and isinstance(error, Problem)):
            self._ending = self._ending or error
        if unreachable and isinstance(error, Problem):
            return
        self._failures.append((planned.search, told(error).partition("\n")[0]))
        self._context.emit(Note(text=f"{planned.name}: given up: {told(error)}"))

    @contextlib.contextmanager
    def _survived(self, who: str) -> Iterator[None]:
        """A mistake of ours in what is done inside does not end the check; it is told, once."""
        try:
            yield
        except Exception as error:
            words = f"{who}: {told(error)}"
            if words not in self._mistakes:
                self._mistakes.add(words)
                self._context.emit(Note(text=words))

    # Exploring.

    def _exploration(self) -> Job:
        options = ExploreOptions(
            avoid=self._options.avoid,
            allow=self._options.allow,
            strategy=StrategyName.MACRO if self._options.macros else StrategyName.GUIDED,
            macros=self._options.macros,
            patience=_PATIENCE,
            reports=EXPLORE in self._options.techniques,
            costs=any(part.needs_costs for part in self._parts.values()),
        )
        return Job.of(EXPLORE, self._job.url, options, seed=self._job.seed)

    async def _explore(self, turn: Turn, explore: _Opened) -> bool:
        """Up to a part of the time at first; further when the others have nothing to do any more."""
        budget = self._job.budget
        share = turn.seconds if turn.again or budget is None else budget * _FOR_EXPLORING
        try:
            await self._turn(explore, share)
        finally:
            self._engine.expect()
            if self._observations.exploration.visits:  # also of an exploration that failed
                self._look(exploring=False)
        return explore.search.more

    async def _visited(self, visit: Visit, app: ChromiumApp) -> None:
        """What was seen gives the other techniques something to do, while it is explored further."""
        for name, proposer in self._proposers.items():
            with self._survived(name):
                self._take(await proposer.visited(visit, app))
        if self._workers > 1 and len(self._observations.reactions) % _LOOK_EVERY == 0:
            self._look(exploring=True)

    def _look(self, *, exploring: bool) -> None:
        for name, proposer in self._proposers.items():
            with self._survived(name):
                self._take(proposer.observed(self._observations, exploring=exploring))

    # What is tried then.

    def _take(self, proposals: Iterable[Proposal]) -> None:
        for proposal in proposals:
            if proposal.name not in self._engine:
                for name, data in proposal.files.items():
                    self._made.add(name, data)
                    self._context.emit(FileMade(name, data))  # generated tests begin with it
                self._add(proposal)
            elif proposal.renewed and not self._plan.has(proposal.name) and self._searches[proposal.name].search.more:
                self._engine.again(proposal.name)

    def _add(self, proposal: Proposal) -> None:
        name, of = proposal.name, proposal.job.technique

        async def go(turn: Turn) -> bool:
            if name not in self._searches:
                self._searches[name] = self._opened(name, proposal.job)
            opened = self._searches[name]
            await self._turn(opened, turn.seconds)
            return opened.search.more

        self._engine.add(PlannedSearch(name=name, search=of, rank=proposal.rank, least=self._parts[of].least), go)

    def _opened(self, name: str, job: Job) -> _Opened:
        subject = self._context.subject.at(job.url, state=storage_state_of(job, self._references))
        context = SearchContext(
            subject=subject,
            emit=self._stream.of(name),
            references=self._references,
            observations=self._observations,
            reported=lambda: self._stream.findings,
            tried=self._tried[job.technique],
            on_visit=self._visited,
            cache=self._context.cache,
        )
        return _Opened(job.technique, opener(job.technique)(job, context), subject)

    async def _turn(self, opened: _Opened, seconds: float | None) -> None:
        began = time.monotonic()
        try:
            await opened.search.run(seconds)
        except (Disconnected, NoAnswer) as gone:
            raise browser_gone(gone) from gone
        except ApplicationProblem as problem:
            died = await opened.subject.death(problem)
            if died is not None and self._separate:
                self._workers = len(self._context.subject.instances)  # the others go on, and there will be no more
                self._engine.resize(self._workers)
            raise died or problem from None
        finally:
            self._spent[opened.technique] += time.monotonic() - began

    # Instances of an application that is reset, one for each browser.

    def _start_another(self) -> None:
        """A browser could work if there were another instance."""
        if self._separate and self._starting is None and len(self._context.subject.instances) < self._workers:
            self._starting = asyncio.create_task(self._started())

    async def _started(self) -> None:
        subject = self._context.subject
        number = len(subject.instances)
        self._context.emit(Note(text=f"starting another instance of the application, for browser {number + 1}"))
        try:
            await subject.instances.grow(subject.browsers)
        except Exception as error:
            self._workers = number
            words = f"Going on with {count(number, 'browser')}: another instance of the application is not available."
            self._context.emit(Note(text=f"{words} {told(error)}"))
        finally:
            self._starting = None
        self._engine.resize(len(subject.instances))

    # What came of it.

    def conclude(self) -> SearchEnded:
        ends: dict[str, tuple[str, SearchEnded]] = {}
        for name, opened in self._searches.items():
            of = opened.technique
            with self._survived(name):
                ends[name] = of, opened.search.conclude()
            if name not in ends:
                self._failures.append((of, "jostle itself failed when it was done"))
        searches = self._summaries([(of, end.summary) for of, end in ends.values()])
        explored = ends[EXPLORE][1].stats if EXPLORE in ends else {}
        seconds = round(time.monotonic() - self._began, 1)
        summary = RunSummary(
            searches=searches,
            stats=explored,
            servers=tuple(server for _, end in ends.values() for server in end.summary.servers),
            budget=self._job.budget,
            seconds=seconds,
        )
        stats: dict[str, Any] = {
            EXPLORE: explored,
            **{each.name: dict(each.stats) for each in searches if each.stats and each.name != EXPLORE},
            "seconds": seconds,
        }
        return SearchEnded(summary, stats)

    def _summaries(self, ended: Sequence[tuple[str, RunSummary]]) -> tuple[SearchSummary, ...]:
        """What each technique tells; several searches with one of them together."""
        by_name: dict[str, list[SearchSummary]] = {name: [] for name in self._options.techniques}
        for of, summary in ended:
            if of in by_name:
                by_name[of] += summary.searches
        untold = [
            *((planned.search, _NO_TURN, ()) for planned in self._plan.waiting),
            *((planned.search, _ENDED_EARLY, ()) for planned in self._engine.ended_early),
            *((name, why, (why,)) for name, why in self._failures),
        ]
        for name, why, given_up in untold:
            if name in by_name or given_up:  # the others need what an exploration observes
                what = technique(name).report.title
                failed = SearchSummary(name=name, what=what, not_tried=1, why=why, given_up=given_up)
                by_name.setdefault(name, []).append(failed)
        for planned in self._plan.unfinished:
            if planned.search in by_name:
                by_name[planned.search].append(SearchSummary(name=planned.search, why=_UNFINISHED))
        for name, several in by_name.items():
            if not several:
                several.append(SearchSummary(name=name, why=_NOTHING_SEEN))
        found = Counter(each.technique for each in self._stream.findings)
        joined = [_joined(name, several, found[name], self._spent.get(name)) for name, several in by_name.items()]
        if any(each.tried for each in joined):
            return tuple(joined)
        return tuple(msgspec.structs.replace(each, untested=each.untested or each.why or _NO_TURN) for each in joined)


def _part(name: str) -> InCheck:
    part = technique(name).in_check
    assert part is not None, f"{name} takes no part in checks"
    return part


def _joined(name: str, several: Sequence[SearchSummary], found: int, seconds: float | None) -> SearchSummary:
    """Several searches of one kind as one. `found`: what one page shows as well as another is found once. `seconds`: of
    all their turns, where a search knows only its last one."""
    spent = round(seconds, 1) if seconds is not None else None
    reasons = dict.fromkeys(each.why for each in several if each.why)
    if len(reasons) > 1:  # whoever has another reason was not done, either
        reasons.pop(_UNFINISHED, None)
    return SearchSummary(
        name=name,
        what=technique(name).report.title,
        tried=sum(each.tried or 0 for each in several),
        found=found,
        seconds=spent,
        not_tried=sum(each.not_tried for each in several),
        why="; ".join(reasons),
        given_up=tuple(dict.fromkeys(why for each in several for why in each.given_up)),
        untested=next((each.untested for each in several), "") if all(each.untested for each in several) else "",
        others=tuple(other for each in several for other in each.others),
        noise=tuple(dict.fromkeys(words for each in several for words in each.noise)),
        stats=_joined_stats([each.stats for each in several if each.stats], spent),
    )


def _joined_stats(several: Sequence[Mapping[str, Any]], seconds: float | None) -> dict[str, Any]:
    """The figures of one search; of several only what was skipped, for their figures do not add up."""
    if len(several) == 1:
        return {**several[0], **({"seconds": seconds} if "seconds" in several[0] else {})}
    avoided = {words: why for each in several for words, why in (each.get("avoided") or {}).items()}
    return {"avoided": avoided} if avoided else {}
