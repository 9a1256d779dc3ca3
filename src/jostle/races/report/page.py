"""What `jostle races` found as one HTML file: each race as a story, with both screens, both orders and the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jostle.findings import Confidence, Finding
from jostle.plural import count
from jostle.races.report.orders import GAP
from jostle.races.report.searches import RaceSearch
from jostle.races.report.story import RaceStory, story
from jostle.report.document import environment, own, policy
from jostle.report.ranking import CONFIDENCES, SEVERITIES, SURENESS
from jostle.report.rows import shown
from jostle.report.screens import Album
from jostle.report.source import lines
from jostle.report.words import time

PACKAGE = "jostle.races.report"
MOST_OTHERS = 1000


class RacesReport(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of a search for races."""

    url: str
    search: RaceSearch
    findings: tuple[Finding, ...]
    others: tuple[tuple[str, str, str], ...] = ()
    """What was tried and is no race: what, the outcome, the reason."""
    noise: tuple[str, ...] = ()
    """What differed between equal runs and was left out of comparisons."""
    stats: dict[str, Any] = {}
    """Figures by their name. `seconds` is told as a time; what is no single value is left out."""
    directory: str
    """Of the run, in which the replays, tests and pictures lie."""
    pictures: Mapping[str, bytes] = {}
    """PNG by the name of its file."""


def page(told: RacesReport) -> str:
    """A self-contained HTML document: it loads nothing, and texts of the application stay texts in it."""
    template = environment(PACKAGE, count=count, shown=shown, lines=lines).get_template("races.html")
    style = own("base.css") + own("stories.css") + own("compare.css") + own("races.css", PACKAGE)
    script = own("races.js", PACKAGE)
    all_stories = stories(told)
    return template.render(
        style=style,
        script=script,
        policy=policy(style=style, script=script, pictures=True),
        url=shown(told.url),
        about=told.search.about,
        reading=told.search.reading,
        stories=all_stories,
        found=_found(all_stories),
        tone="good" if not all_stories else "warn" if all(each.weak for each in all_stories) else "bad",
        looked_at=_looked_at(told),
        tried=_tried(told),
        figures=_figures(told.stats),
        gap=GAP,
        others=_cut(told.others),
        number_of_others=len(told.others),
        noise=[shown(each) for each in told.noise[:MOST_OTHERS]],
        number_of_noise=len(told.noise),
        confidences=CONFIDENCES.values(),
        directory=shown(told.directory),
    )


def stories(told: RacesReport) -> tuple[RaceStory, ...]:
    """The findings, the worst first."""
    album = Album(told.pictures)
    return tuple(story(each, album, Path(told.directory)) for each in sorted(told.findings, key=_place))


def _place(finding: Finding) -> tuple[bool, int, int]:
    """What is only suspected comes after all that is sure."""
    sure = SURENESS.index(finding.confidence)
    return finding.confidence is Confidence.PREDICTED, SEVERITIES.index(finding.severity), sure


# The overview ------------------------------------------------------------------------------------------------------


def _found(told: Sequence[RaceStory]) -> str:
    """`2 races found, 1 suspected`"""
    weak = sum(each.weak for each in told)
    seen = len(told) - weak
    parts = [f"{count(seen, 'race')} found"] if seen else []
    parts += [f"{weak:,} suspected" if seen else f"{count(weak, 'race')} suspected, none proved"] if weak else []
    return ", ".join(parts) or "No race found"


def _tries(told: RacesReport, noun: str) -> str:
    """`12 pairs of actions tried`"""
    return f"{count(len(told.others), f'{noun}{told.search.case}')}{told.search.of_what} tried"


def _looked_at(told: RacesReport) -> str:
    ends = Counter(outcome for _, outcome, _ in told.others)
    parts = [f"{number:,} {shown(outcome, 40)}" for outcome, number in sorted(ends.items())[:8]]
    return f"{_tries(told, 'other ' if told.findings else '')}: {', '.join(parts)}" if parts else ""


def _tried(told: RacesReport) -> str:
    """When nothing was found: what was done to find something."""
    if not told.others:
        return f"{told.search.nothing}. That is good news as far as it goes: {told.search.unseen}"
    return f"{_tries(told, '')}: {told.search.did}. None showed a race; the reasons are listed below."


def _figures(stats: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (shown(str(name))[:1].upper() + shown(str(name))[1:] if name != "seconds" else "Time", _figure(name, value))
        for name, value in stats.items()
        if value not in ("", None) and not isinstance(value, (list, tuple, dict))
    ]


def _figure(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, (int, float)):
        return shown(str(value))
    return time(1000 * value) if name == "seconds" else f"{round(value, 2):,}"


def _cut(rows: Sequence[tuple[str, str, str]]) -> list[tuple[str, ...]]:
    return [tuple(shown(each) for each in row) for row in rows[:MOST_OTHERS]]
