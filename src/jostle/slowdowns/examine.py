"""From candidates to verdicts, the most promising first, as long as there is budget."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from jostle.slowdowns.alternate import BEYOND, COSTS, Ended, Rule, Trial, alternate
from jostle.slowdowns.history import Action, Pair
from jostle.slowdowns.inference import SuspectedPair
from jostle.slowdowns.trigger import Walker
from jostle.slowdowns.verdict import PairJudgement, PairOutcome, judge

LEAST = 20.0
"""Seconds that a pair may take in any case, as long as they are left."""


async def examine(
    walker: Walker,
    candidates: Iterable[SuspectedPair],
    *,
    costs: int = COSTS,
    beyond: int = BEYOND,
    rule: Rule = Rule.TREND,
    share: float = 1.0,
) -> AsyncIterator[PairJudgement]:
    """One verdict for each candidate. When the budget is spent, the rest are told as not tried.

    Of the causes of an effect, itself comes first: it explains others. `share`: of the time that is left, how much one
    pair may take.
    """
    shown: list[PairJudgement] = []
    whole = walker.budget
    for candidate in _in_order(candidates):
        pair = candidate.pair
        if whole.spent:
            yield judge(Trial(pair=pair, ended=Ended.SPENT, reason=whole.spent, rule=rule))
            continue
        walker.budget = whole if share == 1 else whole.part(share, LEAST)
        explained = {
            each.pair.cause.label for each in shown if each.pair.effect == pair.effect and not each.pair.itself
        }
        # Of pairs that are probably one root cause, one is followed far; not where that showed that it has an end.
        growing = [each.pair for each in shown if each.outcome is PairOutcome.SLOWDOWN]
        ending = [each.pair for each in shown if each.outcome is PairOutcome.BOUNDED]
        near = any(_akin(each, pair) for each in growing) and not any(_akin(each, pair) for each in ending)
        far = 0 if near else beyond
        verdict = judge(await alternate(walker, pair, costs=costs, beyond=far, rule=rule, explained=explained))
        if verdict.found and not verdict.without_cause:
            shown.append(verdict)
        yield verdict


def _in_order(candidates: Iterable[SuspectedPair]) -> list[SuspectedPair]:
    effects: dict[Action, list[SuspectedPair]] = {}
    for candidate in candidates:
        effects.setdefault(candidate.pair.effect, []).append(candidate)
    return [each for group in effects.values() for each in sorted(group, key=lambda each: not each.pair.itself)]


def _akin(one: Pair, other: Pair) -> bool:
    return one.effect.label == other.effect.label or one.cause.label == other.cause.label
