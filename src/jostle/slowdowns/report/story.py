"""A slowdown as the story of a report: what makes what slower, how fast, and where to look."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec
from markupsafe import Markup

from jostle.findings import Confidence, Finding
from jostle.findings.contract import Contract
from jostle.findings.evidence import GrowthOutcome, SlowdownEvidence
from jostle.report.generated_test import words_on_test
from jostle.report.rows import shown
from jostle.slowdowns.report.plot import Plot, Series, line, number, plot
from jostle.slowdowns.report.steps import Fold, folded
from jostle.slowdowns.report.words import LONGEST_WORDS, BlamedFunction, blamed, in_words, sentence

PACKAGE = "jostle.slowdowns.report"
MOST_STEPS = 3000
MOST_LINES = 14
"""Of the steps, how many lines are shown at once."""
LONGEST_COMMAND = 4000

OUTCOMES = {
    GrowthOutcome.SLOWDOWN: ("Slowdown", "slowdown", "slowdowns"),
    GrowthOutcome.FAILURE: ("Failure", "failure", "failures"),
    GrowthOutcome.BOUNDED: ("Levels off", "growth that levels off", "growths that level off"),
}
"""The worst first."""


class GrowingSeries(msgspec.Struct, frozen=True):
    """Something besides the cost that grows steadily."""

    name: str
    first: str
    last: str
    each: str
    """How much with each repetition."""
    path: str


class SlowdownStory(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it is told."""

    title: str
    outcome: GrowthOutcome
    kind: str
    severity: str
    weak: bool
    """It was seen, but could not be brought about again."""
    contract: Contract | None
    evidence: SlowdownEvidence
    functions: tuple[BlamedFunction, ...]
    words: Markup
    costs: Plot | None
    times: Plot | None
    grows: tuple[GrowingSeries, ...]
    steps: tuple[Fold, ...]
    more_steps: tuple[Fold, ...]
    number_of_steps: int
    replay: str
    test: str
    tested: str
    """Whether the test was run, or why there is none."""
    verdict: str
    """The reason in full, where the words do not have it already."""


def story(finding: Finding, url: str, directory: Path) -> SlowdownStory:
    """One finding."""
    evidence = finding.evidence
    assert isinstance(evidence, SlowdownEvidence)
    outcome, level = evidence.outcome, evidence.levelled
    steps = folded([shown(each, LONGEST_WORDS) for each in (f"open {url}", *finding.events[:MOST_STEPS])])
    cut = MOST_LINES if sum(each.size for each in steps) > MOST_LINES + 2 else len(steps)
    replay = directory / (finding.replay or "none")
    return SlowdownStory(
        title=shown(finding.title),
        outcome=outcome,
        kind=OUTCOMES[outcome][0],
        severity=finding.severity.value,
        weak=finding.confidence is Confidence.PREDICTED,
        contract=finding.contract,
        evidence=evidence,
        functions=tuple(map(blamed, evidence.functions)),
        words=in_words(evidence),
        costs=plot(
            evidence.costs,
            noun="cost",
            control=evidence.control,
            law=None if outcome is GrowthOutcome.BOUNDED else evidence.law,
            level=(level.at, level.cost) if level else None,
            failed=outcome is GrowthOutcome.FAILURE,
        ),
        times=plot(evidence.times, noun="time", unit=" ms", limits=(50, 200)),
        grows=tuple(_growing(shown(name), series) for name, series in evidence.grows.items() if len(series) > 1),
        steps=steps[:cut],
        more_steps=steps[cut:],
        number_of_steps=len(finding.events) + 1,
        replay=_command("jostle", "replay", str(replay)) if finding.replay else "",
        test=_command("pytest", str(replay.parent / evidence.test)) if evidence.test else "",
        tested=shown(words_on_test(evidence), LONGEST_WORDS),
        verdict="" if outcome is GrowthOutcome.FAILURE else sentence(evidence.reason),
    )


def _command(*words: str) -> str:
    return shown(shlex.join(words), LONGEST_COMMAND)


def _growing(name: str, series: Series) -> GrowingSeries:
    (x0, y0), (x1, y1) = series[0], series[-1]
    return GrowingSeries(name, number(y0), number(y1), number((y1 - y0) / max(1.0, x1 - x0)), line(series, 76, 20))
