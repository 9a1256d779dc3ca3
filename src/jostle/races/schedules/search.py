"""The search for orders that break the application: scenarios are done in every other order that matters."""

from __future__ import annotations

import random
import time

from jostle import errors
from jostle.browser.chromium import Chromium
from jostle.exploring.avoid import careful
from jostle.exploring.looking import look
from jostle.findings import Defect, Finding
from jostle.findings.evidence import DifferenceKind
from jostle.instrument import Rewriter, memory
from jostle.model.reaction import Reaction
from jostle.progress import Note
from jostle.races.files import emit_order, why
from jostle.races.rehearsal import Rehearsal, rehearsal_of
from jostle.races.schedules.filters import Filters
from jostle.races.schedules.late import order_with_late, overtaking_timers
from jostle.races.schedules.once import reported_before
from jostle.races.schedules.playwright_test import schedule_test
from jostle.races.schedules.reordering import BrokenOrder, NotRepeatable, OrderChoice, OrderStrategy, Reordering
from jostle.races.schedules.scenario import scenarios_in
from jostle.races.schedules.told import NAME, cause_of, dismissed, finding_of, problem_of
from jostle.races.schedules.verdict import Judged, words
from jostle.races.told import RaceFiles, with_same_cause
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.search.generated_test import emit_test
from jostle.search.job import Job, SearchOptions
from jostle.search.stream import CaseDismissed, FindingReported, SearchEnded
from jostle.search.technique import SearchContext

EVENTS = 40
_FOR_LOOKING = 0.3
"""Of the time, how much goes at most into finding scenarios."""
_MOST_SUPPRESSED = 300


class OrderOptions(SearchOptions, frozen=True, kw_only=True):
    """Options of a search for orders that break the application."""

    strategy: OrderStrategy = OrderStrategy.MODEL_CHECK
    bound: int = 2
    """With model checking: how many conflicts are reversed in one order at most."""
    orders: int | None = None
    """How many orders of each scenario are tried at most."""
    ignored: tuple[str, ...] = ()
    """Names of data that does not matter; * stands for anything."""
    events: int = EVENTS
    """How many things are done at most to find scenarios, when nothing was observed and recorded before."""


class OrderSearch:
    """Tries one scenario after the other."""

    def __init__(self, job: Job, context: SearchContext) -> None:
        self._options = options = job.options_as(OrderOptions)
        self._context = context
        self._emit = context.emit
        self._subject = subject = context.subject
        self._choice = OrderChoice(
            strategy=options.strategy,
            bound=options.bound,
            orders=options.orders,
            filters=Filters(ignored=options.ignored),
            seed=job.seed,
        )
        self._seed = job.seed
        self._avoid = careful(subject, options)
        self._findings: dict[str, Finding] = {}
        """By their cause."""
        self._searched: list[Reordering] = []
        self._scenarios = [recording.user_events for recording in context.recordings(job)]
        self._begun = 0
        """How many of the scenarios had their turn."""
        self._chosen = bool(self._scenarios)
        """Whether the scenarios are the user's: that one of them cannot be tried is a failure. Others are ours."""
        self._given_up: list[str] = []
        self._not_repeatable: list[str] = []
        self._began = time.monotonic()
        self._deadline: float | None = None

    @property
    def more(self) -> bool:
        return self._begun < len(self._scenarios)

    async def run(self, seconds: float | None) -> None:
        async with self._subject.browser(listener=self._emit) as chromium:
            self._began = time.monotonic()
            self._deadline = self._began + seconds if seconds is not None else None
            if not self._scenarios:
                self._scenarios = scenarios_in(await self._reactions(chromium, seconds))
            plain = rehearsal_of(self._subject, chromium, pauses=True)
            watched = None
            if self._options.strategy is OrderStrategy.MODEL_CHECK:
                rewriter = Rewriter(memory, cache_dir=self._context.cache)
                watched = rehearsal_of(self._subject, chromium, pauses=True, rewriter=rewriter)
            try:
                await self._try(plain, watched)
            finally:
                await plain.close()
                if watched is not None:
                    await watched.close()

    async def _reactions(self, chromium: Chromium, seconds: float | None) -> list[Reaction]:
        """What events led to: as it was observed, or seen now."""
        if self._context.observations is not None:
            return self._context.observations.reactions
        found: list[Reaction] = []
        await look(
            self._subject,
            chromium,
            (),
            events=self._options.events,
            chance=random.Random(self._seed),
            avoid=self._avoid,
            listener=self._emit,
            deadline=self._began + seconds * _FOR_LOOKING if seconds is not None else None,
            into=found,
        )
        return found

    async def _try(self, plain: Rehearsal, watched: Rehearsal | None) -> None:
        for scenario in self._scenarios[self._begun :]:
            if self._deadline is not None and time.monotonic() > self._deadline:
                left = len(self._scenarios) - self._begun
                self._emit(Note(text=f"The time was up: {left} scenarios were not tried."))
                break
            self._begun += 1
            search = Reordering(plain, watched, self._choice, listener=self._emit, deadline=self._deadline)
            self._searched.append(search)
            try:
                async for broken in search.run(scenario):
                    self._report(broken)
            except errors.Problem as problem:
                ours = isinstance(problem, NotRepeatable) and not self._chosen
                if (len(self._scenarios) == 1 and not ours) or await self._is_dead(problem):
                    raise
                (self._not_repeatable if ours else self._given_up).append(problem.message)
                self._emit(Note(text=f"A scenario was given up: {problem}"))

    async def _is_dead(self, problem: errors.Problem) -> bool:
        return isinstance(problem, errors.ApplicationProblem) and await self._subject.death(problem) is not None

    def _report(self, broken: BrokenOrder) -> None:
        """Orders that break for one cause are one finding: the first of them, which has the fewest changes."""
        cause = cause_of(broken)
        known = self._findings.get(cause)
        if known is not None:
            finding = with_same_cause(known, [words(broken.judged)])
        else:
            problem = problem_of(broken)
            if (other := reported_before(problem, self._context.reported())) is not None:
                same = finding_of(problem, broken, RaceFiles())
                self._emit(CaseDismissed(same, f"told as {other.id} already"))
                return
            finding = self._with_files(problem, broken)
        self._findings[cause] = finding
        self._emit(FindingReported(finding))
        if known is None:
            self._emit(Note(text=f"Found: {finding.title}"))

    def _with_files(self, problem: Defect, broken: BrokenOrder) -> Finding:
        """With a recording of both orders, pictures and a test."""
        good, bad = broken.judged.parent, broken.judged.child
        assert good.recording is not None and bad.recording is not None
        files = RaceFiles(
            good=emit_order(self._emit, f"{problem.id}-good", good.recording, good.outcome.picture),
            bad=emit_order(self._emit, f"{problem.id}-bad", bad.recording, bad.outcome.picture),
            test=emit_test(
                self._emit, problem.id, lambda name: self._test(name, problem, broken), self._subject.loaded
            ),
        )
        return finding_of(problem, broken, files)

    def _test(self, name: str, problem: Defect, broken: BrokenOrder) -> str:
        """A Playwright test that fails because of it. Raises ValueError."""
        return schedule_test(
            self._subject.url,
            order_with_late(broken.original, broken.judged.child),
            title=problem.title,
            name=name,
            origins=self._subject.configuration.allowed_origins,
            timers=overtaking_timers(broken.original, broken.judged.child),
            looks=all(each.what is DifferenceKind.SCREEN for each in broken.judged.differences),
        )

    @property
    def _harmless(self) -> list[Judged]:
        return [each for search in self._searched for each in search.dismissed]

    def conclude(self) -> SearchEnded:
        for each in self._harmless[:_MOST_SUPPRESSED]:
            self._emit(CaseDismissed(dismissed(each), why(each.verdict.value, each.reason)))
        tried = sum(search.tried for search in self._searched)
        begun_late = len(self._scenarios) - self._begun
        pending = sum(search.pending for search in self._searched)
        left = pending + begun_late + len(self._not_repeatable)  # each has one order at least
        whys = dict.fromkeys(["the time was up, or there were more than asked for"] if pending + begun_late else [])
        whys |= dict.fromkeys(self._not_repeatable)
        alone = self._context.observations is None  # what a check could not try in one way, it tries in others
        seconds = round(time.monotonic() - self._began, 1)
        stats = {
            "scenarios": len(self._searched),
            "events": sum(len(each.original.trace.steps) for each in self._searched if each.original is not None),
            "conflicts": sum(search.races for search in self._searched),
            "orders": tried,
            "not tried, at least": left,
            "findings": len(self._findings),
            "avoided": dict(self._avoid.met),
            "seconds an order": round(sum(search.seconds for search in self._searched) / max(1, tried), 2),
            "seconds": seconds,
        }
        summary = SearchSummary(
            name=NAME,
            what="the same things in other orders",
            tried=tried,
            found=len(self._findings),
            seconds=seconds,
            not_tried=left,
            why="; ".join(whys),
            given_up=tuple(self._given_up),
            untested="" if tried or not alone else "; ".join(dict.fromkeys(self._not_repeatable)),
            others=tuple((words(each), each.verdict.value, each.reason) for each in self._harmless),
            noise=tuple(dict.fromkeys(each for search in self._searched for each in search.noise)),
            stats=stats,
        )
        return SearchEnded(RunSummary(searches=(summary,), seconds=seconds), stats)
