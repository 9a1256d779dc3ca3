"""A web application in Chromium as an explorer sees it: settled, one tab in front, with abstract states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.connection import NoAnswer
from jostle.browser.rest import Hung
from jostle.events import Effect, Event, Settled, State, Step, UserAction, UserEvent
from jostle.events.detail import place_in_browser
from jostle.model.abstraction import Abstraction, pages_of

MOST_TABS = 8
"""With more tabs open there is nothing to do but to close one."""
CLOSE = UserEvent(what="close the tab", detail=UserAction(type="close"))


class Explored:
    """An App in which only the user's events are explicit and states are what the abstraction makes of pages.

    The user sees one tab, the one that was opened last, and can close it to get back to the one before. Events and
    states do not tell which tab it is: a page is the same page wherever it is opened, and steps that are left out of a
    run do not make others void.
    """

    def __init__(
        self,
        app: ChromiumApp,
        abstraction: Abstraction,
        *,
        restore: Callable[[], Awaitable[None]] | None = None,
        observe: Callable[[Step], Awaitable[Step]] | None = None,
        on_reset: Callable[[tuple[Event, ...]], None] | None = None,
        holds: Callable[[Event], bool] = lambda event: False,
    ) -> None:
        """`restore` brings the server's initial state back before each run; the others are those of `Settled`."""
        self.app = app
        self._settled = Settled(app, observe=observe, on_reset=on_reset, holds=holds)
        self._abstraction = abstraction
        self._restore = restore
        self._parts: list[dict[str, Any]] = []
        self._counts: Counter[str] = Counter()

    @property
    def last_effect(self) -> Effect:
        """What the last step, or the start, did."""
        return self._settled.last_effect

    @property
    def last_steps(self) -> tuple[Step, ...]:
        """The last step, or the start, event by event."""
        return self._settled.last_steps

    async def reset(self) -> None:
        if self._restore is not None:
            await self._restore()
        self._counts.clear()
        await self._settled.reset()

    async def enabled(self) -> Sequence[Event]:
        front = self._front
        tabs = sum(tab.usable for tab in self.app.tabs)
        events = await self._settled.enabled() if tabs <= MOST_TABS else ()
        seen = [_tabless(event) for event in events if event.action.tab == front]
        return [*seen, CLOSE] if tabs > 1 else seen

    async def waiting(self) -> Sequence[Event]:
        return ()

    async def step(self, event: Event) -> Effect:
        placed = _placed(event, self._front)
        placed = msgspec.structs.replace(placed, occurrence=self._counts[placed.what] + 1)
        try:
            effect = await self._settled.step(placed)
        except (NoAnswer, Hung) as trouble:
            effect = Effect(hung=str(trouble))
            self._settled.last_steps = (Step(event=placed, effect=effect),)
        self._counts[placed.what] += 1
        return effect

    async def pending(self) -> Sequence[Event]:
        """What waits for its time, or is held."""
        return await self._settled.pending()

    @property
    def now(self) -> float:
        """Virtual time in milliseconds since the start of the run."""
        return self._settled.now

    async def rest(self, patience: float | None = None) -> Effect:
        """Let happen what is no longer held, as far as it is due within so many virtual milliseconds."""
        return await self._settled.rest(patience)

    async def state(self) -> State:
        reads = self.app.skeletons if self._abstraction.reads == "skeleton" else self.app.snapshots
        self._parts = await self._in_front(reads)
        return self._abstraction.state(self._parts)

    @property
    def text(self) -> str:
        """What the last state that was asked for stands for, to explain merges with."""
        return self._abstraction.text(self._parts)

    async def page(self) -> Mapping[str, Any]:
        """What a user's function gets to see of the page: `url`, `title`, `html` ..."""
        pages = pages_of(await self._in_front(self.app.snapshots))
        return pages[0] if pages else {"url": "", "title": "", "html": "", "frames": []}

    async def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page; None without a page. Raises TimeoutError."""
        try:
            return await self.app.evaluate(expression, self._front)
        except NoAnswer as late:
            raise TimeoutError(str(late)) from None

    async def thumbnail(self) -> bytes:
        """A small JPEG; empty when nothing can be painted."""
        return await self.app.thumbnail(self._front)

    async def screenshot(self) -> bytes:
        """A PNG of the whole page; empty when nothing can be painted."""
        return await self.app.screenshot(self._front, whole=True)

    @property
    def _front(self) -> int:
        return max((tab.number for tab in self.app.tabs if tab.usable), default=0)

    async def _in_front(self, reads: Callable[[], Awaitable[list[dict[str, Any]]]]) -> list[dict[str, Any]]:
        front = self._front
        try:
            return [{**part, "tab": 0} for part in await reads() if part["tab"] == front]
        except NoAnswer:
            return []  # it hangs, which the next step will tell


def _tabless(event: Event) -> Event:
    if not (tab := event.action.tab):
        return event
    words = event.what.removesuffix(place_in_browser((), tab))
    return msgspec.structs.replace(event.with_detail(tab=0), what=words)


def _placed(event: Event, tab: int) -> Event:
    """The event in that tab, as the application itself calls it."""
    if not tab:
        return event
    return msgspec.structs.replace(event.with_detail(tab=tab), what=event.what + place_in_browser((), tab))
