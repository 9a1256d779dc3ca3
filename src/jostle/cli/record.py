"""`jostle record`: a run of a web application, in one file."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from jostle.cli.options import Options, allow_option, analysing, avoid_option, check_writable
from jostle.cli.outcome import working
from jostle.errors import CouldNotRun, UsageProblem
from jostle.events import Event
from jostle.exploring.avoid import Avoid
from jostle.runs import RunDirectory
from jostle.search.recording_maker import RecordingMaker, RecordOptions
from jostle.search.run import run_to_end

_WALK = 30
_LONGEST_WALK = 1_000_000


@click.command()
@click.argument("url", required=False)
@click.option(
    "--walk",
    "actions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Perform N random user actions instead of waiting for you.",
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
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="Resume an interrupted random walk: its run directory.",
)
@avoid_option
@allow_option
@analysing()
def record(
    url: str | None,
    actions: int | None,
    script: Path | None,
    output: Path | None,
    resume: Path | None,
    avoid: tuple[str, ...],
    allow: tuple[str, ...],
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
    configured = options.configuration
    rules = Avoid((*configured.avoid, *avoid), allowed=(*configured.allow, *allow))
    output = output or Path("walk.jostle" if walking else "session.jostle")
    check_writable(output)
    prescribed: list[Event] = []
    if resume is not None:
        with RunDirectory.open(resume) as earlier:
            info = earlier.info
            prescribed = [step.event for step in earlier.steps() if step.event.by_user]
            walked = info.options.get("walk")
            actions = actions or (walked if type(walked) is int and 0 < walked <= _LONGEST_WALK else _WALK)
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
        wanted = RecordOptions(
            seed=options.seed,
            budget=options.budget,
            allows=rules.allows,
            on_dialog=rules.answer,
        )
        maker = RecordingMaker(environment, work.emit, work.run, work.redaction, output=output, options=wanted)
        work.stats = maker.stats
        try:
            if walking:
                run_to_end(maker.walk(address, actions or _WALK, prescribed))
            else:
                run_to_end(maker.session(address, script))
        finally:
            maker.write()
            for words, why in rules.met.items():
                work.note(f"Skipped: {words} ({why})")
    return work.exit_code


def _check_screen() -> None:
    shown = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if sys.platform.startswith("linux") and not shown:
        raise CouldNotRun(
            "There is no screen to show a browser on.",
            advice="Record a random walk (--walk 30) or a script (--script FILE), or run: xvfb-run jostle record ...",
        )
