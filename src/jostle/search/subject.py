"""The application under test: as it was at first, somebody logged in, opened in a browser."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import msgspec

from jostle.addresses import split_url
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.dialog import OnDialog, accept
from jostle.browser.responders import Responder
from jostle.browser.settings import TabSettings
from jostle.config.placeholders import effective_port
from jostle.config.settings import Configuration, Loaded
from jostle.errors import ApplicationDied, ApplicationProblem
from jostle.events import Effect, Event
from jostle.model.abstraction import Abstraction, by_name
from jostle.progress import Listener, silent
from jostle.recording.file import Manifest
from jostle.recording.login import StorageState, logged_in
from jostle.recording.opening import app_of, manifest, settings
from jostle.recording.recorder import Hears
from jostle.rewriting import ScriptRewriter
from jostle.search.browsers import Browsers
from jostle.search.instances import Instances, only_one
from jostle.text import cut

_LONGEST_SHOWN = 200
"""Characters of what was done."""
_CONNECT_SECONDS = 2.0


class Subject:
    """How searches get at the application: opens it, and brings it back to where it began when that is needed."""

    def __init__(
        self,
        url: str,
        loaded: Loaded,
        instances: Instances,
        browsers: Browsers,
        *,
        seed: int = 0,
        state: StorageState | None = None,
    ) -> None:
        """`state`: who was logged in when the page at `url` was met, instead of what the configuration says."""
        self.url = url
        self.loaded = loaded
        self.seed = seed
        self.browsers = browsers
        self.view = settings(loaded.configuration)
        self.on_dialog: OnDialog = accept
        """What is said to the dialogs of the page."""
        self.instances = instances
        """Shared by all who work on the same application."""
        self._instance = instances.first
        """The one that is worked with, or was last."""
        self._given = state
        self._state = state or StorageState()
        self._used = False  # since it was last as at first

    @property
    def configuration(self) -> Configuration:
        return self.loaded.configuration

    @property
    def resets(self) -> bool:
        """Whether there is a way back to the state the application began in."""
        return self.configuration.app.reset is not None

    @property
    def only_one(self) -> str:
        """Why there cannot be an instance for each browser, and what to do about it; empty when there can be."""
        return only_one(self.configuration, self.url, connect=self.browsers.choice.connect is not None)

    def at(self, url: str, *, state: StorageState | None = None) -> Subject:
        """The same application at another address, with somebody else logged in."""
        return Subject(url, self.loaded, self.instances, self.browsers, seed=self.seed, state=state)

    @contextlib.asynccontextmanager
    async def browser(self, *arguments: str, listener: Listener = silent) -> AsyncIterator[Chromium]:
        """A browser, with the application as at first: reset, and somebody logged in as the configuration says."""
        with self.instances.lent() as self._instance:
            async with self.another_browser(*arguments) as chromium:
                await self.restore(chromium, listener)
                yield chromium

    def another_browser(self, *arguments: str) -> contextlib.AbstractAsyncContextManager[Chromium]:
        """A further one while `browser` is open, for the same instance of the application, which stays as it is."""
        return self.browsers.lent(*arguments, *self._instance.arguments)

    async def restore(self, chromium: Chromium, listener: Listener = silent) -> None:
        """Reset the application and log in, as the configuration says."""
        application = self._instance.application
        await asyncio.to_thread(application.reset)
        if self._given is None:
            directly = application.address(self.url)
            self._state = await logged_in(self.loaded, chromium, self.url, listener, directly=directly)
        self._used = False

    async def restore_for(self, app: ChromiumApp) -> None:
        """Before each run: who was logged in may have to log in again once the application has been reset."""
        if self._used and self.resets:
            await self.restore(app.chromium)
            await app.begin_with(self._state.cookies, self._state.local_storage)
        self._used = True

    async def restore_once(self, chromium: Chromium) -> None:
        """Before a single run in an application of its own."""
        if self.resets:
            await self.restore(chromium)
        self._used = True

    def manifest(self, chromium: Chromium, *, pauses: bool = False) -> Manifest:
        """Where and how a recording of it is about to be made. `pauses`: the parser of a page may pause."""
        return manifest(
            self.url,
            chromium,
            seed=self.seed,
            view=self.view,
            state=self._state,
            origins=self.configuration.allowed_origins,
            pauses=pauses,
        )

    def opened(
        self,
        chromium: Chromium,
        view: TabSettings,
        *,
        made: Manifest | None = None,
        recorder: Hears | None = None,
        responder: Responder | None = None,
        on_limit: Callable[[str], None] = lambda words: None,
        rewriter: ScriptRewriter | None = None,
    ) -> ChromiumApp:
        """The application, as the configured user gets to see it. `made`: of the recording that `recorder` makes."""
        return app_of(
            made or self.manifest(chromium),
            chromium,
            view=view,
            recorder=recorder,
            responder=responder,
            on_limit=on_limit,
            on_dialog=lambda kind, message, default: self.on_dialog(kind, message, default),
            on_step=self._stepped if responder is None else _unheard,
            block_third_party=self.configuration.block_third_party,
            rewriter=rewriter,
        )

    def _stepped(self, event: Event, effect: Effect) -> None:
        self._instance.last.stepped(event, effect.answers)

    async def death(self, problem: ApplicationProblem) -> ApplicationDied | None:
        """What to say when the application is not there any more; None while it still is, or if nothing was done. An
        instance that is not there any more is not worked with again, if there are others."""
        if isinstance(problem, ApplicationDied):
            return problem
        instance = self._instance
        if not (what := instance.last.what) or await _is_listening(instance.application.address(self.url)):
            return None
        self.instances.drop(instance)
        return ApplicationDied(
            f"The application stopped answering after: {cut(what, _LONGEST_SHOWN)}",
            advice=f"{problem.message}\nIf it is not to be done again, skip it with --avoid.",
        )

    def seen_with(self, **changes: object) -> TabSettings:
        """The configured view of the page, with some settings changed."""
        return msgspec.structs.replace(self.view, **changes)

    def abstraction(self, app: ChromiumApp) -> Abstraction:
        return by_name(self.configuration.state, origins=tuple(app.origins), directory=self.loaded.directory)


def _unheard(event: Event, effect: Effect) -> None:
    """What a recording answers says nothing about the server."""


async def _is_listening(url: str) -> bool:
    """Whether anybody takes connections there."""
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            _, writer = await asyncio.open_connection(split_url(url).hostname, effective_port(url))
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
