"""Keeps responses of the server back from the page, and lets them go when it is their turn.

By interception of the DevTools Protocol in a session of our own: routes of the test are Playwright's and stay in force.
Not the gate of `browser.gate`, which owns the network of a page: it reads bodies, rewrites scripts, answers from
recordings, and lets a response through when a search says so. Here the test goes on in real time, a response is only
delayed, and goes on its way untouched.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from jostle.adverse.driving import Pause, drive, drive_async, is_async
from jostle.adverse.ground import NotDone, sent
from jostle.adverse.holding import Holding
from jostle.adverse.page_handle import PageHandle
from jostle.adverse.quiet import endpoint

_STEP = 0.015
_LONGEST = 5.0
"""Seconds after which a response goes in any case."""
_KINDS = ("XHR", "Fetch")


class Releasing:
    """Lets responses go to the pages of a test as the present run's `Holding` says."""

    def __init__(self, holding: Callable[[], Holding | None]) -> None:
        self._holding = holding
        self._tasks: set[Any] = set()

    async def prepare(self, handle: PageHandle) -> None:
        """For each page, before its first action."""
        asynchronous = is_async(handle.page)

        def heard(event: dict[str, Any]) -> None:
            work = self._paused(handle, event)
            if asynchronous:
                task = asyncio.ensure_future(drive_async(work))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            else:
                drive(work, handle.page)

        handle.session.on("Fetch.requestPaused", heard)
        patterns = [
            {"urlPattern": "*", "resourceType": kind, "requestStage": stage}
            for kind in _KINDS
            for stage in ("Request", "Response")
        ]
        await sent(handle.session, "Fetch.enable", {"patterns": patterns})

    async def _paused(self, handle: PageHandle, event: dict[str, Any]) -> None:
        holding = self._holding()
        key = str(event.get("networkId") or event["requestId"])
        answered = "responseStatusCode" in event or "responseErrorReason" in event
        if holding is not None and not answered:
            request = event["request"]
            holding.sent(key, endpoint(request["method"], request["url"]), time.monotonic())
        elif holding is not None:
            await self._wait(holding, key, handle)
        try:
            await sent(handle.session, "Fetch.continueRequest", {"requestId": event["requestId"]})
        except NotDone:  # the page has gone, or does not want it any more
            if holding is not None:
                holding.gone(key)

    async def _wait(self, holding: Holding, key: str, handle: PageHandle) -> None:
        began = time.monotonic()
        holding.came(key, began)
        while not holding.may_go(key, time.monotonic()) and time.monotonic() - began < _LONGEST:
            if handle.page.is_closed() or self._holding() is not holding:
                return
            await Pause(_STEP)
        holding.released(key, time.monotonic())
