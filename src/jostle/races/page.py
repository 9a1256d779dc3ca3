"""The page of one search for races."""

from __future__ import annotations

from jostle.races.report.page import RacesReport, page
from jostle.races.report.searches import RaceSearch
from jostle.search.technique import SearchOutcome


def races_page(search: RaceSearch, outcome: SearchOutcome) -> str:
    """Empty when nothing was done."""
    [summary], stats = outcome.result.summary.searches, outcome.result.stats
    if not stats.get("events"):
        return ""
    return page(
        RacesReport(
            url=outcome.url,
            search=search,
            findings=outcome.result.findings,
            others=tuple((what, end, reason) for what, end, reason in summary.others),
            noise=summary.noise,
            stats=dict(summary.stats),
            directory=outcome.directory,
            pictures={name: data for name, data in outcome.files.made.items() if name.endswith(".png")},
        )
    )
