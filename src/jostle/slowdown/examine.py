"""From candidates to verdicts, the most promising first, as long as there is budget."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from jostle.slowdown.alternate import BEYOND, COSTS, Ended, Rule, Trial, alternate
from jostle.slowdown.history import Pair
from jostle.slowdown.inference import Candidate
from jostle.slowdown.trigger import Walker
from jostle.slowdown.verdict import Verdict, judge


async def examine(
    walker: Walker,
    candidates: Iterable[Candidate],
    *,
    costs: int = COSTS,
    beyond: int = BEYOND,
    rule: Rule = Rule.TREND,
) -> AsyncIterator[Verdict]:
    """One verdict for each candidate. When the budget is spent, the rest are told as not tried.

    Events that make themselves slower come first: they explain others.
    """
    shown: list[Pair] = []
    for candidate in sorted(candidates, key=lambda each: not each.pair.itself):
        pair = candidate.pair
        if walker.budget.spent:
            yield judge(Trial(pair=pair, ended=Ended.SPENT, reason=walker.budget.spent, rule=rule))
            continue
        explained = {each.cause.label for each in shown if each.effect == pair.effect and not each.itself}
        # Of pairs that are probably one root cause, one is followed far.
        far = 0 if any(_akin(each, pair) for each in shown) else beyond
        verdict = judge(await alternate(walker, pair, costs=costs, beyond=far, rule=rule, explained=explained))
        if verdict.found and not verdict.without_cause:
            shown.append(pair)
        yield verdict


def _akin(one: Pair, other: Pair) -> bool:
    return one.effect.label == other.effect.label or one.cause.label == other.cause.label
