"""A repair in words: what prevents the race, at what cost, or why nothing does."""

from __future__ import annotations

from jostle.findings.evidence import Repair, RepairCost, RepairOutcome, VerifiedOrder
from jostle.plural import count

_HEADS = {
    RepairOutcome.PREVENTED: "Prevented at run time",
    RepairOutcome.NOT_FOUND: "No repair found",
    RepairOutcome.IMPOSSIBLE: "Cannot be repaired at run time",
    RepairOutcome.NOT_TRIED: "No repair tried",
}


def headline(repair: Repair) -> str:
    """`Prevented at run time by latest-only`"""
    head = _HEADS[repair.outcome]
    return f"{head} by {repair.policy}" if repair.prevents else head


def reason(repair: Repair) -> str:
    """What the policy does, or why there is none."""
    return repair.explanation if repair.prevents else _sentence(repair.why)


def cost_words(cost: RepairCost) -> str:
    """`1 event postponed, for 300 ms; 2 dropped`"""
    parts = []
    if cost.postponed:
        longest = f", {cost.longest:.0f} ms at most" if cost.postponed > 1 else ""
        parts.append(f"{count(cost.postponed, 'event')} postponed for {cost.waited:.0f} ms{longest}")
    if cost.dropped:
        parts.append(f"{count(cost.dropped, 'event')} dropped")
    return "; ".join(parts) or "nothing postponed, nothing dropped"


def order_words(order: VerifiedOrder) -> str:
    """`The bad order: the effect is gone; 1 event dropped`"""
    if order.before and not order.after:
        ends = "the effect is gone"
    else:
        ends = "still ends as it does without the repair" if order.after else "ends as it should"
    return f"{order.name[:1].upper()}{order.name[1:]}: {ends}; {cost_words(order.cost)}"


def startup_words(repair: Repair) -> str:
    """Empty where it was not measured."""
    return f"The script takes {repair.startup:.1f} ms when the page begins." if repair.startup is not None else ""


def test_words(repair: Repair) -> str:
    """On the variant of the generated test."""
    if repair.test:
        return "It was run and passes." if repair.verified else "It has not been run."
    return f"There is no test with the repair: {repair.untested}." if repair.untested else ""


def _sentence(words: str) -> str:
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if not words or words.endswith((".", "!", "?")) else ".")
