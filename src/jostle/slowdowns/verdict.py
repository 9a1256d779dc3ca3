"""What is to be said about a pair, with the reason in words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from statistics import median

import msgspec

from jostle.findings.evidence import Law, Levelled
from jostle.slowdowns.alternate import Ended, Rule, Sample, Trial
from jostle.slowdowns.culprit import culprit
from jostle.slowdowns.growth import ENOUGH, Growth, Point, falls_back, growth, levelled_off, rises
from jostle.slowdowns.history import Pair

MUCH = 0.2
"""A growth by a larger share of the whole cost needs no explanation."""


class PairOutcome(StrEnum):
    """What a pair turned out to be."""

    SLOWDOWN = "slowdown"
    BOUNDED = "bounded"
    FAILURE = "failure"
    REFUTED = "refuted"
    UNREACHABLE = "unreachable"


class PairJudgement(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome for one pair."""

    outcome: PairOutcome
    trial: Trial
    reason: str
    growth: Growth | None = None
    """How the cost grows; of a failure, up to it."""
    levelled: Levelled | None = None
    without_cause: bool = False
    """The cost rises just as fast without the cause: the effect itself, the way to it, or time is behind it."""

    @property
    def pair(self) -> Pair:
        return self.trial.pair

    @property
    def culprit(self) -> str:
        """The label of what is to blame, which may be something on the way from the cause to the effect."""
        return culprit(self.trial)

    @property
    def found(self) -> bool:
        """Whether this is something to be told."""
        return self.outcome in (PairOutcome.SLOWDOWN, PairOutcome.BOUNDED, PairOutcome.FAILURE)


def judge(trial: Trial) -> PairJudgement:
    """What came out of a trial."""
    samples = _from_second(trial.samples)
    points = [(float(sample.repetitions), sample.cost) for sample in samples]
    law = growth(points)
    costs = _series(samples)

    pair = trial.pair
    to_blame = culprit(trial)
    name = "time" if to_blame == pair.effect.label else f"“{to_blame}”"
    if trial.ended is Ended.FAILED:
        before = growth(points[:-1]) if trial.samples and trial.samples[-1].problem else law
        return PairJudgement(
            outcome=PairOutcome.FAILURE,
            trial=trial,
            growth=before,
            reason=f"after {_times(trial.repetitions)} “{pair.effect}” failed: {trial.problem}",
        )
    # What rises to the end is not bounded, however the rest of the cost goes up and down.
    steady = trial.steady if trial.ended is Ended.FULL and len(trial.steady) >= ENOUGH else []
    level, then = levelled_off(points) if not steady else None, "and no further"
    if level is None and trial.ended is Ended.FULL and not steady:
        level, then = falls_back(points), "and falls then"
    if level is not None:
        return PairJudgement(
            outcome=PairOutcome.BOUNDED,
            trial=trial,
            growth=law,
            levelled=level,
            reason=f"the cost rises with every {name} up to {level.cost:,.0f}, which is reached after "
            f"{_times(round(level.at))}, {then} ({costs})",
        )
    grows = law is not None and law.law is not Law.CONSTANT and rises(points)
    load = ""
    if steady and (not grows or _gain(points) <= 2 * _gain(steady) + 2 * _noise(points)):
        law, grows = growth(steady), True
        load = _load(points, steady)
    if trial.ended is Ended.FULL and grows and len(points) >= ENOUGH:
        alone = _rises_without(trial)
        if alone and not load:  # then it is the effect's own repetitions that count
            law = growth([(float(number), sample.cost) for number, sample in enumerate(samples)])
        assert law is not None
        more = (
            "; it rises just as fast without, so what makes it slower is the event itself, something on the way to it, "
            "or the passing of time"
            if alone
            else ""
        )
        return PairJudgement(
            outcome=PairOutcome.SLOWDOWN,
            trial=trial,
            growth=law,
            without_cause=alone,
            reason=f"every {name} makes “{pair.effect}” more expensive: {law} "
            f"({costs} in {_times(samples[-1].repetitions)}{load}){more}",
        )
    if trial.ended in (Ended.NO_CAUSE, Ended.NO_EFFECT):
        which = pair.effect if trial.ended is Ended.NO_EFFECT else pair.cause
        return PairJudgement(
            outcome=PairOutcome.UNREACHABLE,
            trial=trial,
            growth=law,
            reason=f"“{which}” could not be done {'again ' if trial.samples else ''}"
            f"after {_times(trial.repetitions)}: {trial.reason}",
        )
    if trial.ended is Ended.SPENT:
        return PairJudgement(
            outcome=PairOutcome.UNREACHABLE,
            trial=trial,
            growth=law,
            reason=f"{trial.reason} after {_times(trial.repetitions)} ({costs or 'nothing was measured'})",
        )
    return PairJudgement(outcome=PairOutcome.REFUTED, trial=trial, growth=law, reason=_refuted(trial, costs))


def _gain(points: Sequence[Point]) -> float:
    third = max(1, len(points) // 3)
    return median(y for _, y in points[-third:]) - median(y for _, y in points[:third])


def _noise(points: Sequence[Point]) -> float:
    """How much a cost usually differs from the one before."""
    return median(abs(b - a) for (_, a), (_, b) in pairwise(points))


def _load(points: Sequence[Point], steady: Sequence[Point]) -> str:
    """How the growth compares with what goes on anyway, in words, where it is little of it."""
    (first, begin), (last, end) = steady[0], steady[-1]
    each, whole = (end - begin) / max(1.0, last - first), median(y for _, y in points)
    if last <= first or end - begin > MUCH * whole:
        return ""
    return f", which is about {each:,.3g} more each time on top of {whole - (begin + end) / 2:,.0f}"


def _refuted(trial: Trial, costs: str) -> str:
    series = trial.costs
    if len(set(series)) == 1:
        return f"the cost stays the same ({series[0]:,.0f}), however often “{trial.pair.cause}” is done"
    rest = series[1:]
    if len(set(rest)) == 1:
        kind = "more" if series[0] > rest[0] else "less"
        return f"only the first time costs {kind} ({costs}), as when code is compiled or something is cached"
    if trial.rule is Rule.STRICT:
        return f"the cost does not rise every time ({costs})"
    return f"the cost changes without rising on the whole ({costs})"


def _from_second(samples: list[Sample]) -> list[Sample]:
    """Without the first when it costs more than the second: what is done for the first time may cost more."""
    return samples[1:] if len(samples) > 2 and samples[0].cost > samples[1].cost else samples


def _rises_without(trial: Trial) -> bool:
    control = [sample.cost for sample in trial.control]
    if len(control) < 3 or len(trial.samples) < 2 or not all(a < b for a, b in pairwise(control)):
        return False
    steps = [b.cost - a.cost for a, b in pairwise(trial.samples) if b.repetitions - a.repetitions == 1][-6:]
    return (control[-1] - control[0]) / (len(control) - 1) >= 0.8 * sum(steps) / max(1, len(steps))


def _times(number: int) -> str:
    return f"{number} repetition{'' if number == 1 else 's'}"


def _series(samples: list[Sample]) -> str:
    costs = [f"{sample.cost:,.0f}" for sample in samples]
    return ", ".join(costs if len(costs) <= 6 else [*costs[:3], "…", *costs[-2:]])
