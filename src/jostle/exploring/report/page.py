"""An exploration as one HTML file: what went wrong, each as a story, and the model of the application."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from jostle.exploring.report.story import DefectStory, story
from jostle.findings import Finding
from jostle.findings.evidence import SightedEvidence
from jostle.model.machine import Machine
from jostle.plural import count
from jostle.report.document import environment, own, policy
from jostle.report.model_section import StateMark, model_section
from jostle.report.ranking import SEVERITIES, SURENESS
from jostle.report.rows import shown
from jostle.report.source import lines

PACKAGE = "jostle.exploring.report"

_FIGURES = {
    "strategy": "Strategy",
    "events": "Events done",
    "states": "States",
    "pages": "Pages (addresses)",
    "blocks": "Blocks of code that ran",
    "runs": "Runs",
    "events a second": "Events a second",
    "ended": "Ended because",
}


class ExplorationReport(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of an exploration."""

    url: str
    findings: tuple[Finding, ...]
    machine: Machine
    pictures: Mapping[str, bytes]
    """JPEG by the digest of the state."""
    stats: Mapping[str, Any]
    """`strategy`, `events`, `states`, `pages`, `blocks`, `runs`, `ended`, `avoided`, `events a second`."""
    directory: str
    """Of the run, in which the files lie that replay findings."""


def page(report: ExplorationReport) -> str:
    """A self-contained HTML document: it loads nothing, and texts of the application stay texts in it."""
    template = environment(PACKAGE, count=count, shown=shown, lines=lines).get_template("exploration.html")
    style = own("base.css") + own("model.css") + own("exploration.css", PACKAGE)
    script = own("copy.js") + own("model.js") + "showModel();"
    told = stories(report)
    problems = [StateMark(each.state, each.title, f"problem-{n}") for n, each in enumerate(told, 1)]
    drawn = model_section(report.machine, report.pictures, problems)
    avoided = report.stats.get("avoided")
    return template.render(
        style=style,
        script=script,
        policy=policy(style=style, script=script, pictures=True),
        url=shown(report.url),
        explored=f"in {count(len(report.machine), 'state')}, {count(int(report.stats.get('events', 0)), 'event')}",
        stories=told,
        weak=sum(each.weak for each in told),
        figures=_figures(report.stats),
        ended=shown(str(report.stats.get("ended", ""))),
        avoided=[(shown(str(words)), shown(str(rule))) for words, rule in avoided.items()]
        if isinstance(avoided, Mapping)
        else [],
        **drawn,
    )


def stories(report: ExplorationReport) -> tuple[DefectStory, ...]:
    """The findings, the most severe and the most certain first."""
    order = sorted(
        report.findings,
        key=lambda each: (
            SEVERITIES.index(each.severity),
            SURENESS.index(each.confidence),
            -_count(each),
            len(each.events),
        ),
    )
    return tuple(story(each, report.url, report.machine, Path(report.directory)) for each in order)


def _figures(stats: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (_FIGURES.get(name, shown(name)), f"{value:,}" if isinstance(value, (int, float)) else shown(str(value)))
        for name, value in stats.items()
        if name != "avoided" and value != ""
    ]


def _count(finding: Finding) -> int:
    """How often it was seen."""
    return finding.evidence.count if isinstance(finding.evidence, SightedEvidence) else 0
