"""A root cause as a finding, with its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from jostle.browser.coverage import ScriptFunction
from jostle.browser.sources import SourceExcerpt
from jostle.findings import Confidence, Defect, Finding, FindingKind
from jostle.findings.evidence import GeneratedTest, GrowingFunction, GrowthOutcome, SlowdownEvidence
from jostle.slowdowns.grouping import Root
from jostle.slowdowns.growing import Growing, shown
from jostle.slowdowns.verdict import PairJudgement, PairOutcome
from jostle.slowdowns.wear import Wear
from jostle.slowdowns.weight import Harm, Weight, weigh

Blamed = Sequence[tuple[Growing[ScriptFunction], SourceExcerpt | None]]
_KINDS = {
    PairOutcome.SLOWDOWN: FindingKind.SLOWDOWN,
    PairOutcome.BOUNDED: FindingKind.BOUNDED_GROWTH,
    PairOutcome.FAILURE: FindingKind.HTTP_ERROR,
}
NAME = "slowdown"


def problem_of(root: Root, blamed: Blamed, wear: Wear | None) -> Defect:
    """What a root cause is, apart from how it was shown."""
    verdict, weight = root.main, weigh(root.main, wear)
    pair = verdict.pair
    kind = _KINDS[verdict.outcome]
    if verdict.outcome is PairOutcome.FAILURE and "answered with" not in verdict.trial.problem:
        kind = FindingKind.HANG if verdict.trial.hung else FindingKind.EXCEPTION
    return Defect(
        kind=kind,
        severity=weight.severity,
        title=_title(verdict, weight),
        cause=f"{verdict.culprit}\0{pair.effect.label}",
        evidence=_evidence(root, blamed, wear, weight),
    )


def finding_of(
    problem: Defect, steps: Sequence[str], *, replay: str | None, test: GeneratedTest | None = None
) -> Finding:
    """The finding; without a replay it is only predicted."""
    evidence = problem.evidence
    assert isinstance(evidence, SlowdownEvidence)
    return Finding(
        id=problem.id,
        technique=NAME,
        kind=problem.kind,
        confidence=Confidence.WITNESSED if replay else Confidence.PREDICTED,
        severity=problem.severity,
        title=problem.title,
        events=tuple(steps),
        evidence=evidence.tested_by(test) if test is not None else evidence,
        replay=replay,
    )


def _title(verdict: PairJudgement, weight: Weight) -> str:
    pair = verdict.pair
    if weight.harm is Harm.LEAK and verdict.trial.adds:  # it was seen who adds them
        if verdict.culprit == pair.effect.label:
            return f"“{verdict.culprit}” leaks {weight.leaked} and gets slower every time"
        return f"“{verdict.culprit}” leaks {weight.leaked}, which makes “{pair.effect}” slower every time"
    if verdict.outcome is PairOutcome.FAILURE:
        return f"“{pair.effect}” fails after enough repetitions" if pair.itself else _by(verdict.culprit, pair.effect)
    if verdict.outcome is PairOutcome.BOUNDED:
        if pair.itself:
            return f"“{pair.effect}” gets slower with use, up to a limit"
        return f"“{verdict.culprit}” makes “{pair.effect}” slower, up to a limit"
    if pair.itself:
        return f"“{pair.effect}” gets slower every time it is used"
    return f"“{pair.effect}” gets slower with every “{verdict.culprit}”"


def _by(cause: object, effect: object) -> str:
    return f"“{effect}” fails after enough repetitions of “{cause}”"


def _evidence(root: Root, blamed: Blamed, wear: Wear | None, weight: Weight) -> SlowdownEvidence:
    verdict = root.main
    trial, law = verdict.trial, verdict.growth
    return SlowdownEvidence(
        cause=verdict.culprit,
        effect=verdict.pair.effect.label,
        outcome=GrowthOutcome(verdict.outcome.value),
        reason=". ".join(filter(None, (verdict.reason, weight.reason))),
        costs=tuple(trial.points),
        functions=tuple(_function(each, place) for each, place in blamed[: shown([growing for growing, _ in blamed])]),
        also=tuple(str(each.pair) for each in root.duplicates),
        inverse=bool(root.inverse),
        law=law.law if law is not None else None,
        sure=round(law.sure, 3) if law is not None else None,
        others={other: round(sure, 3) for other, sure in law.others.items()} if law is not None else {},
        control=tuple((float(sample.repetitions), sample.cost) for sample in trial.control),
        levelled=verdict.levelled,
        times=tuple(wear.times) if wear is not None else (),
        passes={f"{limit:g}": at for limit, at in weight.passes.items()} if wear is not None else {},
        grows={name: tuple(points) for name, points in wear.grows.items()} if wear is not None else {},
    )


def _function(each: Growing[ScriptFunction], place: SourceExcerpt | None) -> GrowingFunction:
    return GrowingFunction(
        name=each.function.name or "(no name)",
        file=place.file if place else each.function.url,
        line=place.line if place else 0,
        first=each.begin,
        last=each.end,
        share=round(each.share, 3),
        first_line=place.line if place else 0,
        excerpt=tuple(place.excerpt) if place else (),
    )
