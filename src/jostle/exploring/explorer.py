"""The exploration itself: do what the strategy chooses, learn, and get out of wherever it gets stuck."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from jostle.browser.user import visit as visit_of
from jostle.events import App, Effect, Event, NotEnabled, State
from jostle.exploring.avoid import Avoid
from jostle.exploring.situation import Situation, Strategy
from jostle.exploring.supplies import Supplies
from jostle.model.exploration import Exploration
from jostle.model.label import label
from jostle.model.visit import Visit
from jostle.plural import count
from jostle.progress import Finished, LimitMet, Listener, Note, Started, Stepped, silent

TRIES = 10
"""How many events in a row may turn out not to be possible before a new run is begun."""
FRUITLESS = 3
"""How many runs in a row may end before anything could be done."""
ENDS = 2
"""How often a run may end with an event, as when it hangs, before it is left alone: each time costs a new run."""
MOST_PAGES = 1000
"""How many pages are kept to go back to: a calendar has no end."""

TIME_UP = "the time was up"

OnVisit = Callable[[Visit], Awaitable[None] | None]


async def explore(
    app: App,
    strategy: Strategy,
    *,
    events: int,
    chance: random.Random,
    what: str = "the application",
    listener: Listener = silent,
    avoid: Avoid | None = None,
    on_visit: OnVisit | None = None,
    on_start: Callable[[State], Awaitable[None] | None] | None = None,
    new_blocks: Callable[[], Awaitable[int]] | None = None,
    deadline: float | Callable[[], float | None] | None = None,
    clock: Callable[[], float] = time.monotonic,
    resets: int = 100,
    worn: Callable[[], bool] = lambda: False,
    into: Exploration | None = None,
) -> Exploration:
    """Do up to `events` events in the application, which must run its system events by itself (`Settled`).

    `on_start` is told of each run and `on_visit` of each event, as soon as it was done. `new_blocks` tells how many
    blocks of code ran for the first time since it was last asked. `deadline` is a time of `clock`, or tells it. At most
    `resets` new runs are begun, for pages that hang, crash or leave nothing to do; besides, one whenever `worn` says so
    of what the application runs in. What was done so far is in `into`,
    also when this raises or is cancelled. The same choices in the same application make the same exploration.
    """
    exploration = into if into is not None else Exploration()

    def is_late() -> bool:
        until = deadline() if callable(deadline) else deadline
        return until is not None and clock() > until

    work = _Work(
        app, exploration, avoid if avoid is not None else Avoid(), chance, listener, on_visit, on_start, new_blocks
    )
    listener(Started(what=f"exploring {what}", total=events))
    try:
        exploration.ended = await work.run(strategy, events, resets, is_late, worn)
    except (asyncio.CancelledError, KeyboardInterrupt):
        exploration.ended = "interrupted"
        listener(Finished(summary=_summary(exploration), interrupted=True))
        raise
    listener(Finished(summary=_summary(exploration)))
    return exploration


def _summary(exploration: Exploration) -> str:
    return f"{count(exploration.done, 'event')}, {count(len(exploration.machine), 'state')}: {exploration.ended}"


def _unanswered(effect: Effect) -> str:
    """Which page did not come, in words. Is the application still there? Only a new run can tell."""
    for answer in effect.answers:
        if answer.resource == "document" and not answer.status and answer.error not in ("Aborted", "BlockedByClient"):
            return f"{answer.url} got no response ({answer.error})"
    return ""


class _Work:
    def __init__(
        self,
        app: App,
        exploration: Exploration,
        avoid: Avoid,
        chance: random.Random,
        listener: Listener,
        on_visit: OnVisit | None,
        on_start: Callable[[State], Awaitable[None] | None] | None,
        new_blocks: Callable[[], Awaitable[int]] | None,
    ) -> None:
        self._app = app
        self._exploration = exploration
        self._machine = exploration.machine
        self._avoid = avoid
        self._chance = chance
        self._listener = listener
        self._on_visit = on_visit
        self._on_start = on_start
        self._new_blocks = new_blocks
        self._counts: Counter[str] = Counter()
        self._pages: dict[str, Event] = {}
        self._unvisitable: set[str] = set()
        self._limits: set[str] = set()
        self._ends: Counter[str] = Counter()
        self._supplies = Supplies()
        self._state = State("")

    async def run(
        self, strategy: Strategy, events: int, resets: int, is_late: Callable[[], bool], worn: Callable[[], bool]
    ) -> str:
        await self._start()
        fruitless = renewed = 0
        while True:
            if self._exploration.done >= events:
                return "all events were done"
            if is_late():
                return TIME_UP
            before = self._exploration.done
            stuck = await self._go_on(strategy, is_late)
            if stuck == "":
                fruitless = 0
                if worn():
                    renewed += 1
                    await self._start()
                continue
            if stuck is None:
                return strategy.reason
            fruitless = fruitless + 1 if self._exploration.done == before else 0
            if fruitless >= FRUITLESS:
                return f"nothing could be done any more: {stuck}"
            if self._exploration.runs - renewed > resets:
                return f"the application was started {self._exploration.runs} times, which is enough: {stuck}"
            await self._start()

    async def _start(self) -> None:
        await self._app.reset()
        self._exploration.runs += 1
        self._counts.clear()
        self._state = await self._app.state()
        self._machine.started(self._state)
        self._remember_page(Effect())
        if self._on_start is not None and (waiting := self._on_start(self._state)) is not None:
            await waiting

    async def _go_on(self, strategy: Strategy, is_late: Callable[[], bool]) -> str | None:
        """Do one event. Empty when that went well, else why a new run is needed; None when the strategy ends it."""
        enabled = [event for event in await self._app.enabled() if event.by_user]
        self._supplies.offered(self._state.url, enabled)
        allowed = self._allowed(enabled)
        self._machine.sighted(self._state, allowed)
        # The page one is on can be visited too: where the address never changes, there is no other way to begin anew.
        # Where there is nothing to do, it would be the same dead end again.
        pages = self._allowed([page for url, page in self._pages.items() if allowed or url != self._state.url])
        failed = ""
        for _ in range(TRIES):
            if is_late():
                return ""
            if not allowed and not pages:
                return failed or "there was nothing to do"
            if allowed:
                situation = Situation(state=self._state, events=allowed, pages=pages, machine=self._machine)
                chosen = strategy.choose(situation)
                if chosen is None:
                    return None
            else:
                chosen = self._chance.choice(pages)
            event = self._numbered(chosen, enabled)
            try:
                effect = await self._app.step(event)
            except NotEnabled as refused:
                failed = str(refused)
                self._exploration.impossible += 1
                allowed, pages = self._without(chosen, allowed, pages)
                continue
            await self._arrive(strategy, event, effect)
            end = effect.hung or _unanswered(effect)
            self._ends[label(event)] += bool(end)
            return end
        return failed

    def _without(self, chosen: Event, allowed: list[Event], pages: list[Event]) -> tuple[list[Event], list[Event]]:
        """What is left when the chosen one is not possible. A page that cannot be visited is not tried again."""
        action = chosen.action
        if action.type == "visit":
            self._unvisitable.add(action.href)
            self._pages.pop(action.href, None)
        same = {chosen.key, chosen.what}
        return (
            [
                each
                for each in allowed
                if each.key not in same
                and not (action.locator and (each.action.locator, each.action.type) == (action.locator, action.type))
            ],
            [each for each in pages if each.what not in same],
        )

    async def _arrive(self, strategy: Strategy, event: Event, effect: Effect) -> None:
        before = self._state
        after = await self._app.state()
        visit = Visit(
            before=before,
            event=event,
            effect=effect,
            after=after,
            run=self._exploration.runs,
            new_state=after not in self._machine,
            new_blocks=await self._new_blocks() if self._new_blocks is not None else 0,
        )
        self._counts[event.what] += 1
        self._supplies.done(before.url, event, effect)
        self._exploration.hangs += bool(effect.hung)
        self._machine.learn(before, event, after)
        self._state = after
        slim = msgspec.structs.replace(effect, created=(), removed=(), changes=())
        self._exploration.visits.append(msgspec.structs.replace(visit, effect=slim))
        self._remember_page(effect)
        strategy.observe(visit)
        for words in effect.limits:
            if words not in self._limits:
                self._limits.add(words)
                self._listener(LimitMet(text=words))
        self._listener(Stepped(done=self._exploration.done, what=str(event)))
        if self._on_visit is not None and (waiting := self._on_visit(visit)) is not None:
            await waiting

    def _allowed(self, enabled: Sequence[Event]) -> list[Event]:
        allowed = [event for event in enabled if self._avoid.allows(event)]
        for words, rule in self._avoid.met.items():
            self._left_alone(words, rule, rule)
        ending = {words for words, times in self._ends.items() if times >= ENDS}
        for words in ending:
            self._left_alone(words, "it leads nowhere", "the page did not answer any more after it")
        return self._supplies.kept([event for event in allowed if label(event) not in ending])

    def _left_alone(self, words: str, rule: str, why: str) -> None:
        if words not in self._exploration.avoided:
            self._exploration.avoided[words] = rule
            self._listener(Note(text=f"Skipped: {words} ({why})"))

    def _remember_page(self, effect: Effect) -> None:
        """Every page that was seen can be gone back to, unless it was the answer to something sent."""
        url = self._state.url
        if not url or url.startswith("about:") or url in self._pages or url in self._unvisitable:
            return
        sent = any(request.method != "GET" and request.url == url for request in effect.requests)
        page = visit_of(url)
        if not sent and len(self._pages) < MOST_PAGES and self._avoid.allows(page):
            self._pages[url] = page

    def _numbered(self, event: Event, enabled: Sequence[Event]) -> Event:
        """An event that the application did not offer itself gets its number in this run from us."""
        if any(event is each for each in enabled):
            return event
        return msgspec.structs.replace(event, occurrence=self._counts[event.what] + 1)
