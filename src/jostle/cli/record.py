"""`jostle record`: a run of a web application, in one file."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import click
import msgspec

from jostle.browser.address import origin
from jostle.browser.app_options import AppListeners
from jostle.browser.chromium import Chromium
from jostle.browser.settings import Control, TabSettings
from jostle.cli.options import Options, analysing, check_writable
from jostle.cli.outcome import Work, working
from jostle.config.application import Application
from jostle.errors import CouldNotRun, UsageProblem
from jostle.events import Event
from jostle.progress import LimitMet, Note, silent
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest, Recording
from jostle.recording.login import StorageState, logged_in
from jostle.recording.opening import app_of, manifest, settings
from jostle.recording.recorder import Recorder
from jostle.recording.redaction import redact
from jostle.recording.reenact import failed, reenact
from jostle.recording.replay import replay
from jostle.recording.session import WatchedSession
from jostle.recording.snapshot import digest_of
from jostle.recording.walk import walk
from jostle.runs import RunDirectory
from jostle.search.browsers import Browsers
from jostle.search.run import run_to_end

_WALK = 30


@click.command()
@click.argument("url", required=False)
@click.option(
    "--walk",
    "actions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Let nobody do it: do N random things that a user could do.",
)
@click.option(
    "--script",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Run this Playwright script or pytest file (Python) and record what it does.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The recording to write. Default: session.jostle, or walk.jostle for a random walk.",
)
@click.option("--redact", "redacted", is_flag=True, help="Replace secrets (headers, cookies, passwords, tokens).")
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Go on with an interrupted random walk: its run directory.",
)
@analysing()
def record(
    url: str | None,
    actions: int | None,
    script: Path | None,
    output: Path | None,
    redacted: bool,
    resume: Path | None,
    options: Options,
) -> int:
    """Record what you do in the application at URL.

    A browser window opens: use the application, then press the small ■ in the corner of the page, close the window, or
    press Ctrl-C here. What you did is then done again under control, with the answers of the session, and written.

    With --script a Playwright script does it, with --walk nobody: things are done at random. The recording holds
    everything needed to repeat it without the server: see `jostle replay`. An interrupted walk is kept as far as it
    went.
    """
    if script is not None and (actions is not None or resume is not None):
        raise UsageProblem("Give either --script or --walk, not both.")
    walking = actions is not None or resume is not None
    output = output or Path("walk.jostle" if walking else "session.jostle")
    check_writable(output)
    prescribed: list[Event] = []
    if resume is not None:
        with RunDirectory.open(resume) as earlier:
            info = earlier.info
            prescribed = [step.event for step in earlier.steps() if step.event.by_user]
            actions = actions or int(info.options.get("walk") or _WALK)
        url = url or info.url
        if info.command != "record":
            raise UsageProblem(f"{resume} is not a run of `jostle record`.")
    address = options.address(url) if script is None or url else ""
    if not walking and script is None:
        _check_screen()
    asked = {"walk": actions, "script": str(script) if script else None, "output": str(output)}
    with (
        working("record", options, address or None, **asked) as work,
        work.application(options) as environment,
    ):
        making = _Making(work, options, environment.application, output, redacted)
        if walking:
            run_to_end(making.walk(address, actions or _WALK, prescribed))
        else:
            run_to_end(making.session(address, script))
    return work.exit_code


def _check_screen() -> None:
    shown = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if sys.platform.startswith("linux") and not shown:
        raise CouldNotRun(
            "There is no screen to show a browser on.",
            advice="Record a random walk (--walk 30) or a script (--script FILE), or run: xvfb-run jostle record ...",
        )


def recorded_script(work: Work, options: Options, application: Application, url: str, script: Path) -> Path:
    """A recording of what a Playwright script or test does; it is kept in the directory of the run."""
    output = work.run.path / "scenario.jostle"
    run_to_end(_Making(work, options, application, output, redacted=False).session(url, script))
    work.stats.clear()  # they are those of the command that wants it
    return output


class _Making:
    """One recording being made."""

    def __init__(self, work: Work, options: Options, application: Application, output: Path, redacted: bool) -> None:
        self._work = work
        self._options = options
        self._application = application
        self._output = output
        self._redacted = redacted
        self._view = settings(options.configuration)
        self._deadline = time.monotonic() + options.budget if options.budget is not None else None

    async def walk(self, url: str, actions: int, prescribed: list[Event]) -> None:
        async with Browsers(self._options.browser) as browsers, browsers.lent() as chromium:
            await asyncio.to_thread(self._application.reset)
            state = await logged_in(self._options.loaded, chromium, url, self._work.emit)
            made = manifest(
                url,
                chromium,
                seed=self._options.seed,
                view=self._view,
                state=state,
                origins=self._options.configuration.allowed_origins,
                redacted=self._redacted,
                walk=actions,
            )
            recorder = Recorder(made, self._work.run)
            app = app_of(
                made,
                chromium,
                view=self._view,
                recorder=recorder,
                on_limit=self._limit,
                block_third_party=self._options.configuration.block_third_party,
            )
            try:
                self._work.stats["ended"] = await walk(
                    app,
                    recorder,
                    actions=actions,
                    seed=self._options.seed,
                    listener=self._work.emit,
                    prescribed=prescribed,
                    deadline=self._deadline,
                )
            finally:
                self._write(recorder, state)
                await app.close()

    async def session(self, url: str, script: Path | None) -> None:
        """Watch a person or a script, then do the same again under control."""
        view = msgspec.structs.replace(self._view, start=round(time.time() * 1000.0))
        heard = Recorder(Manifest(url=url))
        async with Browsers(self._options.browser) as browsers, browsers.lent() as controlled:
            state = StorageState()
            await asyncio.to_thread(self._application.reset)
            if script is None:
                state = await logged_in(self._options.loaded, controlled, url, self._work.emit)
                watched = await self._person(url, state, view, heard)
            else:
                watched = await self._scripted(url, script, view, heard)
            url = url or next(iter(watched.visited), "")
            if not url or not watched.done:
                raise CouldNotRun("Nothing was done in the session, so there is nothing to record.")
            await self._again(controlled, url, watched, view, heard, state)

    async def _person(self, url: str, state: StorageState, view: TabSettings, heard: Recorder) -> WatchedSession:
        configured = self._options.configuration.browser
        size = f"--window-size={view.width},{view.height + 140}"  # with the browser's own bars
        async with Chromium.launch(
            self._options.loaded.browser_path, headed=True, arguments=(*configured.args, size)
        ) as chromium:
            session = self._watching(chromium, url, view, heard)
            await session.open(url, state)
            how = "with the ■ in the corner of the page, by closing the window, or with Ctrl-C here"
            self._work.emit(Note(text=f"Recording. Stop {how}."))
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
        async with scripted(script, self._options.loaded.browser_path) as (chromium, process):
            session = self._watching(chromium, url, view, heard, badge=False)
            session.adopt(chromium.everything())
            await process.go()
            self._work.emit(Note(text=f"Recording {script} ..."))
            await _first(self._deadline, process.wait())
            if process.failure:
                self._work.emit(Note(text=process.failure))
        session.finish()
        return session

    def _watching(
        self, chromium: Chromium, url: str, view: TabSettings, heard: Recorder, *, badge: bool = True
    ) -> WatchedSession:
        allowed = {origin(each) for each in (url, *self._options.configuration.allowed_origins) if each}

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
            origins=(*self._options.configuration.allowed_origins, *map(origin, visits)),
            redacted=self._redacted,
            session=True,
        )
        recorder = Recorder(made, self._work.run)
        given = list(watched.dialogs)
        app = app_of(
            made,
            chromium,
            view=view,
            recorder=recorder,
            responder=answers,
            on_limit=self._limit,
            on_dialog=lambda kind, message, default: given.pop(0) if given else (True, default),
            block_third_party=self._options.configuration.block_third_party,
        )
        try:
            reenacted = await reenact(app, recorder, watched.done, self._work.emit)
            for words in reenacted.skipped:
                self._work.emit(Note(text=f"Could not be done again, left out: {words}"))
            self._work.stats |= {"done": len(watched.done), "left out": len(reenacted.skipped)}
        finally:
            recorder.borrow(heard, [failed(0, asked) for asked in answers.missed])
            self._write(recorder, state)
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
        self._work.stats["replay"] = replayed.verdict
        self._work.emit(Note(text=f"Checked by replaying it: {replayed.verdict}"))

    # What both have in common.

    def _limit(self, words: str) -> None:
        self._work.emit(LimitMet(text=words))

    def _write(self, recorder: Recorder, state: StorageState) -> None:
        """Whatever there is, also after an interruption."""
        work, output = self._work, self._output
        work.stats |= {
            "actions": sum(step.event.by_user for step in recorder.steps),
            "steps": len(recorder.steps),
            "recording": str(output),
        }
        if not recorder.steps:
            return
        recording = recorder.recording()
        work.stats["requests"] = len(recording.exchanges)
        if self._redacted:
            recording = redact(recording, values=state.secrets, digest=digest_of)
        recording.write(output)
        size = f"{len(recorder.steps)} steps, {output.stat().st_size / 1024:.0f} kB"
        work.emit(Note(text=f"Written: {output} ({size})"))


async def _first(deadline: float | None, *waits: object) -> None:
    """Until one of them has happened, or the time is up."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]  # type: ignore[call-overload]
    try:
        timeout = max(0.0, deadline - time.monotonic()) if deadline is not None else None
        await asyncio.wait(tasks, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
