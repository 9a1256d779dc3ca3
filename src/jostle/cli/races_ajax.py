"""`jostle races ajax`: answers that come late."""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import click
import msgspec

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
from jostle.explore.filling import with_value
from jostle.explore.forms import field_of
from jostle.export.race_test import answer_race_test
from jostle.findings import Finding, Problem
from jostle.plural import count
from jostle.progress import Finished, Note, Started, Stepped
from jostle.races.ajax.conflict import Candidate, candidates
from jostle.races.ajax.reaction import Reaction
from jostle.races.ajax.told import cause_of, dismissed, finding_of, problem_of
from jostle.races.ajax.verdict import Examined, Verdict, examine
from jostle.races.rehearsal import Rehearsal
from jostle.recording.file import Recording
from jostle.report.check_told import Search as Told

EVENTS = 60
_FOR_LOOKING = 0.4
"""Of the time, how much goes at most into seeing what events lead to."""
_TRIES = 8


@click.command()
@click.argument("url", required=False)
@click.option(
    "--scenario",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Try what was done in this recording, or what this Playwright script or test does, instead of exploring.",
)
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=EVENTS,
    show_default=True,
    metavar="N",
    help="Do at most N things to see what asks for answers.",
)
@avoid_option
@report_option
@analysing(budget="5m")
def ajax(
    url: str | None, scenario: Path | None, events: int, avoid: tuple[str, ...], html: Path | None, options: Options
) -> int:
    """Let answers come late in the application at URL, and see what the user then loses.

    First it is used, or a scenario is done, to see what each thing a user can do asks for and writes to. Where answers
    to one and the other may get in each other's way, both are done from a fresh start, twice: with every answer in
    time, and with the answers to the first held back until the second is done. Told is where the page, its form fields,
    its storage, its address or what the server was sent end up differently.
    """
    check_writable(html)
    chosen = Scenario(scenario) if scenario is not None else None
    if chosen is not None:
        chosen.must_act()
    address = options.address(url or (chosen.url if chosen is not None else None))
    asked = {"scenario": str(scenario) if scenario else None, "events": events}
    with (
        working("races ajax", options, address, **asked) as work,
        Application(options.loaded, work.run.path / "application.log", work.listener) as application,
    ):
        task = AnswerRaces(work, options, Subject(options, application, address), avoid)
        try:
            recording = chosen.recording(work, options, application, address) if chosen is not None else None
            run(task.run(events, recording))
        finally:
            task.keep()
            task.report(html)
    return work.exit_code


class AnswerRaces:
    """One search for races of answers."""

    def __init__(self, work: Work, options: Options, subject: Subject, avoid: Sequence[str]) -> None:
        self._work = work
        self._options = options
        self._subject = subject
        self._avoid = Avoid((*DEFAULT, *options.configuration.avoid, *avoid))
        self._chance = random.Random(options.seed)
        self._reactions: list[Reaction] = []
        self._examined: list[Examined] = []
        self._findings: dict[str, Finding] = {}
        """By their cause."""
        self._files = RaceFiles(work.run.path)
        self._tried: set[tuple[str, ...]] = set()
        self._pairs: list[Candidate] = []
        self._from = -1
        self._untried = 0
        self._trying = 0.0
        self._began = time.monotonic()

    def lasting(self, seconds: float | None) -> None:
        """How long it may take when it is run the next time."""
        self._options = dataclasses.replace(self._options, budget=seconds)

    @property
    def more(self) -> bool:
        """Whether there was not time enough for all."""
        return self._untried > 0

    def has_more(self) -> bool:
        """Whether there is a pair that was not tried, of what is known by now."""
        return bool(self._left())

    async def run(self, events: int, scenario: Recording | None, *, seen: list[Reaction] | None = None) -> None:
        """`seen`: what events led to, when that is known already; more may be added meanwhile. It may be run again, to
        try what is left."""
        budget = self._options.budget
        async with browser(self._options) as chromium:
            await self._subject.restore(chromium, self._work.listener)
            self._began = time.monotonic()
            if seen is not None:
                self._reactions = seen
            else:
                await look(
                    self._subject,
                    chromium,
                    scenario,
                    events=events,
                    chance=self._chance,
                    avoid=self._avoid,
                    listener=self._work.listener,
                    deadline=self._began + budget * _FOR_LOOKING if budget is not None else None,
                    into=self._reactions,
                )
            rehearsal = self._subject.rehearsal(chromium)
            try:
                await self._try(rehearsal)
            finally:
                await rehearsal.close()

    def _left(self) -> list[Candidate]:
        """The pairs that are to be tried, the best first."""
        if self._from != len(self._reactions):
            self._from = len(self._reactions)
            self._pairs = candidates(self._reactions)
        return [pair for pair in self._pairs if pair.kin not in self._tried]

    async def _try(self, rehearsal: Rehearsal) -> None:
        listener, budget = self._work.listener, self._options.budget
        if not (pairs := self._left()):
            self._untried = 0
            asking = sum(each.asks for each in self._reactions)
            words = f"{asking} of {len(self._reactions)} events asked for answers, and no two get in each other's way."
            listener(Note(text=words))
            return
        listener(Started(what="trying pairs", total=len(pairs)))
        number = 0
        while pairs := self._left():
            self._untried = len(pairs)
            if budget is not None and time.monotonic() > self._began + budget:
                listener(Note(text=f"The time was up: {self._untried} pairs were not tried."))
                break
            pair, number = pairs[0], number + 1
            began = time.monotonic()
            examined = await examine(rehearsal, pair, self._second(pair))
            self._trying += time.monotonic() - began
            self._tried.add(pair.kin)
            self._untried -= 1
            # Their recordings are kept in files.
            self._examined.append(msgspec.structs.replace(examined, good=None, bad=None))
            if examined.verdict is Verdict.RACE:
                self._tell(examined)
            else:
                self._work.run.add_finding(
                    dismissed(examined), suppressed_by=why(examined.verdict.value, examined.reason)
                )
            listener(Stepped(done=number, what=str(pair)))
        listener(Finished(summary=f"{count(len(self._findings), 'race')} in {count(len(self._examined), 'pair')}"))

    def _second(self, pair: Candidate) -> Event | None:
        """As it is to be done: where both fill in one field, with different values."""
        if pair.second is None:
            return None
        event, other = pair.second.event, pair.first.event.detail.get("value")
        if field_of(event) is None or event.detail.get("value") != other:
            return event
        chance = random.Random(f"{self._options.seed} {event.what}")
        filled = (with_value(event, chance, valid=True) for _ in range(_TRIES))
        return next((each for each in filled if each.detail.get("value") != other), event)

    def _tell(self, examined: Examined) -> None:
        """Races with the same cause are one finding: the first of them, which was the most promising."""
        cause = cause_of(examined)
        known = self._findings.get(cause)
        if known is not None:
            evidence = {**known.evidence, "also": [*known.evidence["also"], str(examined.candidate)]}
            finding = msgspec.structs.replace(known, evidence=evidence)
        else:
            problem = problem_of(examined)
            finding = self._kept(problem, examined)
            self._work.listener(Note(text=f"Race: {problem.title} ({examined.candidate})"))
        self._findings[cause] = finding
        self._work.run.add_finding(finding)

    def _kept(self, problem: Problem, examined: Examined) -> Finding:
        """With a recording of both orders, pictures and a test, in the run's directory."""
        assert examined.good is not None and examined.bad is not None
        good, bad = ((end.recording, end.outcome.picture) for end in (examined.good, examined.bad))
        files = self._files.orders(problem.id, good, bad)
        if test := kept_test(
            self._work, problem.id, lambda name: self._test(name, problem, examined), self._options.loaded
        ):
            files["test"] = test
        return finding_of(problem, examined, replay=files["bad replay"], files=files)

    def _test(self, name: str, problem: Problem, examined: Examined) -> str:
        """A Playwright test that fails because of it. Raises ValueError."""
        first, second = examined.candidate.first, self._second(examined.candidate)
        return answer_race_test(
            self._subject.url,
            first.path,
            first.event,
            second,
            late=_late(examined.late),
            title=problem.title,
            name=name,
            origins=self._options.configuration.allowed_origins,
        )

    def keep(self) -> None:
        """Figures, also after an interruption."""
        self._work.stats |= {
            "events": len(self._reactions),
            "asking for answers": sum(each.asks for each in self._reactions),
            "pairs": len(self._examined),
            "not tried": self._untried,
            **{verdict.value: sum(each.verdict is verdict for each in self._examined) for verdict in Verdict},
            "seconds a pair": round(self._trying / max(1, len(self._examined)), 2),
            "seconds": round(time.monotonic() - self._began, 1),
        }

    def told(self) -> Told:
        """What came of it."""
        return Told(
            name="races ajax",
            what="answers that come late",
            tried=len(self._examined),
            found=len(self._findings),
            seconds=self._work.stats.get("seconds"),
            not_tried=self._untried,
            why="the time was up" if self._untried else "",
            others=tuple(
                (str(each.candidate), each.verdict.value, each.reason)
                for each in self._examined
                if each.verdict is not Verdict.RACE
            ),
            noise=tuple(dict.fromkeys(words for each in self._examined for words in each.noise)),
            stats=self._work.stats,
        )

    def report(self, html: Path | None) -> None:
        """Whatever there is, if anything was done."""
        if self._reactions:
            write_races_report(self._work, self.told(), self._subject.url, self._files.pictures, html)


def _late(events: Sequence[Event]) -> list[tuple[str, str, int]]:
    """Method, address and which of several requests to it."""
    counts: dict[tuple[str, str], int] = {}
    late = []
    for event in events:
        method, url = event.what.split(" ", 1)[0], str(event.detail.get("url", ""))
        if address := event.detail.get("address"):
            # That a socket is open cannot be kept from a page by Playwright, but what then comes can. An event source
            # is an answer that takes its time.
            is_socket = address.startswith("ws")
            method, url = ("message", urlsplit(address).path) if is_socket else ("GET", address)
        counts[method, url] = counts.get((method, url), 0) + 1
        late.append((method, url, counts[method, url]))
    return late
