"""Where one run takes place: a browser context of its own with its tabs, set up before the run begins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from jostle.browser.chromium import Chromium, Context
from jostle.browser.connection import Disconnected, NoAnswer, Params, ProtocolError
from jostle.browser.gate import Gate
from jostle.browser.journal import Journal
from jostle.browser.tab import Settings, Tab

OPENING_TIMEOUT = 30.0


class Stage:
    """The tabs, the gate and the journal of one run."""

    def __init__(
        self,
        chromium: Chromium,
        *,
        gate: Gate,
        journal: Journal,
        settings: Settings,
        changed: Callable[[], None],
        on_dialog: Callable[[str, str, str], tuple[bool, str]],
        turn: Callable[[str], Params],
    ) -> None:
        """`turn` gives what a page has to know of an event, by its key."""
        self.gate = gate
        self.journal = journal
        self.tabs: list[Tab] = []
        self.preparing: dict[asyncio.Task[None], Tab] = {}
        self.context: Context | None = None
        self._chromium = chromium
        self._settings = settings
        self._changed = changed
        self._on_dialog = on_dialog
        self._turn = turn
        self._first: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def set_up(self, cookies: Sequence[Params], local_storage: dict[str, dict[str, str]]) -> None:
        """Open the first tab, empty, with everything a log-in has left behind."""
        context = self.context = await self._chromium.new_context()
        context.opened = self._opened
        context.target_gone = self._gone
        context.download = self._downloaded
        if cookies:
            await self._chromium.connection.send(
                "Storage.setCookies", {"cookies": list(cookies), "browserContextId": context.id}
            )
        await context.open_tab()
        try:
            await asyncio.wait_for(self._first, OPENING_TIMEOUT)
        except TimeoutError:
            raise Disconnected(f"the browser did not open a tab within {OPENING_TIMEOUT:g} s") from None
        await self.tabs[0].restore_storage(local_storage)

    async def clear(self) -> None:
        for tab in self.tabs:
            tab.closed = True
        if self.context is not None:
            await self.context.dispose()

    # Tabs come and go.

    def _opened(self, target: str, session: str, opener: str) -> None:
        tab = Tab(
            self._chromium.connection,
            target,
            session,
            number=len(self.tabs),
            gate=self.gate,
            journal=self.journal,
            settings=self._settings,
            changed=self._changed,
            on_dialog=self._on_dialog,
        )
        tab.turn = lambda: self._turn(self.journal.current)
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
        self._changed()

    def _gone(self, target: str) -> None:
        for tab in self.tabs:
            if tab.target == target:
                tab.closed = True
        self._changed()

    def _downloaded(self, frame: str, name: str) -> None:
        for tab in self.tabs:
            if frame in tab.frames:
                tab.downloads_owed = max(0, tab.downloads_owed - 1)
                self.journal.downloads.append(name)
                self._changed()
