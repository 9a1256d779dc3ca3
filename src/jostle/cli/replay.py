"""`jostle replay`: a recorded run again, and whether it went the same way."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
import msgspec

from jostle.cli.browsing import app_of, browser, run
from jostle.cli.options import Options, analysing, check_writable
from jostle.cli.outcome import Work, working
from jostle.cli.text import printable
from jostle.cli.timeline import write_timeline
from jostle.config.application import Application
from jostle.errors import Exit
from jostle.progress import LimitMet, Note
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Recording
from jostle.recording.login import logged_in
from jostle.recording.replay import Replayed
from jostle.recording.replay import replay as repeat


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--live", is_flag=True, help="Let the server answer instead of the recording.")
@click.option(
    "--times",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Replay N times, each in a fresh profile.",
)
@click.option(
    "--html",
    "page",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write a timeline of the recording, with what came of the replays, to look at in a browser.",
)
@analysing()
def replay(file: Path, live: bool, times: int, page: Path | None, options: Options) -> int:
    """Repeat the run recorded in FILE and compare each step.

    Answers come from the recording, so no server is needed. Ends with 0 when it was reproduced, with 1 when it went
    another way; then the first differing step is told, what was expected and what happened, and the likely reason.
    """
    check_writable(page)
    recording = Recording.read(file)
    url = recording.manifest.url
    with working("replay", options, url, file=str(file), live=live, times=times) as work:
        if unknown := set(options.configuration.ignore.regions) - set(recording.manifest.options.get("ignored") or ()):
            words = f"The recording was made without leaving out {', '.join(sorted(unknown))}: record again for that."
            work.listener(Note(text=words))
        if live:
            with Application(options.loaded, work.run.path / "application.log", work.listener) as application:
                outcomes = run(_replay(work, options, recording, times, application))
        else:
            outcomes = run(_replay(work, options, recording, times, None))
        if page is not None:
            write_timeline(page, recording, outcomes)
            work.listener(Note(text=f"Written: {page}"))
    good = sum(outcome.reproduced for outcome in outcomes)
    for number, outcome in enumerate(outcomes, 1):
        prefix = f"{number} of {times}: " if times > 1 else ""
        click.echo(printable(f"{prefix}{outcome.verdict}"))
        for detail in outcome.divergence.details if outcome.divergence else ():
            click.echo(printable(f"  {detail}"))
    if times > 1:
        click.echo(f"{good} of {times} reproduced")
    return Exit.NOTHING_FOUND if good == times else Exit.FINDINGS


async def _replay(
    work: Work, options: Options, recording: Recording, times: int, application: Application | None
) -> list[Replayed]:
    manifest = recording.manifest
    outcomes: list[Replayed] = []
    async with browser(options) as chromium:
        if application is not None:
            state = await logged_in(options.loaded, chromium, manifest.url, work.listener)
            answers = None
        else:
            state = None
            answers = RecordedAnswers(recording, ignored=options.configuration.ignore.parameters)
        app = app_of(
            manifest,
            chromium,
            state=state,
            answerer=answers,
            on_limit=lambda words: work.listener(LimitMet(text=words)),
            block_third_party=application is not None and options.configuration.block_third_party,
        )
        try:
            for _ in range(times):
                if application is not None:
                    await asyncio.to_thread(application.reset)
                outcomes.append(await repeat(app, recording, answers, listener=work.listener))
                _tell(work, outcomes)
        finally:
            await app.close()
    return outcomes


def _tell(work: Work, outcomes: list[Replayed]) -> None:
    first = next((outcome.divergence for outcome in outcomes if outcome.divergence), None)
    work.stats |= {
        "replays": len(outcomes),
        "reproduced": sum(outcome.reproduced for outcome in outcomes),
        "steps": len(outcomes[-1].steps),
    }
    if first is not None:
        work.stats["divergence"] = msgspec.to_builtins(first)
