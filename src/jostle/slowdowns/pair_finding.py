"""Looking for pairs of events of which one seems to make the other dearer: by exploring, or in a recording."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.coverage import ScriptFunction
from jostle.browser.user import visit as visit_page
from jostle.events import Event
from jostle.exploring.application import Explored
from jostle.exploring.avoid import Avoid
from jostle.exploring.explorer import explore
from jostle.exploring.repeat import repeated
from jostle.model.exploration import Exploration
from jostle.model.visit import Visit
from jostle.search.technique import SearchContext
from jostle.slowdowns.climbing import Climbing
from jostle.slowdowns.history import Pair, action_of, history
from jostle.slowdowns.inference import SuspectedPair, infer
from jostle.slowdowns.promising import Promising
from jostle.slowdowns.staying import Page, Staying

SHARES = (0.4, 0.7)
"""Of the time, how much goes into looking for pairs; and how much at most, as long as there are none to be tried."""
_PARTS = (150, 60)
"""Numbers of events among which pairs are looked for when there are none in the whole."""
_LEAST = 50
"""An exploration that ends after fewer events is not tried again."""
_LOOK_EVERY = 10
"""Events after which it is looked whether there are pairs to be tried."""


class PairFinder:
    """Explores, and tells which pairs are suspected by now."""

    def __init__(
        self, context: SearchContext, exploration: Exploration, avoid: Avoid, chance: random.Random, *, events: int
    ) -> None:
        """`events`: how many things are done at most in one go."""
        self._context = context
        self._emit = context.emit
        self._exploration = exploration
        self._avoid = avoid
        self._chance = chance
        self._events = events
        self._climbing: Climbing[ScriptFunction] = Climbing()
        self._page = Page()
        self._recorded = 0

    def _ran(self, visit: Visit, app: ChromiumApp) -> None:
        """After each event: what ran for it."""
        if not visit.effect.hung:
            self._climbing.add(self._exploration.done - 1, visit.run, action_of(visit), app.ran.copy())
        app.ran.clear()

    def suspected(self) -> list[SuspectedPair]:
        """Of all that was done; or of parts of it, for what grew for a while and then was done in vain many times is
        hidden by the rest. First what climbs, whatever the whole cost does."""
        visits = self._exploration.visits
        found = infer(history(visits), several_causes=True)
        for size in _PARTS:
            if found:
                break
            parts = (visits[start : start + size] for start in range(0, len(visits), size // 3))
            several = {each.pair: each for part in parts for each in infer(history(part), several_causes=True)}
            found = sorted(several.values(), key=lambda each: (-each.confidence, -each.support))
        climbing = infer(self._climbing.history(history(visits)), several_causes=True)
        climbing.sort(key=lambda each: -each.rise)  # what climbs is no chance, so the steepest is the most promising
        known = {each.pair for each in climbing}
        both = [*climbing, *(each for each in found if each.pair not in known)]
        return [each for each in both if self._page.concerns(each.pair)]

    async def by_exploring(self, looking: Explored, began: float, seconds: float | None) -> list[SuspectedPair]:
        """Until there are pairs, or nothing is left to do it with; who found nothing may do so by another chance. Only
        the page it is given is explored, and pairs on others do not count."""
        exploration, events = self._exploration, self._events
        for share in SHARES:
            deadline = began + seconds * share if seconds is not None else None
            while exploration.done < events and (deadline is None or time.monotonic() < deadline):
                before = exploration.done
                await explore(
                    looking,
                    Staying(Promising(self._chance), self._page),
                    events=events,
                    chance=self._chance,
                    what=self._context.subject.url,
                    listener=self._emit,
                    avoid=self._avoid,
                    on_start=lambda state: looking.app.ran.clear(),
                    on_visit=lambda visit: self._ran(visit, looking.app),
                    deadline=deadline,
                    into=exploration,
                )
                if candidates := self.suspected():
                    return candidates
                if exploration.done - before < _LEAST:
                    break
        return []

    async def by_exploring_on(
        self, looking: Explored, strategy: Promising, until: float | None, tried: set[Pair]
    ) -> list[SuspectedPair]:
        """Until there are pairs that were not tried; what could not be reached any more may be after another start."""
        found: list[SuspectedPair] = []
        while not found:
            begun = self._exploration.done
            found = await self._explore_once(looking, strategy, until, tried)
            if self._exploration.done - begun < _LEAST:
                break
        return found

    async def _explore_once(
        self, looking: Explored, strategy: Promising, until: float | None, tried: set[Pair]
    ) -> list[SuspectedPair]:
        exploration, found = self._exploration, list[SuspectedPair]()

        def late() -> float | None:
            return 0.0 if found else until

        async def visited(visit: Visit) -> None:
            self._ran(visit, looking.app)
            if exploration.done % _LOOK_EVERY == 0:
                found[:] = not_in(tried, self.suspected())
            if self._context.on_visit is not None:
                await self._context.on_visit(visit, looking.app)

        await explore(
            looking,
            strategy,
            events=exploration.done + self._events,
            chance=self._chance,
            what=self._context.subject.url,
            listener=self._emit,
            avoid=self._avoid,
            on_start=lambda state: looking.app.ran.clear(),
            on_visit=visited,
            deadline=late,
            into=exploration,
        )
        return not_in(tried, self.suspected())

    async def repeat(self, looking: Explored, events: Sequence[Event], deadline: float | None) -> None:
        """What a recording has, done again with costs. May be repeated."""
        exploration = self._exploration
        exploration.runs += 1
        self._recorded += len(events)
        async for visit in repeated(looking, events, self._emit, deadline=deadline):
            if not exploration.visits:
                exploration.machine.started(visit.before)
            new = visit.after not in exploration.machine
            exploration.machine.learn(visit.before, visit.event, visit.after)
            exploration.visits.append(msgspec.structs.replace(visit, run=exploration.runs, new_state=new))
            self._ran(exploration.visits[-1], looking.app)
            exploration.ended = f"{exploration.done} of {self._recorded} recorded events were done"

    def pages(self) -> list[Event]:
        """Going to a page by its address."""
        urls = {visit.after.url for visit in self._exploration.visits if visit.after.url.startswith("http")}
        urls = {url for url in urls if self._page.has(url)} or urls
        return [page for page in map(visit_page, sorted(urls)) if self._avoid.allows(page)]


def not_in(tried: set[Pair], suspected: Sequence[SuspectedPair]) -> list[SuspectedPair]:
    return [each for each in suspected if each.pair not in tried]
