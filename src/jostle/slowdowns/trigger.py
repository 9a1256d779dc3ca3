"""Reaching a target event: Algorithm 3 of EventBreak, with a memory for what works.

The model believes more than is true: "save" leads on only after a name was given. The paper gets past that by chance.
Here what worked before comes first:

1. what reached this target the last time, from the same situation; of that, also less, to see whether less will do;
2. stretches of the past that led from the present state to the target;
3. short ways in the model (all shortest ones, longer ones with probability γ).

The way that promises the least effort is tried first. An event that was in vain is not tried again before something
else was done, and a way that failed is not tried again for this target; after some failures the choice is left to
chance, as in the paper.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from jostle.events import App, Effect, Event, NotEnabled, State
from jostle.exploring.filling import with_value
from jostle.model.label import label
from jostle.model.machine import Machine
from jostle.model.visit import Visit
from jostle.slowdowns.budget import Budget, Tally
from jostle.slowdowns.history import Action, action_of
from jostle.slowdowns.leftover import Leftover
from jostle.slowdowns.paths import LONGER, Past, PathStep, Way, ways

EVENTS = 200
"""The paper's maxEvents: after so many events a target is given up."""
FRUITLESS = 30
"""A target is also given up after so many events that taught nothing new about the application."""
MISSES = 20
"""So many events in a row may turn out not to be possible."""
BACK = 3
"""How often, for one target, it is tried to take back what the target did."""
ORDERLY = 12
"""After so many ways that failed the next is chosen at random."""
SHORTENED = 6
"""How often a way that works is tried with less."""

OnVisit = Callable[[Visit], Awaitable[None] | None]


class Probed(msgspec.Struct, frozen=True):
    """What is known after an event besides its effect."""

    ran: Mapping[Any, int] | None = None
    """How often blocks of each function ran for it."""
    left: Leftover | None = None


async def _nothing() -> Probed:
    return Probed()


class _Recipe(msgspec.Struct):
    """A way that reached a target, and shorter ones that might."""

    hops: tuple[PathStep, ...]
    failed: int = 0
    shorter: list[tuple[PathStep, ...]] = []
    tried: int = 0


class Walker:
    """Walks through an application to the events it is sent to; the machine is kept up to date.

    The application must run its system events by itself (`Settled`). `visits` is what was done before, to learn from;
    `pages` are events that are possible everywhere (going to an address). `allows` says what may be done.
    """

    def __init__(
        self,
        app: App,
        machine: Machine,
        chance: random.Random,
        *,
        visits: Iterable[Visit] = (),
        pages: Sequence[Event] = (),
        events: int = EVENTS,
        longer: float = LONGER,
        budget: Budget | None = None,
        allows: Callable[[Event], bool] = lambda event: True,
        on_visit: OnVisit | None = None,
        probe: Callable[[], Awaitable[Probed]] = _nothing,
    ) -> None:
        """`probe`: tells more about the event that was done last."""
        self._app = app
        self.probe = probe
        self.machine = machine
        self._chance = chance
        self._values = chance.randrange(2**32)
        self._pages = {label(page): page for page in pages}
        self._most = events
        self._longer = longer
        self.budget = budget if budget is not None else Budget()
        self._allows = allows
        self._on_visit = on_visit
        self.past = Past(visits)
        self.tally = Tally()
        self.why = ""
        """Why the last target was not reached, in words."""
        self.steps: list[Visit] = []
        """What was done since the last start."""
        self._recipes: dict[tuple[Action | None, State, Action], _Recipe] = {}
        self._reached: Action | None = None
        self._run = 0
        self._counts: dict[str, int] = {}
        self._standing: dict[str, tuple[object, ...]] = {}
        """By labels, where what was offered stands."""
        self._state: State | None = None
        self._hung = False
        self._watched: list[tuple[str, Leftover]] | None = None

    @contextlib.contextmanager
    def watching(self) -> Iterator[list[tuple[str, Leftover]]]:
        """Meanwhile, what each event left in the page, with its label, where that can be told."""
        watched: list[tuple[str, Leftover]] = []
        self._watched = watched
        try:
            yield watched
        finally:
            self._watched = None

    async def begin(self) -> None:
        """Start the application anew."""
        await self._app.reset()
        self._run += 1
        self.tally.restarts += 1
        self._counts.clear()
        self.steps = []
        self._reached = None
        self._hung = False
        self._state = await self._app.state()
        self.machine.started(self._state)

    async def trigger(
        self,
        target: Action,
        *,
        along: Sequence[PathStep] = (),
        without: Collection[str] = (),
        failed: Callable[[Visit], bool] = lambda visit: False,
    ) -> Visit | None:
        """Do the target, and before it whatever makes it possible; None when that did not work, `why` says why.

        `along`: a way to be gone as soon as it can be. `without`: labels of events that must not be done. `failed`:
        whether the target's event was done and went wrong. That is the end of it, wherever it led.
        """
        if self._state is None or self._hung:
            await self.begin()
        attempt = _Attempt(self, target, along, frozenset(without), failed)
        self.tally.targets += 1
        visit = await attempt.run()
        self.tally.reached += visit is not None
        self._reached = target if visit is not None else None
        return visit

    @property
    def hung(self) -> bool:
        """Whether the page hangs: it is started anew before the next target."""
        return self._hung

    async def _offered(self) -> dict[str, Event]:
        assert self._state is not None
        enabled = [event for event in await self._app.enabled() if event.by_user and self._allows(event)]
        self.machine.sighted(self._state, enabled)
        offered = dict(self._pages)
        for event in reversed(enabled):
            offered[label(event)] = event
            self._standing[label(event)] = _standing(event)
        return offered

    def opposite(self, name: str, offered: Mapping[str, Event]) -> str:
        """What the element of an event that is not offered offers instead: to uncheck a box that is checked by now.
        Empty when that is not known."""
        where = self._standing.get(name)
        if where is None or name in offered:
            return ""
        return next((other for other, event in offered.items() if _standing(event) == where), "")

    async def _do(self, event: Event, salt: int) -> Visit | None:
        """None when the event turned out not to be possible."""
        assert self._state is not None
        # The same value every time, so that a cost that depends on what is typed stays the same; another one only when
        # the way with it failed.
        offered = event
        event = with_value(offered, random.Random(f"{self._values} {label(event)} {salt}"), valid=True)
        if event is not offered or label(event) in self._pages:
            event = msgspec.structs.replace(event, occurrence=self._counts.get(event.what, 0) + 1)
        before = self._state
        try:
            effect = await self._app.step(event)
        except NotEnabled:
            return None
        self._counts[event.what] = self._counts.get(event.what, 0) + 1
        self._hung = bool(effect.hung)
        after = await self._app.state()
        new = after not in self.machine
        visit = Visit(before=before, event=event, effect=effect, after=after, run=self._run, new_state=new)
        self.machine.learn(before, event, after)
        self._state = after
        slim = msgspec.structs.replace(visit, effect=_slim(effect))
        self.steps.append(slim)
        self.past.add(slim, run=("targeted", self._run))
        self.budget.done += 1
        self.tally.events += 1
        if self._on_visit is not None and (waiting := self._on_visit(visit)) is not None:
            await waiting
        if self._watched is not None and (left := (await self.probe()).left) is not None:
            self._watched.append((label(event), left))
        return visit


def _standing(event: Event) -> tuple[object, ...]:
    """Which element of which document it is done to, and how; nothing that equals anything where that is not told."""
    action = event.action
    return (action.type, action.tab, action.frame, action.xpath) if action.xpath else (object(),)


def _slim(effect: Effect) -> Effect:
    return msgspec.structs.replace(effect, created=(), removed=(), changes=())


class _Attempt:
    """One call of `trigger`."""

    def __init__(
        self,
        walker: Walker,
        target: Action,
        along: Sequence[PathStep],
        without: frozenset[str],
        failed: Callable[[Visit], bool],
    ) -> None:
        assert walker._state is not None
        self._walker = walker
        self._target = target
        self._without = without
        self._along = tuple(along)
        self._key = (walker._reached, walker._state, target)
        self._trail: list[tuple[PathStep, State]] = []
        self._has_failed = failed
        self._failed: set[tuple[PathStep, ...]] = set()
        self._failures = 0
        self._untrue: set[tuple[tuple[PathStep, ...] | str, State]] = set()
        """Events that did not lead where they were expected to, as things are: only who is logged in gets there."""
        self._in_vain: set[PathStep] = set()
        self._trying: tuple[PathStep, ...] = ()
        """The way that is being followed, as a whole."""
        self._taken_back = 0

    async def run(self) -> Visit | None:
        walker, target = self._walker, self._target
        walker.why = ""
        fruitless = misses = events = 0
        left: list[PathStep] = []
        while True:
            if walker.budget.spent:
                walker.why = walker.budget.spent
            elif walker._hung:
                walker.why = "the page hung on the way"
            elif events >= walker._most:
                walker.why = f"{events} events did not lead to it"
            elif fruitless >= FRUITLESS or misses >= MISSES:
                walker.why = f"{events} events did not lead to it, and the last of them brought nothing new"
            if walker.why:
                return None
            assert walker._state is not None
            offered = await walker._offered()
            if left and (left[0].before != walker._state or left[0].label not in offered):
                self._fails()
                left = []
            if self._may_follow(offered):
                left, self._trying, self._along = list(self._along), self._along, ()
            if not left:
                left = self._choose(offered)
                if not left:
                    walker.why = "no way to it is known from where the application was"
                    return None
            hop = left.pop(0)
            known = walker.machine.transitions
            visit = await walker._do(offered[hop.label], self._failures // 2)
            if visit is None:
                misses += 1
                self._in_vain.add(hop)
                self._fails()
                left = []
                continue
            events, misses = events + 1, 0
            fruitless = 0 if walker.machine.transitions > known else fruitless + 1
            self._trail.append((hop, visit.after))
            if left and left[0].before != visit.after:
                self._untrue.add((self._here(self._trying[: -len(left)]), left[0].before))
            if action_of(visit) == target:
                self._remember()
                return visit
            if hop.label == target.label and self._has_failed(visit):
                return visit
            if not left:  # it was to lead to the target, and did not
                self._fails()
            if visit.before == visit.after and hop.label == target.label:
                self._in_vain.add(hop)
            else:
                self._in_vain.clear()

    def _fails(self) -> None:
        """The way that was being followed did not work."""
        self._failures += 1
        self._failed.add(self._trying)
        recipe = self._walker._recipes.get(self._key)
        if recipe is not None and self._trying == recipe.hops:
            recipe.failed += 1
        self._trying = ()

    def _possible(self, hops: tuple[PathStep, ...], offered: Collection[str]) -> bool:
        return (
            hops[0].before == self._walker._state
            and hops[0].label in offered
            and hops[0] not in self._in_vain
            and not any(hop.label in self._without for hop in hops)
        )

    def _is_fresh(self, hops: tuple[PathStep, ...], offered: Collection[str]) -> bool:
        """Whether it is possible, and nothing is known against it."""
        led = ((self._here(hops[:end]), hops[end].before) for end in range(1, len(hops)))
        return self._possible(hops, offered) and hops not in self._failed and self._untrue.isdisjoint(led)

    def _here(self, hops: tuple[PathStep, ...]) -> tuple[PathStep, ...] | str:
        """What decides where the last event of a way leads: the events in the same state before it, fields that are
        filled in; for going to an address nothing else."""
        if hops[-1].label in self._walker._pages:
            return hops[-1].label
        first = next((n for n in range(len(hops), 0, -1) if hops[n - 1].before != hops[-1].before), 0)
        return hops[first:]

    def _may_follow(self, offered: Collection[str]) -> bool:
        """Whether the way that was asked for begins here."""
        return bool(self._along) and self._possible(self._along, offered)

    def _choose(self, offered: Mapping[str, Event]) -> list[PathStep]:
        chosen = self._chosen(offered)
        self._trying = chosen
        return list(chosen)

    def _chosen(self, offered: Mapping[str, Event]) -> tuple[PathStep, ...]:
        walker, state = self._walker, self._walker._state
        assert state is not None

        if not self._trail and not self._failures:
            recipe = walker._recipes.get(self._key)
            if recipe is not None and recipe.failed < 2:
                while recipe.shorter and recipe.tried < SHORTENED:
                    shorter = recipe.shorter.pop(0)
                    recipe.tried += 1
                    if self._possible(shorter, offered):
                        return shorter
                if self._possible(recipe.hops, offered):
                    return recipe.hops
        known = [*walker.past.ways(state, self._target)]
        known += ways(walker.machine, walker.past, state, self._target, walker._chance, longer=walker._longer)
        # Going to an address makes a page forget what it has piled up: only when nothing else is left.
        found = [way for way in known if not any(hop.label in walker._pages for hop in way.hops)]
        fresh = [way for way in found if self._is_fresh(way.hops, offered)]
        if not fresh and (back := self._back(state, offered)):
            return back
        if not fresh or self._failures >= ORDERLY:
            found = [*known, *self._by_pages(state)]
            fresh = [way for way in found if self._is_fresh(way.hops, offered)]
        if fresh and self._failures < ORDERLY:
            least = min(way.effort for way in fresh)
            return walker._chance.choice([way.hops for way in fresh if way.effort <= least + 1e-9])
        left = fresh or [way for way in found if self._possible(way.hops, offered)]
        if not left:
            return self._stirred(state, offered)
        # As in the paper: any of the events that ways begin with.
        beginnings: dict[PathStep, Way] = {}
        for way in walker._chance.sample(left, len(left)):
            beginnings.setdefault(way.hops[0], way)
        return walker._chance.choice(list(beginnings.values())).hops

    def _back(self, state: State, offered: Mapping[str, Event]) -> tuple[PathStep, ...]:
        """Where the target was done and is not offered any more, its element may offer to take it back."""
        name = self._walker.opposite(self._target.label, offered)
        if not name or name in self._without or self._taken_back >= BACK:
            return ()
        self._taken_back += 1
        return (PathStep(state, name),)

    def _stirred(self, state: State, offered: Collection[str]) -> tuple[PathStep, ...]:
        """Where the target should be possible and is in vain, something else must be done first: what is not known."""
        if state != self._target.before or self._target.label not in offered:
            return ()
        edges = self._walker.machine.edges(state)
        others = [name for name in offered if name != self._target.label and name not in self._without]
        never = [name for name in others if not edges.get(name)]
        staying = [name for name in others if state in edges.get(name, ())]
        names = never or staying
        return (PathStep(state, self._walker._chance.choice(names)),) if names else ()

    def _by_pages(self, state: State) -> list[Way]:
        """Going to an address first."""
        walker = self._walker
        found: list[Way] = []
        begins = {place.state.url for place in walker.machine if place.starts}
        for name, page in walker._pages.items():
            url = page.action.href
            landings: Counter[State] = Counter()
            for place in walker.machine:
                landings.update(place.edges.get(name, {}))
                if place.state.url == url and url:  # what was seen at an address is probably there
                    landings[place.state] += place.starts if url in begins else 1
            for landing in sorted(+landings, key=lambda each: each.digest):
                if landing != state:
                    rest = ways(walker.machine, walker.past, landing, self._target, walker._chance, longer=0)
                    likely = landings[landing] / (landings.total() + 1)
                    found += [Way((PathStep(state, name), *way.hops), way.chance * likely) for way in rest]
        return found

    def _remember(self) -> None:
        hops = tuple(hop for hop, _ in self._trail)
        recipe = self._walker._recipes.get(self._key)
        if recipe is not None and hops == recipe.hops:
            recipe.failed = 0
            return
        if recipe is not None and recipe.failed < 2 and len(hops) >= len(recipe.hops):
            return
        tried = recipe.tried if recipe is not None else 0
        self._walker._recipes[self._key] = _Recipe(hops, shorter=_shorter(self._trail), tried=tried)


def _shorter(trail: Sequence[tuple[PathStep, State]]) -> list[tuple[PathStep, ...]]:
    """The same without a stretch that led back to where it began, the shortest first."""
    states = [hop.before for hop, _ in trail]
    hops = tuple(hop for hop, _ in trail)
    found = {
        hops[:begin] + hops[end:]
        for begin in range(len(hops))
        for end in range(begin + 1, len(hops))
        if states[begin] == states[end]
    }
    return sorted(found, key=lambda each: (len(each), [hop.label for hop in each]))
