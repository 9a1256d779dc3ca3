"""The pages that tests of a session act on, each with what is needed to do something to it."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from jostle.adverse.calls import Call
from jostle.adverse.conditions.hearing import HEARING
from jostle.adverse.driving import PlaywrightCall
from jostle.adverse.ground import NotDone
from jostle.adverse.page_handle import PageHandle
from jostle.adverse.quiet import WATCHING, Traffic
from jostle.adverse.run import AdverseRun

Prepare = Callable[[PageHandle], Any]
"""A coroutine function that is called for each page before its first action."""


class WatchedPages:
    """Knows pages as long as they are there."""

    def __init__(
        self,
        run: Callable[[], AdverseRun | None],
        *,
        default_timeout: float | None = None,
        prepare: Prepare | None = None,
    ) -> None:
        """`run`: the present one. `default_timeout`: seconds that actions have unless the test says otherwise."""
        self._run = run
        self._default_timeout = default_timeout
        self._prepare = prepare
        self._traffic: weakref.WeakKeyDictionary[Any, Traffic] = weakref.WeakKeyDictionary()
        self._handles: weakref.WeakKeyDictionary[Any, PageHandle] = weakref.WeakKeyDictionary()
        self._devices: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
        """The pages of keyboards, mice and touchscreens."""

    def has_device(self, page: Any, device: Any) -> None:
        self._devices[device] = page

    def clock_is_driven(self) -> None:
        """The test drives the clock of its pages."""
        for traffic in self._traffic.values():
            traffic.own_clock = True

    async def of(self, call: Call) -> Any:
        """The page that something is done to; None when there is none any more."""
        target, class_name = call.target, call.class_name
        if class_name == "Page":
            return target
        if class_name in ("Locator", "Frame", "FileChooser"):
            return target.page
        if class_name == "ElementHandle":
            try:
                frame = await PlaywrightCall(target.owner_frame)
            except Exception:  # it is gone: the action itself will say so
                return None
            return frame.page if frame is not None else None
        return self._devices.get(target)

    def open_handle(self, page: Any) -> PageHandle | None:
        """Of a page that has been acted on and is not closed."""
        handle = self._handles.get(page)
        return handle if handle is not None and not page.is_closed() else None

    async def handle(self, page: Any, run: AdverseRun) -> PageHandle | None:
        """None where no condition can happen."""
        if page in self._handles or run.foreign:
            return self.open_handle(page)
        context = page.context
        browser = context.browser
        if browser is not None and browser.browser_type.name != "chromium":
            run.foreign = browser.browser_type.name
            return None
        try:
            traffic = self._traffic.get(context) or await self._watched(context, run)
            self._handles[page] = handle = await PageHandle.on(page, traffic)
            if self._prepare is not None:
                await self._prepare(handle)
        except NotDone:
            return None
        except Exception:  # the page or its context was closed meanwhile
            if page.is_closed():
                return None
            raise
        return handle

    async def _watched(self, context: Any, run: AdverseRun) -> Traffic:
        self._traffic[context] = traffic = Traffic(context, changed=self._changed, failed=self._failed)
        traffic.own_clock = "clock" in run.calls
        await PlaywrightCall(lambda: context.add_init_script(WATCHING + HEARING))
        if self._default_timeout is not None and "set_default_timeout" not in run.calls:
            context.set_default_timeout(1000 * self._default_timeout)
        return traffic

    def _changed(self, what: str) -> None:
        if (run := self._run()) is not None:
            run.changes.append(what)

    def _failed(self, what: str) -> None:
        if (run := self._run()) is not None:
            run.errors.append(what)
