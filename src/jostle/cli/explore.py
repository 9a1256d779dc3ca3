"""`jostle explore`: walk an application well, learn its model, tell what goes wrong on the way."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from jostle.cli.options import Options, allow_option, analysing, avoid_option, check_writable, report_option
from jostle.cli.outcome import Work
from jostle.cli.searching import searched
from jostle.consumers.artefact_file import ArtefactFile
from jostle.consumers.model_file import ModelFile
from jostle.errors import UsageProblem
from jostle.exploring.search import EVENTS, TRAFFIC, ExploreOptions, StrategyName
from jostle.model.machine import Machine
from jostle.model.macros_file import Macros


@click.command()
@click.argument("url", required=False)
@click.option(
    "--strategy",
    type=click.Choice([each.value for each in StrategyName]),
    default="guided",
    show_default=True,
    help="How to choose what to do next.",
)
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=EVENTS,
    show_default=True,
    metavar="N",
    help="Perform at most N user actions.",
)
@click.option(
    "--macros",
    "macros_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Macros for --strategy macro, made by `jostle macros infer`.",
)
@click.option(
    "--model",
    "model_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the model of the application; one that is there already is learned further.",
)
@click.option(
    "--keep-traffic",
    "traffic_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write all requests with their responses to a recording (.jostle), for `jostle api learn`. Takes longer.",
)
@avoid_option
@allow_option
@report_option
@analysing(tests=True, mocked=True)
def explore(
    url: str | None,
    strategy: str,
    events: int,
    macros_file: Path | None,
    model_file: Path | None,
    traffic_file: Path | None,
    avoid: tuple[str, ...],
    allow: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Explore the application at URL as a tester would, and report what goes wrong.

    Reported are uncaught exceptions and rejections, console errors, failed requests, dead links, pages that hang, and
    broken invariants from the configuration. Each is reproduced with as few steps as possible and recorded: `jostle
    replay` shows it. jostle acts on the given origin and on those allowed, and on no other.
    """
    if (macros_file is None) == (strategy == "macro"):
        needed = "--strategy macro needs --macros FILE" if macros_file is None else "--macros is for --strategy macro"
        raise UsageProblem(f"{needed}.", advice="`jostle macros infer SESSION... -o macros.json` makes macros.")
    for file in (model_file, traffic_file, html):
        check_writable(file)
    known = model_file if model_file is not None and model_file.exists() else None
    if known is not None:
        Machine.load(known)
    if macros_file is not None:
        Macros.load(macros_file)
    wanted = ExploreOptions(
        strategy=StrategyName(strategy),
        events=events,
        macros=str(macros_file) if macros_file is not None else "",
        model=str(known) if known is not None else "",
        traffic=traffic_file is not None,
        avoid=avoid,
        allow=allow,
    )
    job = options.job("explore", url, wanted)
    asked = {"strategy": strategy, "events": events, "avoid": list(avoid), "allow": list(allow)}

    def learned(work: Work, file: Path) -> ModelFile:
        return ModelFile(file, lambda file: work.note(f"The model: {file}"))

    def kept(work: Work, file: Path) -> ArtefactFile:
        return ArtefactFile(TRAFFIC, file, lambda file: work.note(f"The traffic: {file}"))

    wanted_files = ((learned, model_file), (kept, traffic_file))
    consumers = [partial(make, file=file) for make, file in wanted_files if file is not None]
    return searched(job, options, html, asked, consumers=consumers)
