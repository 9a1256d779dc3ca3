"""What a technique is: how it searches, and what it does in a check."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.findings import Finding
from jostle.model.visit import Visit
from jostle.recording.file import Recording
from jostle.recording.passwords import with_password
from jostle.report.technique import ReportedTechnique
from jostle.search.job import InMemory, Job, References
from jostle.search.observations import Observations
from jostle.search.result import Files, Result
from jostle.search.stream import Emit, SearchEnded
from jostle.search.subject import Subject


class Search(Protocol):
    """One search of one application. It may be given several turns, and it can be concluded at any time."""

    @property
    def more(self) -> bool:
        """Whether it could go on if there were time."""
        ...

    async def run(self, seconds: float | None) -> None:
        """A turn: begin, or go on, for about so long; None for as long as it takes."""
        ...

    def conclude(self) -> SearchEnded:
        """Tell what was seen and not told yet, and what came of it all; also after an interruption. Called once."""
        ...


OnVisit = Callable[[Visit, ChromiumApp], Awaitable[None]]
"""Told of each event that a search did while exploring, before anything else is done."""


@dataclass(frozen=True, kw_only=True)
class SearchContext:
    """What a search works with besides its job."""

    subject: Subject
    emit: Emit
    """Takes everything that the search tells."""
    references: References = field(default_factory=InMemory)
    """Has the files that the job names."""
    observations: Observations | None = None
    """What an exploration of the same application observes, while it goes on."""
    reported: Callable[[], Sequence[Finding]] = tuple
    """What other searches of the same application have found so far."""
    tried: set[tuple[str, ...]] | None = None
    """What jobs of the same technique have tried on other pages of the same application; shared by them."""
    on_visit: OnVisit | None = None
    cache: Path | None = None
    """Where work is kept that later searches can use again, such as rewritten scripts."""

    def recordings(self, job: Job) -> list[Recording]:
        """Those that the job begins with, to be done in the application: with the password of the environment where
        one was typed that is not written down. Raises Problem when one cannot be read."""
        return [with_password(Recording.from_bytes(self.references.read(name), name)) for name in job.recordings]


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A job that a technique proposes in a check."""

    name: str
    """No two jobs of a check have the same."""
    rank: float
    """What is cheap or likely to find something has a low one and comes first."""
    job: Job
    files: Mapping[str, bytes] = {}
    """What the job refers to and is not there yet, by name."""
    renewed: bool = False
    """A search that is done gets another turn when it is proposed again and has found more to do."""


class Proposer:
    """Proposes jobs of one technique while an application is checked. By default none: override what applies."""

    def begin(self, recordings: Sequence[str]) -> Iterable[Proposal]:
        """The check begins. `recordings`: names of those that somebody handed in."""
        return ()

    async def visited(self, visit: Visit, app: ChromiumApp) -> Iterable[Proposal]:
        """A search did something in the application."""
        return ()

    def observed(self, observations: Observations, *, exploring: bool) -> Iterable[Proposal]:
        """More was observed. `exploring`: it is still being explored; otherwise a turn of exploring is over."""
        return ()


class CheckSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What proposers know of the check they take part in."""

    url: str
    seed: int
    avoid: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    resets: bool = False
    """Whether the application is reset before each search: then nobody stays logged in."""


class InCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a technique in a check."""

    weight: float
    """Its share of the time, in proportion to the others'; what one does not use is for the others."""
    least: float = 0.0
    """Seconds. With less left, its jobs are not worth beginning."""
    proposer: Callable[[CheckSettings], Proposer]
    needs_exploration: bool = False
    """Time is kept back for it while the application is explored."""
    needs_costs: bool = False
    """The costs of events are counted while the application is explored."""


class SearchOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a search with one technique, for its page."""

    url: str
    directory: str
    """Where the files are that findings name."""
    result: Result
    files: Files


class Technique(msgspec.Struct, frozen=True, kw_only=True):
    """One way of finding bugs, complete."""

    name: str
    """In findings, documents and on the command line: `races ajax`."""
    report: ReportedTechnique
    """How reports tell of it."""
    option: str = ""
    """Of `jostle check --only`: `ajax`."""
    opens: Callable[[Job, SearchContext], Search] | None = None
    """Raises UsageProblem when the job's options are wrong. None: it is not run as a job."""
    page: Callable[[SearchOutcome], str] = lambda outcome: ""
    """An HTML document of what came of one search; empty when nothing was done."""
    in_check: InCheck | None = None
    """None: a check does not use it."""
