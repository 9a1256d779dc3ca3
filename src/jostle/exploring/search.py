"""The search by exploring: the application is used as a tester would, and what goes wrong on the way is told."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from jostle.browser.chromium import Chromium
from jostle.browser.coverage import EVERY_BRANCH, KEEPS_COUNTS
from jostle.browser.settings import Control, Profiling
from jostle.events import Event, NotEnabled, State, Step
from jostle.exploring.application import Explored
from jostle.exploring.at_random import AtRandom
from jostle.exploring.avoid import careful
from jostle.exploring.by_macros import ByMacros
from jostle.exploring.explorer import TIME_UP, explore
from jostle.exploring.guided import PATIENCE, Guided
from jostle.exploring.hunt import Hunt, Shows
from jostle.exploring.opening import explored, recorded
from jostle.exploring.playwright_test import problem_test
from jostle.exploring.reacting import Reactions
from jostle.exploring.situation import Strategy
from jostle.findings import START, Finding
from jostle.model.exploration import Exploration
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros
from jostle.model.visit import Visit
from jostle.oracles import Invariants
from jostle.progress import Note
from jostle.recording.recorder import Recorder
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.search.generated_test import emit_test
from jostle.search.job import Job, SearchOptions
from jostle.search.observations import Observations
from jostle.search.stream import ArtefactMade, CaseDismissed, FileMade, FindingReported, SearchEnded
from jostle.search.technique import SearchContext

EVENTS = 300
TRAFFIC = "traffic.jostle"
_MOST_PICTURES = 300
_FINDINGS_SHARE = 0.5
"""Of the time budget, how much may go into making findings small once the exploration is over."""


class StrategyName(StrEnum):
    """How to choose what to do next."""

    GUIDED = "guided"
    RANDOM = "random"
    MACRO = "macro"


class ExploreOptions(SearchOptions, frozen=True, kw_only=True):
    """Options of an exploration."""

    strategy: StrategyName = StrategyName.GUIDED
    events: int = EVENTS
    """How many things are done at most, in each turn."""
    patience: int = PATIENCE
    """A guided exploration ends after so many events that brought nothing new."""
    macros: str = ""
    """Name of the macros for the strategy `macro`."""
    model: str = ""
    """Name of a model that is learned further."""
    reports: bool = True
    """Whether what goes wrong on the way is told."""
    costs: bool = False
    """Whether the costs of events are counted, for a search for slowdowns."""
    traffic: bool = False
    """Whether all requests are kept with their responses, in the artefact `traffic.jostle`."""


class ExploreSearch:
    """Explores. Where the context asks for observations, every response is held and what it led to is noted."""

    def __init__(self, job: Job, context: SearchContext) -> None:
        self._options = options = job.options_as(ExploreOptions)
        self._context = context
        self._subject = subject = context.subject
        self._emit = context.emit
        self._exploration = context.observations.exploration if context.observations is not None else Exploration()
        if options.model:
            machine = Machine.from_json(context.references.read(options.model), options.model)
            self._exploration.machine = machine
        self._avoid = careful(subject, options)
        self._chance = random.Random(job.seed)
        self._strategy = self._chosen()
        self._invariants = Invariants(subject.configuration.invariants, subject.loaded.directory)
        self._pictures: dict[str, bytes] = {}
        self._findings: set[str] = set()
        self._shown: dict[str, tuple[Step, ...]] = {}
        """Recorded runs in which something goes wrong, by the finding, until there is a test of it."""
        self._began = time.monotonic()
        self._exploring = 0.0
        """Seconds, in all turns."""
        self._blocks = 0
        self._traffic: Recorder | None = None

    def _chosen(self) -> Strategy:
        options = self._options
        if options.strategy is StrategyName.RANDOM:
            return AtRandom(self._chance)
        if options.strategy is StrategyName.MACRO:
            macros = Macros.from_json(self._context.references.read(options.macros), options.macros)
            return ByMacros(macros.macros, self._chance)
        return Guided(self._chance, patience=options.patience)

    @property
    def more(self) -> bool:
        return self._exploration.ended == TIME_UP

    async def run(self, seconds: float | None) -> None:
        observations = self._context.observations
        arguments = KEEPS_COUNTS if self._options.costs else EVERY_BRANCH
        async with self._subject.browser(arguments, listener=self._emit) as chromium:
            self._began = time.monotonic()
            flowing = Control.KEEPING if self._options.traffic else Control.FLOWING
            view = self._subject.seen_with(
                profiling=Profiling.COVERAGE | (Profiling.COST if self._options.costs else Profiling.NONE),
                control=flowing if observations is None else Control.SCHEDULED,
            )
            made = self._subject.manifest(chromium)
            if self._options.traffic and self._traffic is None:
                self._traffic = Recorder(made)
            app = self._subject.opened(chromium, view, made=made, recorder=self._traffic)
            looking = explored(self._subject, app, traffic=self._traffic)
            hunt = Hunt(looking, self._invariants, self._emit, self._seen)
            try:
                await self._explore(looking, hunt, observations, seconds)
                if not self._options.reports:
                    return
                over = self._began + seconds if seconds is not None else None
                async for finding in hunt.findings(
                    lambda name, done, shows: self._record(chromium, name, done, shows), deadline=over
                ):
                    self._report(self._with_test(finding))
            finally:
                if self._options.reports:
                    for finding, why in hunt.suppressed():
                        self._emit(CaseDismissed(finding, why))
                    for finding in hunt.left():  # interrupted: not reproduced, but seen
                        self._report(finding)
                self._blocks = len(app.coverage)
                await app.close()

    async def _explore(
        self, looking: Explored, hunt: Hunt, observations: Observations | None, seconds: float | None
    ) -> None:
        reactions = Reactions(looking, observations.reactions) if observations is not None else None

        async def visited(visit: Visit) -> None:
            if reactions is not None:
                reactions.visited(visit)
            await hunt.visited(visit)
            if visit.new_state:
                await self._picture(looking, visit.after)
            if self._context.on_visit is not None:
                await self._context.on_visit(visit, looking.app)

        async def started(begun: State) -> None:
            await hunt.started(begun)
            await self._picture(looking, begun)

        def late() -> float | None:
            """Time is kept back for what was found, when something was."""
            if seconds is None:
                return None
            share = 1 - _FINDINGS_SHARE if hunt.found and self._options.reports else 1.0
            return self._began + seconds * share

        await explore(
            looking,
            self._strategy,
            events=self._exploration.done + self._options.events,
            chance=self._chance,
            what=self._subject.url,
            listener=self._emit,
            avoid=self._avoid,
            on_visit=visited,
            on_start=started,
            new_blocks=looking.app.new_blocks,
            deadline=late,
            worn=lambda: looking.app.chromium.worn,
            into=self._exploration,
        )
        self._exploring += time.monotonic() - self._began

    def _seen(self, finding: Finding) -> None:
        """What is about to be announced is kept, also when the process is killed right after."""
        if self._options.reports and finding.id not in self._findings:
            self._report(finding)

    def _report(self, finding: Finding) -> None:
        self._findings.add(finding.id)
        self._emit(FindingReported(finding))

    async def _picture(self, looking: Explored, state: State) -> None:
        """What a state looks like, once."""
        machine = self._exploration.machine
        machine.illustrate(state, skeleton=looking.text)
        if state.digest in self._pictures or len(self._pictures) >= _MOST_PICTURES:
            return
        if picture := await looking.thumbnail():
            self._pictures[state.digest] = picture
            machine.illustrate(state, picture=f"{state.digest}.jpg")

    async def _record(self, chromium: Chromium, name: str, events: Sequence[Event], shows: Shows) -> str | None:
        """A recording of the shortest way to a finding."""
        looking, recorder = await recorded(self._subject, chromium)
        try:
            await looking.reset()
            shown = await shows(looking, START, looking.last_effect)
            for event in events:
                effect = await looking.step(event)
                shown = shown or await shows(looking, event, effect)
            recorder.screen("end", await looking.app.screenshot())
        except NotEnabled:
            return None
        finally:
            await looking.app.close()
        if not shown:
            self._emit(Note(text=f"Not recorded: {name} did not show when every answer was held"))
            return None
        file = f"{name}.jostle"
        recording = recorder.recording()
        self._emit(FileMade(file, recording.to_bytes()))
        self._shown[name] = recording.trace.steps
        return file

    def _with_test(self, finding: Finding) -> Finding:
        """With a Playwright test that fails because of it, where it was reproduced."""
        steps = self._shown.pop(finding.id, None)
        if steps is None:
            return finding

        def make(name: str) -> str:
            return problem_test(self._subject.url, steps, finding, name=name)

        test = emit_test(self._emit, finding.id, make, self._subject.loaded)
        return finding.tested_by(test)

    def conclude(self) -> SearchEnded:
        if self._traffic is not None:
            self._emit(ArtefactMade(TRAFFIC, self._traffic.recording().to_bytes(), "application/zip"))
        exploration, machine = self._exploration, self._exploration.machine
        if len(machine):
            for digest, picture in self._pictures.items():
                self._emit(ArtefactMade(f"{digest}.jpg", picture, "image/jpeg"))
            self._emit(ArtefactMade("model.json", machine.to_json(), "application/json"))
        seconds = self._exploring or time.monotonic() - self._began
        stats: dict[str, Any] = {
            "strategy": self._options.strategy.value,
            "events": exploration.done,
            "states": len(machine),
            "pages": len({visit.after.url for visit in exploration.visits}),
            "blocks": self._blocks,
            "runs": exploration.runs,
            "ended": exploration.ended,
            "avoided": exploration.avoided,
            "events a second": round(exploration.done / seconds, 1) if seconds else 0.0,
        }
        summary = SearchSummary(
            name="explore",
            tried=exploration.done,
            found=len(self._findings),
            seconds=round(self._exploring, 1) or None,
            untested=exploration.ended if not exploration.done else "",
        )
        return SearchEnded(RunSummary(searches=(summary,), stats=stats, seconds=summary.seconds), stats)
