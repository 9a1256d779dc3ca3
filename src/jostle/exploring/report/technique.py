"""What reports need to know of the exploration."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from markupsafe import Markup

from jostle.exploring.report.page import PACKAGE
from jostle.exploring.report.story import story
from jostle.findings import Finding
from jostle.findings.evidence import ErrorEvidence, HangEvidence, InvariantEvidence, RequestEvidence
from jostle.model.machine import Machine
from jostle.plural import count
from jostle.report.document import environment, macro
from jostle.report.rows import shown
from jostle.report.source import lines
from jostle.report.technique import FindingStory, ReportedTechnique, StoryContext, Tries


def tell(finding: Finding, telling: StoryContext) -> FindingStory:
    told = story(finding, telling.url, Machine(), telling.directory)
    return FindingStory(style="explored", html=_template()(told))


@cache
def _template() -> Callable[..., Markup]:
    return macro(environment(PACKAGE, count=count, shown=shown, lines=lines), "exploration.story.html", "told")


USING = ReportedTechnique(
    name="explore",
    title="Using the application as a tester would",
    label="Using it",
    evidence=(ErrorEvidence, RequestEvidence, HangEvidence, InvariantEvidence),
    tell=tell,
    tries=Tries.EVENTS,
    package=PACKAGE,
    styles=("explored.css",),
)
