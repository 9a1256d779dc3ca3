"""A running Chromium: isolated contexts, and which tab belongs to whom."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence

from jostle.browser.connection import Connection, Disconnected, NoAnswer, Params, ProtocolError
from jostle.browser.launch import connected, launched
from jostle.browser.memory import private_megabytes

MOST_MEMORY = 600
"""Megabytes that a browser may take before it is started anew."""
_WEIGHED = 5.0
"""Seconds after which its memory is looked at again."""
_SPARED = 25.0
"""Seconds more after it was started anew, or could not be: some applications need that much."""

Opened = Callable[[str, str, str], None]
"""Called with target id, session id and opener when a tab appears in a context."""


class Context:
    """An isolated profile in a running browser: cookies, storage and tabs of one run."""

    def __init__(self, chromium: Chromium, identifier: str) -> None:
        self.id = identifier
        self._chromium = chromium
        self.opened: Opened = lambda target, session, opener: None
        self.target_gone: Callable[[str], None] = lambda target: None
        self.download: Callable[[str, str], None] = lambda frame, name: None

    async def open_tab(self) -> str:
        """Open an empty tab; `opened` is called for it as for any other."""
        parameters: Params = {"url": "about:blank"}
        if self.id:
            parameters["browserContextId"] = self.id
        return str((await self._chromium.connection.send("Target.createTarget", parameters))["targetId"])

    async def dispose(self) -> None:
        await self._chromium.dispose(self)


class Chromium:
    """One browser, started by us or running already."""

    def __init__(self, connection: Connection, *, ours: bool) -> None:
        self.connection = connection
        self.version = ""
        self.user_agent = ""
        self._ours = ours
        self._memory = MOST_MEMORY
        self._contexts: dict[str, Context] = {}
        self._tabs: dict[str, Context] = {}
        self._default: Context | None = None
        self._start: Callable[[], contextlib.AbstractAsyncContextManager[Connection]] | None = None
        self._running = contextlib.AsyncExitStack()
        self._weighed = time.monotonic()
        self._worn = False
        self.renewals = 0
        """How often it was started anew."""
        self._root = connection.session("", self._happened)

    @classmethod
    @contextlib.asynccontextmanager
    async def launch(
        cls,
        executable: str | None = None,
        *,
        headed: bool = False,
        site_isolation: bool = False,
        arguments: Sequence[str] = (),
        memory: int = MOST_MEMORY,
    ) -> AsyncIterator[Chromium]:
        """Start a browser; its processes and its profile are gone when the block is left. With more than `memory`
        megabytes it is `worn`."""

        def start() -> contextlib.AbstractAsyncContextManager[Connection]:
            return launched(executable, headed=headed, site_isolation=site_isolation, arguments=arguments)

        async with contextlib.AsyncExitStack() as stack:
            chromium = cls(await stack.enter_async_context(start()), ours=True)
            chromium._memory, chromium._start = memory, start
            chromium._running = stack.pop_all()
            try:
                await chromium._begin()
                yield chromium
            finally:
                await chromium._running.aclose()

    @classmethod
    @contextlib.asynccontextmanager
    async def connect(cls, url: str) -> AsyncIterator[Chromium]:
        """Use a browser that is running already; it is left running, without our tabs."""
        async with connected(url) as connection:
            chromium = cls(connection, ours=False)
            await chromium._begin()
            try:
                yield chromium
            finally:
                await chromium._leave()

    @property
    def pid(self) -> int:
        """The process of a browser that we started; 0 for one that was running already."""
        return self.connection.pid

    @property
    def worn(self) -> bool:
        """Whether it takes so much memory that whoever uses it should begin a new run, for which it is `renew`ed."""
        if self._start is not None and not self._worn and time.monotonic() > self._weighed + _WEIGHED:
            self._weighed = time.monotonic()
            self._worn = private_megabytes(self.pid) > self._memory
        return self._worn

    async def renew(self) -> None:
        """Start it anew, if it is worn and nobody uses it just now: a browser keeps much of what it has shown."""
        if not self.worn or self._start is None:
            return
        self._worn, self._weighed = False, time.monotonic() + _SPARED
        if self._contexts:
            return
        running = contextlib.AsyncExitStack()
        connection = await running.enter_async_context(self._start())
        before, self._running = self._running, running
        self.connection = connection
        self._tabs.clear()
        self._root = connection.session("", self._happened)
        self.renewals += 1
        await self._begin()
        await before.aclose()

    @property
    def alive(self) -> bool:
        return not self.connection.gone.done()

    async def _begin(self) -> None:
        version = await self.connection.send("Browser.getVersion")
        self.version = version["product"]
        self.user_agent = version["userAgent"]
        await self.connection.send(
            "Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
        )

    async def new_context(self, **more: str) -> Context:
        """`more`: further parameters of `Target.createBrowserContext`."""
        try:
            made = await self.connection.send("Target.createBrowserContext", {"disposeOnDetach": True, **more})
        except ProtocolError:
            # Chrome on Android has no contexts of its own: share the one there is.
            context = Context(self, "")
            self._default = context
            return context
        context = Context(self, made["browserContextId"])
        self._contexts[context.id] = context
        await self.connection.send(
            "Browser.setDownloadBehavior",
            {"behavior": "deny", "browserContextId": context.id, "eventsEnabled": True},
        )
        return context

    def everything(self) -> Context:
        """For a browser that is somebody else's: all its tabs, whoever opens them."""
        self._default = Context(self, "")
        return self._default

    async def dispose(self, context: Context) -> None:
        """Close a context with all its tabs. Never raises: a browser that is gone has no contexts."""
        self._contexts.pop(context.id, None)
        tabs = [target for target, owner in self._tabs.items() if owner is context]
        for target in tabs:
            del self._tabs[target]
        try:
            if context.id:
                await self.connection.send("Target.disposeBrowserContext", {"browserContextId": context.id}, timeout=5)
            else:
                for target in tabs:
                    await self.connection.send("Target.closeTarget", {"targetId": target}, timeout=5)
        except (ProtocolError, NoAnswer, Disconnected):
            pass

    async def _leave(self) -> None:
        owners = {id(context): context for context in (*self._contexts.values(), *self._tabs.values())}
        for context in owners.values():
            await self.dispose(context)

    def _happened(self, method: str, params: Params) -> None:
        if method == "Target.attachedToTarget":
            self._attached(params)
        elif method == "Target.detachedFromTarget":
            self.connection.drop(params["sessionId"])
            self._gone(params.get("targetId", ""))
        elif method == "Target.targetDestroyed":
            self._gone(params["targetId"])
        elif method == "Browser.downloadWillBegin":
            for context in {*self._contexts.values(), *self._tabs.values()}:
                context.download(params["frameId"], str(params.get("suggestedFilename") or params.get("url")))

    def _gone(self, target: str) -> None:
        if context := self._tabs.pop(target, None):
            context.target_gone(target)

    def _attached(self, params: Params) -> None:
        info, session = params["targetInfo"], params["sessionId"]
        context = self._contexts.get(str(info.get("browserContextId"))) or (None if self._ours else self._default)
        if context is None or info["type"] != "page":
            self.connection.post("Runtime.runIfWaitingForDebugger", session=session)
            if not self._ours:
                self.connection.post("Target.detachFromTarget", {"sessionId": session})
            return
        self._tabs[info["targetId"]] = context
        context.opened(info["targetId"], session, info.get("openerId", ""))
