"""Setting up the sessions of a tab before its first document."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any

from jostle.browser import agent
from jostle.browser.connection import NoAnswer, Params, Session
from jostle.browser.gate import Gate
from jostle.browser.settings import AccessLog, Control, Profiling, TabSettings

_STACK = 8
"""Frames of a stack that the browser collects for us. Pages with deep stacks load half as fast with its own 200."""


class TabSetup:
    """How the tabs of a run are set up."""

    def __init__(self, settings: TabSettings, gate: Gate) -> None:
        self._settings = settings
        self._gate = gate

    async def prepare(self, session: Session, *, leaving: Callable[[], bool]) -> None:
        """Set a tab up before its first document; then let it start. `leaving`: the page is being replaced already."""
        post = session.post
        posted: list[asyncio.Future[Any]] = [
            *self.enable(session),
            post("Page.enable"),
            post("Page.setLifecycleEventsEnabled", {"enabled": False}),
        ]
        if self._settings.control is not Control.ADOPTED:
            posted += self.emulate(session)
            region = asyncio.ensure_future(self.set_region(session))
            region.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait any more
            posted.append(region)
        posted.append(post("Runtime.runIfWaitingForDebugger"))
        while True:
            _, missing = await asyncio.wait(posted, timeout=30)
            if not missing:
                break
            if not leaving():  # else Chromium answers when the page has come
                raise NoAnswer("the setting up of a tab", 30)
        for future in posted:
            future.result()

    async def end(self, session: Session, sessions: Iterable[Session]) -> None:
        """Let nothing of a tab's page reach the server or the next run; `sessions`: of all its frames."""
        said = []
        for each in sessions:
            said.append(each.post("Emulation.setScriptExecutionDisabled", {"value": True}))
            # Its process forgets what it has loaded when the cache is turned off; the next page would not ask for it.
            said += [each.post("Network.setCacheDisabled", {"cacheDisabled": off}) for off in (False, True)]
        _, missing = await asyncio.wait(said, timeout=5)
        if missing:
            raise NoAnswer("the end of a run", 5)
        if self._settings.locale:  # it may be closed only after the next one has said
            await session.send("Emulation.setLocaleOverride", timeout=5)
        if self._settings.timezone:
            await session.send("Emulation.setTimezoneOverride", {"timezoneId": ""}, timeout=5)

    def enable(self, session: Session) -> list[asyncio.Future[Params]]:
        """What every process with frames of this tab needs."""
        control = self._settings.control
        agent_source = agent.source(
            free=not control.holds,
            recorded=self._gate.has_responder,
            origins=sorted(self._gate.origins),
            watching=control.watches,
            registrations=self._settings.registrations,
            accesses=self._settings.accesses is not AccessLog.NONE,
            sharedOnly=self._settings.accesses is AccessLog.SHARED,
            probes=self._gate.rewriting.probes if self._gate.rewriting else "",
            added=self._settings.parts,
            ignored=self._settings.ignored,
        )
        # Nobody sits there to fill in the browser's dialog for user name and password; whoever watches does.
        fetching = {"patterns": self._gate.patterns(), "handleAuthRequests": not control.watches}
        post = session.post
        posted = [
            post("Network.enable", {"maxPostDataSize": 1 << 20}),
            post("Network.setCacheDisabled", {"cacheDisabled": True}),
            post("Network.setBypassServiceWorker", {"bypass": True}),
            *([post("Fetch.enable", fetching)] if control is not Control.FREE else []),
            post("Runtime.enable"),
            post("Runtime.setMaxCallStackSizeToCapture", {"size": _STACK}),
            post("Runtime.addBinding", {"name": agent.BINDING}),
            post("Page.enable"),
            post("Page.addScriptToEvaluateOnNewDocument", {"source": agent_source, "runImmediately": True}),
            *(post("Page.addScriptToEvaluateOnNewDocument", {"source": each}) for each in self._settings.scripts),
            post("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}),
        ]
        if self._gate.rewriting is not None:
            posted.append(post("Debugger.enable"))  # see rewriting.js
        if control.holds:
            # Animations stand still; the agent lets them end.
            posted += [post("Animation.enable"), post("Animation.setPlaybackRate", {"playbackRate": 0})]
        if self._settings.profiling is not Profiling.NONE:
            posted += [
                post("Profiler.enable"),
                post("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True}),
            ]
        return posted

    def emulate(self, session: Session) -> list[asyncio.Future[Params]]:
        settings, post = self._settings, session.post
        size = {"width": settings.width, "height": settings.height, "deviceScaleFactor": 1, "mobile": False}
        posted = [
            post("Emulation.setFocusEmulationEnabled", {"enabled": True}),
            post("Emulation.setDeviceMetricsOverride", size),
        ]
        if settings.touch:
            posted.append(post("Emulation.setTouchEmulationEnabled", {"enabled": True}))
        if settings.user_agent:
            posted.append(post("Emulation.setUserAgentOverride", {"userAgent": settings.user_agent}))
        return posted

    async def set_region(self, session: Session) -> None:
        """Language and time zone, for all pages of its process: only the first of them may say."""
        settings, post = self._settings, session.post
        posted = []
        if settings.locale:
            posted.append(post("Emulation.setLocaleOverride", {"locale": settings.locale}))
        if settings.timezone:
            posted.append(post("Emulation.setTimezoneOverride", {"timezoneId": settings.timezone}))
        if posted:
            await asyncio.wait(posted, timeout=5)
        for each in posted:
            if each.done() and (refused := each.exception()) and "already in effect" not in str(refused):
                raise refused

    async def restore_storage(self, session: Session, storage: dict[str, dict[str, str]]) -> None:
        """Let documents of these origins find these entries in their localStorage, as after a log-in."""
        if storage:
            source = (
                f"{{const entries = ({json.dumps(storage)})[location.origin];"
                "if (entries && !sessionStorage.__jostle_restored) { sessionStorage.__jostle_restored = 1;"
                "for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value); }}"
            )
            await session.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
