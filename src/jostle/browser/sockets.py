"""WebSockets and EventSources of the pages, followed so that a recording can speak for their servers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import msgspec

from jostle.browser import agent
from jostle.browser.connection import Params
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.responders import Responder
from jostle.browser.stage import Stage


class Socket(msgspec.Struct, kw_only=True, eq=False):
    """A WebSocket or EventSource of the page."""

    kind: str
    url: str
    number: int
    """The n-th of its kind and address in the run, from 1."""
    sent: int = 0
    fed: int = 0


class Sockets:
    """Those of one run."""

    def __init__(self, responder: Responder | None, on_traffic: Callable[[Socket, Params], None]) -> None:
        self._responder = responder
        self._on_traffic = on_traffic
        self._open: dict[tuple[str, int, int], Socket] = {}
        self._counts: dict[tuple[str, str], int] = {}

    def take(self, frame: Frame, item: Params) -> None:
        """What a document tells: one was opened, or something passed through it."""
        key = (frame.id, frame.document, int(item["socket"]))
        if item["type"] == "new":
            where = (item["kind"], item["address"])
            self._counts[where] = self._counts.get(where, 0) + 1
            self._open[key] = Socket(kind=item["kind"], url=item["address"], number=self._counts[where])
        socket = self._open.get(key)
        if socket is not None:
            if item["type"] == "send":
                socket.sent += 1
            self._on_traffic(socket, item)

    async def feed(self, stage: Stage, timeout: float) -> bool:
        """Let the recording say what the servers said. True when there was something."""
        if self._responder is None:
            return False
        fed = False
        for (frame_id, document, number), socket in list(self._open.items()):
            tab, frame = stage.place(frame_id)
            if frame is None or tab is None or frame.document != document:
                continue
            said = self._responder.messages(socket.kind, socket.url, socket.number, socket.sent, socket.fed)
            items = list(said or ())
            if items:
                socket.fed += len(items)
                with contextlib.suppress(ContextGone):
                    await tab.ask(frame, agent.call("feed", number, items), timeout)
                fed = True
        return fed
