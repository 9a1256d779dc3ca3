"""`jostle slowdown`: clicks that make other clicks slower."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import click
import msgspec

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.user import visit as visit_page
from jostle.cli.browsing import browser, run
from jostle.cli.generated_test import kept_test
from jostle.cli.options import Options, analysing, avoid_option, check_writable, report_option
from jostle.cli.outcome import Work, working
from jostle.cli.race_files import keep_told
from jostle.cli.subject import Subject
from jostle.config.application import Application
from jostle.errors import UsageProblem
from jostle.events import Event, NotEnabled
from jostle.explore.application import Explored
from jostle.explore.avoid import DEFAULT, Avoid
from jostle.explore.explorer import TIME_UP, Exploration, explore
from jostle.explore.repeat import repeated
from jostle.explore.situation import Strategy, Visit
from jostle.export.slowdown_test import failure_test, slowdown_test
from jostle.findings import Problem
from jostle.model.label import label
from jostle.plural import count
from jostle.progress import Finished, Note, Started, Stepped
from jostle.recording.file import Recording
from jostle.report.check_told import Search as Told
from jostle.report.slowdown import SlowdownReport, page
from jostle.slowdown.alternate import COSTS, Ended, Rule, Trial, problem_of
from jostle.slowdown.budget import Budget, Tally
from jostle.slowdown.counting import KEEPS_COUNTS, Counting
from jostle.slowdown.examine import examine
from jostle.slowdown.grouping import Root, by_root_cause
from jostle.slowdown.growth import rises
from jostle.slowdown.history import Pair, action_of, history
from jostle.slowdown.inference import CONFIDENCE, SUPPORT, Candidate, infer
from jostle.slowdown.paths import LONGER
from jostle.slowdown.promising import Promising
from jostle.slowdown.server import ServerSlower, slower_servers
from jostle.slowdown.told import Blamed, finding_of
from jostle.slowdown.told import problem_of as told_of
from jostle.slowdown.trigger import EVENTS as EVENTS_A_TARGET
from jostle.slowdown.trigger import Walker
from jostle.slowdown.verdict import Outcome, Verdict
from jostle.slowdown.wear import Wear, wear
from jostle.writing import write_whole

EVENTS = 1000
_SHARES = (0.4, 0.7)
"""Of the time, how much goes into looking for pairs; and how much at most, as long as there are none to be tried."""
_FOR_SERVER = 0.15
"""Of the time left, how much may go into seeing whether the server gets slower, while there are pairs to try."""
_PARTS = (150, 60)
"""Numbers of events among which pairs are looked for when there are none in the whole."""
_LEAST = 50
"""An exploration that ends after fewer events is not tried again."""
_FOR_SHOWING = 0.25
"""Of the time, how much is kept back for doing what was found once more."""
_LOOK_EVERY = 10
"""Events after which it is looked whether there are pairs to be tried."""
_AT_ONCE = 12
"""Pairs, at most, that are tried before more is seen."""
_NEAR = 20
"""Events, at most, that are done to get to something of which nobody knows whether it makes anything slower."""
_RECORDED = 12
"""Effects that the recording of a slowdown has: enough to see it grow."""


@click.command()
@click.argument("url", required=False)
@click.option(
    "--from",
    "session",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Look for pairs in what was done in this recording, instead of exploring.",
)
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=EVENTS,
    show_default=True,
    metavar="N",
    help="Do at most N things to find pairs.",
)
@click.option(
    "--costs",
    type=click.IntRange(min=8),
    default=COSTS,
    show_default=True,
    metavar="N",
    help="A pair is confirmed after N rising costs.",
)
@click.option(
    "--events-per-target",
    type=click.IntRange(min=1),
    default=EVENTS_A_TARGET,
    show_default=True,
    metavar="N",
    help="Give a target up after N events.",
)
@click.option(
    "--rule",
    type=click.Choice([rule.value for rule in Rule]),
    default=Rule.TREND.value,
    show_default=True,
    help="When to go on with a pair: while every cost is higher than the one before, or while costs rise on the whole.",
)
@click.option(
    "--longer",
    type=click.FloatRange(0, 1),
    default=LONGER,
    show_default=True,
    metavar="P",
    help="The probability with which ways to a target that are longer than the shortest are looked at.",
)
@avoid_option
@report_option
@analysing(budget="5m")
def slowdown(
    url: str | None,
    session: Path | None,
    events: int,
    costs: int,
    events_per_target: int,
    rule: str,
    longer: float,
    avoid: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Look for events that make others slower the longer the application at URL is used.

    First it is used, or what was recorded in a session is done again, while the JavaScript that runs for each event is
    counted: a cost that is the same on every machine. Where an event cost more after another had been done, the two are
    then done in turn, to see whether the cost goes on growing. Told is how it grows, and which functions do.
    """
    check_writable(html)
    recording = Recording.read(session) if session is not None else None
    if recording is not None and url is None:
        url = recording.manifest.url
    if recording is not None and not any(step.event.by_user for step in recording.trace.steps):
        raise UsageProblem(f"{session} holds nothing that a user did.")
    address = options.address(url)
    asked = {"from": str(session) if session else None, "events": events, "costs": costs, "rule": rule}
    with (
        working("slowdown", options, address, **asked) as work,
        Application(options.loaded, work.run.path / "application.log", work.listener) as application,
    ):
        task = Slowdowns(work, options, Subject(options, application, address), avoid)
        search = Asked(events=events, costs=costs, most=events_per_target, rule=Rule(rule), longer=longer)
        try:
            run(task.run(search, recording))
        finally:
            task.keep()
            task.report(html)
    return work.exit_code


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """How it is searched."""

    events: int
    costs: int
    most: int
    rule: Rule
    longer: float


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What was done already, with its costs, and what was learned from it."""

    exploration: Exploration
    strategy: Promising
    on_visit: Callable[[Visit, Explored], Awaitable[None]] | None = None
    """Who is to be told of what is done further."""


class Slowdowns:
    """One search for slowdowns."""

    def __init__(self, work: Work, options: Options, subject: Subject, avoid: Sequence[str]) -> None:
        self._work = work
        self._options = options
        self._subject = subject
        self._avoid = Avoid((*DEFAULT, *options.configuration.avoid, *avoid))
        self._chance = random.Random(options.seed)
        self._exploration = Exploration()
        self._verdicts: list[Verdict] = []
        self._blamed: dict[Pair, Blamed] = {}
        self._ids: dict[str, Pair] = {}
        self._told: set[str] = set()
        self._servers: list[ServerSlower] = []
        self._candidates_known = 0
        self._seen: Seen | None = None
        self._server_timed = False
        self._ended = False
        self._began = time.monotonic()
        if options.connect:
            work.listener(Note(text="In a browser that runs already, counts of functions that run often may get lost."))

    def lasting(self, seconds: float | None) -> None:
        """How long it may take when it is run the next time."""
        self._options = dataclasses.replace(self._options, budget=seconds)

    @property
    def more(self) -> bool:
        """Whether it could go on if there were time."""
        return not self._ended

    async def run(self, search: Asked, recording: Recording | None, *, seen: Seen | None = None) -> None:
        """`seen`: what was done already and what was learned from it. Then pairs are tried as soon as there are some,
        and it may be run again, to go on."""
        budget = self._options.budget
        if seen is not None and self._seen is None:
            self._seen, self._exploration = seen, seen.exploration
        async with browser(self._options, KEEPS_COUNTS) as chromium:
            await self._subject.restore(chromium, self._work.listener)
            self._began = time.monotonic()
            over = self._began + budget if budget is not None else None
            shown_from = self._began + (1 - _FOR_SHOWING) * budget if budget is not None else None
            view = msgspec.structs.replace(self._subject.view, cost=True, flowing=True)
            app = self._subject.opened(chromium, view)
            explored = self._subject.explored(app, chromium)
            try:
                if seen is not None:
                    await self._in_turn(explored, app, search, shown_from)
                    recording, candidates = None, []
                elif recording is not None:
                    events = [step.event for step in recording.trace.steps if step.event.by_user]
                    until = self._began + _SHARES[0] * budget if budget is not None else None
                    await self._repeat(explored, events, until)
                    candidates = self._candidates()
                else:
                    candidates = await self._explore(explored, search.events, budget)
                if seen is None:
                    self._tell_candidates(candidates, recording)
                    walker, counting = self._walker(explored, app, search, shown_from)
                    await self._time_server(walker, over, _FOR_SERVER if candidates else 1)
                    await self._try(walker, counting, candidates, search)
            finally:
                await app.close()
            if roots := [root for root in self._roots() if self._problem(root, None).id not in self._told]:
                async with browser(self._options) as plain:
                    await self._show_all(chromium, plain, roots, over)

    def _walker(
        self, explored: Explored, app: ChromiumApp, search: Asked, deadline: float | None
    ) -> tuple[Walker, Counting]:
        counting = Counting(app)
        walker = Walker(
            explored,
            self._exploration.machine,
            self._chance,
            visits=self._exploration.visits,
            pages=self._pages(),
            events=search.most,
            longer=search.longer,
            budget=Budget(deadline=deadline),
            allows=self._avoid.allows,
            on_visit=lambda visit: counting.visited(visit, walker),
        )
        return walker, counting

    async def _in_turn(self, explored: Explored, app: ChromiumApp, search: Asked, until: float | None) -> None:
        """Do again and again what leaves something behind; then explore until there are pairs, try them, and so on."""
        assert self._seen is not None
        tried = {verdict.pair for verdict in self._verdicts if _is_final(verdict)}
        repeating = self._seen.strategy.worth_repeating(self._exploration.machine)
        while until is None or time.monotonic() < until:
            most = search.most
            if not (candidates := _not_in(tried, self._candidates())) and (candidates := _not_in(tried, repeating)):
                most = min(most, _NEAR)
            if not candidates:
                candidates = await self._explore_on(explored, self._seen.strategy, search.events, until, tried)
            if not candidates:
                self._ended = until is None or time.monotonic() < until
                break
            self._tell_candidates(candidates, None)
            self._verdicts = [each for each in self._verdicts if each.pair in tried]
            walker, counting = self._walker(explored, app, msgspec.structs.replace(search, most=most), until)
            await self._try(walker, counting, candidates[:_AT_ONCE], search)
            tried |= {verdict.pair for verdict in self._verdicts if _is_final(verdict)}
        if not self._server_timed and self._ended:
            self._server_timed = True
            walker, _ = self._walker(explored, app, search, until)
            await self._time_server(walker, until, 1)

    async def _explore_on(
        self, explored: Explored, strategy: Strategy, events: int, until: float | None, tried: set[Pair]
    ) -> list[Candidate]:
        """Until there are pairs that were not tried; what could not be reached any more may be after another start."""
        begun = self._exploration.done
        found = await self._explore_once(explored, strategy, events, until, tried)
        while not found and self._exploration.done - begun >= _LEAST:
            begun = self._exploration.done
            found = await self._explore_once(explored, strategy, events, until, tried)
        return found

    async def _explore_once(
        self, explored: Explored, strategy: Strategy, events: int, until: float | None, tried: set[Pair]
    ) -> list[Candidate]:
        exploration, found = self._exploration, list[Candidate]()
        most = exploration.done + events

        def late() -> float | None:
            return 0.0 if found else until

        async def visited(visit: Visit) -> None:
            if exploration.done % _LOOK_EVERY == 0:
                found[:] = _not_in(tried, self._candidates())
            if self._seen is not None and self._seen.on_visit is not None:
                await self._seen.on_visit(visit, explored)

        await explore(
            explored,
            strategy,
            events=most,
            chance=self._chance,
            what=self._subject.url,
            listener=self._work.listener,
            avoid=self._avoid,
            on_visit=visited,
            deadline=late,
            into=exploration,
        )
        return _not_in(tried, self._candidates())

    async def _explore(self, explored: Explored, events: int, budget: float | None) -> list[Candidate]:
        """Until there are pairs, or nothing is left to do it with; who found nothing may do so by another chance."""
        exploration = self._exploration
        for share in _SHARES:
            deadline = self._began + budget * share if budget is not None else None
            while exploration.done < events and (deadline is None or time.monotonic() < deadline):
                before = exploration.done
                await explore(
                    explored,
                    Promising(self._chance),
                    events=events,
                    chance=self._chance,
                    what=self._subject.url,
                    listener=self._work.listener,
                    avoid=self._avoid,
                    deadline=deadline,
                    into=exploration,
                )
                if candidates := self._candidates():
                    return candidates
                if exploration.done - before < _LEAST:
                    break
        return []

    def _candidates(self) -> list[Candidate]:
        """Of all that was done; or of parts of it, for what grew for a while and then was done in vain many times is
        hidden by the rest."""
        visits = self._exploration.visits
        found = infer(history(visits), several_causes=True)
        for size in _PARTS:
            if found:
                break
            parts = (visits[start : start + size] for start in range(0, len(visits), size // 3))
            several = {each.pair: each for part in parts for each in infer(history(part), several_causes=True)}
            found = sorted(several.values(), key=lambda each: (-each.confidence, -each.support))
        return found

    async def _repeat(self, explored: Explored, events: Sequence[Event], deadline: float | None) -> None:
        """What a recording has, done again with costs."""
        exploration = self._exploration
        exploration.runs += 1
        async for visit in repeated(explored, events, self._work.listener, deadline=deadline):
            if not exploration.visits:
                exploration.machine.started(visit.before)
            new = visit.after not in exploration.machine
            exploration.machine.learn(visit.before, visit.event, visit.after)
            exploration.visits.append(msgspec.structs.replace(visit, new_state=new))
            exploration.ended = f"{exploration.done} of {len(events)} recorded events were done"

    def _pages(self) -> list[Event]:
        """Going to a page by its address."""
        urls = {visit.after.url for visit in self._exploration.visits if visit.after.url.startswith("http")}
        return [page for page in map(visit_page, sorted(urls)) if self._avoid.allows(page)]

    def _tell_candidates(self, candidates: Sequence[Candidate], recording: Recording | None) -> None:
        self._candidates_known = len(candidates)
        if candidates:
            self._work.listener(Note(text=f"{count(len(candidates), 'pair')} to be tried"))
            return
        longer = "a longer --budget" if self._exploration.ended == TIME_UP else "more --events"
        more = "a longer session, with the same things done several times" if recording else longer
        self._work.listener(
            Note(text=f"Nothing became slower {SUPPORT} times with {CONFIDENCE:.0%} confidence. Try {more}.")
        )

    async def _time_server(self, walker: Walker, over: float | None, share: float) -> None:
        """Is it the server that gets slower? It takes that share of the time left at most: there are pairs to try."""
        whole, now = walker.budget, time.monotonic()
        walker.budget = Budget(deadline=now + share * (over - now) if over is not None else None)
        self._servers += await slower_servers(walker, self._exploration.visits)
        walker.budget, walker.tally = whole, Tally()
        for each in self._servers:
            self._work.listener(Note(text=f"{each}."))

    async def _try(self, walker: Walker, counting: Counting, candidates: Sequence[Candidate], search: Asked) -> None:
        listener = self._work.listener
        if not candidates:
            return
        listener(Started(what="trying pairs", total=len(candidates)))
        async for verdict in examine(walker, candidates, costs=search.costs, rule=search.rule):
            self._verdicts.append(verdict)
            if verdict.found:
                self._blamed[verdict.pair] = await counting.blamed(verdict.trial, walker)
                listener(Note(text=f"{verdict.outcome.value.capitalize()}: {verdict.reason}"))
            listener(Stepped(done=len(self._verdicts), what=str(verdict.pair)))
        tally = walker.tally
        self._work.stats |= {
            "targets": tally.targets,
            "reached": tally.reached,
            "events a target": round(tally.events_per_target, 2),
            "events of trials": tally.events,
        }
        found = sum(verdict.found for verdict in self._verdicts)
        listener(Finished(summary=f"{found} of {len(self._verdicts)} pairs do"))

    def _roots(self) -> list[Root]:
        names = {
            pair: [f"{each.function.url} {each.function.name} {each.function.start}" for each, _ in blamed]
            for pair, blamed in self._blamed.items()
        }
        return by_root_cause(self._verdicts, names)

    async def _show_all(self, chromium: Chromium, plain: Chromium, roots: Sequence[Root], over: float | None) -> None:
        listener, done = self._work.listener, 0

        def step(event: Event) -> None:
            nonlocal done
            done += 1
            listener(Stepped(done=done, what=str(event)))

        listener(Started(what="doing what was found once more"))
        last = self._at_last(over)
        for number, root in enumerate(roots):
            now = time.monotonic()
            # One half of its share of what is left is for measuring, the other for recording.
            until = now + (over - now) / (len(roots) - number) / 2 if over is not None else None
            try:
                async with asyncio.timeout_at(last):
                    await self._show(chromium, plain, root, until, step)
            except TimeoutError:
                listener(Note(text="The time is up: what was found is told without being done once more."))
                break
        listener(Finished(summary=f"{done} events were done once more"))

    def _at_last(self, over: float | None) -> float | None:
        """When showing ends, whatever is being done: somewhat after the time is up, in the time of the event loop."""
        if over is None or self._options.budget is None:
            return None
        left = max(0.0, over - time.monotonic()) + _FOR_SHOWING * self._options.budget
        return asyncio.get_running_loop().time() + left

    async def _show(
        self, chromium: Chromium, plain: Chromium, root: Root, until: float | None, on_step: Callable[[Event], None]
    ) -> None:
        """Do it once more: recorded, and in a plain browser, which optimises as always."""
        trial = root.main.trial
        worn = await self._wear(plain, trial, until, on_step)
        problem = self._problem(root, worn)
        steps = _shortened(trial, root.main.outcome)
        replay = await self._record(chromium, problem.id, steps, root.main, on_step)
        test = None
        if replay:
            loaded = self._options.loaded
            test = kept_test(self._work, problem.id, lambda name: self._test(name, problem, root.main), loaded)
        self._told.add(problem.id)
        self._work.run.add_finding(finding_of(problem, [str(visit.event) for visit in steps], replay=replay, test=test))

    def _problem(self, root: Root, worn: Wear | None) -> Problem:
        """Root causes that have the same words (a button of the same name on two pages) are two problems."""
        problem = told_of(root, self._blamed.get(root.main.pair, ()), worn)
        if self._ids.setdefault(problem.id, root.main.pair) == root.main.pair:
            return problem
        place = root.main.pair.effect.before
        return msgspec.structs.replace(problem, cause=f"{problem.cause}\0{place.url}\0{place.digest}")

    def _test(self, name: str, problem: Problem, verdict: Verdict) -> str:
        """A Playwright test that fails because of it; empty for what is no bug. Raises ValueError."""
        origins = self._options.configuration.allowed_origins
        return _as_test(verdict, self._subject.url, title=problem.title, name=name, origins=origins)

    async def _wear(self, plain: Chromium, trial: Trial, until: float | None, on_step: Callable[[Event], None]) -> Wear:
        actions = [action_of(visit) for visit in trial.steps]
        await self._subject.restore(plain)
        app = self._subject.opened(plain, msgspec.structs.replace(self._subject.view, flowing=True))
        try:
            return await wear(
                self._subject.explored(app, plain),
                [visit.event for visit in trial.steps],
                [action == trial.pair.effect for action in actions],
                [action == trial.pair.cause for action in actions],
                enough=_RECORDED,
                deadline=until,
                on_step=on_step,
            )
        finally:
            await app.close()

    async def _record(
        self,
        chromium: Chromium,
        name: str,
        steps: Sequence[Visit],
        verdict: Verdict,
        on_step: Callable[[Event], None],
    ) -> str | None:
        explored, recorder = await self._subject.recorded(chromium, cost=True)
        costs: list[float] = []
        failed = ""
        try:
            await explored.reset()
            for visit in steps:
                effect = await explored.step(visit.event)
                if label(visit.event) == verdict.pair.effect.label and effect.cost is not None:
                    costs.append(effect.cost)
                failed = failed or problem_of(effect)
                on_step(visit.event)
            recorder.screen("end", await explored.app.screenshot())
        except NotEnabled:
            return None
        finally:
            await explored.app.close()
        shown = bool(failed) if verdict.outcome is Outcome.FAILURE else rises(list(enumerate(costs)))
        if not shown:
            self._work.listener(Note(text=f"Not recorded: {name} did not show when every answer was held"))
            return None
        file = f"{name}.jostle"
        recorder.recording().write(self._work.run.path / file)
        return file

    def keep(self) -> None:
        """What was seen and not shown again, and figures; also after an interruption."""
        exploration, work = self._exploration, self._work
        for root in self._roots():  # interrupted: not brought about again, but seen
            problem = self._problem(root, None)
            if problem.id not in self._told:
                self._told.add(problem.id)
                steps = _shortened(root.main.trial, root.main.outcome)
                work.run.add_finding(finding_of(problem, [str(visit.event) for visit in steps], replay=None))
        work.stats |= {
            "events": exploration.done,
            "states": len(exploration.machine),
            "runs": exploration.runs,
            "ended": exploration.ended,
            "pairs": len(self._verdicts),
            "found": sum(verdict.found for verdict in self._verdicts),
            "seconds": round(time.monotonic() - self._began, 1),
            "server": [msgspec.to_builtins(each) | {"text": f"{each}."} for each in self._servers],
        }

    @property
    def _others(self) -> list[Verdict]:
        return [each for each in self._verdicts if not each.found]

    @property
    def servers(self) -> tuple[ServerSlower, ...]:
        """Requests that the server answers ever more slowly."""
        return tuple(self._servers)

    def told(self) -> Told:
        """What came of it."""
        return Told(
            name="slowdown",
            what="clicks that make other clicks slower",
            tried=len(self._verdicts),
            found=len(self._told),
            seconds=self._work.stats.get("seconds"),
            not_tried=max(0, self._candidates_known - len(self._verdicts)),
            why="the time was up" if self._candidates_known > len(self._verdicts) else "",
            others=tuple((str(each.pair), each.outcome.value, each.reason) for each in self._others),
            stats=self._work.stats,
        )

    def report(self, html: Path | None) -> None:
        """Whatever there is, if anything was done."""
        work = self._work
        if not self._exploration.visits:
            return
        keep_told(work, self.told(), self.servers)
        report = html or work.run.path / "report.html"
        shown = SlowdownReport(
            url=self._subject.url,
            findings=tuple(work.run.findings),
            others=tuple(
                (each.pair.cause.label, each.pair.effect.label, each.outcome.value, each.reason)
                for each in self._others
            ),
            stats=work.stats,
            servers=self.servers,
            directory=str(work.run.path),
        )
        write_whole(report, page(shown).encode())
        work.listener(Note(text=f"The report: {report}"))


def _not_in(tried: set[Pair], candidates: Sequence[Candidate]) -> list[Candidate]:
    return [each for each in candidates if each.pair not in tried]


def _is_final(verdict: Verdict) -> bool:
    """Not if there was no time for it."""
    return verdict.found or verdict.trial.ended is not Ended.SPENT


def _as_test(verdict: Verdict, url: str, *, title: str, name: str, origins: Sequence[str]) -> str:
    """Empty for what is no bug. Raises ValueError."""
    steps, effect = verdict.trial.steps, verdict.pair.effect
    pair = Pair(msgspec.structs.replace(verdict.pair.cause, label=verdict.culprit), effect)
    if verdict.trial.hung:
        raise ValueError("The page hangs, and a test that waits for it would hang too.")
    if verdict.outcome is Outcome.FAILURE:
        problem = verdict.trial.problem
        return failure_test(url, steps, pair, problem=problem, title=title, name=name, origins=origins)
    if verdict.outcome is Outcome.SLOWDOWN and verdict.growth is not None:
        law = verdict.growth.law
        return slowdown_test(url, steps, pair, law=law, title=title, name=name, origins=origins)
    return ""


def _shortened(trial: Trial, outcome: Outcome) -> list[Visit]:
    """As much of it as is needed to see it."""
    if outcome is Outcome.FAILURE:
        return trial.steps
    seen = 0
    for number, visit in enumerate(trial.steps, 1):
        seen += action_of(visit) == trial.pair.effect
        if seen == _RECORDED:
            return trial.steps[:number]
    return trial.steps
