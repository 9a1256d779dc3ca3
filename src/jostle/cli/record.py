"""`jostle record`: a run of a web application, in one file."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import click

from jostle.browser.chromium_app import ChromiumApp
from jostle.cli.browsing import browser, run, settings
from jostle.cli.options import Options, analysing, check_writable
from jostle.cli.outcome import Work, working
from jostle.config.application import Application
from jostle.errors import UsageProblem
from jostle.events import Event
from jostle.progress import LimitMet, Note
from jostle.recording.file import Manifest
from jostle.recording.login import StorageState, logged_in
from jostle.recording.recorder import Recorder
from jostle.recording.redaction import redact
from jostle.recording.snapshot import digest_of
from jostle.recording.walk import walk
from jostle.runs import RunDirectory


@click.command()
@click.argument("url", required=False)
@click.option(
    "--walk",
    "actions",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="N",
    help="Do N random things that a user could do.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("walk.jostle"),
    show_default=True,
    metavar="FILE",
    help="The recording to write.",
)
@click.option("--redact", "redacted", is_flag=True, help="Replace secrets (headers, cookies, passwords, tokens).")
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Go on with an interrupted recording: its run directory.",
)
@analysing()
def record(url: str | None, actions: int, output: Path, redacted: bool, resume: Path | None, options: Options) -> int:
    """Walk through the application at URL at random and record the run.

    The recording holds everything needed to repeat it without the server: see `jostle replay`. An interrupted
    recording is kept as far as it went.
    """
    check_writable(output)
    prescribed: list[Event] = []
    if resume is not None:
        with RunDirectory.open(resume) as earlier:
            info = earlier.info
            prescribed = [step.event for step in earlier.steps() if step.event.by_user]
        url = url or info.url
        if info.command != "record":
            raise UsageProblem(f"{resume} is not a run of `jostle record`.")
    address = options.address(url)
    with (
        working("record", options, address, walk=actions, output=str(output)) as work,
        Application(options.loaded, work.run.path / "application.log", work.listener) as application,
    ):
        run(_record(work, options, address, application, actions, output, redacted, prescribed))
    return work.exit_code


async def _record(
    work: Work,
    options: Options,
    url: str,
    application: Application,
    actions: int,
    output: Path,
    redacted: bool,
    prescribed: list[Event],
) -> None:
    configured = options.configuration
    view = settings(configured.browser)
    deadline = time.monotonic() + options.budget if options.budget is not None else None
    async with browser(options) as chromium:
        state = await logged_in(options.loaded, chromium, url, work.listener)
        await asyncio.to_thread(application.reset)
        manifest = Manifest(
            url=url,
            seed=options.seed,
            viewport=(view.width, view.height),
            user_agent=chromium.user_agent,
            browser=chromium.version,
            start_time=view.start,
            redacted=redacted,
            origins=configured.allowed_origins,
            options={
                "walk": actions,
                "locale": view.locale,
                "timezone": view.timezone,
                "cookies": state.cookies,
                "local_storage": state.local_storage,
            },
        )
        recorder = Recorder(manifest, work.run)

        def limit(words: str) -> None:
            recorder.limit(words)
            work.listener(LimitMet(text=words))

        app = ChromiumApp(
            chromium,
            url,
            seed=options.seed,
            allowed_origins=configured.allowed_origins,
            settings=view,
            on_exchange=recorder.exchanged,
            on_traffic=recorder.traffic,
            on_limit=limit,
            cookies=state.cookies,
            local_storage=state.local_storage,
            block_third_party=configured.block_third_party,
        )
        try:
            work.stats["ended"] = await walk(
                app,
                recorder,
                actions=actions,
                seed=options.seed,
                listener=work.listener,
                prescribed=prescribed,
                deadline=deadline,
            )
        finally:
            _write(recorder, output, redacted, work, state)
            await app.close()


def _write(recorder: Recorder, output: Path, redacted: bool, work: Work, state: StorageState) -> None:
    """Whatever there is, also after an interruption."""
    work.stats |= {
        "actions": sum(step.event.by_user for step in recorder.steps),
        "steps": len(recorder.steps),
        "recording": str(output),
    }
    if not recorder.steps:
        return
    recording = recorder.recording()
    work.stats["requests"] = len(recording.exchanges)
    if redacted:
        recording = redact(recording, values=state.secrets, digest=digest_of)
    recording.write(output)
    work.listener(Note(text=f"Written: {output} ({len(recorder.steps)} steps, {output.stat().st_size / 1024:.0f} kB)"))
