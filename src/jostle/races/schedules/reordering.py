"""One search: a scenario is done as it goes by itself, then in other orders, and what differs is shown twice."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from enum import StrEnum

import msgspec

from jostle.errors import ApplicationProblem
from jostle.events import Access, Event, Step, Trace
from jostle.oracles.outcome import Noise, differences, noise_between
from jostle.plural import count
from jostle.progress import Finished, Listener, Note, Started, Stepped
from jostle.races.rehearsal import Rehearsal
from jostle.races.schedules.blame import Blame, blame
from jostle.races.schedules.conflicts import Conflict
from jostle.races.schedules.enact import OrderStage
from jostle.races.schedules.filters import Filters
from jostle.races.schedules.minimise import fewest_reversals
from jostle.races.schedules.model_check import ModelCheck
from jostle.races.schedules.prioritise import Priority as Priority
from jostle.races.schedules.run import PlannedOrder, ScheduleRun, again
from jostle.races.schedules.scenario import Original, original
from jostle.races.schedules.verdict import Enacted, Judged, OrderVerdict, confirmed, judged, words
from jostle.races.schedules.wave import Wave

SLOW = 2.0
MUCH_SLOWER = 2.0
"""A run with what events read and write takes so many seconds, and so many times as long: then it is not noted in every
run."""
_MINIMISING = 25
"""Runs, at most, to find out which changes of the order matter."""


class OrderStrategy(StrEnum):
    """How orders are chosen."""

    MODEL_CHECK = "model-check"
    PRECEDENCE = "precedence"
    ADJACENCY = "adjacency"
    RANDOM = "random"


class OrderChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Which orders are tried, and how many."""

    strategy: OrderStrategy = OrderStrategy.MODEL_CHECK
    bound: int | None = 1
    """How many conflicts a run may have reversed."""
    orders: int | None = None
    """At most so many."""
    filters: Filters = Filters()
    seed: int = 0
    minimise: bool = True
    """Look for the fewest changes of the order that show the same."""


class BrokenOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order that ends otherwise, every time."""

    judged: Judged
    """With recordings of both orders."""
    original: Enacted
    """The order in which everything goes by itself."""
    conflicts: tuple[Conflict, ...] = ()
    """What was reversed."""
    blame: Blame
    noise: Noise = Noise()


class _Either:
    """A Runner that has what events read and write noted only where that is wanted."""

    def __init__(self, watched: OrderStage, plain: OrderStage) -> None:
        self._watched = watched
        self._plain = plain

    async def run(self, order: PlannedOrder, parent: ScheduleRun | None = None) -> Enacted:
        return await (self._watched if order.watched else self._plain).run(order, parent)


_Runs = OrderStage | _Either


class NotRepeatable(ApplicationProblem):
    """Orders of a scenario that goes another way each time cannot be compared."""


class Reordering:
    """`run()` once. What it came to can be read at any time."""

    def __init__(
        self,
        plain: Rehearsal,
        watched: Rehearsal | None,
        choice: OrderChoice,
        *,
        listener: Listener,
        deadline: float | None = None,
    ) -> None:
        """`plain`: the application as it is. `watched`: what events read and write is told; needed for model checking
        only."""
        self._plain = plain
        self._watched = watched
        self._choice = choice
        self._listener = listener
        self._deadline = deadline
        self.original: Original | None = None
        self.noise = Noise()
        self.dismissed: list[Judged] = []
        """Orders that do no harm, or could not be had."""
        self.races = 0
        """Pairs of events, or for model checking relevant conflicts, of the original run."""
        self.pending = 0
        """Orders that are known and were not tried."""
        self.tried = 0
        self.seconds = 0.0
        """That orders took."""
        self.wrong_at: float | None = None
        """When the first order had been run that turned out to end otherwise, by `time.monotonic`."""

    async def run(self, scenario: Sequence[Event]) -> AsyncIterator[BrokenOrder]:
        """Everything that is found, as it is found."""
        self._listener(Started(what="doing the scenario as it goes by itself"))
        began = time.monotonic()
        first = self.original = await original(self._plain, scenario, self._listener)
        by_itself = time.monotonic() - began
        watched = OrderStage(self._watched or self._plain, first)
        base, repeated = await self._again(watched, first)
        stage: _Runs = watched
        if self._watched is not None and repeated > max(SLOW, MUCH_SLOWER * by_itself):
            plain = OrderStage(self._plain, first)
            stage = _Either(watched, plain)
            unwatched, _ = await self._again(plain, first)
            base = msgspec.structs.replace(base, outcome=unwatched.outcome)
        self._listener(Finished(summary=count(len(first.trace.steps), "event")))
        self._listener(Started(what="trying other orders", total=self._choice.orders))
        orders = self._reversals if self._choice.strategy is OrderStrategy.MODEL_CHECK else self._others
        began = time.monotonic()
        async for verdict, conflicts in orders(stage, base):
            self.tried += 1
            ended = time.monotonic()
            self.seconds += ended - began
            self._listener(Stepped(done=self.tried, what=words(verdict)))
            if verdict.verdict is OrderVerdict.RACE or verdict.unseen:
                verdict = await self._shown(stage, base, verdict)
            if verdict.verdict is OrderVerdict.RACE:
                blamed = blame(verdict.parent, verdict.child, verdict.conflict, self._choice.filters)
                assert blamed is not None  # there is no difference without another order
                self.wrong_at = self.wrong_at or ended
                yield BrokenOrder(judged=verdict, original=base, conflicts=conflicts, blame=blamed, noise=self.noise)
            else:
                self.dismissed.append(verdict)
            began = time.monotonic()
        more = f", at least {self.pending:,} more" if self.pending else ""
        self._listener(Finished(summary=f"{count(self.tried, 'order')} tried{more}"))

    async def _again(self, stage: OrderStage, first: Original) -> tuple[Enacted, float]:
        """The original twice more, and the seconds that the last took. What differs between the two is noise."""
        order = PlannedOrder(events=tuple(map(again, first.trace.steps)), exact=len(first.trace.steps))
        one, _ = await self._once_more(stage, order)
        other, seconds = await self._once_more(stage, order)
        self.noise = noise_between(one.outcome, other.outcome)
        if told := list(self.noise):
            self._listener(Note(text=f"Left out of comparisons, for it differs from run to run: {told[0]}"))
        trace = msgspec.structs.replace(other.trace, steps=_placed(other, first))
        return msgspec.structs.replace(other, trace=trace), seconds

    async def _once_more(self, stage: OrderStage, order: PlannedOrder) -> tuple[Enacted, float]:
        """The original, which must be possible again, and the seconds it took."""
        self._listener(Stepped(done=len(order.events), what="once more, to see what differs by itself"))
        began = time.monotonic()
        run = await stage.run(order)
        if run.failed:
            raise NotRepeatable(
                f"The scenario does not go the same way twice: {run.failed}.",
                advice="Orders cannot be compared then. See docs/limits.md for what jostle cannot control.",
            )
        return run, time.monotonic() - began

    async def _reversals(self, stage: _Runs, base: Enacted) -> AsyncIterator[tuple[Judged, tuple[Conflict, ...]]]:
        """One conflict after the other, fewest reversals first."""
        search = ModelCheck(
            stage,
            base,
            bound=self._choice.bound,
            limit=self._choice.orders,
            deadline=self._deadline,
            filters=self._choice.filters,
            best_first=True,
            lazily=isinstance(stage, _Either),
            prefer=_risk,
        )
        self.races = len(search.conflicts.uncovered)
        reversed_: dict[int, tuple[Conflict, ...]] = {1: ()}
        async for tried in search.explore():
            self.pending = search.counts.pending
            reversed_[tried.number] = (*reversed_[tried.parent_number], tried.conflict)
            assert isinstance(tried.run, Enacted) and isinstance(tried.parent, Enacted)
            yield self._judged(base, tried.parent, tried.run, tried.conflict), reversed_[tried.number]

    async def _others(self, stage: _Runs, base: Enacted) -> AsyncIterator[tuple[Judged, tuple[Conflict, ...]]]:
        """Any feasible orders."""
        search = Wave(
            stage,
            base,
            strategy=Priority(self._choice.strategy.value),
            seed=self._choice.seed,
            limit=self._choice.orders,
            deadline=self._deadline,
        )
        self.pending = max(0, (search.feasible or 0) - 1)
        async for tried in search.explore():
            self.pending = max(0, (search.feasible or 0) - tried.number)
            assert isinstance(tried.run, Enacted)
            yield self._judged(base, base, tried.run, None), ()

    def _judged(self, base: Enacted, parent: Enacted, child: Enacted, conflict: Conflict | None) -> Judged:
        """Against the run it was derived from, unless that is as bad itself."""
        verdict = judged(parent, child, conflict, self.noise)
        if verdict.verdict is not OrderVerdict.RACE or parent is base:
            return verdict
        if not differences(base.outcome, child.outcome, self.noise):
            return msgspec.structs.replace(verdict, verdict=OrderVerdict.HARMLESS, reason="it ends as it should")
        if differences(base.outcome, parent.outcome, self.noise):
            return judged(base, child, conflict, self.noise)
        return verdict

    async def _shown(self, stage: _Runs, base: Enacted, first: Judged) -> Judged:
        """Both orders once more, in the page as it is, and recorded; where many things changed places, with as few of
        them as show it."""
        assert self.original is not None
        bad = _as_it_went(first.child)
        if first.conflict is None and not first.unseen and self._choice.minimise:

            async def shows(order: PlannedOrder) -> bool:
                run = await stage.run(order)
                return not run.failed and judged(base, run, None, self.noise).verdict is OrderVerdict.RACE

            smaller = await fewest_reversals(base, first.child, shows, runs=_MINIMISING, deadline=self._deadline)
            if smaller.shown and smaller.reversed:
                run = await stage.run(smaller.order)
                again_ = judged(base, run, None, self.noise)
                if again_.verdict is OrderVerdict.RACE:
                    first, bad = again_, _as_it_went(run)
        recorded = OrderStage(self._plain, self.original, recorded=True)
        good = await recorded.run(_as_it_went(first.parent))
        if good.failed or differences(first.parent.outcome, good.outcome, self.noise):
            reason = good.failed or "the good order ended differently when it was done again"
            return msgspec.structs.replace(first, verdict=OrderVerdict.UNSURE, reason=reason)
        ended = await recorded.run(bad)
        child = await stage.run(bad) if isinstance(stage, _Either) else first.child
        skipped = msgspec.structs.replace(ended, skipped=first.child.skipped, trace=_known(ended, child))
        # Of the parent only what matters to the search was kept.
        good = msgspec.structs.replace(good, trace=_known(good, first.parent, base, child))
        seen = judged(good, skipped, first.conflict, self.noise)
        if first.unseen and seen.verdict is OrderVerdict.RACE:
            once_more = await recorded.run(bad)
            first = msgspec.structs.replace(seen, child=once_more)
        return confirmed(first, seen, self.noise) if not first.unseen else seen


def _known(run: Enacted, *watched: Enacted) -> Trace:
    """The run with what its events read and wrote when that was watched, in the first of several that tells."""
    effects: dict[str, tuple[Access, ...]] = {}
    for each in reversed(watched):
        effects |= {step.event.key: step.effect.accesses for step in each.trace.steps if step.effect.accesses}
    steps = tuple(
        msgspec.structs.replace(
            step, effect=msgspec.structs.replace(step.effect, accesses=effects.get(step.event.key, ()))
        )
        for step in run.trace.steps
    )
    return msgspec.structs.replace(run.trace, steps=steps)


def _as_it_went(run: Enacted) -> PlannedOrder:
    events = tuple(map(again, run.trace.steps))
    return PlannedOrder(events=events, exact=len(events))


def _placed(run: Enacted, first: Original) -> tuple[Step, ...]:
    """What made the user's events possible is known from the original run."""
    known = {step.event.key: step.event for step in first.trace.steps if step.event.detail.after}
    return tuple(msgspec.structs.replace(step, event=known.get(step.event.key, step.event)) for step in run.trace.steps)


def _risk(conflict: Conflict) -> float:
    """What is tried first: races that are known to be bad, then those that the user can see; last those with whoever
    waits for a promise, which can be waited for sooner or later."""
    racing = [each for each in conflict.racing if each.location.name != "[[state]]"]
    if conflict.racing and not racing:
        return 3
    if any(tag.high_risk for each in racing for tag in each.tags):
        return 0
    return 1 if any(each.first.visible for each in racing) else 2
