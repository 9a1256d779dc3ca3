"""Replays for people who watch: captions over the page, time to read them, and a film of it."""

from __future__ import annotations

import asyncio

from jostle.browser.chromium_app import ChromiumApp
from jostle.events import Step, Trace
from jostle.report.film import MOST_SHOTS, Shot
from jostle.report.words import happens, worth_watching

_MOST_CAPTIONS = 500
_AT_LEAST = 0.05
"""Seconds until what was put over a page is painted."""


class Eyes:
    """Somebody who watches one replay."""

    def __init__(self, app: ChromiumApp, trace: Trace, *, pause: float, filming: bool) -> None:
        """`pause`: seconds before each step that is worth watching. `filming`: a picture of each is kept."""
        self._app = app
        self._pause = pause
        self._filming = filming
        self._wanted = worth_watching(trace, MOST_SHOTS - 1 if filming else _MOST_CAPTIONS)
        self._number = 0
        self.shots: list[Shot] = []

    async def before(self, number: int, step: Step) -> None:
        if number not in self._wanted:
            return
        self._number += 1
        words = f"{self._number} of {len(self._wanted)}: {happens(step.event)}"
        await self._app.caption(words, step.event)
        await self._shoot(step.event.action.tab)
        await asyncio.sleep(self._pause)
        await self._app.caption(words)  # without the mark: the page may move

    async def end(self, verdict: str) -> None:
        """The film ends with the page as it is; who looks at a window reads how it ended."""
        await self._app.caption("")
        await self._shoot(0)
        if self._pause:
            await self._app.caption(verdict[:1].upper() + verdict[1:])
            await asyncio.sleep(max(2 * self._pause, 1.0))

    async def _shoot(self, tab: int) -> None:
        if self._filming:
            await asyncio.sleep(_AT_LEAST)
            there = [each.number for each in self._app.tabs if each.usable]
            number = tab if tab in there else there[0] if there else None
            self.shots.append(Shot(await self._app.screenshot(number) if number is not None else b""))
