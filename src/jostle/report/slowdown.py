"""What `jostle slowdown` found as one HTML file: which events make which others slower, how fast, and where to look."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.plural import count
from jostle.report.document import environment, own, policy
from jostle.report.rows import shown
from jostle.report.slowdown_plot import Plot, Series, line, number, plot
from jostle.report.slowdown_steps import Fold, folded
from jostle.report.slowdown_words import LONGEST_WORDS, Evidence, in_words, sentence
from jostle.report.words import time
from jostle.slowdown.server import ServerSlower

MOST_STEPS = 3000
MOST_LINES = 14
"""Of the steps, how many lines are shown at once."""
MOST_OTHERS = 1000
LONGEST_COMMAND = 4000

_OUTCOMES = {
    "slowdown": ("Slowdown", "slowdown", "slowdowns"),
    "failure": ("Failure", "failure", "failures"),
    "bounded": ("Levels off", "growth that levels off", "growths that level off"),
}
"""The worst first."""
_BY_KIND = {FindingKind.SLOWDOWN: "slowdown", FindingKind.BOUNDED_GROWTH: "bounded"}
_SEVERITIES = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
_FIGURES = {
    "events": "Events done",
    "states": "States",
    "candidates": "Pairs that looked suspicious",
    "targets": "Events aimed at",
    "reached": "Of these reached",
    "events a target": "Events needed for each",
    "seconds": "Time",
}


class SlowdownReport(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of a search for slowdowns."""

    url: str
    findings: tuple[Finding, ...]
    """Of the kinds `slowdown` and `bounded-growth`; any other is one of an application that failed in the end."""
    others: tuple[tuple[str, str, str, str], ...]
    """Pairs that were looked at in vain: cause, effect, `refuted` or `unreachable`, the reason."""
    stats: Mapping[str, Any]
    """`events`, `states`, `candidates`, `targets`, `reached`, `events a target`, `seconds`, and what else is known."""
    servers: tuple[ServerSlower, ...] = ()
    """Requests that the server answers ever more slowly."""
    directory: str
    """Of the run, in which the files lie that replay findings."""


# The document ------------------------------------------------------------------------------------------------------


class Growing(msgspec.Struct, frozen=True):
    """Something besides the cost that grows steadily."""

    name: str
    first: str
    last: str
    each: str
    """How much with each repetition."""
    path: str


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it is told."""

    title: str
    outcome: str
    kind: str
    severity: str
    weak: bool
    """It was seen, but could not be brought about again."""
    evidence: Evidence
    words: Markup
    costs: Plot | None
    times: Plot | None
    grows: tuple[Growing, ...]
    steps: tuple[Fold, ...]
    more_steps: tuple[Fold, ...]
    number_of_steps: int
    replay: str
    test: str
    verdict: str
    """The reason in full, where the words do not have it already."""


def page(report: SlowdownReport) -> str:
    """A self-contained HTML document: it loads and runs nothing, and texts of the application stay texts in it."""
    template = environment(count=count, shown=shown, number=number).get_template("slowdown.html")
    style = own("base.css") + own("slowdown.css")
    told = stories(report)
    ends = Counter(outcome for _, _, outcome, _ in report.others)
    return template.render(
        style=style,
        policy=policy(style=style),
        url=shown(report.url),
        stories=told,
        found=_found(told),
        tone="good" if not told else "warn" if all(each.outcome == "bounded" for each in told) else "bad",
        looked_at=_looked_at(told, ends),
        tried=_tried(report, ends),
        figures=_figures(report.stats),
        others=[tuple(shown(each) for each in other) for other in report.others[:MOST_OTHERS]],
        other_pairs=len(report.others),
        servers=[server(each) for each in report.servers],
    )


def stories(report: SlowdownReport) -> tuple[Story, ...]:
    """The findings, the most severe first."""
    told = [story(each, report.url, Path(report.directory)) for each in report.findings]
    severities, outcomes = [each.value for each in _SEVERITIES], list(_OUTCOMES)
    return tuple(sorted(told, key=lambda each: (severities.index(each.severity), outcomes.index(each.outcome))))


def story(finding: Finding, url: str, directory: Path) -> Story:
    """One finding. Raises ValidationError when its evidence is none of a slowdown."""
    evidence = msgspec.convert(finding.evidence, Evidence)
    outcome = evidence.outcome if evidence.outcome in _OUTCOMES else _BY_KIND.get(finding.kind, "failure")
    level = evidence.levelled
    steps = folded([shown(each, LONGEST_WORDS) for each in (f"open {url}", *finding.events[:MOST_STEPS])])
    cut = MOST_LINES if sum(each.size for each in steps) > MOST_LINES + 2 else len(steps)
    replay = directory / (finding.replay or "none")
    return Story(
        title=shown(finding.title),
        outcome=outcome,
        kind=_OUTCOMES[outcome][0],
        severity=finding.severity.value,
        weak=finding.confidence is Confidence.PREDICTED,
        evidence=evidence,
        words=in_words(evidence, outcome),
        costs=plot(
            evidence.costs,
            noun="cost",
            control=evidence.control,
            law="" if outcome == "bounded" else evidence.law,
            level=(level.at, level.cost) if level else None,
            failed=outcome == "failure",
        ),
        times=plot(evidence.times, noun="time", unit=" ms", limits=(50, 200)),
        grows=tuple(_growing(shown(name), series) for name, series in evidence.grows.items() if len(series) > 1),
        steps=steps[:cut],
        more_steps=steps[cut:],
        number_of_steps=len(finding.events) + 1,
        replay=_command("jostle", "replay", str(replay)) if finding.replay else "",
        test=_command("pytest", str(replay.parent / evidence.test)) if evidence.test else "",
        verdict="" if outcome == "failure" else sentence(evidence.reason),
    )


def _command(*words: str) -> str:
    return shown(shlex.join(words), LONGEST_COMMAND)


def _growing(name: str, series: Series) -> Growing:
    (x0, y0), (x1, y1) = series[0], series[-1]
    return Growing(name, number(y0), number(y1), number((y1 - y0) / max(1.0, x1 - x0)), line(series, 76, 20))


class Server(msgspec.Struct, frozen=True):
    """A request that the server answers ever more slowly, as it is told."""

    words: str
    times: tuple[tuple[float, float], ...]
    plot: Plot | None


def server(each: ServerSlower) -> Server:
    return Server(shown(f"{each}.", LONGEST_COMMAND), each.times, plot(each.times, noun="time", unit=" ms"))


# The overview ------------------------------------------------------------------------------------------------------


def _found(told: Sequence[Story]) -> str:
    """`2 slowdowns, 1 failure`"""
    numbers = Counter(each.outcome for each in told)
    named = ((numbers[key], one, many) for key, (_, one, many) in _OUTCOMES.items())
    return ", ".join(f"{n} {one if n == 1 else many}" for n, one, many in named if n) or "No slowdown found"


def _looked_at(told: Sequence[Story], ends: Mapping[str, int]) -> str:
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
    pairs, untold = sum(ends.values()), ends.get("unreachable", 0)
    looked = f"{count(pairs, 'pair')} of events {'was' if pairs == 1 else 'were'} suspected{often} and done in turn."
    flat = " In none of them the cost went on rising." if pairs > untold else ""
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
