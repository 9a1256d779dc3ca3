"""A web application in Chromium as an explorer sees it: settled, with abstract states."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from jostle.browser.chromium_app import ChromiumApp
from jostle.events import Effect, Event, Settled, State, Step
from jostle.model.abstraction import Abstraction


class Explored:
    """An App in which only the user's events are explicit and states are what the abstraction makes of pages."""

    def __init__(
        self,
        app: ChromiumApp,
        abstraction: Abstraction,
        *,
        restore: Callable[[], Awaitable[None]] | None = None,
        observe: Callable[[Step], Awaitable[Step]] | None = None,
    ) -> None:
        """`restore` brings the server's initial state back before each run; `observe` is that of `Settled`."""
        self.app = app
        self._settled = Settled(app, observe=observe)
        self._abstraction = abstraction
        self._restore = restore
        self._parts: list[dict[str, Any]] = []

    @property
    def last_effect(self) -> Effect:
        """What the last step, or the start, did."""
        return self._settled.last_effect

    async def reset(self) -> None:
        if self._restore is not None:
            await self._restore()
        await self._settled.reset()

    async def enabled(self) -> Sequence[Event]:
        return await self._settled.enabled()

    async def waiting(self) -> Sequence[Event]:
        return ()

    async def step(self, event: Event) -> Effect:
        return await self._settled.step(event)

    async def state(self) -> State:
        reads = self.app.skeletons if self._abstraction.reads == "skeleton" else self.app.snapshots
        self._parts = await reads()
        return self._abstraction.state(self._parts)

    @property
    def text(self) -> str:
        """What the last state that was asked for stands for, to explain merges with."""
        return self._abstraction.text(self._parts)

    async def page(self) -> Mapping[str, Any]:
        """What a user's function gets to see of the page: `url`, `title`, `html` ..."""
        parts = await self.app.snapshots()
        return {**parts[0], "html": parts[0].get("dom", "")} if parts else {"url": "", "title": "", "html": ""}
