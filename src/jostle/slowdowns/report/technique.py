"""What reports need to know of the search for slowdowns."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from jostle.findings import Finding
from jostle.findings.evidence import SlowdownEvidence
from jostle.plural import count
from jostle.report.document import environment, macro
from jostle.report.rows import shown
from jostle.report.run_summary import RunSummary
from jostle.report.technique import FindingStory, ReportedTechnique, StoryContext
from jostle.slowdowns.report.plot import number
from jostle.slowdowns.report.server import server
from jostle.slowdowns.report.story import PACKAGE, story


def tell(finding: Finding, telling: StoryContext) -> FindingStory:
    told = story(finding, telling.url, telling.directory)
    return FindingStory(style="slowdown", html=macro(_templates(), "slowdown.story.html", "told")(told))


def _servers(summary: RunSummary) -> Markup:
    """Requests that the server answers ever more slowly."""
    if not summary.servers:
        return Markup()
    servers = [server(each) for each in summary.servers]
    return macro(_templates(), "slowdown.parts.html", "remarked")(servers)


@cache
def _templates() -> Environment:
    return environment(PACKAGE, count=count, shown=shown, number=number)


REPEATING = ReportedTechnique(
    name="slowdown",
    title="Doing the same again and again",
    label="Again and again",
    evidence=(SlowdownEvidence,),
    tell=tell,
    package=PACKAGE,
    styles=("slowdown.css",),
    remarks=_servers,
)
