"""Exploring, as one of the techniques."""

from __future__ import annotations

from jostle.exploring.report.page import ExplorationReport, page
from jostle.exploring.report.technique import USING as REPORTED
from jostle.exploring.search import ExploreSearch
from jostle.model.machine import Machine
from jostle.search.technique import InCheck, Proposer, SearchOutcome, Technique


def _page(outcome: SearchOutcome) -> str:
    artefacts = outcome.files.artefacts
    if "model.json" not in artefacts:
        return ""
    return page(
        ExplorationReport(
            url=outcome.url,
            findings=outcome.result.findings,
            machine=Machine.from_json(artefacts["model.json"]),
            pictures={name.removesuffix(".jpg"): data for name, data in artefacts.items() if name.endswith(".jpg")},
            stats=outcome.result.stats,
            directory=outcome.directory,
        )
    )


TECHNIQUE = Technique(
    name="explore",
    option="explore",
    report=REPORTED,
    opens=ExploreSearch,
    # A check always begins with it: the other techniques work on what it observes.
    page=_page,
    in_check=InCheck(weight=3.0, least=5.0, proposer=lambda settings: Proposer()),
)
