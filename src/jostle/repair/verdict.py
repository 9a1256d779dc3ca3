"""Whether a policy is a repair: what its runs ended in, compared with runs of the same orders without it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from jostle.findings.evidence import (
    DifferenceKind,
    LoadRaceEvidence,
    LoadRacePart,
    OutcomeDifference,
    RepairCost,
    ResponseRaceEvidence,
    VerifiedOrder,
)
from jostle.oracles.made_up import in_substance
from jostle.oracles.outcome import Noise, differences
from jostle.races.responses.harm import harmful, only_added
from jostle.repair.orders import TriedOrder
from jostle.repair.stage import Ended
from jostle.repair.witness import Witness

_LONGEST = 160


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """The page without a repair."""

    witness: Witness
    good: Ended
    bad: Ended
    noise: Noise = Noise()
    alone: Ended | None = None
    """The good order without the second action, where there is one."""
    others: Mapping[str, Ended] = {}
    """The other orders, by name."""

    def effect(self, ended: Ended) -> tuple[OutcomeDifference, ...]:
        """What is wrong with this end: how it differs from the good one, as far as that matters."""
        return self._against(self.good, ended)

    def _against(self, good: Ended, ended: Ended) -> tuple[OutcomeDifference, ...]:
        witness = self.witness
        bodies = (body for each in (witness.good, witness.bad) for body in each.bodies.values())
        entered = (step.event.action.value or "" for step in ended.enactment.steps)
        found = in_substance(differences(good.outcome, ended.outcome, self.noise), bodies, entered)
        if witness.alone:
            found = list(only_added(found))
        if isinstance(witness.evidence, ResponseRaceEvidence):
            found = list(harmful(found, good.outcome, ended.outcome, repeats=witness.repeats))
        if _is_about_focus(witness) and good.focused and ended.focused is False:
            where = witness.first.action.place if witness.first is not None else ""
            found.append(OutcomeDifference(DifferenceKind.FOCUS, where, "it has the focus", "it has lost the focus"))
        return tuple(found)

    def like_alone(self, ended: Ended) -> bool:
        """Whether it ends as if the second action had not been done."""
        return self.alone is not None and not self._against(self.alone, ended)

    def known_end(self, order: TriedOrder, ended: Ended) -> bool:
        """Whether this order ends the same without the repair, and not in the way of the race."""
        without = self.others.get(order.name)
        if without is None or self._against(without, ended):
            return False
        race = {(each.what, each.where) for each in self.effect(self.bad)}
        return not any((each.what, each.where) in race for each in self.effect(without))


def _is_about_focus(witness: Witness) -> bool:
    return isinstance(witness.evidence, LoadRaceEvidence) and witness.evidence.part is LoadRacePart.FOCUS


def failure(baseline: Baseline, order: TriedOrder, ended: Ended) -> str:
    """Why this run shows that the policy is no repair, in words; empty when it does not."""
    where = f" in {order.name}" if order.name else ""
    if ended.enactment.hung:
        return f"the page did not come to rest{where}: {ended.enactment.hung}"
    if ended.log.overdue:
        return f"something waited longer than anything may{where} and was let through"
    if ended.log.waiting:
        return f"something was still waiting in the end{where}"
    if not baseline.effect(ended):
        return "" if ended.log.dropped or not ended.enactment.undone else _undone(ended, where)
    if ended.log.dropped and baseline.like_alone(ended):
        return ""
    if baseline.known_end(order, ended):
        return ""
    worst = baseline.effect(ended)[0]
    new = (worst.what, worst.where) not in {(each.what, each.where) for each in baseline.effect(baseline.bad)}
    return f"{'something new goes wrong' if new else 'the effect is still there'}{where}: {_cut(worst)}"


def _undone(ended: Ended, where: str) -> str:
    return f"the user cannot do “{ended.enactment.undone[0]}” any more{where}"


def _cut(difference: OutcomeDifference) -> str:
    words = " ".join(str(difference).split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def cost_of(ended: Ended) -> RepairCost:
    log = ended.log
    return RepairCost(
        postponed=log.postponed,
        dropped=log.dropped,
        waited=round(log.waited, 1),
        longest=round(log.longest, 1),
    )


def verified(baseline: Baseline, order: TriedOrder, ended: Ended, without: Ended | None) -> VerifiedOrder:
    """What is told of an order in which a repair works."""
    return VerifiedOrder(
        name=order.name,
        before=without is not None and bool(baseline.effect(without)),
        after=bool(baseline.effect(ended)) and not (ended.log.dropped and baseline.like_alone(ended)),
        cost=cost_of(ended),
    )


def shows_race(baseline: Baseline) -> str:
    """Why the recordings, replayed, do not show the race; empty when they do."""
    for ended in (baseline.good, baseline.bad):
        if ended.enactment.hung:
            return f"its recording cannot be replayed: {ended.enactment.hung}"
    undone: Sequence[object] = baseline.good.enactment.undone
    if undone:
        return f"its recording cannot be replayed: {undone[0]} is not possible any more"
    if not baseline.effect(baseline.bad):
        return "its recordings, replayed without a repair, do not show the effect"
    return ""
