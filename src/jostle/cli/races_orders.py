"""`jostle races orders`: the same things in every other order that matters."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import msgspec

from jostle import errors
from jostle.browser.launch import ONE_PROCESS
from jostle.cli.browsing import browser, run
from jostle.cli.generated_test import kept_test
from jostle.cli.looking import look
from jostle.cli.options import Options, analysing, avoid_option, check_writable, report_option
from jostle.cli.outcome import Work, working
from jostle.cli.race_files import RaceFiles, why, write_races_report
from jostle.cli.scenario import Scenario
from jostle.cli.subject import Subject
from jostle.config.application import Application
from jostle.events import Event
from jostle.explore.avoid import DEFAULT, Avoid
from jostle.export.schedule_test import schedule_test
from jostle.findings import Finding, Problem
from jostle.instrument import Rewriter, memory
from jostle.oracles.outcome import What
from jostle.progress import Note
from jostle.races.ajax.reaction import Reaction
from jostle.races.orders.filters import Filters
from jostle.races.orders.late import order_with_late, overtaking_timers
from jostle.races.orders.scenario import scenarios_in
from jostle.races.orders.search import Asked, Found, Search, Strategy
from jostle.races.orders.told import cause_of, dismissed, finding_of, problem_of
from jostle.races.orders.verdict import Judged, words
from jostle.recording.file import Recording
from jostle.report.check_told import Search as Told

EVENTS = 40
_FOR_LOOKING = 0.3
"""Of the time, how much goes at most into finding scenarios."""
_MOST_SUPPRESSED = 300


@click.command()
@click.argument("url", required=False)
@click.option(
    "--scenario",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="What is done in every order: a recording, or a Playwright script or test. Default: scenarios are found by "
    "exploring.",
)
@click.option(
    "--strategy",
    type=click.Choice([each.value for each in Strategy]),
    default=Strategy.MODEL_CHECK.value,
    show_default=True,
    help="How to choose orders: reverse events that touch the same data (model-check); or any feasible orders, those "
    "first in which most pairs (precedence) or neighbours (adjacency) are new; or at random.",
)
@click.option(
    "--bound",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    metavar="K",
    help="With model-check: reverse at most K conflicts in one order.",
)
@click.option(
    "--orders",
    "most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Try at most N orders of each scenario.",
)
@click.option(
    "--ignore",
    "ignored",
    multiple=True,
    metavar="NAME",
    help="With model-check: data that does not matter, by its name in the report; * stands for anything. May be "
    "repeated.",
)
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=EVENTS,
    show_default=True,
    metavar="N",
    help="Without a scenario: do at most N things to find some.",
)
@avoid_option
@report_option
@analysing(budget="5m")
def orders(
    url: str | None,
    scenario: Path | None,
    strategy: str,
    bound: int,
    most: int | None,
    ignored: tuple[str, ...],
    events: int,
    avoid: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Do the same things in the application at URL in other orders, and see whether it ends the same.

    One run of a scenario is recorded as it goes by itself, with every answer, timer, message and pause of the parser as
    an event of its own. Then it is done again with the same answers and the same input, in other orders that are
    possible: those in which events change places that read and write the same data, fewest changes first. Told is
    where the page, its form fields, its storage, its address or what the server was sent end up differently, and what
    fails.
    """
    check_writable(html)
    chosen = Scenario(scenario) if scenario is not None else None
    address = options.address(url or (chosen.url if chosen is not None else None))
    asked = Asked(
        strategy=Strategy(strategy), bound=bound, orders=most, filters=Filters(ignored=ignored), seed=options.seed
    )
    more = {"scenario": str(scenario) if scenario else None, "strategy": strategy, "bound": bound, "events": events}
    with (
        working("races orders", options, address, **more) as work,
        Application(options.loaded, work.run.path / "application.log", work.listener) as application,
    ):
        task = Orders(work, options, Subject(options, application, address), asked, avoid)
        try:
            recording = chosen.recording(work, options, application, address) if chosen is not None else None
            run(task.run(events, recording))
        finally:
            task.keep()
            task.report(html)
    return work.exit_code


class Orders:
    """One search for orders that break the application."""

    def __init__(
        self,
        work: Work,
        options: Options,
        subject: Subject,
        asked: Asked,
        avoid: Sequence[str],
        *,
        told_before: Callable[[Problem], Finding | None] = lambda problem: None,
    ) -> None:
        """`told_before`: the finding of another search that tells of the same."""
        self._told_before = told_before
        self._work = work
        self._options = options
        self._subject = subject
        self._asked = asked
        self._avoid = Avoid((*DEFAULT, *options.configuration.avoid, *avoid))
        self._findings: dict[str, Finding] = {}
        """By their cause."""
        self._files = RaceFiles(work.run.path)
        self._searches: list[Search] = []
        self._reactions: list[Reaction] = []
        self._scenarios: list[list[Event]] = []
        self._begun = 0
        """How many of the scenarios had their turn."""
        self._began = time.monotonic()
        self._deadline: float | None = None

    def lasting(self, seconds: float | None) -> None:
        """How long it may take when it is run the next time."""
        self._options = dataclasses.replace(self._options, budget=seconds)

    @property
    def more(self) -> bool:
        """Whether there was not time enough for all."""
        return self._begun < len(self._scenarios)

    async def run(self, events: int, recording: Recording | None, *, seen: Sequence[Reaction] | None = None) -> None:
        """`seen`: what events led to, when that is known already. It may be run again, to try what is left."""
        budget = self._options.budget
        async with browser(self._options, ONE_PROCESS) as chromium:
            await self._subject.restore(chromium, self._work.listener)
            self._began = time.monotonic()
            self._deadline = self._began + budget if budget is not None else None
            if self._scenarios:
                scenarios = self._scenarios
            elif recording is not None:
                scenarios = [[step.event for step in recording.trace.steps if step.event.by_user]]
            elif seen is not None:
                scenarios = scenarios_in(seen)
            else:
                await look(
                    self._subject,
                    chromium,
                    None,
                    events=events,
                    chance=random.Random(self._options.seed),
                    avoid=self._avoid,
                    listener=self._work.listener,
                    deadline=self._began + budget * _FOR_LOOKING if budget is not None else None,
                    into=self._reactions,
                )
                scenarios = scenarios_in(self._reactions)
            self._scenarios = scenarios
            plain = self._subject.rehearsal(chromium, pauses=True)
            watched = None
            if self._asked.strategy is Strategy.MODEL_CHECK:
                cache = self._options.out / "scripts"
                watched = self._subject.rehearsal(chromium, pauses=True, rewriter=Rewriter(memory, cache_dir=cache))
            try:
                for scenario in scenarios[self._begun :]:
                    if self._is_late():
                        self._work.listener(
                            Note(text=f"The time was up: {len(scenarios) - self._begun} scenarios were not tried.")
                        )
                        break
                    self._begun += 1
                    search = Search(plain, watched, self._asked, listener=self._work.listener, deadline=self._deadline)
                    self._searches.append(search)
                    try:
                        async for found in search.run(scenario):
                            self._tell(found)
                    except errors.Problem as problem:
                        if len(scenarios) == 1:
                            raise
                        self._work.listener(Note(text=f"A scenario was given up: {problem}"))
            finally:
                await plain.close()
                if watched is not None:
                    await watched.close()

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() > self._deadline

    def _tell(self, found: Found) -> None:
        """Orders that break for one cause are one finding: the first of them, which has the fewest changes."""
        cause = cause_of(found)
        known = self._findings.get(cause)
        if known is not None:
            evidence = {**known.evidence, "also": [*known.evidence["also"], words(found.judged)]}
            finding = msgspec.structs.replace(known, evidence=evidence)
        else:
            problem = problem_of(found)
            if (other := self._told_before(problem)) is not None:
                same = finding_of(problem, found, replay=None, files={})
                self._work.run.add_finding(same, suppressed_by=f"told as {other.id} already")
                return
            finding = self._kept(problem, found)
            self._work.listener(Note(text=f"Found: {problem.title}"))
        self._findings[cause] = finding
        self._work.run.add_finding(finding)

    def _kept(self, problem: Problem, found: Found) -> Finding:
        """With a recording of both orders, pictures and a test, in the run's directory."""
        good, bad = found.judged.parent, found.judged.child
        assert good.recording is not None and bad.recording is not None
        files = self._files.orders(
            problem.id, (good.recording, good.outcome.picture), (bad.recording, bad.outcome.picture)
        )
        if test := kept_test(
            self._work, problem.id, lambda name: self._test(name, problem, found), self._options.loaded
        ):
            files["test"] = test
        return finding_of(problem, found, replay=files["bad replay"], files=files)

    def _test(self, name: str, problem: Problem, found: Found) -> str:
        """A Playwright test that fails because of it. Raises ValueError."""
        order = order_with_late(found.original, found.judged.child)
        origins = self._options.configuration.allowed_origins
        timers = overtaking_timers(found.original, found.judged.child)
        return schedule_test(
            self._subject.url,
            order,
            title=problem.title,
            name=name,
            origins=origins,
            timers=timers,
            looks=all(each.what is What.SCREEN for each in found.judged.differences),
        )

    def keep(self) -> None:
        """What is harmless, and figures; also after an interruption."""
        work = self._work
        for each in self._harmless[:_MOST_SUPPRESSED]:
            work.run.add_finding(dismissed(each), suppressed_by=why(each.verdict.value, each.reason))
        tried = sum(search.tried for search in self._searches)
        work.stats |= {
            "scenarios": len(self._searches),
            "events": sum(len(each.original.trace.steps) for each in self._searches if each.original is not None),
            "conflicts": sum(search.races for search in self._searches),
            "orders": tried,
            "not tried, at least": sum(search.pending for search in self._searches),
            "findings": len(self._findings),
            "seconds an order": round(sum(search.seconds for search in self._searches) / max(1, tried), 2),
            "seconds": round(time.monotonic() - self._began, 1),
        }

    @property
    def _harmless(self) -> list[Judged]:
        return [each for search in self._searches for each in search.dismissed]

    def told(self) -> Told:
        """What came of it."""
        stats = self._work.stats
        left = stats.get("not tried, at least", 0)
        return Told(
            name="races orders",
            what="the same things in other orders",
            tried=stats.get("orders", 0),
            found=len(self._findings),
            seconds=stats.get("seconds"),
            not_tried=left,
            why="the time was up, or there were more than asked for" if left else "",
            others=tuple((words(each), each.verdict.value, each.reason) for each in self._harmless),
            noise=tuple(dict.fromkeys(each for search in self._searches for each in search.noise)),
            stats=stats,
        )

    def report(self, html: Path | None) -> None:
        """Whatever there is, if anything was done."""
        if self._searches:
            write_races_report(self._work, self.told(), self._subject.url, self._files.pictures, html)
