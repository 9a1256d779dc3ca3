"""Slowdowns, as one of the techniques."""

from __future__ import annotations

from collections.abc import Iterable

from jostle.search.job import Job
from jostle.search.observations import Observations
from jostle.search.technique import CheckSettings, InCheck, Proposal, Proposer, SearchOutcome, Technique
from jostle.slowdowns.report.page import SlowdownReport, page
from jostle.slowdowns.report.technique import REPEATING as REPORTED
from jostle.slowdowns.search import SlowdownOptions, SlowdownSearch
from jostle.slowdowns.told import NAME


class _Proposer(Proposer):
    def __init__(self, settings: CheckSettings) -> None:
        self._job = Job.of(
            NAME, settings.url, SlowdownOptions(avoid=settings.avoid, allow=settings.allow), seed=settings.seed
        )

    def observed(self, observations: Observations, *, exploring: bool) -> Iterable[Proposal]:
        if not exploring:
            yield Proposal(name=NAME, rank=4.0, job=self._job)


def _page(outcome: SearchOutcome) -> str:
    [summary], stats = outcome.result.summary.searches, outcome.result.stats
    if not stats.get("events"):
        return ""
    return page(
        SlowdownReport(
            url=outcome.url,
            findings=outcome.result.findings,
            others=tuple((cause, effect, end, reason) for cause, effect, end, reason in summary.others),
            stats=stats,
            servers=outcome.result.summary.servers,
            directory=outcome.directory,
        )
    )


TECHNIQUE = Technique(
    name=NAME,
    option="slowdown",
    report=REPORTED,
    opens=SlowdownSearch,
    page=_page,
    in_check=InCheck(weight=4.0, least=10.0, proposer=_Proposer, needs_exploration=True, needs_costs=True),
)
