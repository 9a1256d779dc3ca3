"""What reports need to know of suites in adverse conditions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from markupsafe import Markup

from jostle.adverse.report.story import story
from jostle.findings import Finding
from jostle.findings.evidence import AdverseEvidence
from jostle.plural import count
from jostle.report.document import environment, macro
from jostle.report.rows import shown
from jostle.report.technique import FindingStory, ReportedTechnique, StoryContext, Tries

PACKAGE = "jostle.adverse.report"


def tell(finding: Finding, telling: StoryContext) -> FindingStory:
    return FindingStory(style="adverse", html=_template()(story(finding, telling.album)))


@cache
def _template() -> Callable[..., Markup]:
    return macro(environment(PACKAGE, count=count, shown=shown), "adverse.story.html", "told")


CONDITIONS = ReportedTechnique(
    name="adverse",
    title="The suite in adverse conditions",
    label="Adverse conditions",
    evidence=(AdverseEvidence,),
    tell=tell,
    tries=Tries.CONDITIONS,
    about="what a suite of tests met in adverse conditions",
    package=PACKAGE,
    styles=("adverse.css",),
)
REORDERED = ReportedTechnique(
    name="adverse orders",
    title="The suite with answers in other orders",
    label="Answers reordered",
    evidence=(AdverseEvidence,),
    tell=tell,
    tries=Tries.CONDITIONS,
    about="what a suite of tests met with answers in other orders",
    package=PACKAGE,
    styles=("adverse.css",),
)
