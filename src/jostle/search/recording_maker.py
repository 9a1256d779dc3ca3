"""Making a recording: of a random walk, of a person, or of a Playwright script."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from jostle.browser.address import origin
from jostle.browser.app_options import AppListeners
from jostle.browser.chromium import Chromium
from jostle.browser.dialog import OnDialog, accept
from jostle.browser.settings import Control, TabSettings
from jostle.config.settings import Configuration
from jostle.errors import CouldNotRun
from jostle.events import Event
from jostle.progress import LimitMet, Note, silent
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest, Recording
from jostle.recording.login import StorageState, logged_in
from jostle.recording.opening import app_of, manifest, settings
from jostle.recording.recorder import Recorder
from jostle.recording.reenact import failed, reenact
from jostle.recording.replay import replay
from jostle.recording.session import WatchedSession
from jostle.recording.walk import walk
from jostle.search.browsers import Browsers
from jostle.search.redacting import Keeper, KeptRecording, Redaction
from jostle.search.run import Environment
from jostle.search.stream import Emit


class RecordOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a recording is made."""

    seed: int = 0
    budget: float | None = None
    """Seconds; None for no bound."""
    allows: Callable[[Event], bool] = lambda event: True
    """What a random walk may do."""
    on_dialog: OnDialog = accept
    """What is said to dialogs on a random walk."""


class RecordingMaker:
    """Makes one recording: of a random walk, a person, or a Playwright script."""

    def __init__(
        self,
        environment: Environment,
        emit: Emit,
        run: Keeper,
        redaction: Redaction,
        *,
        output: Path,
        options: RecordOptions,
    ) -> None:
        """`run` has what was recorded so far, so that a kill loses nothing. `output`: the recording to write."""
        self._environment = environment
        self._emit = emit
        self._redaction = redaction
        self._kept = KeptRecording(run, redaction)
        self._output = output
        self._options = options
        self._view = settings(environment.loaded.configuration)
        self._deadline = time.monotonic() + options.budget if options.budget is not None else None
        self.made: Recording | None = None
        """The recording with its secrets, once it is there: for whoever does the same again live."""
        self._recorder: Recorder | None = None
        self.stats: dict[str, Any] = {}
        """Figures; filled in on the way, so that an interrupted recording has them too."""

    @property
    def _configuration(self) -> Configuration:
        return self._environment.loaded.configuration

    async def walk(self, url: str, actions: int, prescribed: list[Event]) -> None:
        async with Browsers(self._environment.browser) as browsers, browsers.lent() as chromium:
            await asyncio.to_thread(self._environment.application.reset)
            state = await logged_in(self._environment.loaded, chromium, url, self._emit)
            self._know(state)
            made = manifest(
                url,
                chromium,
                seed=self._options.seed,
                view=self._view,
                state=state,
                origins=self._configuration.allowed_origins,
                redacted=self._redacted,
                walk=actions,
            )
            recorder = Recorder(made, self._kept)
            app = app_of(
                made,
                chromium,
                view=self._view,
                recorder=recorder,
                on_limit=self._limit,
                on_dialog=self._options.on_dialog,
                block_third_party=self._configuration.block_third_party,
            )
            try:
                self.stats["ended"] = await walk(
                    app,
                    recorder,
                    actions=actions,
                    seed=self._options.seed,
                    listener=self._emit,
                    prescribed=prescribed,
                    deadline=self._deadline,
                    allows=self._options.allows,
                )
            finally:
                self._recorder = recorder
                await app.close()

    async def session(self, url: str, script: Path | None) -> None:
        """Watch a person or a script, then do the same again under control."""
        view = msgspec.structs.replace(self._view, start=round(time.time() * 1000.0))
        heard = Recorder(Manifest(url=url))
        async with Browsers(self._environment.browser) as browsers, browsers.lent() as controlled:
            state = StorageState()
            await asyncio.to_thread(self._environment.application.reset)
            if script is None:
                state = await logged_in(self._environment.loaded, controlled, url, self._emit)
                self._know(state)
                watched = await self._person(url, state, view, heard)
            else:
                watched = await self._scripted(url, script, view, heard)
            url = url or next(iter(watched.visited), "")
            if not url or not watched.done:
                raise CouldNotRun("Nothing was done in the session, so there is nothing to record.")
            await self._again(controlled, url, watched, view, heard, state)

    async def _person(self, url: str, state: StorageState, view: TabSettings, heard: Recorder) -> WatchedSession:
        configured = self._configuration.browser
        size = f"--window-size={view.width},{view.height + 140}"  # with the browser's own bars
        async with Chromium.launch(
            self._environment.loaded.browser_path, headed=True, arguments=(*configured.args, size)
        ) as chromium:
            session = self._watching(chromium, url, view, heard)
            await session.open(url, state)
            how = "with the ■ in the corner of the page, by closing the window, or with Ctrl-C here"
            self._emit(Note(text=f"Recording. Stop {how}."))
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGINT, session.over.set)
            try:
                await _first(self._deadline, session.over.wait(), asyncio.shield(chromium.connection.gone))
                await session.flush()
            finally:
                loop.remove_signal_handler(signal.SIGINT)
            await session.close()
        session.finish()
        return session

    async def _scripted(self, url: str, script: Path, view: TabSettings, heard: Recorder) -> WatchedSession:
        from jostle.recording.script import scripted  # needs Playwright, which is optional

        view = msgspec.structs.replace(view, control=Control.ADOPTED)
        async with scripted(script, self._environment.loaded.browser_path) as (chromium, process):
            session = self._watching(chromium, url, view, heard, badge=False)
            session.adopt(chromium.everything())
            await process.go()
            self._emit(Note(text=f"Recording {script} ..."))
            await _first(self._deadline, process.wait())
            if process.failure:
                self._emit(Note(text=process.failure))
        session.finish()
        return session

    def _watching(
        self, chromium: Chromium, url: str, view: TabSettings, heard: Recorder, *, badge: bool = True
    ) -> WatchedSession:
        allowed = {origin(each) for each in (url, *self._configuration.allowed_origins) if each}

        def may_open(address: str) -> bool:
            return not allowed or not address.startswith(("http:", "https:")) or origin(address) in allowed

        return WatchedSession(
            chromium,
            settings=view,
            may_open=may_open,
            listeners=AppListeners(exchange=heard.exchanged, traffic=heard.traffic, limit=self._limit),
            badge=badge,
        )

    async def _again(
        self,
        chromium: Chromium,
        url: str,
        watched: WatchedSession,
        view: TabSettings,
        heard: Recorder,
        state: StorageState,
    ) -> None:
        """What was done, done again with the answers of the session: that is the recording."""
        answers = RecordedAnswers(heard.recording())
        visits = [done.event.action.href for done in watched.done if done.event.action.type == "visit"]
        made = manifest(
            url,
            chromium,
            seed=self._options.seed,
            view=view,
            state=state,
            origins=(*self._configuration.allowed_origins, *map(origin, visits)),
            redacted=self._redacted,
            session=True,
        )
        recorder = Recorder(made, self._kept)
        given = list(watched.dialogs)
        app = app_of(
            made,
            chromium,
            view=view,
            recorder=recorder,
            responder=answers,
            on_limit=self._limit,
            on_dialog=lambda kind, message, default: given.pop(0) if given else (True, default),
            block_third_party=self._configuration.block_third_party,
        )
        try:
            reenacted = await reenact(app, recorder, watched.done, self._emit)
            for words in reenacted.skipped:
                self._emit(Note(text=f"Could not be done again, left out: {words}"))
            self.stats |= {"done": len(watched.done), "left out": len(reenacted.skipped)}
        finally:
            recorder.borrow(heard, [failed(0, asked) for asked in answers.missed])
            self._recorder = recorder
            await app.close()
        await self._check(chromium, recorder.recording())

    async def _check(self, chromium: Chromium, recording: Recording) -> None:
        """A recording that does not replay is not worth much: say so at once."""
        answers = RecordedAnswers(recording)
        app = app_of(recording.manifest, chromium, responder=answers)
        try:
            replayed = await replay(app, recording, answers, listener=silent)
        finally:
            await app.close()
        self.stats["replay"] = replayed.verdict
        self._emit(Note(text=f"Checked by replaying it: {replayed.verdict}"))

    # What both have in common.

    @property
    def _redacted(self) -> bool:
        return self._redaction.secrets is not None

    def _know(self, state: StorageState) -> None:
        """What lets one in is a secret, also before anything is recorded."""
        if self._redaction.secrets is not None:
            self._redaction.secrets.learn(state.secrets)

    def _limit(self, words: str) -> None:
        self._emit(LimitMet(text=words))

    def write(self) -> None:
        """Write whatever there is, also after an interruption. To be called when the event loop has ended: a large
        recording takes its time, and what keeps an interrupted loop waiting is ended."""
        recorder, output = self._recorder, self._output
        if recorder is None:
            return
        self.stats |= {
            "actions": sum(step.event.by_user for step in recorder.steps),
            "steps": len(recorder.steps),
            "recording": str(output),
        }
        if not recorder.steps:
            return
        recording = recorder.recording()
        self.stats["requests"] = len(recording.exchanges)
        self.made = recording
        if (secrets := self._redaction.secrets) is not None:
            recording = secrets.recording(recording)
        recording.write(output)
        size = f"{len(recorder.steps)} steps, {output.stat().st_size / 1024:.0f} kB"
        self._emit(Note(text=f"Written: {output} ({size})"))


async def _first(deadline: float | None, *waits: object) -> None:
    """Until one of them has happened, or the time is up."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]  # type: ignore[call-overload]
    try:
        timeout = max(0.0, deadline - time.monotonic()) if deadline is not None else None
        await asyncio.wait(tasks, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
