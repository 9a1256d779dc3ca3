"""`jostle replay`: a recorded run again, and whether it went the same way."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click
import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.cli.export import the_finding
from jostle.cli.options import Options, analysing, check_writable, duration_option
from jostle.cli.outcome import Work, working
from jostle.consumers.eyes import Eyes
from jostle.errors import CouldNotRun, Exit, UsageProblem
from jostle.events import Trace
from jostle.progress import Note
from jostle.recording.file import Recording
from jostle.recording.replay import Replayed
from jostle.report.film import FORMATS, Format, film
from jostle.report.film import beside as side_by_side
from jostle.report.timeline import write_timeline
from jostle.search.replaying import replay_recording
from jostle.search.run import run_to_end
from jostle.text import printable
from jostle.writing import write_whole


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--live", is_flag=True, help="Use the live server instead of the recorded responses.")
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
@click.option(
    "--slow-mo",
    "pause",
    type=duration_option,
    metavar="TIME",
    help="Wait so long before each step, with words in the page that tell what comes: 500ms. For --headed.",
)
@click.option(
    "--video",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Write an animated picture of it: .webp, .gif or .png. Needs no window.",
)
@click.option(
    "--beside",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Replay this recording, too, the bad order of the same; --video shows both side by side.",
)
@click.option(
    "--finding",
    "finding",
    metavar="ID",
    help="Replay what was recorded of a finding, the good order beside the bad one where there are two.",
)
@click.option(
    "--run",
    "of_run",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="The run directory with the finding. Default: the newest run that searched for something.",
)
@analysing()
def replay(
    file: Path | None,
    live: bool,
    times: int,
    page: Path | None,
    pause: float | None,
    video: Path | None,
    beside: Path | None,
    finding: str | None,
    of_run: Path | None,
    options: Options,
) -> int:
    """Replay the run recorded in FILE and compare each step.

    Responses come from the recording, so no server is needed. The exit code is 0 when the run was reproduced and 1 when
    it diverged; then the first differing step is shown, with what was expected, what happened and the likely reason.
    """
    if (file is None) == (finding is None) or (finding is not None and beside is not None):
        raise UsageProblem("Name one recording, or a finding with --finding ID.", advice="See: jostle replay --help")
    if of_run is not None and finding is None:
        raise UsageProblem("--run goes with --finding ID.", advice="See: jostle replay --help")
    files = _of_finding(finding, of_run, options.out) if finding is not None else [file, beside] if beside else [file]
    if len(files) > 1 and (times > 1 or page is not None):
        raise UsageProblem("--times and --html are for one recording.", advice="Replay the two one after the other.")
    kind = _kind(video)
    check_writable(page)
    check_writable(video)
    recordings = [Recording.read(each) for each in files if each is not None]
    recording = recordings[0]
    url = recording.manifest.url
    watched = Watched(pause=pause or 0.0, shown=pause is not None, filming=video is not None)
    told = ", ".join(str(each) for each in files)
    with working("replay", options, url, file=told, live=live, times=times) as work:
        if unknown := set(options.configuration.ignore.regions) - set(recording.manifest.options.get("ignored") or ()):
            words = f"The recording was made without leaving out {', '.join(sorted(unknown))}: record again for that."
            work.emit(Note(text=words))
        outcomes: list[Replayed] = []

        def replayed(outcome: Replayed) -> None:
            outcomes.append(outcome)
            _tell(work, outcomes)

        for each in recordings:
            with work.application(options) if live else nullcontext(work.environment(options)) as environment:
                run_to_end(
                    replay_recording(
                        each,
                        environment,
                        work.emit,
                        times=times,
                        live=live,
                        watching=partial(watched.eyes, each.trace),
                        on_replayed=replayed,
                    )
                )
        if page is not None:
            write_timeline(page, recording, outcomes)
            work.emit(Note(text=f"Written: {page}"))
        if video is not None and kind is not None:
            write_whole(video, watched.film(kind))
            work.emit(Note(text=f"Written: {video}"))
    good = sum(outcome.reproduced for outcome in outcomes)
    for number, outcome in enumerate(outcomes, 1):
        prefix = f"{number} of {times}: " if times > 1 else f"{files[number - 1]}: " if len(files) > 1 else ""
        click.echo(printable(f"{prefix}{outcome.verdict}"))
        for detail in outcome.divergence.details if outcome.divergence else ():
            click.echo(printable(f"  {detail}"))
    if times > 1:
        click.echo(f"{good} of {times} reproduced")
    return Exit.NOTHING_FOUND if good == len(outcomes) else Exit.FINDINGS


class Watched:
    """What people want to see of the replays."""

    def __init__(self, *, pause: float, shown: bool, filming: bool) -> None:
        self._pause = pause
        self._shown = shown
        self._filming = filming
        self._eyes: list[Eyes] = []

    def eyes(self, trace: Trace, app: ChromiumApp, number: int) -> Eyes | None:
        """For the n-th replay, from 0; the first of each recording is filmed."""
        filming = self._filming and number == 0
        if not self._shown and not filming:
            return None
        made = Eyes(app, trace, pause=self._pause, filming=filming)
        if filming:
            self._eyes.append(made)
        return made

    def film(self, kind: Format) -> bytes:
        """Raises CouldNotRun."""
        try:
            one, *others = [each.shots for each in self._eyes]
            return side_by_side(one, others[0], kind) if others else film(one, kind)
        except ValueError as reason:
            raise CouldNotRun(f"There can be no video: {reason}") from None


def _kind(video: Path | None) -> Format | None:
    if video is None:
        return None
    if kind := FORMATS.get(video.suffix.lower()):
        return kind
    raise UsageProblem(f"{video}: the ending says what is written.", advice=f"It may be {', '.join(FORMATS)}.")


def _of_finding(name: str, run: Path | None, out: Path) -> list[Path]:
    """The recordings of a finding: of the good and the bad order, or the one that there is."""
    directory, found = the_finding(name, run, out)
    present = [directory / Path(each).name for each in (found.evidence.good_replay, found.replay) if each]
    if not present:
        raise UsageProblem(f"There is no recording of {found.id}: it could not be reproduced.")
    return present


def _tell(work: Work, outcomes: list[Replayed]) -> None:
    first = next((outcome.divergence for outcome in outcomes if outcome.divergence), None)
    work.stats |= {
        "replays": len(outcomes),
        "reproduced": sum(outcome.reproduced for outcome in outcomes),
        "steps": len(outcomes[-1].steps),
    }
    if first is not None:
        work.stats["divergence"] = msgspec.to_builtins(first)
