"""`jostle check`: everything at once, one report."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import click
import msgspec

from jostle.cli.browsing import run
from jostle.cli.explore import Exploring
from jostle.cli.options import Options, analysing, avoid_option, check_writable, report_option
from jostle.cli.outcome import Work, working
from jostle.cli.races_ajax import AnswerRaces
from jostle.cli.races_init import LoadRaces
from jostle.cli.races_orders import Orders
from jostle.cli.record import recorded_script
from jostle.cli.report import write_report
from jostle.cli.slowdown import Asked as AskedSlowdown
from jostle.cli.slowdown import Slowdowns
from jostle.cli.subject import Subject
from jostle.cli.text import printable
from jostle.config.application import Application
from jostle.errors import CouldNotRun, Exit, UsageProblem
from jostle.events.request_pattern import path_pattern
from jostle.explore.avoid import DEFAULT, Avoid
from jostle.explore.by_macros import ByMacros
from jostle.explore.explorer import Exploration
from jostle.explore.guided import Guided
from jostle.findings import Finding, Severity
from jostle.findings.baseline import Baseline
from jostle.findings.gating import FailOn, Gated, gate
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.plural import count
from jostle.progress import Finished, Listener, Note, Progress, Started
from jostle.races.ajax.reaction import Reaction
from jostle.races.orders.search import Asked as AskedOrders
from jostle.recording.file import Recording
from jostle.report import annotations as marks
from jostle.report import junit as junit_xml
from jostle.report import sarif as sarif_log
from jostle.report import told as for_machines
from jostle.report.check_told import WHATS, Told
from jostle.report.check_told import Search as SearchTold
from jostle.runs import Status
from jostle.slowdown.alternate import COSTS, Rule
from jostle.slowdown.paths import LONGER
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
MOST_PAGES = 6
"""Pages that are loaded again and again to act on them before they are ready."""
_EXPLORING = 0.3
"""Of the time, how much goes into exploring and into what goes wrong on the way."""
_LEAST = 3.0
"""Seconds; with less left, no further search is begun."""
_WEIGHTS = {"races init": 1.0, "races ajax": 3.0, "races orders": 3.0, "slowdown": 4.0}
"""How the rest is shared; what one does not use is for those after it."""


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
@analysing(budget="5m")
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
    asked = {"only": list(only), "skip": list(skip), "scenarios": [str(each) for each in scenarios]}
    outputs = Outputs(junit=junit, sarif=sarif, annotations=annotations, root=root)
    with (
        _Unheard(),
        working("check", options, address, **asked) as work,
        Application(options.loaded, work.run.path / "application.log", work.listener) as application,
    ):
        task = Check(work, options, application, address, [SEARCHES[name] for name in wanted], avoid)
        recordings = [_recording(each, work, options, application, address) for each in scenarios]
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
            _summary(work, gated, report)
    if outputs.annotations:
        for line in task.annotations:
            click.echo(line)
    return Exit.FINDINGS if gated.failing else Exit.NOTHING_FOUND


class Searching(Protocol):
    """One of the searches, with what it found."""

    def keep(self) -> None: ...

    def told(self) -> SearchTold: ...


class _Job:
    """A search that is to be made."""

    def __init__(self, name: str, make: Callable[[Work, Options], tuple[Searching, Awaitable[None]]]) -> None:
        self.name = name
        self.make = make
        self.weight = _WEIGHTS[name]


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
        self._reactions: list[Reaction] = []
        self._exploring: Exploring | None = None
        self._explored: Mapping[str, Any] = {}
        """The figures of the exploration."""
        self._searched: list[Searching] = []
        self._kept: set[int] = set()
        self._not_begun: list[str] = []
        self._failed: dict[str, str] = {}
        self._began = time.monotonic()
        self._over: float | None = None
        self.annotations: list[str] = []

    async def run(self, recordings: Sequence[Recording], macros: Macros | None) -> None:
        options = self._options
        self._began = time.monotonic()
        self._over = self._began + options.budget if options.budget is not None else None
        if macros is not None:
            self._work.run.add_artefact("macros.json", msgspec.json.encode(macros), "application/json")
        await self._explore(macros)
        jobs = self._jobs(recordings)
        workers = options.workers
        if workers > 1 and options.configuration.app.reset is not None:
            self._work.listener(Note(text="One browser at a time: resetting the application would disturb the others."))
            workers = 1
        async with asyncio.TaskGroup() as group:
            for _ in range(min(workers, len(jobs))):
                group.create_task(self._worker(jobs, workers))

    # Exploring.

    async def _explore(self, macros: Macros | None) -> None:
        budget = self._options.budget
        share = budget * _EXPLORING if budget is not None else None
        work = Work(self._work.run, _named(self._work.listener, "explore"))
        chance = random.Random(self._options.seed)
        self._exploring = exploring = Exploring(
            work,
            dataclasses.replace(self._options, budget=share),
            self._url,
            self._application,
            Exploration(machine=Machine()),
            Avoid((*DEFAULT, *self._options.configuration.avoid, *self._avoid)),
            chance,
        )
        self._explored = work.stats
        strategy = ByMacros(macros.macros, chance) if macros is not None else Guided(chance)
        try:
            await exploring.run(strategy, EVENTS, reactions=self._reactions, problems="explore" in self.techniques)
        finally:
            exploring.keep("macro" if macros is not None else "guided")

    # What is tried then.

    def _jobs(self, recordings: Sequence[Recording]) -> list[_Job]:
        """Cheap ones first, and the page that everybody sees first."""
        pages = self._pages()
        jobs = [self._init(url) for url in pages[:1]]
        jobs += [self._ajax(recording) for recording in (*recordings, None)]
        jobs += [self._init(url) for url in pages[1:]]
        jobs += [self._orders(recording) for recording in (*recordings, None)]
        jobs.append(self._slowdown())
        return [job for job in jobs if job.name in self.techniques]

    def _pages(self) -> list[str]:
        """One of those that look alike, by their addresses."""
        seen = self._exploring.pages if self._exploring is not None else []
        pages: dict[str, str] = {}
        for url in (self._url, *seen):
            if url.startswith("http"):
                parts = urlsplit(url)
                pages.setdefault(f"{parts.netloc}{path_pattern(parts.path)}", url)
        return list(pages.values())[:MOST_PAGES]

    def _init(self, url: str) -> _Job:
        def make(work: Work, options: Options) -> tuple[Searching, Awaitable[None]]:
            search = LoadRaces(work, options, Subject(options, self._application, url), self._avoid)
            return search, search.run(False)

        return _Job("races init", make)

    def _ajax(self, recording: Recording | None) -> _Job:
        def make(work: Work, options: Options) -> tuple[Searching, Awaitable[None]]:
            search = AnswerRaces(work, options, Subject(options, self._application, self._url), self._avoid)
            seen = self._reactions if recording is None else None
            return search, search.run(0, recording, seen=seen)

        return _Job("races ajax", make)

    def _orders(self, recording: Recording | None) -> _Job:
        def make(work: Work, options: Options) -> tuple[Searching, Awaitable[None]]:
            asked = AskedOrders(bound=2, seed=options.seed)
            search = Orders(work, options, Subject(options, self._application, self._url), asked, self._avoid)
            seen = self._reactions if recording is None else None
            return search, search.run(0, recording, seen=seen)

        return _Job("races orders", make)

    def _slowdown(self) -> _Job:
        def make(work: Work, options: Options) -> tuple[Searching, Awaitable[None]]:
            search = Slowdowns(work, options, Subject(options, self._application, self._url), self._avoid)
            asked = AskedSlowdown(events=1000, costs=COSTS, most=EVENTS_A_TARGET, rule=Rule.TREND, longer=LONGER)
            return search, search.run(asked, None)

        return _Job("slowdown", make)

    async def _worker(self, jobs: list[_Job], workers: int) -> None:
        """One browser after the other, as long as there is something to do and time for it."""
        while jobs:
            job = jobs.pop(0)
            left = self._over - time.monotonic() if self._over is not None else None
            if left is not None and left < _LEAST:
                self._not_begun.append(job.name)
                continue
            share = None
            if left is not None:
                share = min(left, left * workers * job.weight / (job.weight + sum(each.weight for each in jobs)))
            work = Work(self._work.run, _named(self._work.listener, job.name))
            search, going = job.make(work, dataclasses.replace(self._options, budget=share))
            self._searched.append(search)
            try:
                await going
            except CouldNotRun as problem:  # the others may still have something to tell
                self._failed[job.name] = str(problem)
                work.listener(Note(text=f"Given up: {problem}"))
            finally:
                self._keep(search)

    def _keep(self, search: Searching) -> None:
        if id(search) not in self._kept:
            self._kept.add(id(search))
            search.keep()

    # What is kept.

    def keep(self) -> None:
        """Whatever there is, also after an interruption."""
        for search in self._searched:
            self._keep(search)
        searches = self.searches()
        stats = self._explored
        servers = tuple(
            server for search in self._searched if isinstance(search, Slowdowns) for server in search.servers
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
        for search in self._searched:
            told = search.told()
            by_name[told.name].append(told)
        for name in self._not_begun:
            by_name[name].append(
                SearchTold(name=name, what=WHATS[name], not_tried=1, why="the time was up before it was its turn")
            )
        for name, why in self._failed.items():
            by_name[name].append(SearchTold(name=name, what=WHATS[name], not_tried=1, why=why))
        found = Counter(each.technique for each in self._work.run.findings)
        return tuple(_joined(name, several, found[name]) for name, several in by_name.items() if several)


def _joined(name: str, several: Sequence[SearchTold], found: int) -> SearchTold:
    """Several searches of one kind as one. `found`: what one page shows as well as another is found once."""
    seconds = [each.seconds for each in several if each.seconds is not None]
    return SearchTold(
        name=name,
        what=WHATS[name],
        tried=sum(each.tried or 0 for each in several),
        found=found,
        seconds=round(sum(seconds), 1) if seconds else None,
        not_tried=sum(each.not_tried for each in several),
        why="; ".join(dict.fromkeys(each.why for each in several if each.why)),
        others=tuple(other for each in several for other in each.others),
        noise=tuple(dict.fromkeys(words for each in several for words in each.noise)),
        stats=several[0].stats if len(several) == 1 else {},
    )


def _named(listener: Listener, name: str) -> Listener:
    """Progress with the name of the search before it: several may be under way."""

    def tell(progress: Progress, /) -> None:
        if isinstance(progress, Started):
            progress = msgspec.structs.replace(progress, what=f"{name}: {progress.what}")
        elif isinstance(progress, Finished):
            progress = msgspec.structs.replace(progress, summary=f"{name}: {progress.summary}")
        listener(progress)

    return tell


def _recording(file: Path, work: Work, options: Options, application: Application, address: str) -> Recording:
    if file.suffix == ".py":
        return recorded_script(work, options, application, address, file)
    return Recording.read(file)


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
