"""Watching a session: what a person, or somebody's script, does in a browser that is left to itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import msgspec

from jostle.addresses import split_url
from jostle.browser import agent
from jostle.browser.app_options import AppListeners
from jostle.browser.chromium import Chromium, Context
from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.gate import Gate
from jostle.browser.journal import Journal
from jostle.browser.open_requests import NetworkListener
from jostle.browser.settings import Control, TabSettings
from jostle.browser.signal import Signal
from jostle.browser.sockets import Sockets
from jostle.browser.stage import Stage
from jostle.browser.tab import Tab
from jostle.browser.user import user_event, visit
from jostle.events import Event
from jostle.recording.login import StorageState

_FLUSH_TIMEOUT = 2.0


class RecordedAction(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was done."""

    event: Event
    at: float
    """Milliseconds since the session began, in real time."""


class WatchedSession:
    """Watches all tabs of a context. Nothing is held, time is real; responses pass through `listeners.exchange`."""

    def __init__(
        self,
        chromium: Chromium,
        *,
        settings: TabSettings,
        may_open: Callable[[str], bool],
        listeners: AppListeners,
        on_done: Callable[[RecordedAction], None] = lambda done: None,
        badge: bool = True,
    ) -> None:
        """Dialogs are left to the person. `badge`: show a small sign in the page with which to pause, mark or stop."""
        signal = Signal()
        journal = Journal()
        journal.on_limit = listeners.limit
        if not settings.control.watches:
            settings = msgspec.structs.replace(settings, control=Control.WATCHED)
        listener = NetworkListener(exchanged=listeners.exchange, limit=listeners.limit, changed=signal)
        gate = Gate(settings.control, listener, may_open=may_open)
        self.done: list[RecordedAction] = []
        self.dialogs: list[tuple[bool, str]] = []
        """How each dialog was answered: accepted or not, and the text given."""
        self.marks = 0
        self.visited: list[str] = []
        """Addresses gone to by hand, the first of which is where the session begins."""
        self.over = asyncio.Event()
        """Set when the person presses stop or has closed every tab."""
        self._on_done = on_done
        self._on_limit = listeners.limit
        self._sockets = Sockets(None, listeners.traffic)
        self._badge = badge
        self._paused = False
        self._unfinished: tuple[Tab, Frame, Params] | None = None
        self._began = time.monotonic()
        self._may_open = may_open
        self._stage = Stage(
            chromium,
            gate=gate,
            journal=journal,
            settings=settings,
            signal=signal,
            on_dialog=None,
            turn=lambda key: {},
        )
        self._stage.on_note = self._noted
        self._stage.on_closed = self._closed

    async def open(self, url: str, state: StorageState) -> None:
        """Begin in a new context, at an address. The person does the rest."""
        await self._stage.set_up(state.cookies, state.local_storage)
        self._began = time.monotonic()
        self._stage.tabs[0].session.post("Page.navigate", {"url": url})

    def adopt(self, context: Context) -> None:
        """Begin with whatever tabs appear in a context of somebody else's."""
        self._stage.adopt(context)

    async def close(self) -> None:
        await self._stage.clear()

    async def flush(self) -> None:
        """Hear of what is being typed right now."""
        for tab, frame in self._stage.present():
            try:
                await tab.ask(frame, agent.call("flush"), _FLUSH_TIMEOUT)
            except (ContextGone, NoAnswer, ProtocolError):
                continue

    def finish(self) -> None:
        """Whoever was watched has gone, perhaps in the middle of typing."""
        if self._unfinished is not None:
            self._did(*self._unfinished)
            self._unfinished = None

    def _noted(self, tab: Tab, frame: Frame, note: Params) -> None:
        match note["type"]:
            case "did":
                self._unfinished = None
                self._did(tab, frame, note)
            case "typing":
                self._unfinished = (tab, frame, note)
            case "visit":
                self._visited(tab, str(note["address"]))
            case "unseen":
                self._on_limit(f"something that was done could not be told: {note.get('why', '')}")
            case "traffic" if isinstance(note.get("item"), dict):
                self._sockets.take(frame, note["item"])
            case "dialog":
                self.dialogs.append((bool(note["accept"]), str(note["text"])))
            case "badge":
                self._pressed(tab, frame, str(note.get("pressed", "")))

    def _did(self, tab: Tab, frame: Frame, note: Params) -> None:
        action = note.get("did")
        if self._paused or not isinstance(action, dict) or not self._may_open(frame.url):
            return
        for _ in range(int(action.pop("instead", 0))):  # a double click was two clicks at first
            if self.done and self.done[-1].event.action.type == "click":
                self.done.pop()
        try:
            event = user_event(action, tab=tab.number, frame=frame.path, value=action.get("value"))
        except (KeyError, TypeError, ValueError):
            return  # the page got hold of the binding and talks nonsense
        self._add(event)

    def _visited(self, tab: Tab, url: str) -> None:
        if self._paused or not url.startswith(("http:", "https:")) or not self._may_open(url):
            return
        self.visited.append(url)
        if len(self.visited) > 1:
            parts = split_url(url)
            words = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
            self._add(visit(url, words=words, tab=tab.number))

    def _add(self, event: Event) -> None:
        done = RecordedAction(event=event, at=round((time.monotonic() - self._began) * 1000, 1))
        self.done.append(done)
        self._on_done(done)

    def _pressed(self, tab: Tab, frame: Frame, button: str) -> None:
        match button:
            case "pause" | "resume":
                self._paused = button == "pause"
            case "mark" if self.done:
                self.marks += 1
                last = self.done[-1]
                marked = last.event.with_detail(mark=self.marks)
                self.done[-1] = msgspec.structs.replace(last, event=marked)
            case "stop":
                self.over.set()
            case "" if self._badge:  # a new page: show the sign there too
                shown = agent.call("badge", {"paused": self._paused, "count": len(self.done)})
                parameters = {"expression": shown, "uniqueContextId": frame.context}
                frame.session.post("Runtime.evaluate", parameters)

    def _closed(self) -> None:
        if self._stage.tabs and all(tab.closed for tab in self._stage.tabs):
            self.over.set()
