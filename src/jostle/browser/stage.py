"""Where one run takes place: a browser context of its own with its tabs, set up before the run begins."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence

from jostle.browser.chromium import Chromium, Context
from jostle.browser.connection import Disconnected, NoAnswer, Params, ProtocolError
from jostle.browser.dialog import OnDialog
from jostle.browser.frame import ContextGone, Frame
from jostle.browser.gate import Gate
from jostle.browser.journal import Journal
from jostle.browser.settings import Control, TabSettings
from jostle.browser.signal import Signal
from jostle.browser.tab import Tab, TabLinks
from jostle.errors import CouldNotRun

OPENING_TIMEOUT = 30.0
_STORED = "local_storage,indexeddb,cache_storage,service_workers,file_systems,shared_storage,storage_buckets"


class Stage:
    """The tabs, the gate and the journal of one run."""

    def __init__(
        self,
        chromium: Chromium,
        *,
        gate: Gate,
        journal: Journal,
        settings: TabSettings,
        signal: Signal,
        on_dialog: OnDialog | None,
        turn: Callable[[str], Params],
        reachable: Params | None = None,
    ) -> None:
        """`reachable`: what else its browser context is made with, so that only some servers are reached.
        `turn` gives what a page has to know of an event, by its key. Without `on_dialog`, dialogs are left open."""
        self.gate = gate
        self.journal = journal
        self.tabs: list[Tab] = []
        self.preparing: dict[asyncio.Task[None], Tab] = {}
        self.context: Context | None = None
        self.uses = 1
        """Runs that its context has seen, this one included."""
        self._chromium = chromium
        self._reachable = reachable or {}
        self._settings = settings
        self._signal = signal
        self._links = TabLinks(
            gate=gate,
            journal=journal,
            settings=settings,
            changed=signal,
            on_dialog=on_dialog,
            turn=lambda: turn(journal.current),
            on_note=lambda tab, frame, note: self.on_note(tab, frame, note),
        )
        self.on_note: Callable[[Tab, Frame, Params], None] = lambda tab, frame, note: None
        """Told what a watched person did."""
        self.on_closed: Callable[[], None] = lambda: None
        """Told when a tab was closed."""
        self._first: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def set_up(
        self,
        cookies: Sequence[Params],
        local_storage: dict[str, dict[str, str]],
        *,
        left: Stage | None = None,
    ) -> None:
        """Open the first tab, empty, with everything a log-in has left behind.

        `left`: the stage of a run that is over. Its context is emptied and used again, which saves the browser a new
        process.
        """
        context = self.context = await self._chromium.new_context(**self._reachable) if left is None else left.context
        assert context is not None
        self.uses = 1 if left is None else left.uses + 1
        context.opened = self._opened
        context.target_gone = self._gone
        context.download = self._downloaded
        await context.open_tab()
        try:
            async with asyncio.timeout(OPENING_TIMEOUT):
                await self._first
        except TimeoutError:
            raise Disconnected(f"the browser did not open a tab within {OPENING_TIMEOUT:g} s") from None
        if left is not None:
            await left.leave_context()
            await self._empty(left.origins)
            if self._settings.control is not Control.ADOPTED:
                await self.tabs[0].set_region()
        if cookies:
            await self._chromium.connection.send(
                "Storage.setCookies", {"cookies": list(cookies), "browserContextId": context.id}
            )
        await self.tabs[0].restore_storage(local_storage)

    async def leave_context(self) -> None:
        """Close all tabs; pages are not told, so that nothing of theirs gets into the next run."""
        for tab in self.tabs:
            if not tab.closed:
                tab.closed = True
                await tab.end()

    async def _empty(self, origins: Iterable[str]) -> None:
        """Nothing of an earlier run is left in the context."""
        assert self.context is not None
        session = self.tabs[0].session
        await asyncio.gather(
            self._chromium.connection.send("Storage.clearCookies", {"browserContextId": self.context.id}, timeout=5),
            *(
                session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": _STORED}, timeout=5)
                for origin in origins
            ),
        )

    @property
    def origins(self) -> set[str]:
        """Of all documents that may have stored something."""
        return {origin for tab in self.tabs for origin in tab.origins}

    @property
    def emptied_easily(self) -> bool:
        """Whether its context can be emptied: not of what an embedded origin stored, which is kept by two names."""
        return not any(tab.embedded for tab in self.tabs)

    def adopt(self, context: Context) -> None:
        """Take over whatever tabs appear in a context of somebody else's. They are left to him in the end."""
        context.opened = self._opened
        context.target_gone = self._gone

    async def cookies(self) -> list[Params]:
        """All cookies of the run, as Chromium keeps them."""
        if self.context is None:
            return []
        found = await self._chromium.connection.send("Storage.getCookies", {"browserContextId": self.context.id})
        wanted = ("name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite")
        return [{name: cookie[name] for name in wanted if name in cookie} for cookie in found["cookies"]]

    async def clear(self) -> None:
        for tab in self.tabs:
            tab.closed = True
        if self.context is not None:
            await self.context.dispose()

    def present(self) -> list[tuple[Tab, Frame]]:
        """Every document that can be spoken to, the page before its frames."""
        return [
            (tab, frame)
            for tab in self.tabs
            if tab.usable
            for frame in sorted(tab.frames.values(), key=lambda frame: frame.path)
            if frame.context and not tab.unreachable(frame)
        ]

    def place(self, frame: str) -> tuple[Tab, Frame] | tuple[None, None]:
        """A frame and its tab, by the frame's id."""
        for tab in self.tabs:
            if tab.usable and frame in tab.frames:
                return tab, tab.frames[frame]
        return None, None

    async def told_by_all(self, expression: str) -> list[Params]:
        """What each document says to an expression, with the place of the document, in one round trip."""
        asked = [(tab, frame, asyncio.ensure_future(tab.ask(frame, expression, 10))) for tab, frame in self.present()]
        parts = []
        for tab, frame, question in asked:
            with contextlib.suppress(ContextGone):
                part = await question
                if part:
                    parts.append({"tab": tab.number, "frame": ".".join(map(str, frame.path)), **part})
        return parts

    async def until(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        """Wait for a condition that some message of the browser will make true. Raises TimeoutError."""

        def fulfilled() -> bool:
            if not self._chromium.alive:
                raise CouldNotRun("The browser ended while it was needed.", advice="See: jostle doctor")
            return condition()

        if not condition():
            await self._signal.until(fulfilled, timeout, what)

    # Tabs come and go.

    def _opened(self, target: str, session: str, opener: str) -> None:
        if opener and self.uses > 1 and not any(tab.target == opener for tab in self.tabs):
            # Of a run that is over.
            self._chromium.connection.post("Target.closeTarget", {"targetId": target})
            return
        tab = Tab(self._chromium.connection, target, session, number=len(self.tabs), links=self._links)
        self.tabs.append(tab)
        task = asyncio.create_task(self._prepare(tab))
        self.preparing[task] = tab
        task.add_done_callback(self._prepared)

    async def _prepare(self, tab: Tab) -> None:
        try:
            await tab.prepare()
        except (ProtocolError, NoAnswer, Disconnected):
            tab.closed = True  # closed again before it was set up

    def _prepared(self, task: asyncio.Task[None]) -> None:
        del self.preparing[task]
        if not self._first.done():
            self._first.set_result(None)
        self._signal()

    def _gone(self, target: str) -> None:
        for tab in self.tabs:
            if tab.target == target:
                tab.closed = True
                for session in tab.frames.sessions():
                    self.gate.requests.forget(session)
        self.on_closed()
        self._signal()

    def _downloaded(self, frame: str, name: str) -> None:
        for tab in self.tabs:
            if frame in tab.frames:
                tab.downloads_owed = max(0, tab.downloads_owed - 1)
                self.journal.downloads.append(name)
                self._signal()
