"""The search for races of responses: pairs of actions whose responses may get in each other's way are done in both
orders, from a fresh start."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterable, Sequence

import msgspec

from jostle.addresses import split_url
from jostle.events import Event, Kind, MessageEvent
from jostle.exploring.avoid import careful
from jostle.exploring.filling import with_value
from jostle.exploring.forms import field_of
from jostle.exploring.looking import look
from jostle.export.held_test import Late
from jostle.findings import Defect, Finding
from jostle.plural import count
from jostle.progress import Finished, Note, Started, Stepped
from jostle.races.files import emit_order, why
from jostle.races.playwright_test import answer_race_test
from jostle.races.rehearsal import Rehearsal, rehearsal_of
from jostle.races.responses.conflict import ResponsePair, candidates, entered_for
from jostle.races.responses.orders import Acts
from jostle.races.responses.told import NAME, cause_of, dismissed, finding_of, problem_of
from jostle.races.responses.values import entering, values_in, with_text
from jostle.races.responses.verdict import ExaminedPair, PairVerdict, examine
from jostle.races.told import RaceFiles, with_same_cause
from jostle.report.run_summary import RunSummary, SearchSummary
from jostle.search.generated_test import emit_test
from jostle.search.job import Job, SearchOptions
from jostle.search.observations import Observations
from jostle.search.stream import CaseDismissed, FindingReported, SearchEnded
from jostle.search.technique import SearchContext

EVENTS = 60
_FOR_LOOKING = 0.4
"""Of the time, how much goes at most into seeing what events lead to."""
_NOTHING_DONE = "nothing could be done on the page"
_NOT_LOOKED = "the time was up before anything was done on the page"
_TRIES = 8
_TRIES_WITH_VALUES = 2
"""How often a pair is tried with other values when the server has nothing to say to the first ones."""


class ResponseRaceOptions(SearchOptions, frozen=True, kw_only=True):
    """Options of a search for races of responses."""

    events: int = EVENTS
    """How many things are done at most to see what they lead to, when nothing was observed and recorded before."""


class ResponseRaceSearch:
    """Tries the most promising pair first. With observations that grow, there may be more to try later."""

    def __init__(self, job: Job, context: SearchContext) -> None:
        self._options = job.options_as(ResponseRaceOptions)
        self._emit = context.emit
        self._subject = subject = context.subject
        self._scenarios = context.recordings(job)
        observations = None if self._scenarios else context.observations
        self._observed = observations is not None
        self._observations = observations if observations is not None else Observations()
        self._reactions = self._observations.reactions
        self._avoid = careful(subject, self._options)
        self._seed = job.seed
        self._chance = random.Random(job.seed)
        self._examined: list[ExaminedPair] = []
        self._findings: dict[str, Finding] = {}
        """By their cause."""
        self._tried: set[tuple[str, ...]] = set()
        self._pairs: list[ResponsePair] = []
        self._from = -1
        self._trying = 0.0
        self._began = time.monotonic()

    @property
    def more(self) -> bool:
        return bool(self._left())

    async def run(self, seconds: float | None) -> None:
        async with self._subject.browser(listener=self._emit) as chromium:
            self._began = time.monotonic()
            if not self._observed:
                await look(
                    self._subject,
                    chromium,
                    self._scenarios,
                    events=self._options.events,
                    chance=self._chance,
                    avoid=self._avoid,
                    listener=self._emit,
                    deadline=self._began + seconds * _FOR_LOOKING if seconds is not None else None,
                    into=self._reactions,
                    exploration=self._observations.exploration,
                )
                self._observed = True
            rehearsal = rehearsal_of(self._subject, chromium)
            try:
                await self._try(rehearsal, seconds)
            finally:
                await rehearsal.close()

    def _left(self) -> list[ResponsePair]:
        """The pairs that are to be tried, the best first."""
        if self._from != len(self._reactions):
            self._from = len(self._reactions)
            machine = self._observations.exploration.machine
            self._pairs = candidates(self._reactions, machine.labels if len(machine) else None)
        return [pair for pair in self._pairs if pair.kin not in self._tried]

    async def _try(self, rehearsal: Rehearsal, seconds: float | None) -> None:
        if not (pairs := self._left()):
            asking = sum(each.asks for each in self._reactions)
            words = f"{asking} of {len(self._reactions)} events asked for answers, and no two get in each other's way."
            self._emit(Note(text=words))
            return
        self._emit(Started(what="trying pairs", total=len(pairs)))
        number = 0
        while pairs := self._left():
            if seconds is not None and time.monotonic() > self._began + seconds:
                self._emit(Note(text=f"The time was up: {len(pairs)} pairs were not tried."))
                break
            pair, number = pairs[0], number + 1
            began = time.monotonic()
            examined = await self._examined_with_values(rehearsal, pair)
            self._trying += time.monotonic() - began
            self._tried.add(pair.kin)
            # Their recordings are files by now.
            self._examined.append(msgspec.structs.replace(examined, good=None, bad=None))
            if examined.verdict is PairVerdict.RACE:
                self._report(examined)
            else:
                self._emit(CaseDismissed(dismissed(examined), why(examined.verdict.value, examined.reason)))
            # What is observed meanwhile makes more of them.
            self._emit(Stepped(done=number, total=number + len(self._left()), what=str(pair)))
        self._emit(Finished(summary=f"{count(len(self._findings), 'race')} in {count(len(self._examined), 'pair')}"))

    async def _examined_with_values(self, rehearsal: Rehearsal, pair: ResponsePair) -> ExaminedPair:
        """Where the server may have nothing to say to what is entered, what the page shows is entered instead."""
        second, allows = self._second(pair), self._avoid.allows
        lead = tuple(map(self._different(pair), pair.lead))
        examined = await examine(rehearsal, pair, second, lead=lead, allows=allows)
        again = {PairVerdict.HARMLESS, PairVerdict.INCONCLUSIVE}
        if not pair.enters or second is None or not examined.late:
            return examined
        values = iter(values_in(examined.text))
        for one, other in itertools.islice(zip(values, values, strict=False), _TRIES_WITH_VALUES):
            if examined.verdict not in again:
                break
            again = {PairVerdict.INCONCLUSIVE}
            direct = pair.first.direct
            first = msgspec.structs.replace(
                pair.first,
                event=entering(pair.first.event, one),
                path=with_text(pair.first.path, one),
                direct=with_text(direct, one) if direct is not None else None,
            )
            examined = await examine(
                rehearsal,
                msgspec.structs.replace(pair, first=first, short=None),
                entering(second, other),
                lead=with_text(lead, other),
                allows=allows,
            )
        return examined

    def _second(self, pair: ResponsePair) -> Event | None:
        """As it is to be done: where both fill in one field, with different values. What is typed last is something
        that was not typed before: the application may have kept it, and would put the same over it."""
        if pair.second is None:
            return None
        event = pair.second.event
        typed = (each.event.action.value for each in self._reactions) if event.action.enters_text else ()
        return self._different(pair, typed)(event)

    def _different(self, pair: ResponsePair, known: Iterable[str | None] = ()) -> Callable[[Event], Event]:
        """Gives events other values than those of the first event, and of what was entered for it, and than the
        `known` ones."""
        entered = {*(event.action.value for event in (pair.first.event, *entered_for(pair.first))), *known}

        def different(event: Event) -> Event:
            if field_of(event) is None or event.action.value not in entered:
                return event
            chance = random.Random(f"{self._seed} {event.what}")
            filled = (with_value(event, chance, valid=True) for _ in range(_TRIES))
            return next((each for each in filled if each.action.value not in entered), event)

        return different

    def _report(self, examined: ExaminedPair) -> None:
        """Races with the same cause are one finding: the first of them, which was the most promising."""
        cause = cause_of(examined)
        known = self._findings.get(cause)
        if known is not None:
            finding = with_same_cause(known, [str(examined.candidate)])
        else:
            problem = problem_of(examined)
            finding = self._with_files(problem, examined)
        self._findings[cause] = finding
        self._emit(FindingReported(finding))
        if known is None:
            self._emit(Note(text=f"Race: {finding.title} ({examined.candidate})"))

    def _with_files(self, problem: Defect, examined: ExaminedPair) -> Finding:
        """With a recording of both orders, pictures and a test."""
        assert examined.good is not None and examined.bad is not None
        good, bad = examined.good, examined.bad
        files = RaceFiles(
            good=emit_order(self._emit, f"{problem.id}-good", good.recording, good.outcome.picture),
            bad=emit_order(self._emit, f"{problem.id}-bad", bad.recording, bad.outcome.picture),
            test=emit_test(
                self._emit, problem.id, lambda name: self._test(name, problem, examined), self._subject.loaded
            ),
        )
        return finding_of(problem, examined, files)

    def _test(self, name: str, problem: Defect, examined: ExaminedPair) -> str:
        """A Playwright test that fails because of it. Raises ValueError."""
        if examined.reloaded:
            raise ValueError("It shows only when the page is opened once more.")
        assert examined.bad is not None
        done = Acts.of(examined.bad.told)
        return answer_race_test(
            self._subject.url,
            done.path,
            done.first,
            done.second,
            lead=done.lead,
            late=_late(examined.late),
            title=problem.title,
            name=name,
            origins=self._subject.configuration.allowed_origins,
        )

    def conclude(self) -> SearchEnded:
        seconds = round(time.monotonic() - self._began, 1)
        untried = len(self._left())
        stats = {
            "events": len(self._reactions),
            "asking for answers": sum(each.asks for each in self._reactions),
            "pairs": len(self._examined),
            "not tried": untried,
            **{verdict.value: sum(each.verdict is verdict for each in self._examined) for verdict in PairVerdict},
            "avoided": dict(self._avoid.met),
            "seconds a pair": round(self._trying / max(1, len(self._examined)), 2),
            "seconds": seconds,
        }
        summary = SearchSummary(
            name=NAME,
            what="slow responses",
            tried=len(self._examined),
            found=len(self._findings),
            seconds=seconds,
            not_tried=untried,
            why="the time was up" if untried else "",
            untested="" if self._reactions else _NOTHING_DONE if self._observed else _NOT_LOOKED,
            others=tuple(
                (str(each.candidate), each.verdict.value, each.reason)
                for each in self._examined
                if each.verdict is not PairVerdict.RACE
            ),
            noise=tuple(dict.fromkeys(words for each in self._examined for words in each.noise)),
            stats=stats,
        )
        return SearchEnded(RunSummary(searches=(summary,), seconds=summary.seconds), stats)


def _late(events: Sequence[Event]) -> list[Late]:
    """Method, address and which of several requests to it."""
    counts: dict[tuple[str, str], int] = {}
    late = []
    for event in events:
        if event.kind is Kind.TIMER:
            function, delay = event.timer.function, f"{event.timer.delay or 0:g}"
            counts[function, delay] = counts.get((function, delay), 0) + 1
            late.append((function, delay, counts[function, delay]))
            continue
        method, url = event.request.method, event.request.url
        if isinstance(event, MessageEvent):
            # That a socket is open cannot be kept from a page by Playwright, but what then comes can. An event source
            # is an answer that takes its time.
            address = event.detail.address
            is_source = bool(address) and not address.startswith("ws")
            method, url = ("GET", address) if is_source else ("message", split_url(address).path)
        counts[method, url] = counts.get((method, url), 0) + 1
        late.append((method, url, counts[method, url]))
    return late
