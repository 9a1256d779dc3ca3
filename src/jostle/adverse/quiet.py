"""When a page is at rest: its document complete, nothing requested, no timer due, nothing moving, nothing changing.

Not the rest of `browser.rest`. There the agent holds timers, frames and responses, so a page is at rest as soon as all
that an event started has run. The page of a user's test runs freely, driven by Playwright: all that can be done is to
look at it until nothing happens any more. Shared is what is learnt about requests that are not worth waiting for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import resources
from typing import Any, NamedTuple

from jostle.addresses import split_url
from jostle.adverse.driving import Pause
from jostle.adverse.ground import NotDone, called, evaluated
from jostle.browser.patience import Patience

LIMIT = 5.0
"""Seconds that a page has to come to rest; after that it is as it is."""
OLD = 10.0
"""Seconds after which a request is not waited for any more."""
_SLICE = 0.3
KEY = "jostle.quiet"
"""Of the symbol under which a document keeps what watches it, and its own clock."""
_ENDLESS = frozenset(("eventsource", "websocket", "ping", "beacon", "cspreport", "texttrack"))
_CHANGING = frozenset(("POST", "PUT", "PATCH", "DELETE"))
_SOURCE = (resources.files("jostle.adverse") / "quiet.js").read_text("utf-8")
_PARTS = _SOURCE[_SOURCE.index("({") :].strip()
_SETTLE = f"{_PARTS}.settle"
LOOK = called(f"{_PARTS}.look")
"""An expression: what a test may see of the page, as a number."""
PAINTED = called(f"{_PARTS}.painted", KEY)
"""An expression: a promise that the page has been painted, or is known never to be."""
WATCHING = called(f"{_PARTS}.watch", KEY) + ";"
"""The script that keeps an eye on timers, for every document from its beginning on."""


class PendingRequest(NamedTuple):
    """A request without a response so far."""

    request: Any
    """Kept, since it is known by its identity."""
    since: float
    endpoint: str


def endpoint(method: str, url: str) -> str:
    """`GET /api/cart`: the same for requests that differ in their query, or in the port of the test's server."""
    return f"{method} {split_url(url).path}"


class Traffic:
    """What the pages of a browser context request, and what goes wrong in them."""

    def __init__(self, context: Any, *, changed: Callable[[str], None], failed: Callable[[str], None]) -> None:
        """`changed` hears of requests that may change the server, `failed` of errors that nothing catches."""
        self._changed = changed
        self._failed = failed
        self._pending: dict[int, PendingRequest] = {}
        # What is requested again and again is not even waited for briefly: there would always be one that is new.
        self._patience = Patience(briefly=0.0)
        self.ignored: set[str] = set()
        """What has kept pages busy for ever, and is not waited for any more."""
        self.entries: dict[int, str] = {}
        """The method by which a page was requested (`GET`, `POST`), by the identity of the page."""
        self.own_clock = False
        """The test drives the clock of the page."""
        context.on("request", self._request)
        context.on("requestfinished", self._over)
        context.on("requestfailed", self._over)
        context.on("weberror", self._error)

    def _request(self, request: Any) -> None:
        method = str(request.method)
        what = endpoint(method, request.url)
        try:
            if request.is_navigation_request() and request.frame.parent_frame is None:
                self.entries[id(request.frame.page)] = method
        except Exception:  # a document that is just being made has no frame yet
            pass
        if method in _CHANGING:
            self._changed(what)
        if request.resource_type not in _ENDLESS:
            self._pending[id(request)] = PendingRequest(request, time.monotonic(), what)

    def _over(self, request: Any) -> None:
        self._pending.pop(id(request), None)

    def _error(self, error: Any) -> None:
        self._failed(str(error.error).strip().splitlines()[0] if str(error.error).strip() else "an error")

    def waiting(self) -> list[str]:
        """What is requested and still worth waiting for."""
        now = time.monotonic()
        for key, pending in list(self._pending.items()):
            if now - pending.since > OLD:
                self._pending.pop(key, None)
        return [each.endpoint for each in self._pending.values() if self._patience.waits(each.endpoint, each.since)]

    def give_up(self, busy: str) -> None:
        """It has kept a page busy as long as anything may: the next time, nobody waits for it."""
        if busy == "answers":
            for each in self.waiting():
                self._patience.lose(each)
        elif busy != "loading":
            self.ignored.add(busy)


async def handled(session: Any, traffic: Traffic, before: int | None = None) -> tuple[int | None, bool]:
    """Waits until handlers of what has just happened have run, and the page has been painted; gives how it looks, and
    whether it is at rest. `before`: how it looked; where it still does and nothing is under way, no frame is waited
    for."""
    if traffic.own_clock:
        await Pause(0.03)
        return await looks(session), False
    try:
        question = called(f"{_PARTS}.handled", KEY, sorted(traffic.ignored), before)
        look, busy = await evaluated(session, question, _SLICE * 10)
    except (NotDone, TypeError):  # between two documents
        await Pause(0.02)
        return None, False
    return int(look), not busy


async def looks(session: Any) -> int | None:
    """What a test may see of the page, as a number; None where nobody can say."""
    try:
        return int(await evaluated(session, LOOK, _SLICE * 10))
    except (NotDone, TypeError):
        return None


class RestOutcome(NamedTuple):
    """What came of waiting for a page to be at rest."""

    busy: str = ""
    """What kept it busy when the time was up: `answers`, `timers`, `changes` ..."""
    value: Any = None
    """Of an expression, as soon as the page was at rest; None where it could not be evaluated."""


async def rest(
    page: Any, session: Any, traffic: Traffic, limit: float = LIMIT, *, frames: int = 2, reading: str = "null"
) -> RestOutcome:
    """Waits until a page is at rest, with nothing happening for a frame, or for so many where the page asks for frames
    itself. `reading`: the expression to evaluate then."""
    deadline = time.monotonic() + limit
    while not page.is_closed():
        busy, value = "answers" if traffic.waiting() else "", None
        if busy:
            await Pause(0.01)
        elif traffic.own_clock:
            await Pause(0.03)  # frames and timers are the test's: only it knows when they go on
        else:
            try:
                question = called(_SETTLE, KEY, 1000 * _SLICE, sorted(traffic.ignored), frames)
                then = f".then(async (busy) => [busy, busy ? null : await {reading}])"
                busy, value = await evaluated(session, question + then, limit)
            except (NotDone, TypeError):  # between two documents, or behind a dialog
                busy = "loading"
                await Pause(0.02)
        if not busy and not traffic.waiting():
            return RestOutcome(value=value)
        if time.monotonic() > deadline:
            traffic.give_up(busy or "answers")
            return RestOutcome(busy or "answers")
    return RestOutcome()
