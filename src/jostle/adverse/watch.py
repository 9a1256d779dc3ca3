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
import weakref
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType
from typing import Any

from jostle.adverse import words
from jostle.adverse.conditions.hearing import HEARING
from jostle.adverse.driving import Ask, drive, drive_async, drive_now
from jostle.adverse.ground import NotDone
from jostle.adverse.quiet import WATCHING, Traffic
from jostle.adverse.stage import Action, Hand, Stage, only_reads

_ON_ELEMENTS = [
    "click",
    "dblclick",
    "fill",
    "clear",
    "type",
    "press",
    "press_sequentially",
    "check",
    "uncheck",
    "set_checked",
    "select_option",
    "drag_to",
    "hover",
    "tap",
    "set_input_files",
    "dispatch_event",
]
_NAVIGATING = ["goto", "reload", "go_back", "go_forward"]
ACTIONS = {
    "Locator": _ON_ELEMENTS,
    "ElementHandle": _ON_ELEMENTS,
    "Page": [*_ON_ELEMENTS, *_NAVIGATING, "drag_and_drop"],
    "Frame": [*_ON_ELEMENTS, *_NAVIGATING, "drag_and_drop"],
    "Keyboard": ["press", "type", "insert_text", "up"],
    "Mouse": ["click", "dblclick", "wheel", "up"],
    "Touchscreen": ["tap"],
    "FileChooser": ["set_files"],
}
"""After which something may happen."""
_HOLDING = {("Mouse", "down"), ("Keyboard", "down")}
_SCRIPTS = {
    "add_script_tag",
    "add_style_tag",
    "set_content",
    "evaluate",
    "evaluate_handle",
    "evaluate_all",
    "eval_on_selector",
    "eval_on_selector_all",
}
_CLASSES = (*ACTIONS, "Browser", "BrowserContext", "BrowserType", "Clock")
_OWN = str(Path(__file__).parent)
_LIBRARIES = tuple({str(Path(sysconfig.get_path(name))) + os.sep for name in ("stdlib", "purelib", "platlib")})


class Watch:
    """While it is on, actions of tests are seen by its stage."""

    def __init__(
        self,
        conflicts: Iterable[str] = (),
        *,
        default_timeout: float | None = None,
        prepare: Callable[[Any], Any] | None = None,
    ) -> None:
        """`conflicts`: names of further calls that are of interest. `default_timeout`: seconds that actions have unless
        the test says otherwise. `prepare`: a coroutine function that is called for each page before its first action.
        """
        self._default_timeout = default_timeout
        self.stage: Stage | None = None
        self.test_file = ""
        self._conflicts = frozenset(conflicts)
        self._prepare = prepare
        self._patched: list[tuple[Any, str, Any]] = []
        self._traffic: weakref.WeakKeyDictionary[Any, Traffic] = weakref.WeakKeyDictionary()
        self._hands: weakref.WeakKeyDictionary[Any, Hand] = weakref.WeakKeyDictionary()
        self._pages: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
        """Of keyboards, mice and touchscreens."""

    def install(self) -> None:
        import playwright.async_api
        import playwright.sync_api

        for api in (playwright.sync_api, playwright.async_api):
            # Not all classes are exported.
            places = (api, sys.modules.get(f"{api.__name__}._generated"))
            for name in _CLASSES:
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
            if class_name == "Page" and name in ("keyboard", "mouse", "touchscreen"):
                self._patch(owner, name, self._remembering(original))
            elif not callable(original):
                continue
            elif name in ACTIONS.get(class_name, ()) or (class_name, name) in _HOLDING:
                self._patch(owner, name, self._acting(original, class_name, name, asynchronous))
            elif name in _SCRIPTS or name in self._conflicts or class_name in ("Clock", "ElementHandle"):
                self._patch(owner, name, self._noting(original, class_name, name))

    def _remembering(self, original: Any) -> Any:
        def get(page: Any) -> Any:
            device = original.fget(page)
            self._pages[device] = page
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
        stage = self.stage
        if stage is None or stage.under_way:
            return
        if stage.phase == "call" or name == "set_default_timeout":
            stage.calls.add(name)
        if class_name == "ElementHandle":
            stage.used(id(target))
        if class_name == "Clock":
            stage.calls.add("clock")
            for traffic in self._traffic.values():
                traffic.own_clock = True
        if name in _SCRIPTS:
            texts = [each for each in (*args, *kwargs.values()) if isinstance(each, str)]
            reads = name.startswith("eval") and bool(texts) and all(only_reads(each) for each in texts)
            page = target if class_name == "Page" else getattr(target, "page", None)
            if not reads and page is not None:
                stage.touched.add(id(page))

    def _acting(self, original: Any, class_name: str, name: str, asynchronous: bool) -> Any:
        watch = self
        has_timeout = "timeout" in inspect.signature(original).parameters

        if asynchronous:

            @functools.wraps(original)
            def acting_async(target: Any, *args: Any, **kwargs: Any) -> Any:
                stage = watch.stage
                if stage is None:
                    return original(target, *args, **kwargs)
                if has_timeout and stage.patience is not None:
                    kwargs.setdefault("timeout", 1000 * stage.patience.action)
                return watch._act_async(stage, original, target, class_name, name, args, kwargs, sys._getframe(1))

            return acting_async

        @functools.wraps(original)
        def acting(target: Any, *args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            stage = watch.stage
            if stage is None:
                return original(target, *args, **kwargs)
            if has_timeout and stage.patience is not None:
                kwargs.setdefault("timeout", 1000 * stage.patience.action)
            nested = stage.under_way > 0
            where = watch._where(sys._getframe(1))
            begun = drive(watch._begin(stage, target, class_name, name, args, nested, where), target)
            stage.under_way += 1
            try:
                result = original(target, *args, **kwargs)
            finally:
                stage.under_way -= 1
            drive(watch._ended(stage, begun, target, name, args), target)
            return result

        return acting

    async def _act_async(
        self,
        stage: Stage,
        original: Any,
        target: Any,
        class_name: str,
        name: str,
        args: Any,
        kwargs: Any,
        frame: FrameType,
    ) -> Any:
        __tracebackhide__ = True
        nested = stage.under_way > 0
        where = self._where(frame)
        del frame
        begun = await drive_async(self._begin(stage, target, class_name, name, args, nested, where))
        stage.under_way += 1
        try:
            result = await original(target, *args, **kwargs)
        finally:
            stage.under_way -= 1
        await drive_async(self._ended(stage, begun, target, name, args))
        return result

    async def _begin(
        self, stage: Stage, target: Any, class_name: str, name: str, args: Any, nested: bool, where: str
    ) -> tuple[Action, Hand] | None:
        """None when it is nothing to be counted, or on no page that is of interest."""
        if class_name == "ElementHandle":
            stage.used(id(target))
        if nested:
            return None
        stage.calls.add(name)
        page = await self._page_of(target, class_name)
        hand = await self.hand(page, stage) if page is not None else None
        if hand is None:
            return None
        if (class_name, name) in _HOLDING:
            stage.held.add(_device(class_name, args))
        selector = self._selector(target, class_name, name, args)
        told = words.people(selector)
        action = Action(
            page=page,
            api=f"{class_name}.{name}",
            words=f"{_VERBS.get(name, name.replace('_', ' '))} {told}".strip(),
            event=f"{name} {'' if class_name == 'Keyboard' else words.target(selector)}".strip(),
            where=where,
            counts=stage.counting and (class_name, name) not in _HOLDING,
        )
        stage.under_way += 1  # whatever handlers of the test's do meanwhile is none of its own actions
        try:
            await stage.before(action, hand)
        finally:
            stage.under_way -= 1
        return action, hand

    def _selector(self, target: Any, class_name: str, name: str, args: Any) -> str:
        if class_name == "Locator":
            return words.selector(target)
        if class_name not in ("Page", "Frame", "Keyboard") or not args or not isinstance(args[0], str):
            return ""
        # Servers of tests have another port each time.
        return words.path(args[0]) if name in _NAVIGATING else args[0]

    async def _ended(self, stage: Stage, begun: tuple[Action, Hand] | None, target: Any, name: str, args: Any) -> None:
        if begun is None:
            return
        action, hand = begun
        class_name = action.api.partition(".")[0]
        if name in _NAVIGATING:
            stage.touched.discard(id(action.page))
        if name == "up":
            stage.held.discard(_device(class_name, args))
        if stage.under_way > 0 and action.counts:
            return  # done at the same time as another: which of them ends first is nobody's choice
        await stage.after(action, hand)

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
            stage = watch.stage
            if stage is not None and error[0] is None and stage.last_page is not None:
                drive(stage.left_block(watch._hand_of), stage.last_page)
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
            stage = watch.stage
            if stage is not None and error[0] is None:
                await drive_async(stage.left_block(watch._hand_of))
            return result

        self._patch(EventContextManager, "__enter__", entering)
        self._patch(EventContextManager, "__exit__", leaving)
        self._patch(AsyncEventContextManager, "__aenter__", entering_async)
        self._patch(AsyncEventContextManager, "__aexit__", leaving_async)

    def _entered(self) -> None:
        if self.stage is not None:
            self.stage.blocks += 1

    def _left(self) -> None:
        if self.stage is not None:
            self.stage.blocks = max(0, self.stage.blocks - 1)

    # Pages.

    async def _page_of(self, target: Any, class_name: str) -> Any:
        if class_name == "Page":
            return target
        if class_name in ("Locator", "Frame", "FileChooser"):
            return target.page
        if class_name == "ElementHandle":
            try:
                frame = await Ask(target.owner_frame)
            except Exception:  # it is gone: the action itself will say so
                return None
            return frame.page if frame is not None else None
        return self._pages.get(target)

    async def hand(self, page: Any, stage: Stage) -> Hand | None:
        """None where no condition can happen."""
        known = self._hands.get(page)
        if known is not None or stage.foreign:
            return known if not page.is_closed() else None
        context = page.context
        browser = context.browser
        if browser is not None and browser.browser_type.name != "chromium":
            stage.foreign = browser.browser_type.name
            return None
        traffic = self._traffic.get(context)
        try:
            if traffic is None:
                self._traffic[context] = traffic = Traffic(context, changed=self._changed, failed=self._failed)
                traffic.own_clock = "clock" in stage.calls
                await Ask(lambda: context.add_init_script(WATCHING + HEARING))
                if self._default_timeout is not None and "set_default_timeout" not in stage.calls:
                    context.set_default_timeout(1000 * self._default_timeout)
            self._hands[page] = hand = await Hand.on(page, traffic)
            if self._prepare is not None:
                await self._prepare(hand)
        except NotDone:
            return None
        except Exception:  # the page or its context was closed meanwhile
            if page.is_closed():
                return None
            raise
        return hand

    async def _hand_of(self, page: Any) -> Hand | None:
        return self._hands.get(page) if not page.is_closed() else None

    def after_test(self) -> None:
        """The test's own code has ended; its pages are still there."""
        stage = self.stage
        if stage is None or not stage.unfinished or stage.last_page is None:
            return
        if not stage.last_page.is_closed():
            drive_now(stage.finish(), stage.last_page)

    def picture(self, name: str) -> None:
        """Of the page that was last acted on, between the test's end and that of its fixtures."""
        stage = self.stage
        page = stage.last_page if stage is not None and stage.illustrated else None
        hand = self._hands.get(page) if page is not None else None
        if stage is not None and hand is not None and not hand.page.is_closed():
            drive_now(stage.picture(name, hand), page)

    def _changed(self, what: str) -> None:
        if self.stage is not None:
            self.stage.changes.append(what)

    def _failed(self, what: str) -> None:
        if self.stage is not None:
            self.stage.errors.append(what)

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


_VERBS = {
    "goto": "go to",
    "dblclick": "double-click",
    "press_sequentially": "type into",
    "fill": "fill in",
    "select_option": "choose in",
    "set_input_files": "choose a file in",
    "drag_to": "drag",
    "wheel": "turn the mouse wheel",
    "up": "let go",
}


def _device(class_name: str, args: Any) -> str:
    return f"key {args[0]}" if class_name == "Keyboard" and args else "mouse button"
