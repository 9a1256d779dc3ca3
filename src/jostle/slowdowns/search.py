"""The search for slowdowns: pairs of events of which one seems to make the other dearer are done in turn."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.coverage import KEEPS_COUNTS
from jostle.browser.settings import Control, Profiling
from jostle.exploring.application import Explored
from jostle.exploring.avoid import careful
from jostle.exploring.explorer import TIME_UP
from jostle.exploring.opening import explored
from jostle.findings import Defect
from jostle.findings.evidence import ServerSlower
from jostle.model.exploration import Exploration
from jostle.plural import count
from jostle.progress import Finished, Note, Started, Stepped
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.search.job import Job, SearchOptions
from jostle.search.stream import SearchEnded
from jostle.search.technique import SearchContext
from jostle.slowdowns.alternate import COSTS, Ended, Rule
from jostle.slowdowns.budget import Budget, Tally
from jostle.slowdowns.counting import Counting
from jostle.slowdowns.examine import examine
from jostle.slowdowns.grouping import Root, by_root_cause
from jostle.slowdowns.history import Pair
from jostle.slowdowns.inference import CONFIDENCE, SUPPORT, SuspectedPair
from jostle.slowdowns.pair_finding import SHARES, PairFinder, not_in
from jostle.slowdowns.paths import LONGER
from jostle.slowdowns.promising import Promising
from jostle.slowdowns.server import slower_servers
from jostle.slowdowns.showing import FOR_SHOWING, Showing
from jostle.slowdowns.told import NAME, Blamed, problem_of
from jostle.slowdowns.trigger import EVENTS as EVENTS_A_TARGET
from jostle.slowdowns.trigger import Walker
from jostle.slowdowns.verdict import PairJudgement
from jostle.slowdowns.wear import Wear
from jostle.slowdowns.weight import Harm, weigh

EVENTS = 1000
_FOR_SERVER = 0.15
"""Of the time left, how much may go into seeing whether the server gets slower, while there are pairs to try."""
_FOR_ONE = 0.35
"""Of the time of a turn that is left, how much one pair may take."""
_SEEN = 3
"""After so many costs something can be said of a pair."""
_AT_ONCE = 12
"""Pairs, at most, that are tried before more is seen."""
_NEAR = 20
"""Events, at most, that are done to get to something of which nobody knows whether it makes anything slower."""
_PATIENCE = 60
"""Where an exploration went before: after so many events that brought nothing new, there are better things to do."""


class SlowdownOptions(SearchOptions, frozen=True, kw_only=True):
    """Options of a search for slowdowns."""

    events: int = EVENTS
    """How many things are done at most to find pairs."""
    costs: int = COSTS
    """A pair is confirmed after so many rising costs."""
    events_per_target: int = EVENTS_A_TARGET
    """A target is given up after so many events."""
    rule: Rule = Rule.TREND
    longer: float = LONGER
    """The probability with which ways to a target that are longer than the shortest are looked at."""


class SlowdownSearch:
    """With observations of an exploration, pairs are tried as soon as there are some, and it can go on in a further
    turn; otherwise it explores, or repeats recordings, and is done."""

    def __init__(self, job: Job, context: SearchContext) -> None:
        self._options = job.options_as(SlowdownOptions)
        self._context = context
        self._emit = context.emit
        self._subject = subject = context.subject
        self._avoid = careful(subject, self._options)
        self._chance = random.Random(job.seed)
        self._recordings = context.recordings(job)
        self._strategy: Promising | None = None
        self._exploration = Exploration()
        if context.observations is not None and not self._recordings:
            seen = context.observations.exploration
            self._exploration = Exploration(machine=seen.machine, visits=list(seen.visits), runs=seen.runs)
            self._strategy = Promising(self._chance, patience=_PATIENCE, after=True)
            for visit in context.observations.visits():
                self._strategy.observe(visit)
        self._finder = PairFinder(context, self._exploration, self._avoid, self._chance, events=self._options.events)
        self._verdicts: list[PairJudgement] = []
        self._blamed: dict[Pair, Blamed] = {}
        self._ids: dict[str, Pair] = {}
        self._showing = Showing(subject, context.emit, self._named)
        self._servers: list[ServerSlower] = []
        self._begun: Counter[Pair] = Counter()
        """How often a pair took more than its share of the time; -1 for what is to be gone on with first."""
        self._suspected: set[Pair] = set()
        """All pairs that were ever to be tried."""
        self._stats: dict[str, Any] = {}
        self._server_timed = False
        self._ended = False
        self._began = time.monotonic()
        if subject.browsers.choice.connect:
            self._emit(Note(text="In a browser that runs already, counts of functions that run often may get lost."))

    @property
    def more(self) -> bool:
        return not self._ended

    async def run(self, seconds: float | None) -> None:
        async with self._subject.browser(KEEPS_COUNTS, listener=self._emit) as chromium:
            self._began = time.monotonic()
            over = self._began + seconds if seconds is not None else None
            app = self._subject.opened(
                chromium, self._subject.seen_with(profiling=Profiling.COST, control=Control.FLOWING)
            )
            looking = explored(self._subject, app)
            try:
                if self._strategy is not None:
                    shown_from = self._began + (1 - FOR_SHOWING) * seconds if seconds is not None else None
                    await self._in_turn(looking, app, self._strategy, shown_from)
                else:
                    await self._at_once(looking, app, seconds)
            finally:
                await app.close()
            known = self._showing.shown | self._showing.harmless.keys()
            if roots := [root for root in self._roots() if self._named(root, None).id not in known]:
                async with self._subject.another_browser() as plain:
                    await self._showing.all(chromium, plain, roots, over, seconds)

    async def _at_once(self, looking: Explored, app: ChromiumApp, seconds: float | None) -> None:
        """First look for pairs, by exploring or in recordings, then try them."""
        over = self._began + seconds if seconds is not None else None
        if self._recordings:
            share = SHARES[0] / len(self._recordings)
            for number, recording in enumerate(self._recordings, 1):
                until = self._began + number * share * seconds if seconds is not None else None
                await self._finder.repeat(looking, recording.user_events, until)
            candidates = self._finder.suspected()
        else:
            candidates = await self._finder.by_exploring(looking, self._began, seconds)
        self._tell_candidates(candidates)
        shown_from = self._began + (1 - FOR_SHOWING) * seconds if seconds is not None else None
        walker, counting = self._walker(looking, app, self._options.events_per_target, shown_from)
        await self._time_server(walker, over, _FOR_SERVER if candidates else 1)
        await self._try(walker, counting, candidates)
        self._ended = True

    def _walker(
        self, looking: Explored, app: ChromiumApp, events: int, deadline: float | None
    ) -> tuple[Walker, Counting]:
        counting = Counting(app)
        walker = Walker(
            looking,
            self._exploration.machine,
            self._chance,
            visits=self._exploration.visits,
            pages=self._finder.pages(),
            events=events,
            longer=self._options.longer,
            budget=Budget(deadline=deadline),
            allows=self._avoid.allows,
            on_visit=lambda visit: counting.visited(visit, walker),
            probe=counting.probed,
        )
        return walker, counting

    async def _in_turn(self, looking: Explored, app: ChromiumApp, strategy: Promising, until: float | None) -> None:
        """Do again and again what leaves something behind; then explore until there are pairs, try them, and so on."""
        tried = {verdict.pair for verdict in self._verdicts if _is_final(verdict)}
        repeating = strategy.worth_repeating(self._exploration.machine)
        while until is None or time.monotonic() < until:
            most = self._options.events_per_target
            suspected, others = not_in(tried, self._finder.suspected()), not_in(tried, repeating)
            # What took too long once comes when everything else had its turn.
            candidates = self._least_begun([*suspected, *others])
            if not any(each in suspected for each in candidates):
                most = min(most, _NEAR)
            if not candidates:
                candidates = await self._finder.by_exploring_on(looking, strategy, until, tried)
            if not candidates:
                self._ended = until is None or time.monotonic() < until
                break
            self._tell_candidates(candidates)
            self._verdicts = [each for each in self._verdicts if each.pair in tried]
            walker, counting = self._walker(looking, app, most, until)
            await self._try(walker, counting, candidates[:_AT_ONCE], share=_FOR_ONE)
            tried |= {verdict.pair for verdict in self._verdicts if _is_final(verdict)}
        if not self._server_timed and self._ended:
            self._server_timed = True
            walker, _ = self._walker(looking, app, self._options.events_per_target, until)
            await self._time_server(walker, until, 1)

    def _least_begun(self, candidates: Sequence[SuspectedPair]) -> list[SuspectedPair]:
        """Those that were begun least often; first those of which something is known."""
        least = min((self._begun[each.pair] for each in candidates), default=0)
        chosen = [each for each in candidates if self._begun[each.pair] == least]
        if least < 0:
            return chosen
        suspected = [each for each in chosen if each.support]
        return suspected or chosen

    def _tell_candidates(self, candidates: Sequence[SuspectedPair]) -> None:
        self._suspected |= {each.pair for each in candidates}
        if candidates:
            self._emit(Note(text=f"{count(len(candidates), 'pair')} to be tried"))
            return
        longer = "a longer --budget" if self._exploration.ended == TIME_UP else "more --events"
        more = "a longer session, with the same things done several times" if self._recordings else longer
        self._emit(Note(text=f"Nothing became slower {SUPPORT} times with {CONFIDENCE:.0%} confidence. Try {more}."))

    async def _time_server(self, walker: Walker, over: float | None, share: float) -> None:
        """Is it the server that gets slower? It takes that share of the time left at most: there are pairs to try."""
        whole, now = walker.budget, time.monotonic()
        walker.budget = Budget(deadline=now + share * (over - now) if over is not None else None)
        self._servers += await slower_servers(walker, self._exploration.visits)
        walker.budget, walker.tally = whole, Tally()
        for each in self._servers:
            self._emit(Note(text=f"{each}."))

    async def _try(
        self, walker: Walker, counting: Counting, candidates: Sequence[SuspectedPair], *, share: float = 1.0
    ) -> None:
        if not candidates:
            return
        self._emit(Started(what="trying pairs", total=len(candidates)))
        before, whole = len(self._verdicts), walker.budget  # of earlier turns, and of this one
        rule = self._options.rule
        async for verdict in examine(walker, candidates, costs=self._options.costs, rule=rule, share=share):
            self._verdicts.append(verdict)
            if _is_begun(verdict) and not whole.spent:
                # What may be a slowdown is gone on with at once, but once only.
                begun = self._begun[verdict.pair]
                self._begun[verdict.pair] = -1 if not begun and _may_rise(verdict) else abs(begun) + 1
            if verdict.found:
                self._blamed[verdict.pair] = await counting.blamed(verdict.trial, walker)
                outcome = verdict.outcome.value if weigh(verdict).told else Harm.BY_DESIGN.value
                self._emit(Note(text=f"{outcome.capitalize()}: {verdict.reason}"))
            self._emit(Stepped(done=len(self._verdicts) - before, what=str(verdict.pair)))
        tally = walker.tally
        self._stats |= {
            "targets": tally.targets,
            "reached": tally.reached,
            "events a target": round(tally.events_per_target, 2),
            "events of trials": tally.events,
        }
        found = sum(verdict.found for verdict in self._verdicts)
        self._emit(Finished(summary=f"{found} of {len(self._verdicts)} pairs do"))

    def _roots(self) -> list[Root]:
        names = {
            pair: [f"{each.function.url} {each.function.name} {each.function.start}" for each, _ in blamed]
            for pair, blamed in self._blamed.items()
        }
        return by_root_cause(self._verdicts, names)

    def _named(self, root: Root, worn: Wear | None) -> Defect:
        """Root causes that have the same words (a button of the same name on two pages) are two problems."""
        problem = problem_of(root, self._blamed.get(root.main.pair, ()), worn)
        if self._ids.setdefault(problem.id, root.main.pair) == root.main.pair:
            return problem
        place = root.main.pair.effect.before
        return msgspec.structs.replace(problem, cause=f"{problem.cause}\0{place.url}\0{place.digest}")

    def conclude(self) -> SearchEnded:
        exploration = self._exploration
        for root in self._roots():  # interrupted: not reproduced, but seen
            self._showing.as_seen(root)
        harmless = self._showing.harmless.values()
        seconds = round(time.monotonic() - self._began, 1)
        stats = self._stats | {
            "events": exploration.done,
            "states": len(exploration.machine),
            "runs": exploration.runs,
            "ended": exploration.ended,
            "pairs": len(self._verdicts),
            "found": sum(verdict.found for verdict in self._verdicts),
            "by design": len(harmless),
            "avoided": dict(self._avoid.met),
            "seconds": seconds,
            "server": [msgspec.to_builtins(each) | {"text": f"{each}."} for each in self._servers],
        }
        not_tried = len(self._suspected - {verdict.pair for verdict in self._verdicts})
        summary = SearchSummary(
            name=NAME,
            what="clicks that make other clicks slower",
            tried=len(self._verdicts),
            found=len(self._showing.shown),
            seconds=seconds,
            not_tried=not_tried,
            why="the time was up" if not_tried else "",
            untested=exploration.ended if not exploration.done else "",
            others=tuple(
                (each.pair.cause.label, each.pair.effect.label, each.outcome.value, each.reason)
                for each in self._verdicts
                if not each.found
            )
            + tuple(
                (root.main.pair.cause.label, root.main.pair.effect.label, Harm.BY_DESIGN.value, reason)
                for root, reason in harmless
            ),
            stats=stats,
        )
        return SearchEnded(RunSummary(searches=(summary,), servers=tuple(self._servers), seconds=seconds), stats)


def _is_begun(verdict: PairJudgement) -> bool:
    """Not if it had no time at all."""
    return not _is_final(verdict) and verdict.trial.events > 0


def _may_rise(verdict: PairJudgement) -> bool:
    """Whether what was seen of it, though there was no time for more, may be a slowdown."""
    trial = verdict.trial
    return len(trial.samples) >= _SEEN and (bool(trial.steady) or trial.rule.is_worth(trial.costs))


def _is_final(verdict: PairJudgement) -> bool:
    """Not if there was no time for it."""
    return verdict.found or verdict.trial.ended is not Ended.SPENT
