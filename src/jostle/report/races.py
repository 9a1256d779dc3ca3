"""What `jostle races` found as one HTML file: each race as a story, with both screens, both orders and the code."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jostle.findings import Confidence, Finding, Severity
from jostle.plural import count
from jostle.report.document import environment, own, policy
from jostle.report.races_evidence import Callback, evidence
from jostle.report.races_orders import GAP, Orders, orders
from jostle.report.races_screens import Album, Screens
from jostle.report.races_values import Value, values
from jostle.report.races_words import CONFIDENCES, KINDS, LOADING, ORDERS, WHATS, Words, in_words
from jostle.report.rows import shown
from jostle.report.words import time

MOST_DIFFERENCES = 100
MOST_CALLBACKS = 8
MOST_ALSO = 40
MOST_OTHERS = 1000
LONGEST_VALUE = 400
LONGEST_HINT = 4000
LONGEST_COMMAND = 4000

_TRIES = {LOADING: ("case", ""), "races ajax": ("pair", " of actions"), ORDERS: ("order", "")}
_ABOUT = {
    LOADING: "races while the page loads",
    "races ajax": "races of answers",
    ORDERS: "other orders of the same events",
}
_IN_VAIN = {
    LOADING: (
        "Nothing on this page can be used before the code is there that it needs",
        "what only shows after a log-in or further inside the application was not loaded.",
        "the user acted at the worst moment while the page loaded",
    ),
    "races ajax": (
        "No two actions were seen whose answers could get in each other’s way",
        "what was not done cannot show. A scenario (--scenario) leads to other actions.",
        "the second action was done before the answers to the first arrived",
    ),
    ORDERS: (
        "No two events were seen that could change places and touch the same data",
        "what was not done cannot show. A scenario (--scenario) leads to other events.",
        "the same things were done with the same answers, in another order",
    ),
}
"""When nothing was tried, what that means, and what was done when something was tried."""
_SEVERITIES = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)
_CONFIDENCES = (Confidence.WITNESSED, Confidence.ADVERSE, Confidence.PREDICTED)


class RacesReport(msgspec.Struct, frozen=True, kw_only=True):
    """What there is to tell of a search for races."""

    url: str
    command: str
    """`races ajax`, `races init` or `races orders`."""
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


class Changed(msgspec.Struct, frozen=True):
    """A difference, as a row of a table."""

    what: str
    where: str
    good: Value
    bad: Value


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it is told."""

    title: str
    kind: str
    severity: str
    weak: bool
    """It was not seen, or not again."""
    words: Words
    screens: Screens | None
    changes: tuple[Changed, ...]
    number_of_changes: int
    orders: Orders | None
    racing: tuple[Callback, ...]
    shared: str
    also: tuple[str, ...]
    """What else has the same cause."""
    hint: str
    replay: str
    replay_good: str
    test: str
    run_test: str


def page(told: RacesReport) -> str:
    """A self-contained HTML document: it loads nothing, and texts of the application stay texts in it."""
    template = environment(count=count, shown=shown).get_template("races.html")
    style, script = own("base.css") + own("slowdown.css") + own("races.css"), own("races.js")
    all_stories = stories(told)
    return template.render(
        style=style,
        script=script,
        policy=policy(style=style, script=script, pictures=True),
        url=shown(told.url),
        about=_ABOUT.get(told.command, _ABOUT["races ajax"]),
        command=told.command,
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


def stories(told: RacesReport) -> tuple[Story, ...]:
    """The findings, the worst first."""
    album = Album(told.pictures)
    return tuple(story(each, album, Path(told.directory)) for each in sorted(told.findings, key=_place))


def _place(finding: Finding) -> tuple[bool, int, int]:
    """What is only suspected comes after all that is sure."""
    sure = _CONFIDENCES.index(finding.confidence)
    return finding.confidence is Confidence.PREDICTED, _SEVERITIES.index(finding.severity), sure


def story(finding: Finding, album: Album, directory: Path) -> Story:
    """One finding. Raises ValidationError when its evidence is none of a race."""
    known = evidence(finding.evidence)
    return Story(
        title=shown(finding.title.strip()) or "A race without a title",
        kind=KINDS.get(finding.kind, finding.kind.value.replace("-", " ").capitalize()),
        severity=finding.severity.value,
        weak=finding.confidence is Confidence.PREDICTED,
        words=in_words(finding, known),
        screens=album.screens(known),
        changes=tuple(
            Changed(
                WHATS.get(each.what, shown(each.what, 40).capitalize()),
                shown(each.where),
                *values(each.good, each.bad, LONGEST_VALUE),
            )
            for each in known.differences[:MOST_DIFFERENCES]
        ),
        number_of_changes=len(known.differences),
        orders=orders(known),
        racing=known.racing[:MOST_CALLBACKS],
        shared=shown(known.shared),
        also=tuple(shown(each) for each in known.also[:MOST_ALSO]),
        hint=shown(known.hint, LONGEST_HINT),
        replay=_command("jostle", "replay", directory, finding.replay),
        replay_good=_command("jostle", "replay", directory, known.good.replay),
        test=shown(known.test),
        run_test=_command("pytest", "", directory, known.test),
    )


def _command(program: str, verb: str, directory: Path, file: str | None) -> str:
    words = filter(None, (program, verb, str(directory / file))) if file else ()
    return shown(shlex.join(words), LONGEST_COMMAND)


# The overview ------------------------------------------------------------------------------------------------------


def _found(told: Sequence[Story]) -> str:
    """`2 races found, 1 suspected`"""
    weak = sum(each.weak for each in told)
    seen = len(told) - weak
    parts = [f"{count(seen, 'race')} found"] if seen else []
    parts += [f"{weak:,} suspected" if seen else f"{count(weak, 'race')} suspected, none proved"] if weak else []
    return ", ".join(parts) or "No race found"


def _tries(told: RacesReport, noun: str) -> str:
    """`12 pairs of actions tried`"""
    one, of_what = _TRIES.get(told.command, _TRIES["races ajax"])
    return f"{count(len(told.others), f'{noun}{one}')}{of_what} tried"


def _looked_at(told: RacesReport) -> str:
    ends = Counter(outcome for _, outcome, _ in told.others)
    parts = [f"{number:,} {shown(outcome, 40)}" for outcome, number in sorted(ends.items())[:8]]
    return f"{_tries(told, 'other ' if told.findings else '')}: {', '.join(parts)}" if parts else ""


def _tried(told: RacesReport) -> str:
    """When nothing was found: what was done to find something."""
    nothing, more, did = _IN_VAIN.get(told.command, _IN_VAIN["races ajax"])
    if not told.others:
        return f"{nothing}. That is good news as far as it goes: {more}"
    return f"{_tries(told, '')}: {did}. None showed a race; the reasons are listed below."


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
