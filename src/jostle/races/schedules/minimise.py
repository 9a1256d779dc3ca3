"""From an order that breaks an application to one that does so with fewest events out of place (delta debugging).

Leaving out *events*, as `jostle.findings.minimise` does, would change what the user does. Here reversals are left out:
of the pairs of events that come in another order than in the good run, some are kept, and all else goes as in the good
run as far as these and happens-before allow. Every such order lies between the good one and the bad one, so it is
feasible as far as the bad one was.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from itertools import takewhile

import msgspec

from jostle.events.causality import Causality
from jostle.events.event import Event
from jostle.races.schedules.conflicts import Conflicts
from jostle.races.schedules.run import PlannedOrder, ScheduleRun, again

Pair = tuple[str, str]
"""Keys of two events: the second comes before the first, other than in the good run."""

MOST_PAIRS = 4_000
"""If more pairs of events than this are reversed, only all that one event overtakes is left out together."""


class Smaller(msgspec.Struct, frozen=True, kw_only=True):
    """What was left of a bad order."""

    order: PlannedOrder
    reversed: tuple[Pair, ...]
    """The pairs that had to be kept, (overtaken, early): it takes all of them when `minimal`."""
    shown: bool
    """Whether the bad order showed the difference when it was tried again. If not, `order` is as given."""
    minimal: bool
    """None of `reversed` can be left out. False when the bounds did not allow to find out."""
    runs: int


async def fewest_reversals(
    good: ScheduleRun,
    bad: ScheduleRun,
    shows: Callable[[PlannedOrder], Awaitable[bool]],
    *,
    runs: int = 60,
    deadline: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Smaller:
    """An order that still shows the difference, and from which no reversal can be left out.

    `shows` tries an order and tells whether the difference shows. At most `runs` are tried, and none when the clock has
    passed the `deadline`.
    """
    orders = _Orders(good, bad)
    search = _Search(orders, shows, runs, deadline, clock)
    if not await search.shown(orders.bad):
        return Smaller(order=orders.order(orders.bad), reversed=(), shown=False, minimal=False, runs=search.runs)
    groups = [orders.racing()]
    if not groups[0] or not await search.shown(orders.with_(groups[0])):
        # What matters is not only what was seen to race.
        groups = orders.by_event()
        groups = await search.least([[*group] for group in groups])
    pairs = [pair for group in groups for pair in group]
    if len(pairs) <= MOST_PAIRS:
        kept = await search.least([[pair] for pair in pairs])
    else:
        kept = groups
        search.exhausted = True
    left = tuple(pair for group in kept for pair in group)
    return Smaller(
        order=orders.order(orders.with_(left)),
        reversed=left,
        shown=True,
        minimal=not search.exhausted,
        runs=search.runs,
    )


class _Orders:
    """The orders between a good one and a bad one."""

    def __init__(self, good: ScheduleRun, bad: ScheduleRun) -> None:
        self._events = {event.key: event for event in (*bad.asked, *(again(step) for step in bad.trace.steps))}
        self._events |= {step.event.key: again(step) for step in good.trace.steps}
        self._runs = (good, bad)
        self._good = good.keys
        place = {key: number for number, key in enumerate(self._good)}
        self.bad = tuple(event.key for event in bad.asked) or bad.keys
        # What the good run does not have stays behind what it is behind in the bad one.
        self._rank: dict[str, tuple[int, int]] = {}
        last = -1
        for number, key in enumerate(self.bad):
            last = place.get(key, last)
            self._rank[key] = (last, -1 if key in place else number)
        self._place = {key: number for number, key in enumerate(self.bad)}
        self._as_in_good = sorted(self.bad, key=self._rank.__getitem__)
        self._before: dict[str, list[str]] = {key: [] for key in self.bad}
        for run in (good, bad):
            for first, second in _edges(Causality(run.trace)):
                if self._place.get(first, len(self.bad)) < self._place.get(second, -1):
                    self._before[second].append(first)

    def with_(self, pairs: Iterable[Pair]) -> tuple[str, ...]:
        """The order in which these pairs are reversed, and otherwise as little as possible: what must come before an
        event that comes later in the good run is pulled forward to it."""
        before = {key: list(earlier) for key, earlier in self._before.items()}
        for overtaken, early in pairs:
            before[overtaken].append(early)
        done: dict[str, None] = {}
        for key in self._as_in_good:
            stack = [key]
            while stack:
                missing = [earlier for earlier in before[stack[-1]] if earlier not in done]
                if missing:
                    stack.append(min(missing, key=self._rank.__getitem__))
                else:
                    done[stack.pop()] = None
        return tuple(done)

    def racing(self) -> list[Pair]:
        """Reversed pairs that were seen to race in one of the runs."""
        found: dict[Pair, None] = {}
        for run in self._runs:
            keys = run.keys
            for first, second in Conflicts(run.trace).races:
                pair = keys[first], keys[second]
                if all(key in self._place for key in pair):
                    overtaken, early = sorted(pair, key=lambda key: self._rank[key])
                    if self._place[early] < self._place[overtaken]:
                        found[overtaken, early] = None
        return list(found)

    def by_event(self) -> list[list[Pair]]:
        """All reversed pairs, by the event that overtakes."""
        groups: list[list[Pair]] = []
        for number, early in enumerate(self.bad):
            rank = self._rank[early]
            group = [(overtaken, early) for overtaken in self.bad[number + 1 :] if self._rank[overtaken] < rank]
            if group:
                groups.append(group)
        return groups

    def order(self, keys: Sequence[str]) -> PlannedOrder:
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(keys, self._good, strict=False)))
        events: tuple[Event, ...] = tuple(self._events[key] for key in keys)
        return PlannedOrder(events=events, exact=same)


class _Search:
    def __init__(
        self,
        orders: _Orders,
        shows: Callable[[PlannedOrder], Awaitable[bool]],
        most: int,
        deadline: float | None,
        clock: Callable[[], float],
    ) -> None:
        self._orders = orders
        self._shows = shows
        self._most = most
        self._deadline = deadline
        self._clock = clock
        self._known: dict[tuple[str, ...], bool] = {}
        self.runs = 0
        self.exhausted = False

    async def shown(self, keys: tuple[str, ...]) -> bool:
        if keys not in self._known:
            if self.runs >= self._most or (self._deadline is not None and self._clock() >= self._deadline):
                self.exhausted = True
                return False
            self.runs += 1
            self._known[keys] = await self._shows(self._orders.order(keys))
        return self._known[keys]

    async def least(self, groups: list[list[Pair]]) -> list[list[Pair]]:
        """As few of the groups as still show it: none of them can be left out."""
        parts = min(2, len(groups))
        while len(groups) > 1 and not self.exhausted:
            size, more = divmod(len(groups), parts)
            bounds = [number * size + min(number, more) for number in range(parts + 1)]
            spans = [(bounds[number], bounds[number + 1]) for number in range(parts)]
            alone = [groups[start:end] for start, end in spans]
            without = [groups[:start] + groups[end:] for start, end in spans] if parts > 2 else []
            for candidate in (*alone, *without):
                if await self._all_shown(candidate):
                    parts = 2 if candidate in alone else max(2, parts - 1)
                    groups = candidate
                    parts = min(parts, len(groups))
                    break
            else:
                if parts >= len(groups):
                    break
                parts = min(2 * parts, len(groups))
        return groups

    async def _all_shown(self, groups: Collection[list[Pair]]) -> bool:
        return await self.shown(self._orders.with_(pair for group in groups for pair in group))


def _edges(causality: Causality) -> Iterable[Pair]:
    """Happens-before without what follows from the rest of it."""
    sets, keys = causality.sets, causality.keys
    for second, before in enumerate(sets):
        while before:
            latest = before.bit_length() - 1
            yield keys[latest], keys[second]
            before &= ~(sets[latest] | 1 << latest)
