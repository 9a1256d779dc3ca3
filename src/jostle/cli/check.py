"""`jostle check`: everything at once, one report."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import hashlib
import os
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit, urlunsplit

import click
import msgspec

from jostle.browser.connection import Disconnected, NoAnswer
from jostle.check.engine import Engine
from jostle.check.once import told_before
from jostle.check.pages import Pages, arrived
from jostle.check.plan import Job, Plan, Turn
from jostle.cli.browsing import Browsers, run
from jostle.cli.check_progress import Telling
from jostle.cli.explore import Exploring
from jostle.cli.options import Options, analysing, avoid_option, check_writable, report_option
from jostle.cli.outcome import Work, working
from jostle.cli.races_ajax import AnswerRaces
from jostle.cli.races_init import LoadRaces
from jostle.cli.races_orders import Orders
from jostle.cli.report import write_report
from jostle.cli.scenario import Scenario
from jostle.cli.slowdown import Asked as AskedSlowdown
from jostle.cli.slowdown import Seen as SeenSlowdown
from jostle.cli.slowdown import Slowdowns
from jostle.cli.subject import Subject
from jostle.cli.text import printable
from jostle.config.application import Application
from jostle.errors import CouldNotRun, Exit, Problem, UsageProblem
from jostle.explore.application import Explored
from jostle.explore.avoid import DEFAULT, Avoid
from jostle.explore.by_macros import ByMacros
from jostle.explore.explorer import TIME_UP, Exploration
from jostle.explore.guided import Guided
from jostle.explore.situation import Strategy, Visit
from jostle.findings import Finding, Severity
from jostle.findings.baseline import Baseline
from jostle.findings.gating import FailOn, Gated, gate
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.plural import count
from jostle.progress import Note
from jostle.races.ajax.conflict import candidates
from jostle.races.ajax.reaction import Reaction
from jostle.races.orders.search import Asked as AskedOrders
from jostle.recording.file import Recording
from jostle.recording.login import StorageState, storage_state
from jostle.report import annotations as marks
from jostle.report import junit as junit_xml
from jostle.report import sarif as sarif_log
from jostle.report import told as for_machines
from jostle.report.check_told import WHATS, Told
from jostle.report.check_told import Search as SearchTold
from jostle.runs import Status
from jostle.slowdown.alternate import COSTS, Rule
from jostle.slowdown.paths import LONGER
from jostle.slowdown.promising import Promising
from jostle.slowdown.trigger import EVENTS as EVENTS_A_TARGET
from jostle.writing import write_whole

SEARCHES = {
    "explore": "explore",
    "init": "races init",
    "ajax": "races ajax",
    "orders": "races orders",
    "slowdown": "slowdown",
}
"""What they are called on the command line, and the technique of what they find."""
EVENTS = 300
_FOR_EXPLORING = 0.3
"""Of the time, how much goes at most into exploring and into what goes wrong on the way."""
_LEAST = 3.0
"""Seconds; with less left, no further search is begun."""
_LEASTS = {"explore": 5.0, "races orders": 12.0, "slowdown": 10.0}
_GRACE = 0.05
"""Of the time, by how much a search may take longer than it may."""
_EXPLORING = 3.0
_WEIGHTS = {"races init": 2.0, "races ajax": 3.0, "races orders": 1.5, "slowdown": 4.0}
"""How the time is shared; what one does not use is for the others."""
_PATIENCE = 60
"""After so many events that brought nothing new, there are better things to do."""
_LOOK_EVERY = 10
"""Events of the exploration after which it is looked whether answers may get in each other's way."""
WORKERS = min(4, os.cpu_count() or 1)


class Outputs(msgspec.Struct, frozen=True, kw_only=True):
    """What is written for machines."""

    junit: Path | None = None
    sarif: Path | None = None
    annotations: bool = False
    root: str = ""


@click.command()
@click.argument("url", required=False)
@click.option("--only", multiple=True, type=click.Choice(list(SEARCHES)), help="Look for this only. May be repeated.")
@click.option("--skip", multiple=True, type=click.Choice(list(SEARCHES)), help="Do not look for this. May be repeated.")
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Try also what was done in this recording, or what this Playwright script or test does. May be repeated.",
)
@click.option(
    "--macros",
    "macros_file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Explore by macros, made by `jostle macros infer`.",
)
@click.option(
    "--fail-on",
    "fail_on",
    multiple=True,
    metavar="KIND|SEVERITY",
    help="Exit with 1 only for findings of this kind, or of this severity and worse; `never` for none. May be "
    "repeated. Default: any.",
)
@click.option(
    "--baseline",
    "baseline_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Findings in this file are known: they are told, and do not fail.",
)
@click.option("--update-baseline", "update", is_flag=True, help="Write what was found into the file of --baseline.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write the findings as JUnit XML.")
@click.option("--sarif", type=click.Path(path_type=Path), metavar="FILE", help="Write the findings as SARIF 2.1.0.")
@click.option("--annotations", is_flag=True, help="Print the findings as annotations of GitHub Actions.")
@click.option(
    "--source-root",
    "root",
    default="",
    metavar="DIR",
    help="The folder of the repository that is served as /, for places in SARIF and annotations.",
)
@avoid_option
@report_option
@analysing(budget="5m", workers=WORKERS)
def check(
    url: str | None,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    scenarios: tuple[Path, ...],
    macros_file: Path | None,
    fail_on: tuple[str, ...],
    baseline_file: Path | None,
    update: bool,
    junit: Path | None,
    sarif: Path | None,
    annotations: bool,
    root: str,
    avoid: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Look for everything that breaks in the application at URL, and write one report.

    First it is explored as a tester would. Then the rest of the time goes into what was seen: acting on pages before
    they are ready, answers that come late, the same things in other orders, and clicks that make other clicks slower.
    Each finding comes with a replay and with a Playwright test that fails because of it.
    """
    rules = FailOn.parse(fail_on)
    if update and baseline_file is None:
        raise UsageProblem("--update-baseline needs --baseline FILE.", advice="Name the file to write.")
    known = Baseline()
    if baseline_file is not None and not (update and not baseline_file.exists()):
        known = Baseline.read(baseline_file)
    for file in (html, junit, sarif):
        check_writable(file)
    wanted = [name for name in SEARCHES if (not only or name in only) and name not in skip]
    if not wanted:
        raise UsageProblem("Nothing is left to look for.", advice=f"There are: {', '.join(SEARCHES)}.")
    address = options.address(url)
    chosen = [Scenario(each) for each in scenarios]
    asked = {"only": list(only), "skip": list(skip), "scenarios": [str(each) for each in scenarios]}
    outputs = Outputs(junit=junit, sarif=sarif, annotations=annotations, root=root)
    with (
        _Unheard(),
        working("check", options, address, **asked) as work,
        Application(options.loaded, work.run.path / "application.log", work.listener) as application,
    ):
        task = Check(work, options, application, address, [SEARCHES[name] for name in wanted], avoid)
        recordings = [each.recording(work, options, application, address) for each in chosen]
        macros = Macros.load(macros_file) if macros_file is not None else None
        try:
            run(task.run(recordings, macros))
        except (KeyboardInterrupt, asyncio.CancelledError):
            work.run.finish(Status.INTERRUPTED)  # the report tells how it ended
            raise
        except Exception as error:
            work.run.finish(Status.FAILED, error=str(error))
            raise
        else:
            work.run.finish()
        finally:
            task.keep()
            report = html or work.run.path / "report.html"
            write_report(work.run, report)
            gated = _gated(work, rules, known, baseline_file if update else None, task.techniques)
            _write(work, task, gated, outputs)
            work.still()
            _summary(work, gated, report)
    if outputs.annotations:
        for line in task.annotations:
            click.echo(line)
    return Exit.FINDINGS if gated.failing else Exit.NOTHING_FOUND


class Running(NamedTuple):
    """A search, and what makes it go on."""

    search: Searching
    go: Callable[[], Awaitable[None]]


class Searching(Protocol):
    """One of the searches, with what it found."""

    @property
    def more(self) -> bool: ...

    def lasting(self, seconds: float | None) -> None: ...

    def keep(self) -> None: ...

    def told(self) -> SearchTold: ...


class Check:
    """All searches of one application, in one run directory."""

    def __init__(
        self,
        work: Work,
        options: Options,
        application: Application,
        url: str,
        techniques: Sequence[str],
        avoid: Sequence[str],
    ) -> None:
        self._work = work
        self._options = options
        self._application = application
        self._url = url
        self.techniques = techniques
        self._avoid = avoid
        self._telling = Telling(work.listener, lambda: work.run.findings)
        self._workers = options.workers
        if self._workers > 1 and options.configuration.app.reset is not None:
            work.listener(Note(text="One browser at a time: resetting the application would disturb the others."))
            self._workers = 1
        weights = {"explore": _EXPLORING, **{name: _WEIGHTS[name] for name in techniques if name != "explore"}}
        self._plan = Plan(weights, seconds=options.budget, workers=self._workers, least=_LEAST)
        grace = _GRACE * options.budget if options.budget is not None else None
        self._engine = Engine(self._plan, workers=self._workers, failed=self._fail, grace=grace)
        self._chance = random.Random(options.seed)
        self._reactions: list[Reaction] = []
        self._exploration = Exploration(machine=Machine())
        self._promising = Promising(self._chance, patience=_PATIENCE, after=True)
        self._pages = Pages(url)
        self._exploring: Exploring | None = None
        self._explored: Mapping[str, Any] = {}
        """The figures of the exploration."""
        self._known: set[tuple[str, ...]] = set()
        """What was tried on one page and need not be on others."""
        self._states: dict[str, str] = {}
        """Files of storage states, by what is in them."""
        self._answers: AnswerRaces | None = None
        self._searched: dict[str, Searching] = {}
        """By the names of their jobs."""
        self._spent: dict[str, float] = {}
        """Seconds, by the names of searches."""
        self._failed: dict[str, str] = {}
        self._unreachable: Problem | None = None
        self._began = time.monotonic()
        self.annotations: list[str] = []

    async def run(self, recordings: Sequence[Recording], macros: Macros | None) -> None:
        self._began = time.monotonic()
        if macros is not None:
            self._work.run.add_artefact("macros.json", msgspec.json.encode(macros), "application/json")
        async with Browsers() as browsers:
            self._options = dataclasses.replace(self._options, browsers=browsers)
            guided = Guided(self._chance, patience=_PATIENCE)
            strategy = ByMacros(macros.macros, self._chance) if macros is not None else guided
            explore = Job(name="explore", search="explore", least=_LEASTS["explore"], last=True)
            self._engine.add(explore, lambda turn: self._explore(turn, strategy))
            self._engine.expect(*(name for name in ("races ajax", "races orders", "slowdown") if self._wants(name)))
            if self._wants("races init"):
                self._act_early(self._url, rank=1.0)
            for number, recording in enumerate(recordings):
                self._try_recording(number, recording)
            await self._engine.run()
        if self._unreachable is not None:
            raise self._unreachable

    def _wants(self, technique: str) -> bool:
        return technique in self.techniques

    def _fail(self, job: Job, problem: Problem) -> None:
        """Without an exploration there is nothing to go on."""
        if job.search == "explore" and not self._exploration.visits:
            self._unreachable = self._unreachable or problem
            return
        self._failed[job.search] = str(problem)
        self._work.listener(Note(text=f"{job.name}: given up: {problem}"))

    # Exploring.

    async def _explore(self, turn: Turn, strategy: Strategy) -> bool:
        """Up to a part of the time at first; further when the others have nothing to do any more."""
        budget = self._options.budget
        share = turn.seconds if turn.again or budget is None else budget * _FOR_EXPLORING
        work = Work(self._work.run, self._telling.of("explore"))
        self._exploring = exploring = Exploring(
            work,
            dataclasses.replace(self._options, budget=share),
            self._url,
            self._application,
            self._exploration,
            Avoid((*DEFAULT, *self._options.configuration.avoid, *self._avoid)),
            self._chance,
        )
        self._explored = work.stats
        began = self._engine.now
        try:
            await exploring.run(
                strategy,
                self._exploration.done + EVENTS,
                reactions=self._reactions,
                problems=self._wants("explore"),
                costs=self._wants("slowdown"),
                on_visit=self._met if turn.again else self._visited,
            )
        finally:
            self._spent["explore"] = self._spent.get("explore", 0.0) + self._engine.now - began
            exploring.keep("macro" if isinstance(strategy, ByMacros) else "guided")
            self._engine.expect()
        self._try_answers()
        if self._wants("slowdown") and not turn.again:
            self._add("slowdown", "slowdown", 4.0, self._slowdowns)
        if self._wants("races orders") and not turn.again:
            self._add("races orders", "races orders", 5.0, lambda work, options: self._orders(work, options, None))
        return self._exploration.ended == TIME_UP

    async def _visited(self, visit: Visit, explored: Explored) -> None:
        """What was seen gives the other searches something to do, while it is explored further."""
        self._promising.observe(visit)
        await self._met(visit, explored)
        if self._workers > 1 and len(self._reactions) % _LOOK_EVERY == 0:
            self._try_answers()

    async def _met(self, visit: Visit, explored: Explored) -> None:
        """Perhaps a page that is worth acting on before it is ready."""
        page = arrived(visit)
        if page is not None and self._wants("races init") and (rank := self._pages.rank(page)) is not None:
            state = None
            if self._options.configuration.app.reset is None:  # else nobody may be known any more
                state = await storage_state(explored.app)
            self._act_early(page.url, rank=2.0 + rank, state=state)

    # What is tried then.

    def _add(self, name: str, search: str, rank: float, make: Callable[[Work, Options], Running]) -> None:
        running: list[Running] = []

        async def go(turn: Turn) -> bool:
            if not running:
                work = Work(self._work.run, self._telling.of(name))
                running.append(make(work, self._options))
                self._searched[name] = running[0].search
            running[0].search.lasting(turn.seconds)
            began = time.monotonic()
            try:
                await running[0].go()
            except (Disconnected, NoAnswer) as gone:
                raise CouldNotRun(f"The browser went away: {gone}.") from gone
            finally:
                self._spent[search] = self._spent.get(search, 0.0) + time.monotonic() - began
            return running[0].search.more

        self._engine.add(Job(name=name, search=search, rank=rank, least=_LEASTS.get(search, 0.0)), go)

    def _act_early(self, url: str, *, rank: float, state: StorageState | None = None) -> None:
        """On a page before it is ready. `state`: who was logged in when it was met."""

        def make(work: Work, options: Options) -> Running:
            given = state if state is not None and (state.cookies or state.origins) else None
            subject = Subject(options, self._application, url, state=given)
            file = self._kept_state(given) if given is not None else ""
            search = LoadRaces(work, options, subject, self._avoid, known=self._known, state=file)
            return Running(search, lambda: search.run(False))

        parts = urlsplit(url)
        page = urlunsplit(("", "", parts.path or "/", parts.query, ""))
        self._add(f"races init {page}", "races init", rank, make)

    def _kept_state(self, state: StorageState) -> str:
        """The file of a storage state, which generated tests begin with."""
        content = msgspec.json.encode(state)
        name = f"state-{hashlib.sha256(content).hexdigest()[:8]}.json"
        if name not in self._states:
            self._states[name] = str(self._work.run.add_artefact(name, content, "application/json").absolute())
        return self._states[name]

    def _try_answers(self) -> None:
        """Let answers come late, as soon as there are two that may get in each other's way."""
        if not self._wants("races ajax") or self._plan.has("races ajax"):
            return
        if self._answers is None:
            if not candidates(self._reactions) and self._plan.has("explore"):
                return

            def make(work: Work, options: Options) -> Running:
                subject = Subject(options, self._application, self._url)
                self._answers = search = AnswerRaces(work, options, subject, self._avoid)
                return Running(search, lambda: search.run(0, None, seen=self._reactions))

            self._add("races ajax", "races ajax", 3.0, make)
        elif self._answers.has_more():
            self._engine.again("races ajax")

    def _try_recording(self, number: int, recording: Recording) -> None:
        """What somebody recorded is what matters to them."""
        suffix = f" (scenario {number + 1})"

        def answers(work: Work, options: Options) -> Running:
            search = AnswerRaces(work, options, Subject(options, self._application, self._url), self._avoid)
            return Running(search, lambda: search.run(0, recording))

        if self._wants("races ajax"):
            self._add(f"races ajax{suffix}", "races ajax", 1.5, answers)
        if self._wants("races orders"):
            make = functools.partial(self._orders, recording=recording)
            self._add(f"races orders{suffix}", "races orders", 3.5, make)

    def _orders(self, work: Work, options: Options, recording: Recording | None) -> Running:
        asked = AskedOrders(bound=2, seed=options.seed)
        subject = Subject(options, self._application, self._url)
        search = Orders(
            work,
            options,
            subject,
            asked,
            self._avoid,
            told_before=lambda problem: told_before(problem, self._work.run.findings),
        )
        seen = self._reactions if recording is None else None
        return Running(search, lambda: search.run(0, recording, seen=seen))

    def _slowdowns(self, work: Work, options: Options) -> Running:
        search = Slowdowns(work, options, Subject(options, self._application, self._url), self._avoid)
        asked = AskedSlowdown(events=1000, costs=COSTS, most=EVENTS_A_TARGET, rule=Rule.TREND, longer=LONGER)
        explored = self._exploration
        seen = SeenSlowdown(
            exploration=Exploration(machine=explored.machine, visits=list(explored.visits), runs=explored.runs),
            strategy=self._promising,
            on_visit=self._met,
        )
        return Running(search, lambda: search.run(asked, None, seen=seen))

    # What is kept.

    def keep(self) -> None:
        """Whatever there is, also after an interruption."""
        for search in self._searched.values():
            search.keep()
        searches = self.searches()
        stats = self._explored
        servers = tuple(
            server for search in self._searched.values() if isinstance(search, Slowdowns) for server in search.servers
        )
        told = Told(
            searches=searches,
            stats=stats,
            servers=servers,
            budget=self._options.budget,
            seconds=round(time.monotonic() - self._began, 1),
        )
        self._work.run.add_artefact("told.json", msgspec.json.encode(told), "application/json")
        self._work.stats |= {
            "explore": stats,
            **{each.name: dict(each.stats) for each in searches if each.stats and each.name != "explore"},
            "seconds": told.seconds,
        }

    def searches(self) -> tuple[SearchTold, ...]:
        """What each of them tells; those of one kind together."""
        by_name: dict[str, list[SearchTold]] = {name: [] for name in self.techniques}
        if "explore" in by_name and self._exploring is not None:
            done = self._explored.get("events", 0)
            by_name["explore"].append(SearchTold(name="explore", what=WHATS["explore"], tried=done))
        for search in self._searched.values():
            told = search.told()
            by_name[told.name].append(told)
        for name in (job.search for job in self._plan.waiting if job.search in by_name):
            by_name[name].append(
                SearchTold(name=name, what=WHATS[name], not_tried=1, why="the time was up before it was its turn")
            )
        for name, why in self._failed.items():
            by_name[name].append(SearchTold(name=name, what=WHATS[name], not_tried=1, why=why))
        found = Counter(each.technique for each in self._work.run.findings)
        return tuple(
            _joined(name, several, found[name], self._spent.get(name)) for name, several in by_name.items() if several
        )


def _joined(name: str, several: Sequence[SearchTold], found: int, seconds: float | None) -> SearchTold:
    """Several searches of one kind as one. `found`: what one page shows as well as another is found once."""
    return SearchTold(
        name=name,
        what=WHATS[name],
        tried=sum(each.tried or 0 for each in several),
        found=found,
        seconds=round(seconds, 1) if seconds is not None else None,
        not_tried=sum(each.not_tried for each in several),
        why="; ".join(dict.fromkeys(each.why for each in several if each.why)),
        others=tuple(other for each in several for other in each.others),
        noise=tuple(dict.fromkeys(words for each in several for words in each.noise)),
        stats=several[0].stats if len(several) == 1 else {},
    )


class _Unheard:
    """While this is open, GitHub Actions takes no line of ours for a command: texts of pages are among them."""

    def __enter__(self) -> None:
        self._lines = marks.unheard(secrets.token_hex(16)) if os.environ.get("GITHUB_ACTIONS") else ("", "")
        if self._lines[0]:
            click.echo(self._lines[0])

    def __exit__(self, *error: object) -> None:
        if self._lines[1]:
            click.echo(self._lines[1])


def _gated(work: Work, rules: FailOn, known: Baseline, update: Path | None, techniques: Sequence[str]) -> Gated:
    found = work.run.findings
    if update is not None:
        known = known.updated(found)
        known.write(update)
        work.listener(Note(text=f"The baseline: {update}"))
    return gate(found, rules, known, techniques=techniques)


def _write(work: Work, task: Check, gated: Gated, outputs: Outputs) -> None:
    """What was asked for, for machines."""
    if not (outputs.junit or outputs.sarif or outputs.annotations):
        return
    document = work.run.document(seconds=work.stats.get("seconds") or 0.0, stats=work.stats)
    places = {"directory": str(work.run.path), "root": outputs.root}
    if outputs.junit is not None:
        searches = for_machines.searches(msgspec.to_builtins({"searches": task.searches()}))
        write_whole(outputs.junit, junit_xml.report(document, searches, gated, **places).encode())
    if outputs.sarif is not None:
        write_whole(outputs.sarif, sarif_log.log(document, gated, **places))
    if outputs.annotations:
        task.annotations = marks.lines(document, gated, **places)


def _summary(work: Work, gated: Gated, report: Path) -> None:
    """What came of it, on the terminal."""
    found = work.run.findings
    order = [Severity.HIGH, Severity.MEDIUM, Severity.LOW]

    def line(finding: Finding) -> str:
        known = " (known)" if gated.standing(finding).value == "known" else ""
        return f"  {finding.severity.value:<6} {finding.kind.value:<24} {finding.title}{known}"

    words = count(len(found), "finding") if found else "Nothing was found"
    told = [f"{words}.", *(line(each) for each in sorted(found, key=lambda each: order.index(each.severity)))]
    if gated.gone:
        told.append(f"Not seen this time, perhaps fixed: {count(len(gated.gone), 'finding')} of the baseline.")
    click.echo(printable("\n".join(["", *told, "", f"The report: {report}"])))
