"""What commands that use the browser have in common: opening it, and setting up the application as configured."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Self, TypeVar

from jostle.browser import loop
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp, Limits
from jostle.browser.connection import Disconnected, NoAnswer
from jostle.browser.gate import Answerer
from jostle.browser.rewriting import Rewrites
from jostle.browser.tab import OnDialog, Settings, accept
from jostle.cli.options import Options
from jostle.config.settings import Configuration
from jostle.errors import CouldNotRun, NoBrowser
from jostle.races.orders.parsing import pauses
from jostle.recording.file import Manifest
from jostle.recording.login import StorageState
from jostle.recording.recorder import Hears

T = TypeVar("T")

_REWRITTEN = 60.0
"""Seconds that an event's JavaScript may take when it has been rewritten."""
FRAMES = 30
"""Half a second of an animation is one event when nothing else happens meanwhile."""


class Browsers:
    """Browsers that stay open between searches: starting one takes as long as trying something."""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, ...], list[Chromium]] = {}
        self._ends: list[tuple[asyncio.Event, asyncio.Task[None]]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        for end, _ in self._ends:
            end.set()
        await asyncio.gather(*(task for _, task in self._ends), return_exceptions=True)

    @contextlib.asynccontextmanager
    async def lent(self, options: Options, *arguments: str) -> AsyncIterator[Chromium]:
        """One that nobody uses, else another one. It is kept for others unless something went wrong with it."""
        idle = self._idle.setdefault(arguments, [])
        while idle and not idle[-1].alive:
            idle.pop()
        chromium = idle.pop() if idle else await self._started(options, *arguments)
        yield chromium
        idle.append(chromium)

    async def _started(self, options: Options, *arguments: str) -> Chromium:
        """Whoever needs it first does not see it end: each is kept by a task of its own."""
        ready: asyncio.Future[Chromium] = asyncio.get_running_loop().create_future()
        end = asyncio.Event()

        async def kept() -> None:
            try:
                async with browser(dataclasses.replace(options, browsers=None), *arguments) as chromium:
                    if not ready.cancelled():
                        ready.set_result(chromium)
                        await end.wait()
            except BaseException as error:
                if ready.done():
                    raise
                ready.set_exception(error)

        self._ends.append((end, asyncio.create_task(kept())))
        return await ready


@contextlib.asynccontextmanager
async def browser(options: Options, *arguments: str) -> AsyncIterator[Chromium]:
    """The browser the options ask for: one of our own, with these arguments besides, or one that is running."""
    if options.browsers is not None:
        async with options.browsers.lent(options, *arguments) as kept:
            yield kept
        return
    configured = options.configuration.browser
    if options.connect:
        try:
            async with Chromium.connect(options.connect) as chromium:
                yield chromium
        except Disconnected as gone:
            raise NoBrowser(str(gone)) from gone
        return
    launching = Chromium.launch(
        options.loaded.browser_path, headed=options.headed, arguments=(*configured.args, *arguments)
    )
    async with launching as chromium:
        yield chromium


def settings(configuration: Configuration) -> Settings:
    """What the page sees of the browser and what we look at of the page, as configured."""
    configured = configuration.browser
    width, height = configured.viewport
    return Settings(
        width=width,
        height=height,
        locale=configured.locale,
        timezone=configured.timezone,
        frames=FRAMES,
        ignored=configuration.ignore.regions,
    )


def settings_of(manifest: Manifest) -> Settings:
    """What the page saw when a recording was made."""
    width, height = manifest.viewport
    return Settings(
        width=width,
        height=height,
        start=manifest.start_time,
        user_agent=manifest.user_agent,
        locale=str(manifest.options.get("locale", "")),
        timezone=str(manifest.options.get("timezone", "")),
        ignored=tuple(manifest.options.get("ignored") or ()),
    )


def state_of(manifest: Manifest) -> StorageState:
    """Who was logged in when a recording was made."""
    storage: dict[str, dict[str, str]] = manifest.options.get("local_storage") or {}
    return StorageState(
        cookies=tuple(manifest.options.get("cookies") or ()),
        origins=tuple(
            {"origin": origin, "localStorage": [{"name": key, "value": value} for key, value in entries.items()]}
            for origin, entries in storage.items()
        ),
    )


def manifest(
    options: Options,
    chromium: Chromium,
    url: str,
    *,
    view: Settings,
    state: StorageState,
    origins: tuple[str, ...] = (),
    redacted: bool = False,
    **more: object,
) -> Manifest:
    """Where and how a recording is about to be made. `origins`: what may be acted on beside what is configured."""
    return Manifest(
        url=url,
        seed=options.seed,
        viewport=(view.width, view.height),
        user_agent=chromium.user_agent,
        browser=chromium.version,
        start_time=view.start,
        redacted=redacted,
        origins=tuple(dict.fromkeys((*options.configuration.allowed_origins, *origins))),
        options={
            **more,
            "locale": view.locale,
            "timezone": view.timezone,
            "ignored": view.ignored,
            "cookies": state.cookies,
            "local_storage": state.local_storage,
        },
    )


def app_of(
    manifest: Manifest,
    chromium: Chromium,
    *,
    view: Settings | None = None,
    state: StorageState | None = None,
    recorder: Hears | None = None,
    answerer: Answerer | None = None,
    on_limit: Callable[[str], None] = lambda words: None,
    on_dialog: OnDialog = accept,
    block_third_party: bool = False,
    rewriter: Rewrites | None = None,
) -> ChromiumApp:
    """The application as a recording has it; `view` and `state` in place of those that the recording has. With a
    `rewriter` it is waited for longer: scripts that tell all they do are slow."""
    state = state or state_of(manifest)
    hearing = {"on_exchange": recorder.exchanged, "on_traffic": recorder.traffic} if recorder is not None else {}

    def limit(words: str) -> None:
        if recorder is not None:
            recorder.limit(words)
        on_limit(words)

    return ChromiumApp(
        chromium,
        manifest.url,
        seed=manifest.seed,
        allowed_origins=manifest.origins,
        settings=view or settings_of(manifest),
        limits=Limits(step=_REWRITTEN) if rewriter is not None else None,
        answerer=answerer,
        on_limit=limit,
        on_dialog=on_dialog,
        cookies=state.cookies,
        local_storage=state.local_storage,
        block_third_party=block_third_party,
        fences=pauses if manifest.options.get("pauses") else None,
        rewriter=rewriter,
        **hearing,  # type: ignore[arg-type]
    )


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the asynchronous part of a command. A browser that ends on its own is told in words."""
    try:
        return loop.run(work)
    except (Disconnected, NoAnswer) as gone:
        raise CouldNotRun(f"The browser went away: {gone}.", advice="See: jostle doctor") from gone
