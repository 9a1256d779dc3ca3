"""Is it a problem that a cost grows? Told is what leaks, what gets out of hand, and what a user would notice.

A list that gets longer takes longer to show: nobody minds, as long as nobody feels it. What has no such excuse:

- listeners or timers that pile up, and nobody removes them;
- a cost that grows though the page gets no longer and nothing was saved: something is kept that nobody sees;
- a cost that grows faster than what there is to show;
- whatever is felt after a number of repetitions that people get to.
"""

from __future__ import annotations

from enum import StrEnum
from statistics import quantiles

import msgspec

from jostle.findings import Severity
from jostle.findings.evidence import Law
from jostle.plural import count
from jostle.slowdowns.growth import Fit, Growth, Point, rises
from jostle.slowdowns.leaving import writes
from jostle.slowdowns.leftover import Growths, growths
from jostle.slowdowns.verdict import PairJudgement, PairOutcome
from jostle.slowdowns.wear import FELT, SLOW, Wear

SOON, LATE = 100, 1000
"""Repetitions that a user gets to in a session, and those that a page gets to that is open all day."""
BAD = 200
"""What is slow after so many repetitions is severe."""
SURE = 0.7
"""How sure it must be that something grows faster than in a straight line to be told for that alone."""
BLOCK = 0.0002
"""Milliseconds that a block of code takes, roughly, where no times were measured."""
FEWEST_TIMES = 8
"""With fewer times nothing is said about how fast they grow."""


class Harm(StrEnum):
    """Why a growth is told, or not."""

    LEAK = "leak"
    STEEP = "steep"
    HIDDEN = "hidden"
    FELT = "felt"
    BY_DESIGN = "by design"
    OTHER = "other"
    """It failed, or has an end: another matter."""


class Weight(msgspec.Struct, frozen=True, kw_only=True):
    """How bad a slowdown is."""

    harm: Harm
    severity: Severity
    reason: str = ""
    """In words, a sentence; empty when there is nothing to add."""
    leaked: str = ""
    """What piles up, of a leak: `event listeners`."""
    passes: dict[float, int | None] = {}
    """For each limit in milliseconds, after how many repetitions it is passed; None: not within sight."""

    @property
    def told(self) -> bool:
        return self.harm is not Harm.BY_DESIGN


def weigh(verdict: PairJudgement, wear: Wear | None = None) -> Weight:
    """`wear`: what was measured in a browser that optimises; without, times are reckoned from costs."""
    if verdict.outcome is not PairOutcome.SLOWDOWN or verdict.growth is None:
        severity = Severity.HIGH if verdict.outcome is PairOutcome.FAILURE else Severity.LOW
        passes: dict[float, int | None] = {limit: wear.passes(limit) for limit in (FELT, SLOW)} if wear else {}
        return Weight(harm=Harm.OTHER, severity=severity, passes=passes)
    law, left = verdict.growth, growths(verdict.trial.left)
    passes = {limit: passed(limit, law.fit, wear) for limit in (FELT, SLOW)}
    # What takes long from the start is another matter: how bad a growth is depends on what it adds.
    adds = {limit: added(limit, law.fit, wear) for limit in (FELT, SLOW)}
    harm = _harm(verdict, law, left, adds)
    return Weight(
        harm=harm,
        severity=_severity(law, adds, wear),
        reason=_reason(harm, left),
        leaked=("event listeners" if left.listeners else "timers") if harm is Harm.LEAK else "",
        passes=passes,
    )


def _harm(verdict: PairJudgement, law: Growth, left: Growths, adds: dict[float, int | None]) -> Harm:
    if left.leaks:
        return Harm.LEAK
    if _steep(law):
        return Harm.STEEP
    if _by(adds[FELT], SOON) or _by(adds[SLOW], LATE):
        return Harm.FELT
    saved = any(writes(visit.effect) for visit in verdict.trial.steps)
    return Harm.HIDDEN if verdict.trial.left and not left.visible and not saved else Harm.BY_DESIGN


def _steep(law: Growth) -> bool:
    return law.law in (Law.QUADRATIC, Law.EXPONENTIAL) and law.sure >= SURE


def _by(repetitions: int | None, limit: int) -> bool:
    return repetitions is not None and repetitions <= limit


def _severity(law: Growth, adds: dict[float, int | None], wear: Wear | None) -> Severity:
    if _by(adds[SLOW], BAD) or (_steep(law) and (wear is None or _by(adds[SLOW], LATE))):
        return Severity.HIGH
    return Severity.MEDIUM if _steep(law) or _by(adds[FELT], LATE) else Severity.LOW


def added(limit: float, law: Fit, wear: Wear | None) -> int | None:
    """After how many repetitions the growth alone adds so many milliseconds; None when that is not in sight."""
    block = milliseconds_a_block(wear.times, law) if wear is not None else BLOCK
    return law.reaches(law.at(0) + limit / block) if block else None


def passed(limit: float, law: Fit, wear: Wear | None) -> int | None:
    """After how many repetitions handling it takes longer than so many milliseconds; None when that is not in sight.

    As measured, where it was. Else the law of the cost tells how it goes on, and the times only how long a block takes:
    times vary, and a curve through them would tell of anything.
    """
    measured = wear.measured(limit) if wear is not None else None
    if measured is not None:
        return measured
    times = wear.times if wear is not None else []
    if not times:
        return law.reaches(law.at(0) + limit / BLOCK)
    block = milliseconds_a_block(times, law)
    begin = min(times)[1]
    expected = law.reaches(law.at(0) + max(0.0, limit - begin) / block) if block else None
    return max(expected, round(max(times)[0])) if expected is not None else None


def milliseconds_a_block(times: list[Point], law: Fit) -> float:
    """How much longer it takes for each block that is added: no more than most of the times agree on. When they do not
    get longer, no more than could be hidden in how much most of them vary. The first time does not count."""
    costs = [(law.at(x), time) for x, time in times[1:]]
    slopes = [(t1 - t0) / (c1 - c0) for n, (c0, t0) in enumerate(costs) for c1, t1 in costs[n + 1 :] if c1 > c0]
    if len(costs) < FEWEST_TIMES or len(slopes) < FEWEST_TIMES:
        return BLOCK
    if rises(times[1:]):
        return max(0.0, quantiles(slopes, n=4)[0])
    # A busy machine keeps a page waiting now and then: a few times that are far off say nothing about the rest.
    shortest, *_, longest = quantiles((time for _, time in costs), n=10)
    return min(BLOCK, (longest - shortest) / (max(costs)[0] - min(costs)[0]))


def _reason(harm: Harm, left: Growths) -> str:
    match harm:
        case Harm.LEAK if left.listeners:
            kinds = " and ".join(f"{count(number, 'listener')} for {kind}" for kind, number in left.listeners[:3])
            return f"Listeners pile up and are never removed: {kinds}, of functions that listen there already."
        case Harm.LEAK:
            return "Timers pile up and are never cleared, though the page gets no longer."
        case Harm.HIDDEN:
            return (
                "The page gets no longer and nothing is saved: something piles up that nobody sees, such as callbacks "
                "that are registered again and again."
            )
        case Harm.BY_DESIGN:
            return (
                "There is more to show or more was saved each time, each adds the same, and nobody would feel it in "
                f"{LATE:,} repetitions."
            )
    return ""
