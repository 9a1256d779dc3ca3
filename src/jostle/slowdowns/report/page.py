"""What `jostle slowdown` found as one HTML file: which events make which others slower, how fast, and where to look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jostle.findings import Finding
from jostle.findings.evidence import GrowthOutcome, ServerSlower
from jostle.plural import count
from jostle.report.document import environment, own, policy
from jostle.report.ranking import SEVERITIES
from jostle.report.rows import shown
from jostle.report.words import time
from jostle.slowdowns.report.plot import number
from jostle.slowdowns.report.server import server
from jostle.slowdowns.report.story import OUTCOMES, PACKAGE, SlowdownStory, story

MOST_OTHERS = 1000
_FIGURES = {
    "events": "Events done",
    "states": "States",
    "candidates": "Pairs that looked suspicious",
    "targets": "Events aimed at",
    "reached": "Of these reached",
    "events a target": "Events needed for each",
    "by design": "Growths by design",
    "seconds": "Time",
}


class SlowdownReport(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of a search for slowdowns."""

    url: str
    findings: tuple[Finding, ...]
    """Of the kinds `slowdown` and `bounded-growth`; any other is one of an application that failed in the end."""
    others: tuple[tuple[str, str, str, str], ...]
    """Pairs that are no problem: cause, effect, `by design`, `refuted` or `unreachable`, the reason."""
    stats: Mapping[str, Any]
    """`events`, `states`, `candidates`, `targets`, `reached`, `events a target`, `seconds`, and what else is known."""
    servers: tuple[ServerSlower, ...] = ()
    """Requests that the server answers ever more slowly."""
    directory: str
    """Of the run, in which the files lie that replay findings."""


def page(report: SlowdownReport) -> str:
    """A self-contained HTML document: it loads and runs nothing, and texts of the application stay texts in it."""
    template = environment(PACKAGE, count=count, shown=shown, number=number).get_template("slowdown.html")
    style = own("base.css") + own("stories.css") + own("slowdown.css", PACKAGE)
    told = stories(report)
    ends = Counter(outcome for _, _, outcome, _ in report.others)
    return template.render(
        style=style,
        policy=policy(style=style),
        url=shown(report.url),
        stories=told,
        found=_found(told),
        tone="good" if not told else "warn" if all(each.outcome is GrowthOutcome.BOUNDED for each in told) else "bad",
        looked_at=_looked_at(told, ends),
        tried=_tried(report, ends),
        figures=_figures(report.stats),
        others=[tuple(shown(each) for each in other) for other in report.others[:MOST_OTHERS]],
        other_pairs=len(report.others),
        servers=[server(each) for each in report.servers],
    )


def stories(report: SlowdownReport) -> tuple[SlowdownStory, ...]:
    """The findings, the most severe first."""
    told = [story(each, report.url, Path(report.directory)) for each in report.findings]
    severities, outcomes = [each.value for each in SEVERITIES], list(OUTCOMES)
    return tuple(sorted(told, key=lambda each: (severities.index(each.severity), outcomes.index(each.outcome))))


# The overview ------------------------------------------------------------------------------------------------------


def _found(told: Sequence[SlowdownStory]) -> str:
    """`2 slowdowns, 1 failure`"""
    numbers = Counter(each.outcome for each in told)
    named = ((numbers[key], one, many) for key, (_, one, many) in OUTCOMES.items())
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in named if n) or "No slowdown found"


def _looked_at(told: Sequence[SlowdownStory], ends: Mapping[str, int]) -> str:
    pairs = count(len(told) + sum(len(each.evidence.also) for each in told) + sum(ends.values()), "pair")
    out = ", ".join(f"{n:,} {shown(outcome)}" for outcome, n in sorted(ends.items()))
    return f"{pairs} of events examined" + (f": {out}" if out else "")


def _tried(report: SlowdownReport, ends: Mapping[str, int]) -> str:
    """When nothing was found: what was done to find something."""
    events = report.stats.get("events")
    often = f" in {count(events, 'event')}" if isinstance(events, int) else ""
    if not ends:
        return (
            f"No event was seen to cost more after another one{often}. That is good news as far as it goes: what was "
            "done seldom cannot show. More events, or a recording of how people use the application, show more."
        )
    pairs, untold, designed = sum(ends.values()), ends.get("unreachable", 0), ends.get("by design", 0)
    looked = f"{count(pairs, 'pair')} of events {'was' if pairs == 1 else 'were'} suspected{often} and done in turn."
    flat = " In none of them the cost went on rising." if pairs > untold else ""
    if designed:
        flat = f" In {designed} of them the cost grows by design, too little to be felt; in no other it went on rising."
    doubt = f" {count(untold, 'pair')} could not be done often enough to tell." if untold else ""
    return f"{looked}{flat}{doubt} The reasons are listed below."


def _figures(stats: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (_FIGURES.get(name, shown(name)), _figure(name, value, stats))
        for name, value in stats.items()
        if value != "" and not isinstance(value, (list, dict))
    ]


def _figure(name: str, value: Any, stats: Mapping[str, Any]) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return shown(str(value))
    if name == "seconds":
        return time(1000 * value)
    targets = stats.get("targets")
    if name == "reached" and isinstance(targets, int) and targets and value > 1:
        return f"{number(value)} ({value / targets:.0%})"
    return number(value)
