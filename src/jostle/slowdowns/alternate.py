"""Does a cause really make an effect slower? Algorithm 2 of EventBreak: do the two in turn and watch the cost.

Beyond the paper:

- every series starts from a fresh start of the application, so that it can be repeated;
- when the costs stop rising after they had risen for a while, it goes on for a while to see whether they have levelled
  off; when they never stop, it goes on in larger strides, up to `beyond` repetitions of the cause;
- after that the effect is done some more without the cause (`control`): a cost that rises just as fast then is not
  the doing of the cause;
- where it is known what each function did, functions that run more often every time are growth enough, whatever the
  whole cost does meanwhile: a framework has much to do, now more and now less;
- a pair that does not show by short ways is tried once more as it was when the cost was seen to rise, less what the
  rise does not need: clicking "Add" with nothing typed may be possible and in vain.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from enum import StrEnum
from itertools import pairwise
from statistics import median

import msgspec

from jostle.events import Effect
from jostle.model.label import label
from jostle.model.visit import Visit
from jostle.slowdowns.as_seen import Way, split, way_that_shows
from jostle.slowdowns.growth import ENOUGH, Point, levelled_off, rises
from jostle.slowdowns.history import Action, Pair, action_of
from jostle.slowdowns.leftover import Leftover, growths
from jostle.slowdowns.paths import PathStep
from jostle.slowdowns.steady import Steady
from jostle.slowdowns.trigger import Walker

COSTS = 20
"""The paper's maxCosts: after so many rising costs a pair is confirmed."""
BEYOND = 100
STRIDE = 5
"""How often the cause is done at a time once the pair is confirmed."""
PATIENCE = 30
"""How many more costs are taken to see whether a rise has come to an end."""
SAME = 3
"""A cost that is exactly the same so many times, after the first, does not grow."""
CONTROL = 4
WATCHED = 2
"""Rounds that are watched event by event, to see who adds listeners."""
RESTARTS = 1
"""How often a series is begun anew because an event could not be reached any more."""


class Rule(StrEnum):
    """When it is worth going on."""

    STRICT = "strict"
    """While every cost is higher than the one before, as in the paper."""
    TREND = "trend"
    """While the costs rise on the whole: a few that are off do not matter, nor does a first one that is too high."""

    def is_worth(self, costs: Sequence[float]) -> bool:
        """Whether the costs so far may be those of a slowdown."""
        if self is Rule.STRICT:
            return all(a < b for a, b in pairwise(costs))
        costs = costs[1:] if len(costs) > 1 and costs[0] > costs[1] else costs
        if len(costs) < 4:
            return True
        if len(costs) < 6:
            return max(costs) > min(costs) and costs[-1] > costs[0]
        return rises([(float(n), cost) for n, cost in enumerate(costs)])


class Sample(msgspec.Struct, frozen=True):
    """The effect was done once."""

    repetitions: int
    """How often the cause had been done since the start of the application. Where doing it several times in a row does
    no more than doing it once, that counts as once."""
    cost: float
    problem: str = ""
    """What went wrong with it, in words, when it did not at the beginning."""
    left: Leftover | None = None
    """What was in the page then, where that is known."""


class Ended(StrEnum):
    """Why a series ended."""

    FULL = "all costs were taken"
    STOPPED = "the costs did not rise any more"
    NO_EFFECT = "the effect could not be reached"
    NO_CAUSE = "the cause could not be reached"
    FAILED = "the application failed"
    SPENT = "the budget was spent"


class Trial(msgspec.Struct, kw_only=True):
    """What came of doing a cause and an effect in turn."""

    pair: Pair
    samples: list[Sample] = []
    ended: Ended = Ended.SPENT
    reason: str = ""
    """More about why it ended, in words."""
    problem: str = ""
    """What went wrong when the application failed."""
    hung: bool = False
    """It was that its JavaScript did not come to an end."""
    rule: Rule = Rule.TREND
    steady: list[Point] = []
    """Repetitions and costs of the functions alone that ran more often every time, from the second effect on."""
    control: list[Sample] = []
    """Costs of the effect without the cause, after the series."""
    adds: dict[str, int] = {}
    """Where listeners piled up: labels of what added them, and how many in the rounds that were watched for that."""
    between: frozenset[str] = frozenset()
    """Labels of what was done, besides the two, in every stretch from one effect to the next."""
    as_seen: bool = False
    """Whether it was done just as when the cost was first seen to rise, not by the shortest ways."""
    steps: list[Visit] = []
    """Everything that was done from the start of the application on, up to the end of the series: a replay."""
    events: int = 0

    @property
    def points(self) -> list[Point]:
        """Repetitions and costs."""
        return [(float(sample.repetitions), sample.cost) for sample in self.samples]

    @property
    def left(self) -> list[tuple[float, Leftover]]:
        """Repetitions, and what was in the page then."""
        return [(float(sample.repetitions), sample.left) for sample in self.samples if sample.left is not None]

    @property
    def repetitions(self) -> int:
        """How often the cause had been done when the effect was done last."""
        return self.samples[-1].repetitions if self.samples else 0

    @property
    def costs(self) -> list[float]:
        return [sample.cost for sample in self.samples]


def problem_of(effect: Effect) -> str:
    """What went wrong, in words; empty when nothing did. Messages in the console do not count."""
    if effect.hung:
        return effect.hung
    for error in effect.errors:
        if error.kind in ("exception", "rejection"):
            return error.message
    for answer in effect.answers:
        if answer.status >= 500:
            return f"{answer.method} {answer.url} was answered with {answer.status}"
    return ""


async def alternate(
    walker: Walker,
    pair: Pair,
    *,
    costs: int = COSTS,
    beyond: int = BEYOND,
    rule: Rule = Rule.TREND,
    explained: Collection[str] = (),
) -> Trial:
    """Do effect and cause in turn, from a fresh start: by short ways, and when that shows nothing, once more as it was
    done when the cost was seen to rise.

    `explained`: labels of other causes of the effect. What rose together with one of those says nothing about this one.
    """
    first = await _Series(walker, pair, costs, beyond, rule, None).run()
    if first.ended not in (Ended.STOPPED, Ended.NO_EFFECT, Ended.NO_CAUSE) or levelled_off(first.points) is not None:
        return first
    before = walker.tally.events
    way = await way_that_shows(walker, pair, explained=explained)
    second = await _Series(walker, pair, costs, beyond, rule, way).run() if way is not None else first
    second.events = first.events + walker.tally.events - before
    return second


def _filled(walker: Walker, action: Action) -> Way:
    """With the fields before it that were filled in when it was done; nothing when mostly none were."""
    fields, times = walker.past.filled(action)
    mostly = 2 * times >= walker.past.times(action)
    return [PathStep(action.before, name) for name in (*fields, action.label)] if fields and mostly else []


class _Lost(Exception):
    """A target was not reached."""

    def __init__(self, target: Action) -> None:
        self.target = target


class _Series:
    def __init__(self, walker: Walker, pair: Pair, costs: int, beyond: int, rule: Rule, way: Way | None) -> None:
        self._walker = walker
        self._pair = pair
        self._costs = costs
        self._beyond = beyond
        self._rule = rule
        self._trial = Trial(pair=pair, rule=rule, as_seen=way is not None)
        # Forms are filled in as they were when they were sent: sending them empty may be in vain.
        self._to_cause, self._to_effect = _filled(walker, pair.cause), _filled(walker, pair.effect)
        if way is not None:
            self._to_cause, self._to_effect = split(pair, way)
        self._repetitions = 0
        self._stride = STRIDE
        self._confirmed = False
        self._usual: set[str] = set()
        self._gaps: list[frozenset[str]] = []
        self._effect_at = 0
        self._steady: Steady[Hashable] = Steady()

    async def run(self) -> Trial:
        before = self._walker.tally.events
        trial = self._trial
        for restart in range(RESTARTS + 1):
            await self._begin()
            try:
                await self._take()
                break
            except _Lost as lost:
                if self._walker.budget.spent:
                    trial.ended, trial.reason = Ended.SPENT, self._walker.budget.spent
                    break
                trial.ended = Ended.NO_EFFECT if lost.target == self._pair.effect else Ended.NO_CAUSE
                trial.reason = self._walker.why
                if trial.problem:
                    trial.ended = Ended.FAILED
                # What was gained is lost with a new start: it is worth it only when there is little. What could not be
                # reached at all is not reached from the same place again.
                unreachable = not trial.samples and not self._walker.hung
                if trial.problem or len(trial.samples) >= 5 or unreachable or restart == RESTARTS:
                    break
        trial.steps = list(self._walker.steps)
        if self._gaps:
            pair = {self._pair.cause.label, self._pair.effect.label}
            trial.between = frozenset.intersection(*self._gaps) - pair
        if trial.ended is Ended.FULL and not self._pair.itself:
            await self._take_control()
        if trial.ended is Ended.FULL and growths(trial.left).listeners:
            await self._watch()
        trial.events = self._walker.tally.events - before
        return trial

    async def _begin(self) -> None:
        await self._walker.begin()
        trial = self._trial
        trial.samples, trial.problem, trial.hung = [], "", False
        trial.steady, self._steady = [], Steady()
        self._repetitions, self._effect_at, self._stride = 0, 0, STRIDE
        self._usual, self._gaps, self._confirmed = set(), [], False

    async def _take(self) -> None:
        trial = self._trial
        await self._effect()
        while trial.ended is not Ended.FAILED:
            worth = self._is_worth()
            confirmed = worth and self._is_enough()
            if self._rule is Rule.STRICT:  # what was shown once stays shown
                confirmed = self._confirmed = confirmed or self._confirmed
            if not worth and not confirmed and not self._may_level():
                trial.ended, trial.reason = Ended.STOPPED, ""
                return
            far = self._repetitions >= self._beyond or (self._stride == 1 and len(trial.samples) >= 2 * self._costs)
            if confirmed and (far or (not trial.steady and levelled_off(trial.points) is not None)):
                trial.ended, trial.reason = Ended.FULL, ""
                return
            if confirmed and self._walker.budget.spent:  # what was shown stays shown
                trial.ended, trial.reason = Ended.FULL, self._walker.budget.spent
                return
            try:
                if not self._pair.itself:
                    for _ in range(self._stride if confirmed else 1):
                        await self._cause()
                await self._effect()
                self._weigh_stride()
            except _Lost:
                if not confirmed or trial.problem:
                    raise
                trial.ended, trial.reason = Ended.FULL, f"then it could not be gone on with: {self._walker.why}"
                return

    def _is_worth(self) -> bool:
        """Whether the costs so far may be those of a slowdown."""
        costs = self._trial.costs
        worth = self._rule.is_worth(costs)
        if self._rule is Rule.STRICT:
            return worth
        if len(costs) > SAME and len(set(costs[-SAME:])) == 1 and not self._trial.steady:
            return False  # exactly the same again and again: nothing has been added
        if worth:
            return True
        return bool(self._trial.steady) or self._steady.undecided

    def _is_enough(self) -> bool:
        """Whether the costs that were taken show it. Fewer do where it is known what piles up, and what runs more and
        more often because of that."""
        taken = len(self._trial.samples)
        if taken >= self._costs:
            return True
        return taken > ENOUGH and bool(self._trial.steady) and bool(growths(self._trial.left).listeners)

    def _weigh_stride(self) -> None:
        """After the first larger stride: the cause may do no more several times than once. Typing a name is such a
        cause, when it is sending the form that adds it."""
        *_, last, latest = (None, None, *self._trial.samples)
        steps = [b.cost - a.cost for a, b in pairwise(self._trial.samples[-6:-1]) if b.repetitions - a.repetitions == 1]
        if last is None or latest is None or latest.repetitions - last.repetitions != STRIDE or len(steps) < 4:
            return
        if median(steps) > 0 and latest.cost - last.cost < STRIDE / 2 * median(steps):
            self._stride, self._repetitions = 1, last.repetitions + 1
            self._trial.samples[-1] = msgspec.structs.replace(latest, repetitions=self._repetitions)

    def _may_level(self) -> bool:
        """Whether it is worth going on although the costs do not rise any more: they had, and may have levelled off."""
        costs = self._trial.costs
        peak = max(range(len(costs)), key=costs.__getitem__)
        since = len(costs) - 1 - peak
        if since > PATIENCE or costs[-1] < costs[0] or levelled_off(self._trial.points) is not None:
            return False
        if len(costs) > 2 * self._costs + PATIENCE or (self._rule is Rule.STRICT and not since):
            return False
        rose = sum(a < b for a, b in pairwise(costs[: peak + 1]))
        return rose >= 3 and costs[-1] >= costs[peak] - 0.1 * (costs[peak] - costs[0]) and since <= max(4, peak)

    async def _effect(self) -> None:
        trial = self._trial
        visit, problem = await self._trigger(self._pair.effect, self._to_effect)
        probed = await self._walker.probe()
        steps = self._walker.steps
        if trial.samples:
            self._gaps.append(frozenset(label(step.event) for step in steps[self._effect_at : -1]))
        self._effect_at = len(steps)
        self._check_hanging(visit)
        cost = visit.effect.cost
        if cost is None:
            if not problem_of(visit.effect):
                raise ValueError(f"{self._pair.effect}: the application does not count costs")
            trial.problem = problem
            raise _Lost(self._pair.effect)
        fell = bool(trial.samples) and cost < trial.samples[-1].cost
        trial.samples.append(Sample(self._repetitions, cost, problem, probed.left))
        if probed.ran is not None:
            self._steady.add(probed.ran)
            xs = (float(sample.repetitions) for sample in trial.samples[1:])
            trial.steady = list(zip(xs, self._steady.costs, strict=False))
        if self._pair.itself:
            self._repetitions += 1
        if problem and fell:
            trial.ended, trial.problem = Ended.FAILED, problem

    async def _cause(self) -> None:
        visit, _ = await self._trigger(self._pair.cause, self._to_cause)
        self._check_hanging(visit)
        self._repetitions += 1

    def _check_hanging(self, visit: Visit) -> None:
        """A page that hangs must be started anew, which undoes everything: the series has come to its end."""
        if visit.effect.hung:
            trial = self._trial
            trial.hung = len(trial.samples) >= 2
            trial.problem = visit.effect.hung if trial.hung else ""
            raise _Lost(action_of(visit))

    async def _trigger(self, target: Action, along: Way) -> tuple[Visit, str]:
        """The visit, and what went wrong with it that did not go wrong at the beginning."""
        begin = len(self._walker.steps)
        failed = self._fails_newly if target == self._pair.effect else lambda visit: False
        visit = await self._walker.trigger(target, along=along, failed=failed)
        problems = [problem for step in self._walker.steps[begin:] if (problem := problem_of(step.effect))]
        if len(self._trial.samples) < 2 and visit is not None:
            self._usual.update(problems)
        new = [problem for problem in problems if problem not in self._usual]
        if visit is None:
            # What went wrong elsewhere, on the way or in looking for one, is another matter.
            own = [
                problem_of(step.effect)
                for step in self._walker.steps[begin:]
                if label(step.event) == target.label or step.effect.hung
            ]
            known = [each for each in own if each in new] if len(self._trial.samples) >= 2 else []
            self._trial.problem = known[-1] if known else ""
            self._trial.hung = bool(self._trial.problem) and self._walker.hung
            raise _Lost(target)
        problem = problem_of(visit.effect)
        return visit, problem if problem in new else ""

    def _fails_newly(self, visit: Visit) -> bool:
        """Whether something went wrong that did not at the beginning. What the application shows then is another state,
        and to look for a way around it would undo what was done so far."""
        return len(self._trial.samples) >= 2 and problem_of(visit.effect) not in ("", *self._usual)

    async def _watch(self) -> None:
        """Who of all that is done in a round adds listeners: costs cannot tell opening from closing."""
        last = self._trial.samples[-1].left
        with self._walker.watching() as watched:
            for _ in range(WATCHED):
                if not self._pair.itself and await self._walker.trigger(self._pair.cause, along=self._to_cause) is None:
                    break
                if await self._walker.trigger(self._pair.effect, along=self._to_effect) is None:
                    break
        for name, left in watched:
            more = left.listeners - last.listeners if last is not None else 0
            self._trial.adds[name] = self._trial.adds.get(name, 0) + max(0, more)
            last = left

    async def _take_control(self) -> None:
        """The same without the cause."""
        cause = self._pair.cause.label
        along = [hop for hop in (*self._to_cause, *self._to_effect) if hop.label != cause]
        for _ in range(CONTROL):
            visit = await self._walker.trigger(self._pair.effect, along=along, without={cause})
            if visit is None or visit.effect.cost is None:
                return
            self._trial.control.append(Sample(self._repetitions, visit.effect.cost))
