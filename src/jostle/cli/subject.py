"""The application that a command explores: as at first, somebody logged in, in a browser, seen as a user sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.gate import Answerer
from jostle.browser.rewriting import Rewrites
from jostle.browser.tab import Settings
from jostle.cli.browsing import app_of, manifest, settings
from jostle.cli.options import Options
from jostle.config.application import Application
from jostle.explore.application import Explored
from jostle.model.abstraction import Abstraction, by_name
from jostle.progress import Listener, silent
from jostle.races.init.loads import Loads
from jostle.races.rehearsal import Rehearsal
from jostle.recording.file import Manifest
from jostle.recording.login import StorageState, logged_in
from jostle.recording.recorder import Hears, Recorder


class Subject:
    """Gives the application to explore, and brings it back to where it began whenever that is needed."""

    def __init__(
        self, options: Options, application: Application, url: str, *, state: StorageState | None = None
    ) -> None:
        """`state`: who was logged in when the page at `url` was met, instead of what the configuration says."""
        self._options = options
        self._application = application
        self._given = state
        self._state = state or StorageState()
        self._used = False  # since it was last as at first
        self.url = url
        self.view = settings(options.configuration)

    async def restore(self, chromium: Chromium, listener: Listener = silent) -> None:
        """Reset it and log in, as the configuration says. To be called first."""
        await asyncio.to_thread(self._application.reset)
        if self._given is None:
            self._state = await logged_in(self._options.loaded, chromium, self.url, listener)
        self._used = False

    def opened(self, chromium: Chromium, view: Settings) -> ChromiumApp:
        """The application, as the configured user gets to see it."""
        return self._app(self._manifest(chromium), chromium, view)

    def explored(self, app: ChromiumApp, chromium: Chromium) -> Explored:
        """As an explorer sees it; each of its runs begins where the first one began, if there is a way to that."""
        return Explored(app, self.abstraction(app), restore=lambda: self._again(chromium, app))

    async def recorded(self, chromium: Chromium, *, cost: bool = False) -> tuple[Explored, Recorder]:
        """The same for one run in which every answer is held, and its recording. `cost`: with the costs of events."""
        if self._options.configuration.app.reset is not None:
            await self.restore(chromium)
        made = self._manifest(chromium)
        recorder = Recorder(made)
        app = self._app(made, chromium, msgspec.structs.replace(self.view, cost=cost), recorder)
        self._used = True
        explored = Explored(
            app,
            self.abstraction(app),
            observe=lambda step: recorder.stepped(app, step, whole=step.event.by_user),
            on_reset=recorder.begin,
        )
        return explored, recorder

    def rehearsal(self, chromium: Chromium, *, pauses: bool = False, rewriter: Rewrites | None = None) -> Rehearsal:
        """For runs that are to differ in nothing but their order. `pauses`: the parser of a page may pause, which is an
        event of its own, and there are many runs. `rewriter`: with what each event reads and writes."""
        made = self._manifest(chromium, pauses=pauses)
        watched = rewriter is not None
        view = msgspec.structs.replace(self.view, accesses=watched, shared_only=watched, reused=pauses)

        def opens(answerer: Answerer | None, hearing: Hears) -> ChromiumApp:
            return self._app(made, chromium, view, hearing, answerer, rewriter=rewriter)

        return Rehearsal(opens, made, self.abstraction, restore=lambda app: self._again(chromium, app))

    def loads(self, chromium: Chromium, on_limit: Callable[[str], None]) -> Loads:
        """For loading its first page again and again."""
        made = self._manifest(chromium)

        def opens(answerer: Answerer | None, hearing: Hears, *, registrations: bool) -> ChromiumApp:
            # One by one: how many frames are one event depends on what else is waiting, which differs between loads.
            view = msgspec.structs.replace(self.view, registrations=registrations, frames=1)
            return self._app(made, chromium, view, hearing, answerer, on_limit)

        return Loads(opens, made, on_limit)

    def abstraction(self, app: ChromiumApp) -> Abstraction:
        loaded = self._options.loaded
        return by_name(loaded.configuration.state, origins=tuple(app.origins), directory=loaded.directory)

    def _manifest(self, chromium: Chromium, *, pauses: bool = False) -> Manifest:
        return manifest(self._options, chromium, self.url, view=self.view, state=self._state, pauses=pauses)

    def _app(
        self,
        made: Manifest,
        chromium: Chromium,
        view: Settings,
        recorder: Hears | None = None,
        answerer: Answerer | None = None,
        on_limit: Callable[[str], None] = lambda words: None,
        rewriter: Rewrites | None = None,
    ) -> ChromiumApp:
        return app_of(
            made,
            chromium,
            view=view,
            recorder=recorder,
            answerer=answerer,
            on_limit=on_limit,
            block_third_party=self._options.configuration.block_third_party,
            rewriter=rewriter,
        )

    async def _again(self, chromium: Chromium, app: ChromiumApp) -> None:
        """Before each run; who was logged in may have to log in again when the application has been reset."""
        if self._used and self._options.configuration.app.reset is not None:
            await self.restore(chromium)
            await app.begin_with(self._state.cookies, self._state.local_storage)
        self._used = True
