"""One stage after the other, in one browser context as long as that is as good as new."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from jostle.browser.app_options import InitialState
from jostle.browser.connection import NoAnswer, ProtocolError
from jostle.browser.stage import Stage

_MOST_USES = 50
"""Runs in one context, before a new one is made: a browser's process grows with what it has shown."""


class Stages:
    """The stages of one application.

    Runs follow each other in one browser context, which is emptied in between: to make a new one, with a process for
    its pages, costs the browser more than most runs do.
    """

    def __init__(self, make: Callable[[], Stage], initial: InitialState) -> None:
        """`make` gives a stage that is not set up yet."""
        self._make = make
        self._initial = initial
        self._stage: Stage | None = None
        self._cleared: asyncio.Task[None] | None = None
        self.spoiled = False
        """Something hung in the present run: better not to have anything to do with its processes."""

    @property
    def present(self) -> Stage | None:
        return self._stage

    def begin_with(self, initial: InitialState) -> None:
        """For the runs from now on."""
        self._initial = initial

    async def leave(self) -> Stage | None:
        """The stage of the last run, if its context can be used again; else it is gone."""
        stage = self._stage
        if stage is None or self.spoiled or stage.uses >= _MOST_USES or not stage.emptied_easily:
            await self._leave_stage()
            return None
        self._stage = None
        return stage

    async def enter(self, left: Stage | None) -> Stage:
        """The stage for the next run. `left`: what `leave` gave."""
        self.spoiled = False
        if left is not None:
            with contextlib.suppress(ProtocolError, NoAnswer):
                self._stage = await self._new_stage(left)
                return self._stage
        self._stage = await self._new_stage()
        return self._stage

    async def leave_browser(self) -> None:
        """Nothing is left there of this application: it may be started anew."""
        await self.close()
        self._cleared = None

    async def close(self) -> None:
        await self._leave_stage()
        if self._cleared is not None:
            await self._cleared

    async def _leave_stage(self) -> None:
        if self._cleared is not None:
            await self._cleared
            self._cleared = None
        if self._stage is not None:
            self._cleared = asyncio.create_task(self._stage.clear())
            self._stage = None

    async def _new_stage(self, left: Stage | None = None) -> Stage:
        stage = self._make()
        try:
            await stage.set_up(self._initial.cookies, self._initial.local_storage, left=left)
        except BaseException:
            await stage.clear()
            raise
        return stage
