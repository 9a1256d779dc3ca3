"""Other orders of the same events, as one of the techniques."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jostle.races.page import races_page
from jostle.races.report.searches import SCHEDULES
from jostle.races.report.technique import SCHEDULES as REPORTED
from jostle.races.schedules.search import OrderOptions, OrderSearch
from jostle.races.schedules.told import NAME
from jostle.search.job import Job
from jostle.search.observations import Observations
from jostle.search.technique import CheckSettings, InCheck, Proposal, Proposer, SearchOutcome, Technique


class _Proposer(Proposer):
    def __init__(self, settings: CheckSettings) -> None:
        self._job = Job.of(
            NAME, settings.url, OrderOptions(avoid=settings.avoid, allow=settings.allow), seed=settings.seed
        )

    def begin(self, recordings: Sequence[str]) -> Iterable[Proposal]:
        """What somebody recorded is what matters to them."""
        for number, name in enumerate(recordings, 1):
            yield Proposal(name=f"{NAME} (scenario {number})", rank=3.5, job=self._job.beginning_with(name))

    def observed(self, observations: Observations, *, exploring: bool) -> Iterable[Proposal]:
        if not exploring:
            yield Proposal(name=NAME, rank=5.0, job=self._job)


def _page(outcome: SearchOutcome) -> str:
    return races_page(SCHEDULES, outcome)


TECHNIQUE = Technique(
    name=NAME,
    option="orders",
    report=REPORTED,
    opens=OrderSearch,
    page=_page,
    in_check=InCheck(weight=1.5, least=12.0, proposer=_Proposer, needs_exploration=True),
)
