"""`jostle races init`: acting before a page is ready."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from jostle.cli.browsing import browser, run
from jostle.cli.generated_test import kept_test
from jostle.cli.options import Options, analysing, avoid_option, check_writable, report_option
from jostle.cli.outcome import Work, working
from jostle.cli.race_files import RaceFiles, write_races_report
from jostle.cli.subject import Subject
from jostle.config.application import Application
from jostle.events import Event, Kind
from jostle.explore.avoid import DEFAULT, Avoid
from jostle.export.held_test import Late
from jostle.export.race_test import load_race_test, order_test
from jostle.findings import Finding, FindingKind, Problem
from jostle.progress import LimitMet, Note
from jostle.races.init.loads import Loads
from jostle.races.init.search import Race, Search
from jostle.races.init.told import finding_of, predicted, problem_of
from jostle.report.check_told import Search as Told

_MOST_SUPPRESSED = 200


@click.command()
@click.argument("url", required=False)
@click.option(
    "--unproved",
    is_flag=True,
    help="Try also what a script does that may as well run before its element is there: asynchronous scripts.",
)
@avoid_option
@report_option
@analysing(budget="2m")
def init(url: str | None, unproved: bool, avoid: tuple[str, ...], html: Path | None, options: Options) -> int:
    """Act on the page at URL before it is ready, and see what goes wrong.

    First it is watched while it loads: what a user could do before each script, answer or long timer that is still to
    come, who begins to listen when, and which scripts write to fields. Then it is loaded again, with the same answers,
    and the user acts at such a moment: fills in a field that a script will set, clicks a link that has no handler yet,
    or uses a handler that needs what is not there yet. The same is done after everything has loaded, and the two are
    compared.
    """
    check_writable(html)
    address = options.address(url)
    with (
        working("races init", options, address, unproved=unproved) as work,
        Application(options.loaded, work.run.path / "application.log", work.listener) as application,
    ):
        task = LoadRaces(work, options, Subject(options, application, address), avoid)
        try:
            run(task.run(unproved))
        finally:
            task.keep()
            task.report(html)
    return work.exit_code


class LoadRaces:
    """One search for races while loading."""

    def __init__(
        self,
        work: Work,
        options: Options,
        subject: Subject,
        avoid: Sequence[str],
        *,
        known: set[tuple[str, ...]] | None = None,
        state: str = "",
    ) -> None:
        """`known`: what was tried on other pages, which is not tried again. `state`: the file of a storage state that
        tests of what is found begin with, other than the configured one."""
        self._work = work
        self._options = options
        self._subject = subject
        self._avoid = Avoid((*DEFAULT, *options.configuration.avoid, *avoid))
        self._findings: dict[str, Finding] = {}
        self._files = RaceFiles(work.run.path)
        self._others: list[tuple[str, str, str]] = []
        self._search: Search | None = None
        self._loads: Loads | None = None
        self._known = known
        self._state = state
        self._began = time.monotonic()

    def lasting(self, seconds: float | None) -> None:
        """How long it may take when it is run the next time."""
        self._options = dataclasses.replace(self._options, budget=seconds)

    @property
    def more(self) -> bool:
        """Whether there was not time enough for all."""
        return self._search is not None and bool(self._search.untried)

    async def run(self, unproved: bool) -> None:
        budget, listener = self._options.budget, self._work.listener
        async with browser(self._options) as chromium:
            await self._subject.restore(chromium, listener)
            self._began = time.monotonic()
            deadline = self._began + budget if budget is not None else None
            loads = self._loads = self._subject.loads(chromium, lambda text: listener(LimitMet(text=text)))
            search = self._search = Search(
                loads,
                listener=listener,
                deadline=deadline,
                allows=self._avoid.allows,
                unproved=unproved,
                known=self._known,
            )
            try:
                async for race in search.run():
                    await self._tell(race, search, loads)
            finally:
                await loads.close()

    async def _tell(self, race: Race, search: Search, loads: Loads) -> None:
        """Races with the same cause are one finding: the first of them."""
        problem = problem_of(race, search.seen)
        known = self._findings.get(problem.id)
        if known is not None:
            also = [*known.evidence.get("also", ()), race.event.what, *race.also]
            finding = msgspec.structs.replace(known, evidence={**known.evidence, "also": list(dict.fromkeys(also))})
        else:
            good, bad = ((load.recording, load.outcome.picture) for load in (race.good, race.bad))
            files = self._files.orders(problem.id, good, bad)
            if test := kept_test(
                self._work,
                problem.id,
                lambda name: self._test(name, problem, race),
                self._options.loaded,
                state=self._state,
            ):
                problem = msgspec.structs.replace(problem, evidence={**problem.evidence, "test": test})
            finding = finding_of(problem, race, files=files, repeatable=await loads.repeats(race.bad))
            self._work.listener(Note(text=f"Race: {problem.title}"))
        self._findings[problem.id] = finding
        self._work.run.add_finding(finding)

    def _test(self, name: str, problem: Problem, race: Race) -> str:
        """A Playwright test that fails because of it. Raises ValueError."""
        late, origins = _late(race, race.held), self._options.configuration.allowed_origins
        if not race.event.by_user:
            last = [_late(race, race.event)]
            url = self._subject.url
            return order_test(url, late=[late], last=last, title=problem.title, name=name, origins=origins)
        done = [step.event for step in race.bad.steps if step.event.by_user and step.event.key != race.event.key]
        return load_race_test(
            self._subject.url,
            kind=problem.kind.value,  # type: ignore[arg-type]
            action=race.event,
            before=done,
            late=[late],
            title=problem.title,
            name=name,
            origins=origins,
        )

    def keep(self) -> None:
        """What was not tried or is no race, and figures; also after an interruption."""
        work, search, loads = self._work, self._search, self._loads
        if search is None or loads is None:
            return
        for task in search.untried:
            if task.kind is FindingKind.FORM_INPUT_OVERWRITTEN:  # the others say little before they were tried
                work.run.add_finding(predicted(task.kind, task.first, search.seen))
        for dismissed in search.dismissed[:_MOST_SUPPRESSED]:
            harmless = predicted(dismissed.kind, dismissed.candidate, search.seen)
            self._others.append((harmless.title, "no race", dismissed.reason))
            work.run.add_finding(harmless, suppressed_by=dismissed.reason)
        seen = search.seen
        work.stats |= {
            "events": len(seen.trace.steps),
            "may take long": len(seen.boundaries),
            "handlers": len(seen.listening),
            "handlers not noted": seen.dropped,
            "fields written": len(seen.writes),
            "tried": len(search.tasks) - len(search.untried),
            "not tried": len(search.untried),
            "races": len(self._findings),
            "loads": loads.count,
            "avoided": dict(self._avoid.met),
            "noise": list(loads.noise)[:50],
            "seconds": round(time.monotonic() - self._began, 1),
        }

    def told(self) -> Told:
        """What came of it."""
        stats = self._work.stats
        return Told(
            name="races init",
            what="acting before the page is ready",
            tried=stats.get("tried", 0),
            found=len(self._findings),
            seconds=stats.get("seconds"),
            not_tried=stats.get("not tried", 0),
            why="the time was up" if stats.get("not tried") else "",
            others=tuple(self._others),
            noise=tuple(self._loads.noise) if self._loads is not None else (),
            stats=stats,
        )

    def report(self, html: Path | None) -> None:
        """Whatever there is, if the page was loaded."""
        if self._search is not None and self._search.seen.trace.steps:
            write_races_report(self._work, self.told(), self._subject.url, self._files.pictures, html)


def _late(race: Race, event: Event) -> Late:
    """What comes late: its method, its address, and which of the requests to that address it is; or a timer."""
    method = event.what.partition(" ")[0]
    if event.kind is Kind.TIMER:
        alike = f"{method} {event.detail['delay']:g} at "
        timers = [each for step in race.bad.steps for each in step.effect.created if each.what.startswith(alike)]
        return method, f"{event.detail['delay']:g}", _place(timers, event)
    url = event.detail.get("url", "")
    asked = [step.event for step in race.bad.steps if step.event.detail.get("url") == url]
    return method, url, _place(asked, event)


def _place(events: Sequence[Event], event: Event) -> int:
    return next((n for n, each in enumerate(events, 1) if each.key == event.key), 1)
