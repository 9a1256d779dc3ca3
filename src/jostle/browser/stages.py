"""One stage after the other: that of the present run, and the next one, which is set up beside it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from jostle.browser.app_options import InitialState
from jostle.browser.connection import Disconnected, NoAnswer, ProtocolError
from jostle.browser.stage import Stage

_MOST_USES = 50
"""Runs in one context, before a new one is made: a browser's process grows with what it has shown."""


class Stages:
    """The stages of one application."""

    def __init__(self, make: Callable[[], Stage], initial: InitialState, *, reused: bool) -> None:
        """`make` gives a stage that is not set up yet. `reused`: runs follow each other in one context."""
        self._make = make
        self._initial = initial
        self._reused = reused
        self._stage: Stage | None = None
        self._spare: asyncio.Task[Stage] | None = None
        self._again = False
        self._cleared: asyncio.Task[None] | None = None
        self.spoiled = False
        """Something hung in the present run: better not to have anything to do with its processes."""

    @property
    def present(self) -> Stage | None:
        return self._stage

    async def begin_with(self, initial: InitialState) -> None:
        """For the runs from now on."""
        self._initial = initial
        await self._discard_spare()

    async def leave(self) -> Stage | None:
        """The stage of the last run, if its context can be used again; else it is gone."""
        stage = self._stage
        if stage is None or not self._reused or self.spoiled or stage.uses >= _MOST_USES:
            await self._leave_stage()
            return None
        self._stage = None
        return stage

    async def enter(self, left: Stage | None) -> Stage:
        """The stage for the next run. `left`: what `leave` gave."""
        self.spoiled = False
        self._stage = await self._next_stage(left)
        return self._stage

    def began(self, *, again: bool) -> None:
        """The run has begun; `again`: it was not the first."""
        self._again = again

    async def leave_browser(self) -> None:
        """Nothing is left there of this application: it may be started anew."""
        await self.close()
        self._cleared = None

    async def close(self) -> None:
        await self._leave_stage()
        await self._discard_spare()
        if self._cleared is not None:
            await self._cleared

    async def _discard_spare(self) -> None:
        if self._spare is not None:
            spare, self._spare = self._spare, None
            with contextlib.suppress(ProtocolError, NoAnswer, Disconnected):
                await (await spare).clear()

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

    def set_up_next(self) -> None:
        """Who begins anew once will do so again: set the next stage up beside this run, once its page is loaded."""
        if self._again and self._spare is None and not self._reused:
            self._spare = asyncio.create_task(self._new_stage())
            self._spare.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _next_stage(self, left: Stage | None) -> Stage:
        """The one that was set up during the last run, else one in the context of that run, else a new one."""
        if left is not None:
            with contextlib.suppress(ProtocolError, NoAnswer):
                return await self._new_stage(left)
            return await self._new_stage()
        if self._spare is not None:
            spare, self._spare = self._spare, None
            with contextlib.suppress(ProtocolError, NoAnswer):
                return await spare
        return await self._new_stage()
