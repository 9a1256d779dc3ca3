"""`jostle explore`: walk an application well, learn its model, tell what goes wrong on the way."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import click
import msgspec

from jostle.browser.chromium import Chromium
from jostle.browser.coverage import EVERY_BRANCH
from jostle.cli.browsing import browser, run
from jostle.cli.generated_test import kept_test
from jostle.cli.options import Options, analysing, avoid_option, check_writable, report_option
from jostle.cli.outcome import Work, working
from jostle.cli.race_files import keep_told
from jostle.cli.subject import Subject
from jostle.config.application import Application
from jostle.errors import UsageProblem
from jostle.events import Event, NotEnabled, State, Step
from jostle.explore.application import Explored
from jostle.explore.at_random import AtRandom
from jostle.explore.avoid import DEFAULT, Avoid
from jostle.explore.by_macros import ByMacros
from jostle.explore.explorer import Exploration
from jostle.explore.explorer import explore as explore_application
from jostle.explore.guided import Guided
from jostle.explore.hunt import Hunt, Shows
from jostle.explore.situation import Strategy, Visit
from jostle.export.problem_test import problem_test
from jostle.findings import START, Finding
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.oracles import Invariants
from jostle.progress import Note
from jostle.races.ajax.observe import Seen
from jostle.races.ajax.reaction import Reaction
from jostle.report.check_told import Search
from jostle.report.exploration import ExplorationReport, page
from jostle.slowdown.counting import KEEPS_COUNTS
from jostle.writing import write_whole

EVENTS = 300
_MOST_PICTURES = 300
_FINDINGS_SHARE = 0.5
"""Of the time budget, how much may go into making findings small once the exploration is over."""


@click.command()
@click.argument("url", required=False)
@click.option(
    "--strategy",
    type=click.Choice(["guided", "random", "macro"]),
    default="guided",
    show_default=True,
    help="How to choose what to do next.",
)
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=EVENTS,
    show_default=True,
    metavar="N",
    help="Do at most N things that a user could do.",
)
@click.option(
    "--macros",
    "macros_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Macros for --strategy macro, made by `jostle macros infer`.",
)
@click.option(
    "--model",
    "model_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the model of the application; one that is there already is learned further.",
)
@avoid_option
@report_option
@analysing()
def explore(
    url: str | None,
    strategy: str,
    events: int,
    macros_file: Path | None,
    model_file: Path | None,
    avoid: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Use the application at URL as a tester would, and report what goes wrong.

    Looked for are uncaught exceptions and rejections, console errors, failed requests, dead links, pages that hang, and
    broken invariants of the configuration. Each is brought about again with as few steps as possible and recorded:
    `jostle replay` shows it. Only the given origin and those allowed are acted on.
    """
    if (macros_file is None) == (strategy == "macro"):
        needed = "--strategy macro needs --macros FILE" if macros_file is None else "--macros is for --strategy macro"
        raise UsageProblem(f"{needed}.", advice="`jostle macros infer SESSION... -o macros.json` makes macros.")
    address = options.address(url)
    rules = Avoid((*DEFAULT, *options.configuration.avoid, *avoid))
    for file in (model_file, html):
        check_writable(file)
    machine = Machine.load(model_file) if model_file is not None and model_file.exists() else Machine()
    chance = random.Random(options.seed)
    chosen = _strategy(strategy, chance, macros_file)
    asked = {"strategy": strategy, "events": events, "avoid": list(avoid)}
    with (
        working("explore", options, address, **asked) as work,
        Application(options.loaded, work.run.path / "application.log", work.listener) as application,
    ):
        task = Exploring(work, options, address, application, Exploration(machine=machine), rules, chance)
        try:
            run(task.run(chosen, events))
        finally:
            task.keep(strategy)
            task.report(model_file, html)
    return work.exit_code


def _strategy(name: str, chance: random.Random, macros: Path | None) -> Strategy:
    if name == "random":
        return AtRandom(chance)
    if name == "macro" and macros is not None:
        return ByMacros(Macros.load(macros).macros, chance)
    return Guided(chance)


class Exploring:
    """One exploration with what is found on the way."""

    def __init__(
        self,
        work: Work,
        options: Options,
        url: str,
        application: Application,
        exploration: Exploration,
        avoid: Avoid,
        chance: random.Random,
    ) -> None:
        self._work = work
        self._options = options
        self._url = url
        self._exploration = exploration
        self._avoid = avoid
        self._chance = chance
        self._invariants = Invariants(options.configuration.invariants, options.loaded.directory)
        self._subject = Subject(options, application, url)
        self._pictures: dict[str, bytes] = {}
        self._shown: dict[str, tuple[Step, ...]] = {}
        """Recorded runs in which something goes wrong, by the finding, until there is a test of it."""
        self._began = time.monotonic()
        self._seconds = 0.0
        self._blocks = 0

    async def run(
        self,
        strategy: Strategy,
        events: int,
        *,
        reactions: list[Reaction] | None = None,
        problems: bool = True,
        costs: bool = False,
        on_visit: Callable[[Visit, Explored], Awaitable[None]] | None = None,
    ) -> None:
        """`reactions`: what each event led to goes there; every answer is held for that, which takes more time.
        `problems`: whether what goes wrong on the way is told. `costs`: whether the costs of events are counted.
        `on_visit`: who else is to be told of what was done.
        """
        subject, budget = self._subject, self._options.budget
        async with browser(self._options, KEEPS_COUNTS if costs else EVERY_BRANCH) as chromium:
            await subject.restore(chromium, self._work.listener)
            self._began = time.monotonic()
            flowing = reactions is None
            view = msgspec.structs.replace(subject.view, coverage=True, cost=costs, flowing=flowing)
            app = subject.opened(chromium, view)
            explored = subject.explored(app, chromium)
            hunt = Hunt(explored, self._invariants, self._work.listener)
            seen = Seen(explored, reactions) if reactions is not None else None

            async def visited(visit: Visit) -> None:
                if seen is not None:
                    seen.visited(visit)
                await hunt.visited(visit)
                if visit.new_state:
                    await self._picture(explored, visit.after)
                if on_visit is not None:
                    await on_visit(visit, explored)

            async def started(begun: State) -> None:
                await hunt.started(begun)
                await self._picture(explored, begun)

            over = self._began + budget if budget is not None else None

            def late() -> float | None:
                """Time is kept back for what was found, when something was."""
                if budget is None or not hunt.found or not problems:
                    return over
                return self._began + budget * (1 - _FINDINGS_SHARE)

            try:
                await explore_application(
                    explored,
                    strategy,
                    events=events,
                    chance=self._chance,
                    what=self._url,
                    listener=self._work.listener,
                    avoid=self._avoid,
                    on_visit=visited,
                    on_start=started,
                    new_blocks=app.new_blocks,
                    deadline=late,
                    into=self._exploration,
                )
                self._seconds = time.monotonic() - self._began
                if not problems:
                    return
                async for finding in hunt.findings(
                    lambda name, done, shows: self._record(chromium, name, done, shows), deadline=over
                ):
                    self._work.run.add_finding(self._with_test(finding))
            finally:
                if problems:
                    for finding, why in hunt.suppressed():
                        self._work.run.add_finding(finding, suppressed_by=why)
                    for finding in hunt.left():  # interrupted: not brought about again, but seen
                        self._work.run.add_finding(finding)
                self._blocks = len(app.coverage)
                await app.close()

    async def _picture(self, explored: Explored, state: State) -> None:
        """What a state looks like, once."""
        machine = self._exploration.machine
        machine.illustrate(state, skeleton=explored.text)
        if state.digest in self._pictures or len(self._pictures) >= _MOST_PICTURES:
            return
        if picture := await explored.thumbnail():
            self._pictures[state.digest] = picture
            machine.illustrate(state, picture=f"{state.digest}.jpg")

    async def _record(self, chromium: Chromium, name: str, events: Sequence[Event], shows: Shows) -> str | None:
        """A recording of the shortest way to a finding, in the run's directory."""
        explored, recorder = await self._subject.recorded(chromium)
        try:
            await explored.reset()
            shown = await shows(explored, START, explored.last_effect)
            for event in events:
                effect = await explored.step(event)
                shown = shown or await shows(explored, event, effect)
            recorder.screen("end", await explored.app.screenshot())
        except NotEnabled:
            return None
        finally:
            await explored.app.close()
        if not shown:
            self._work.listener(Note(text=f"Not recorded: {name} did not show when every answer was held"))
            return None
        file = f"{name}.jostle"
        recording = recorder.recording()
        recording.write(self._work.run.path / file)
        self._shown[name] = recording.trace.steps
        return file

    def _with_test(self, finding: Finding) -> Finding:
        """With a Playwright test that fails because of it, where it was brought about again."""
        steps = self._shown.pop(finding.id, None)
        if steps is None:
            return finding

        def make(name: str) -> str:
            return problem_test(self._url, steps, finding, name=name)

        test = kept_test(self._work, finding.id, make, self._options.loaded)
        return msgspec.structs.replace(finding, evidence={**finding.evidence, "test": test}) if test else finding

    def keep(self, strategy: str) -> None:
        """The model, pictures and figures; also after an interruption."""
        exploration, machine, work = self._exploration, self._exploration.machine, self._work
        seconds = self._seconds or time.monotonic() - self._began
        work.stats |= {
            "strategy": strategy,
            "events": exploration.done,
            "states": len(machine),
            "pages": len(self.pages),
            "blocks": self._blocks,
            "runs": exploration.runs,
            "ended": exploration.ended,
            "avoided": exploration.avoided,
            "events a second": round(exploration.done / seconds, 1) if seconds else 0.0,
        }
        if not len(machine):
            return
        for digest, picture in self._pictures.items():
            work.run.add_artefact(f"{digest}.jpg", picture, "image/jpeg")
        work.run.add_artefact("model.json", machine.to_json(), "application/json")

    @property
    def pages(self) -> list[str]:
        """Addresses that were seen, the first first."""
        return list(dict.fromkeys(visit.after.url for visit in self._exploration.visits))

    def report(self, model_file: Path | None, html: Path | None) -> None:
        """Whatever there is, if anything was done."""
        machine, work = self._exploration.machine, self._work
        if not len(machine):
            return
        if model_file is not None:
            machine.save(model_file)
            work.listener(Note(text=f"The model: {model_file}"))
        done, seconds = self._exploration.done, round(self._seconds, 1) or None
        searched = Search(name="explore", tried=done, found=len(work.run.findings), seconds=seconds)
        keep_told(work, searched, stats=work.stats)
        report = html or work.run.path / "report.html"
        told = ExplorationReport(
            url=self._url,
            findings=tuple(work.run.findings),
            machine=machine,
            pictures=self._pictures,
            stats=work.stats,
            directory=str(work.run.path),
        )
        write_whole(report, page(told).encode())
        work.listener(Note(text=f"The report: {report}"))
