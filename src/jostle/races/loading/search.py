"""The search for races while a page loads: the user acts before it is ready."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import msgspec

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.responders import Responder
from jostle.events import Event, Kind
from jostle.exploring.avoid import careful
from jostle.export.held_test import Late
from jostle.findings import Defect, Finding, FindingKind
from jostle.findings.evidence import LoadRaceEvidence
from jostle.progress import LimitMet, Note
from jostle.races.files import emit_order
from jostle.races.loading.loads import Loads
from jostle.races.loading.probing import Probing, Race
from jostle.races.loading.told import NAME, finding_of, is_told_by, predicted, problem_of
from jostle.races.playwright_test import load_race_test, order_test
from jostle.races.told import RaceFiles, with_same_cause
from jostle.recording.recorder import Hears
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.search.generated_test import emit_test
from jostle.search.job import Job, SearchOptions
from jostle.search.stream import CaseDismissed, FindingReported, SearchEnded
from jostle.search.subject import Subject
from jostle.search.technique import SearchContext

_MOST_SUPPRESSED = 200
_NOT_WATCHED = "the time was up before the page had been watched once while it loads"


class LoadRaceOptions(SearchOptions, frozen=True, kw_only=True):
    """Options of a search for races while a page loads."""

    unproved: bool = False
    """Try also what a script does that may as well run before its element is there."""


class LoadRaceSearch:
    """Watches the page load, then acts early on whatever the patterns suggest."""

    def __init__(self, job: Job, context: SearchContext) -> None:
        self._options = job.options_as(LoadRaceOptions)
        self._emit = context.emit
        self._subject = subject = context.subject
        self._avoid = careful(subject, self._options)
        self._tried = context.tried
        self._reported = context.reported
        self._state = job.storage_state
        self._findings: dict[str, Finding] = {}
        self._probing: Probing | None = None
        self._loads: Loads | None = None
        self._earlier: list[tuple[Probing, Loads]] = []
        """Of the turns before."""
        self._began = time.monotonic()

    @property
    def more(self) -> bool:
        return self._probing is not None and bool(self._probing.untried)

    async def run(self, seconds: float | None) -> None:
        async with self._subject.browser(listener=self._emit) as chromium:
            if self._probing is not None and self._loads is not None:
                self._earlier.append((self._probing, self._loads))
            self._began = time.monotonic()
            deadline = self._began + seconds if seconds is not None else None
            loads = self._loads = loads_of(self._subject, chromium, lambda text: self._emit(LimitMet(text=text)))
            probing = self._probing = Probing(
                loads,
                listener=self._emit,
                deadline=deadline,
                allows=self._avoid.allows,
                unproved=self._options.unproved,
                known=self._tried,
            )
            try:
                async for race in probing.run():
                    await self._report(race, probing, loads)
            finally:
                await loads.close()

    async def _report(self, race: Race, probing: Probing, loads: Loads) -> None:
        """Races with the same cause are one finding, whatever page they were found on: the first of them."""
        problem = problem_of(race, probing.seen)
        known = self._told(problem)
        if known is not None:
            finding = with_same_cause(known, [race.event.what, *race.also])
        else:
            files = RaceFiles(
                good=emit_order(self._emit, f"{problem.id}-good", race.good.recording, race.good.outcome.picture),
                bad=emit_order(self._emit, f"{problem.id}-bad", race.bad.recording, race.bad.outcome.picture),
                test=emit_test(
                    self._emit,
                    problem.id,
                    lambda name: self._test(name, problem, race),
                    self._subject.loaded,
                    state=self._state,
                ),
            )
            finding = finding_of(problem, race, files=files, repeatable=await loads.repeats(race.bad))
        self._findings[finding.id] = finding
        self._emit(FindingReported(finding))
        if known is None:
            self._emit(Note(text=f"Race: {problem.title}"))

    def _predictions(self, probing: Probing) -> Iterator[Finding]:
        """Fields for which there was no time, each once. Of the rest nothing is known before it was tried."""
        overwritten = FindingKind.FORM_INPUT_OVERWRITTEN
        fields = {_field_of(each) for each in self._findings.values() if each.kind is overwritten}
        titles = {each.title for each in self._reported()}
        for task in probing.untried:
            finding = predicted(task.kind, task.first, probing.seen)
            if task.kind is not overwritten or _field_of(finding) in fields or finding.title in titles:
                continue
            fields.add(_field_of(finding))
            yield finding

    def _told(self, problem: Defect) -> Finding | None:
        """The finding that tells of it already, here or on another page."""
        every = [*self._findings.values(), *self._reported()]
        same = [each for each in every if each.id == problem.id or is_told_by(each, problem)]
        return min(same, key=lambda each: each.id != problem.id, default=None)

    def _test(self, name: str, problem: Defect, race: Race) -> str:
        """A Playwright test that fails because of it. Raises ValueError."""
        late, origins = _late(race, race.held), self._subject.configuration.allowed_origins
        url = self._subject.url
        if not race.event.by_user:
            last = [_late(race, race.event)]
            return order_test(url, late=[late], last=last, title=problem.title, name=name, origins=origins)
        done = [step.event for step in race.bad.steps if step.event.by_user and step.event.key != race.event.key]
        return load_race_test(
            url,
            kind=problem.kind.value,  # type: ignore[arg-type]
            action=race.event,
            before=done,
            late=[late],
            title=problem.title,
            name=name,
            origins=origins,
        )

    def conclude(self) -> SearchEnded:
        probing, loads = self._probing, self._loads
        if probing is None or loads is None:
            summary = msgspec.structs.replace(_summary({}, (), (), 0), untested=_NOT_WATCHED)
            return SearchEnded(RunSummary(searches=(summary,)))
        for finding in self._predictions(probing):
            self._emit(FindingReported(finding))
        others = []
        turns = [*self._earlier, (probing, loads)]
        harmless_in_all = [(turn.seen, each) for turn, _ in turns for each in turn.dismissed]
        for page, dismissed in harmless_in_all[:_MOST_SUPPRESSED]:
            harmless = predicted(dismissed.kind, dismissed.candidate, page)
            others.append((harmless.title, "no race", dismissed.reason))
            self._emit(CaseDismissed(harmless, dismissed.reason))
        seen = probing.seen
        stats = {
            "events": len(seen.trace.steps),
            "may take long": len(seen.boundaries),
            "handlers": len(seen.listening),
            "handlers not noted": seen.dropped,
            "fields written": len(seen.writes),
            "tried": sum(turn.tried for turn, _ in turns),
            "not tried": len(probing.untried),
            "races": len(self._findings),
            "loads": sum(each.count for _, each in turns),
            "avoided": dict(self._avoid.met),
            "noise": list(loads.noise)[:50],
            "seconds": round(time.monotonic() - self._began, 1),
        }
        summary = _summary(stats, others, tuple(loads.noise), len(self._findings))
        return SearchEnded(RunSummary(searches=(summary,), seconds=summary.seconds), stats)


def _field_of(finding: Finding) -> str:
    return finding.evidence.shared if isinstance(finding.evidence, LoadRaceEvidence) else ""


def _summary(
    stats: dict[str, object], others: Sequence[tuple[str, str, str]], noise: tuple[str, ...], found: int
) -> SearchSummary:
    not_tried, seconds, tried = stats.get("not tried", 0), stats.get("seconds"), stats.get("tried", 0)
    assert isinstance(not_tried, int) and isinstance(tried, int) and isinstance(seconds, float | None)
    return SearchSummary(
        name=NAME,
        what="acting before the page is ready",
        tried=tried,
        found=found,
        seconds=seconds,
        not_tried=not_tried,
        why="the time was up" if not_tried else "",
        others=tuple(others),
        noise=noise,
        stats=stats,
    )


def loads_of(subject: Subject, chromium: Chromium, on_limit: Callable[[str], None]) -> Loads:
    """For loading the first page of an application again and again."""
    made = subject.manifest(chromium)

    def opens(responder: Responder | None, hearing: Hears, *, registrations: bool) -> ChromiumApp:
        # One by one: how many frames are one event depends on what else is waiting, which differs between loads.
        view = subject.seen_with(registrations=registrations, frames=1)
        return subject.opened(chromium, view, made=made, recorder=hearing, responder=responder, on_limit=on_limit)

    return Loads(opens, made, on_limit)


def _late(race: Race, event: Event) -> Late:
    """What comes late: its method, its address, and which of the requests to that address it is; or a timer."""
    if event.kind is Kind.TIMER:
        timer = event.timer
        created = [each for step in race.bad.steps for each in step.effect.created]
        timers = [each for each in created if (each.timer.function, each.timer.delay) == (timer.function, timer.delay)]
        return timer.function, f"{timer.delay or 0:g}", _nth(timers, event)
    url = event.request.url
    asked = [step.event for step in race.bad.steps if step.event.request.url == url]
    return event.request.method, url, _nth(asked, event)


def _nth(events: Sequence[Event], event: Event) -> int:
    return next((n for n, each in enumerate(events, 1) if each.key == event.key), 1)
