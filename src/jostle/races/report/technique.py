"""What reports need to know of the three ways of looking for races."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from markupsafe import Markup

from jostle.findings import Finding
from jostle.findings.evidence import LoadRaceEvidence, ResponseRaceEvidence, ScheduleEvidence
from jostle.plural import count
from jostle.races.report import searches
from jostle.races.report.orders import GAP
from jostle.races.report.page import PACKAGE
from jostle.races.report.story import story
from jostle.report.document import environment, macro
from jostle.report.rows import shown
from jostle.report.source import lines
from jostle.report.technique import FindingStory, ReportedTechnique, StoryContext


def tell(finding: Finding, telling: StoryContext) -> FindingStory:
    told = story(finding, telling.album, telling.directory)
    html = _template()(told, telling.name, GAP)
    return FindingStory(style="race", html=html, certainty=told.words.certainty[0])


@cache
def _template() -> Callable[..., Markup]:
    return macro(environment(PACKAGE, count=count, shown=shown, lines=lines), "races.story.html", "told")


LOADING = ReportedTechnique(
    name=searches.LOADING.name,
    title="Acting before the page is ready",
    label="While loading",
    evidence=(LoadRaceEvidence,),
    tell=tell,
    package=PACKAGE,
    styles=("races.css",),
)
RESPONSES = ReportedTechnique(
    name=searches.RESPONSES.name,
    title="Slow responses",
    label="Slow responses",
    evidence=(ResponseRaceEvidence,),
    tell=tell,
    package=PACKAGE,
    styles=("races.css",),
)
SCHEDULES = ReportedTechnique(
    name=searches.SCHEDULES.name,
    title="The same events in another order",
    label="Other orders",
    evidence=(ScheduleEvidence,),
    tell=tell,
    package=PACKAGE,
    styles=("races.css",),
)
