"""Sees what a test does with Playwright: the public methods of both its APIs, wrapped once for a session.

One call of a test is one action, whatever Playwright does for it. What is called from inside another action (a handler
of the test's) is none.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

from jostle.adverse.calls import ACTIONS, CLASSES, DEVICES, NAVIGATING, PRESSING, SCRIPTS, Call, only_reads
from jostle.adverse.driving import drive, drive_async, drive_now
from jostle.adverse.page_handle import PageHandle
from jostle.adverse.points import PlaywrightAction
from jostle.adverse.run import AdverseRun
from jostle.adverse.watched_pages import Prepare, WatchedPages

_OWN = str(Path(__file__).parent)
_LIBRARIES = tuple({str(Path(sysconfig.get_path(name))) + os.sep for name in ("stdlib", "purelib", "platlib")})


class Watch:
    """While it is on, actions of tests are seen by the present run."""

    def __init__(
        self,
        conflicts: Iterable[str] = (),
        *,
        default_timeout: float | None = None,
        prepare: Prepare | None = None,
    ) -> None:
        """`conflicts`: names of further calls that are of interest. For the rest see `WatchedPages`."""
        self.run: AdverseRun | None = None
        self.test_file = ""
        self._conflicts = frozenset(conflicts)
        self._pages = WatchedPages(lambda: self.run, default_timeout=default_timeout, prepare=prepare)
        self._patched: list[tuple[Any, str, Any]] = []

    def install(self) -> None:
        import playwright.async_api
        import playwright.sync_api

        for api in (playwright.sync_api, playwright.async_api):
            # Not all classes are exported.
            places = (api, sys.modules.get(f"{api.__name__}._generated"))
            for name in CLASSES:
                owner = next((found for place in places if (found := getattr(place, name, None)) is not None), None)
                if owner is not None:
                    self._wrap_class(owner, name, api is playwright.async_api)
        self._wrap_blocks()

    def uninstall(self) -> None:
        for owner, name, original in reversed(self._patched):
            setattr(owner, name, original)
        self._patched.clear()

    # Wrapping.

    def _patch(self, owner: Any, name: str, wrapped: Any) -> None:
        self._patched.append((owner, name, owner.__dict__[name]))
        setattr(owner, name, wrapped)

    def _wrap_class(self, owner: Any, class_name: str, asynchronous: bool) -> None:
        for name, original in list(vars(owner).items()):
            if name.startswith("_"):
                continue
            if class_name == "Page" and name in DEVICES:
                self._patch(owner, name, self._remembering(original))
            elif not callable(original):
                continue
            elif name in ACTIONS.get(class_name, ()) or (class_name, name) in PRESSING:
                self._patch(owner, name, self._acting(original, class_name, name, asynchronous))
            elif name in SCRIPTS or name in self._conflicts or class_name in ("Clock", "ElementHandle"):
                self._patch(owner, name, self._noting(original, class_name, name))

    def _remembering(self, original: Any) -> Any:
        def get(page: Any) -> Any:
            device = original.fget(page)
            self._pages.has_device(page, device)
            return device

        return property(get, doc=original.__doc__)

    def _noting(self, original: Any, class_name: str, name: str) -> Any:
        watch = self

        @functools.wraps(original)
        def noting(target: Any, *args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            watch._note(target, class_name, name, args, kwargs)
            return original(target, *args, **kwargs)

        return noting

    def _note(self, target: Any, class_name: str, name: str, args: Any, kwargs: Any) -> None:
        run = self.run
        if run is None or run.under_way:
            return
        if run.phase == "call" or name == "set_default_timeout":
            run.calls.add(name)
        if class_name == "ElementHandle":
            run.used(id(target))
        if class_name == "Clock":
            run.calls.add("clock")
            self._pages.clock_is_driven()
        if name in SCRIPTS:
            texts = [each for each in (*args, *kwargs.values()) if isinstance(each, str)]
            reads = name.startswith("eval") and bool(texts) and all(only_reads(each) for each in texts)
            page = target if class_name == "Page" else getattr(target, "page", None)
            if not reads and page is not None:
                run.touched.add(id(page))

    def _acting(self, original: Any, class_name: str, name: str, asynchronous: bool) -> Any:
        watch = self
        has_timeout = "timeout" in inspect.signature(original).parameters

        if asynchronous:

            @functools.wraps(original)
            def acting_async(target: Any, *args: Any, **kwargs: Any) -> Any:
                run = watch.run
                if run is None:
                    return original(target, *args, **kwargs)
                if has_timeout and run.setup.timeouts is not None:
                    kwargs.setdefault("timeout", 1000 * run.setup.timeouts.action)
                call = Call(target, class_name, name, args)
                return watch._act_async(run, original, call, kwargs, sys._getframe(1))

            return acting_async

        @functools.wraps(original)
        def acting(target: Any, *args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            run = watch.run
            if run is None:
                return original(target, *args, **kwargs)
            if has_timeout and run.setup.timeouts is not None:
                kwargs.setdefault("timeout", 1000 * run.setup.timeouts.action)
            nested = run.under_way > 0
            call = Call(target, class_name, name, args)
            begun = drive(watch._begin(run, call, nested, watch._where(sys._getframe(1))), target)
            run.under_way += 1
            try:
                result = original(target, *args, **kwargs)
            finally:
                run.under_way -= 1
            drive(watch._ended(run, begun, call), target)
            return result

        return acting

    async def _act_async(self, run: AdverseRun, original: Any, call: Call, kwargs: Any, frame: FrameType) -> Any:
        __tracebackhide__ = True
        nested = run.under_way > 0
        where = self._where(frame)
        del frame
        begun = await drive_async(self._begin(run, call, nested, where))
        run.under_way += 1
        try:
            result = await original(call.target, *call.args, **kwargs)
        finally:
            run.under_way -= 1
        await drive_async(self._ended(run, begun, call))
        return result

    async def _begin(
        self, run: AdverseRun, call: Call, nested: bool, where: str
    ) -> tuple[PlaywrightAction, PageHandle] | None:
        """None when it is nothing to be counted, or on no page that is of interest."""
        if call.class_name == "ElementHandle":
            run.used(id(call.target))
        if nested:
            return None
        run.calls.add(call.name)
        page = await self._pages.of(call)
        handle = await self._pages.handle(page, run) if page is not None else None
        if handle is None:
            return None
        if call.presses:
            run.held.add(call.pressed)
        action = PlaywrightAction(
            page=page,
            api=f"{call.class_name}.{call.name}",
            words=call.words,
            event=call.event,
            where=where,
            counts=run.counting and not call.presses,
        )
        run.under_way += 1  # whatever handlers of the test's do meanwhile is none of its own actions
        try:
            await run.before(action, handle)
        finally:
            run.under_way -= 1
        return action, handle

    async def _ended(self, run: AdverseRun, begun: tuple[PlaywrightAction, PageHandle] | None, call: Call) -> None:
        if begun is None:
            return
        action, handle = begun
        if call.name in NAVIGATING:
            run.touched.discard(id(action.page))
        if call.name == "up":
            run.held.discard(call.pressed)
        if run.under_way > 0 and action.counts:
            return  # done at the same time as another: which of them ends first is nobody's choice
        await run.after(action, handle)

    def _wrap_blocks(self) -> None:
        """`with page.expect_popup():` and the like: what happens inside is put off to its end."""
        from playwright._impl._async_base import AsyncEventContextManager
        from playwright._impl._sync_base import EventContextManager

        watch = self
        enter: Any
        leave: Any
        enter_async: Any
        leave_async: Any
        enter, leave = EventContextManager.__enter__, EventContextManager.__exit__
        enter_async, leave_async = AsyncEventContextManager.__aenter__, AsyncEventContextManager.__aexit__

        def entering(block: Any) -> Any:
            watch._entered()
            return enter(block)

        def leaving(block: Any, *error: Any) -> Any:
            __tracebackhide__ = True
            try:
                result: Any = leave(block, *error)
            finally:
                watch._left()
            run = watch.run
            if run is not None and error[0] is None and run.last_page is not None:
                drive(run.left_block(watch._pages.open_handle), run.last_page)
            return result

        async def entering_async(block: Any) -> Any:
            watch._entered()
            return await enter_async(block)

        async def leaving_async(block: Any, *error: Any) -> Any:
            __tracebackhide__ = True
            try:
                result: Any = await leave_async(block, *error)
            finally:
                watch._left()
            run = watch.run
            if run is not None and error[0] is None:
                await drive_async(run.left_block(watch._pages.open_handle))
            return result

        self._patch(EventContextManager, "__enter__", entering)
        self._patch(EventContextManager, "__exit__", leaving)
        self._patch(AsyncEventContextManager, "__aenter__", entering_async)
        self._patch(AsyncEventContextManager, "__aexit__", leaving_async)

    def _entered(self) -> None:
        if self.run is not None:
            self.run.blocks += 1

    def _left(self) -> None:
        if self.run is not None:
            self.run.blocks = max(0, self.run.blocks - 1)

    # The end of a test.

    def after_test(self) -> None:
        """The test's own code has ended; its pages are still there."""
        run = self.run
        if run is None or not run.unfinished or run.last_page is None:
            return
        if not run.last_page.is_closed():
            drive_now(run.finish(), run.last_page)

    def picture(self, name: str) -> None:
        """Of the page that was last acted on, between the test's end and that of its fixtures."""
        run = self.run
        if run is None or not run.setup.pictures or run.last_page is None:
            return
        if (handle := self._pages.open_handle(run.last_page)) is not None:
            drive_now(run.picture(name, handle), run.last_page)

    def _where(self, frame: FrameType | None) -> str:
        """The line of the test, or else of whatever of the user's code is nearest."""
        nearest = ""
        while frame is not None:
            file = frame.f_code.co_filename
            if file == self.test_file:
                return f"{file}:{frame.f_lineno}"
            if not nearest and not file.startswith((_OWN, *_LIBRARIES, "<")):
                nearest = f"{file}:{frame.f_lineno}"
            frame = frame.f_back
        return nearest
