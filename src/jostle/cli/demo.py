"""`jostle demo`: record a walk on the example application, replay it without the server, show what was owned."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import click

from jostle.cli.main import main, run
from jostle.cli.text import in_words, printable
from jostle.errors import CouldNotRun, Exit
from jostle.examples import running
from jostle.recording.file import Recording
from jostle.report import words

ACTIONS = 15
SEED = 8
REPLAYS = 3


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("jostle-demo"),
    show_default=True,
    metavar="DIR",
    help="Write the recording and the timeline into this directory.",
)
def demo(out: Path) -> int:
    """Record a walk on the example application, stop its server, replay the walk, and show what was owned.

    Takes about a minute. Everything is written into one directory; timeline.html in it is for looking at.
    """
    began = time.monotonic()
    recorded, page, nothing = out / "walk.jostle", out / "timeline.html", out / "jostle.toml"
    try:
        out.mkdir(parents=True, exist_ok=True)
        nothing.write_text("# The demo needs no configuration, and takes none from elsewhere.\n")
    except OSError as error:
        raise CouldNotRun(
            f"{out} cannot be written: {error.strerror}.", advice="Name another directory with --out."
        ) from None
    common = ["--out", str(out / "runs"), "--config", str(nothing)]
    with running() as base:
        _say(f"The example application runs at {base}/larder/. A walk through it is recorded:")
        asked = ["record", f"{base}/larder/", "--walk", str(ACTIONS), "--seed", str(SEED), "-o", str(recorded)]
        if code := _jostle(asked, common):
            return code
    _say(f"The application has been stopped. The walk is replayed {REPLAYS} times from the recording alone:")
    code = _jostle(["replay", str(recorded), "--times", str(REPLAYS), "--html", str(page)], common)
    if code not in (Exit.NOTHING_FOUND, Exit.FINDINGS):
        return code
    _close(Recording.read(recorded), code == Exit.NOTHING_FOUND)
    click.echo(f"  Timeline  {printable(page.absolute().as_uri())}")
    click.echo(f"  Again     jostle replay {printable(shlex.quote(str(recorded)))}")
    click.echo(f"\nAll of it took {in_words(time.monotonic() - began)}.")
    return code


def _jostle(asked: list[str], common: list[str]) -> int:
    """Run a command as a user would, and show it. Whatever goes wrong in it is told by it."""
    click.secho(f"  $ jostle {shlex.join(asked)}", fg="cyan", err=True)
    return run([*asked, *common])


def _close(recording: Recording, reproduced: bool) -> None:
    click.secho("\nWhat jostle owned in this run:", bold=True)
    owned = words.owned(recording.trace)
    width = max(len(f"{each.number:,}") for each in owned)
    for each in owned:
        click.echo(f"  {each.number:>{width},} {str(each).partition(' ')[2]}, {each.how}")
    steps = recording.trace.steps
    click.echo(f"  {'':>{width}} the clock: {words.time(steps[-1].at)} went by for the page, when they were granted\n")
    if reproduced:
        click.secho(f"Reproduced {REPLAYS} of {REPLAYS}, with no server running.\n", fg="green", bold=True)
    else:
        click.secho("Not every replay was the same; the timeline shows where.\n", fg="red", bold=True)


def _say(text: str) -> None:
    click.secho(f"\n{text}", bold=True, err=True)


if __name__ == "__main__":
    main(["demo", *sys.argv[1:]])
