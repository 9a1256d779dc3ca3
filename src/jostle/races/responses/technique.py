"""Races of responses, as one of the techniques."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jostle.races.page import races_page
from jostle.races.report.searches import RESPONSES
from jostle.races.report.technique import RESPONSES as REPORTED
from jostle.races.responses.conflict import candidates
from jostle.races.responses.search import ResponseRaceOptions, ResponseRaceSearch
from jostle.races.responses.told import NAME
from jostle.search.job import Job
from jostle.search.observations import Observations
from jostle.search.technique import CheckSettings, InCheck, Proposal, Proposer, SearchOutcome, Technique


class _Proposer(Proposer):
    def __init__(self, settings: CheckSettings) -> None:
        options = ResponseRaceOptions(avoid=settings.avoid, allow=settings.allow)
        self._job = Job.of(NAME, settings.url, options, seed=settings.seed)

    def begin(self, recordings: Sequence[str]) -> Iterable[Proposal]:
        """What somebody recorded is what matters to them."""
        for number, name in enumerate(recordings, 1):
            yield Proposal(name=f"{NAME} (scenario {number})", rank=1.5, job=self._job.beginning_with(name))

    def observed(self, observations: Observations, *, exploring: bool) -> Iterable[Proposal]:
        """As soon as there are two whose responses may get in each other's way."""
        if not exploring or candidates(observations.reactions, observations.exploration.machine.labels):
            yield Proposal(name=NAME, rank=3.0, job=self._job, renewed=True)


def _page(outcome: SearchOutcome) -> str:
    return races_page(RESPONSES, outcome)


TECHNIQUE = Technique(
    name=NAME,
    option="ajax",
    report=REPORTED,
    opens=ResponseRaceSearch,
    page=_page,
    in_check=InCheck(weight=4.0, proposer=_Proposer, needs_exploration=True),
)
