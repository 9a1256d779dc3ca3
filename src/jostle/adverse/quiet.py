"""When a page is at rest: its document complete, nothing asked for, no timer due, nothing moving, nothing changing."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import resources
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from jostle.adverse.driving import Nap
from jostle.adverse.ground import NotDone, called, evaluated

LIMIT = 5.0
"""Seconds that a page has to come to rest; after that it is as it is."""
OLD = 10.0
"""What was asked for so long ago is not waited for."""
_SLICE = 0.3
KEY = "jostle.quiet"
"""Of the symbol under which a document keeps what watches it, and its own clock."""
_ENDLESS = frozenset(("eventsource", "websocket", "ping", "beacon", "cspreport", "texttrack"))
_CHANGING = frozenset(("POST", "PUT", "PATCH", "DELETE"))
_SOURCE = (resources.files("jostle.adverse") / "quiet.js").read_text("utf-8")
_PARTS = "(" + _SOURCE[_SOURCE.index("{") :].strip() + ")"
_SETTLE = f"{_PARTS}.settle"
LOOK = called(f"{_PARTS}.look")
"""An expression: what a test may see of the page, as a number."""
PAINTED = called(f"{_PARTS}.painted", KEY)
"""An expression: a promise that the page has been painted, or is known never to be."""
WATCHING = called(f"{_PARTS}.watch", KEY) + ";"
"""The script that keeps an eye on timers, for every document from its beginning on."""


class Asked(NamedTuple):
    """A request that is not answered yet."""

    since: float
    place: str


class Traffic:
    """What the pages of a browser context ask for, and what goes wrong in them."""

    def __init__(self, context: Any, *, changed: Callable[[str], None], failed: Callable[[str], None]) -> None:
        """`changed` hears of requests that may change the server, `failed` of errors that nothing catches."""
        self._changed = changed
        self._failed = failed
        self._open: dict[int, tuple[Any, Asked]] = {}
        self._endless: set[str] = set()
        self.ignored: set[str] = set()
        """What has kept pages busy for ever, and is not waited for any more."""
        self.entries: dict[int, str] = {}
        """By what a page was asked for (`GET`, `POST`), by the identity of the page."""
        self.own_clock = False
        """The test drives the clock of the page."""
        context.on("request", self._request)
        context.on("requestfinished", self._answered)
        context.on("requestfailed", self._answered)
        context.on("weberror", self._error)

    def _request(self, request: Any) -> None:
        method, place = str(request.method), urlsplit(request.url).path
        try:
            if request.is_navigation_request() and request.frame.parent_frame is None:
                self.entries[id(request.frame.page)] = method
        except Exception:  # a document that is just being made has no frame yet
            pass
        if method in _CHANGING:
            self._changed(f"{method} {place}")
        if request.resource_type not in _ENDLESS:
            self._open[id(request)] = (request, Asked(time.monotonic(), f"{method} {place}"))

    def _answered(self, request: Any) -> None:
        self._open.pop(id(request), None)

    def _error(self, error: Any) -> None:
        self._failed(str(error.error).strip().splitlines()[0] if str(error.error).strip() else "an error")

    def waiting(self) -> list[str]:
        """What is asked for and not answered yet, as far as it will be."""
        now = time.monotonic()
        for key, (_, asked) in list(self._open.items()):
            if now - asked.since > OLD:
                self._open.pop(key, None)
        return [asked.place for _, asked in self._open.values() if asked.place not in self._endless]

    def give_up(self, busy: str) -> None:
        """It has kept a page busy as long as anything may: the next time, nobody waits for it."""
        if busy == "answers":
            self._endless.update(self.waiting())
        elif busy != "loading":
            self.ignored.add(busy)


async def handled(session: Any, traffic: Traffic, before: int | None = None) -> tuple[int | None, bool]:
    """Waits until handlers of what has just happened have run, and the page has been painted; gives how it looks, and
    whether it is at rest. `before`: how it looked; where it still does and nothing is under way, no frame is waited
    for."""
    if traffic.own_clock:
        await Nap(0.03)
        return await looks(session), False
    try:
        question = called(f"{_PARTS}.handled", KEY, sorted(traffic.ignored), before)
        look, busy = await evaluated(session, question, _SLICE * 10)
    except (NotDone, TypeError):  # between two documents
        await Nap(0.02)
        return None, False
    return int(look), not busy


async def looks(session: Any) -> int | None:
    """What a test may see of the page, as a number; None where nobody can say."""
    try:
        return int(await evaluated(session, LOOK, _SLICE * 10))
    except (NotDone, TypeError):
        return None


class Rest(NamedTuple):
    """What came of waiting for a page to be at rest."""

    busy: str = ""
    """What kept it busy when the time was up: `answers`, `timers`, `changes` ..."""
    told: Any = None
    """What it was asked as soon as it was at rest; None where nobody could be asked."""


async def rest(
    page: Any, session: Any, traffic: Traffic, limit: float = LIMIT, *, frames: int = 2, asking: str = "null"
) -> Rest:
    """Waits until a page is at rest, with nothing happening for a frame, or for so many where the page asks for frames
    itself. `asking`: an expression."""
    deadline = time.monotonic() + limit
    while not page.is_closed():
        busy, told = "answers" if traffic.waiting() else "", None
        if busy:
            await Nap(0.01)
        elif traffic.own_clock:
            await Nap(0.03)  # frames and timers are the test's: only it knows when they go on
        else:
            try:
                question = called(_SETTLE, KEY, 1000 * _SLICE, sorted(traffic.ignored), frames)
                then = f".then(async (busy) => [busy, busy ? null : await {asking}])"
                busy, told = await evaluated(session, question + then, limit)
            except (NotDone, TypeError):  # between two documents, or behind a dialog
                busy = "loading"
                await Nap(0.02)
        if not busy and not traffic.waiting():
            return Rest(told=told)
        if time.monotonic() > deadline:
            traffic.give_up(busy or "answers")
            return Rest(busy or "answers")
    return Rest()
