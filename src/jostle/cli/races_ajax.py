"""`jostle races ajax`: answers that come late."""

from __future__ import annotations

from pathlib import Path

import click

from jostle.cli.options import Options, allow_option, analysing, avoid_option, check_writable, report_option
from jostle.cli.scenario import Scenario
from jostle.cli.searching import searched
from jostle.races.responses.search import EVENTS, ResponseRaceOptions


@click.command()
@click.argument("url", required=False)
@click.option(
    "--scenario",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Try what was done in this recording, or what this Playwright script or test does, instead of exploring.",
)
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=EVENTS,
    show_default=True,
    metavar="N",
    help="Perform at most N actions to see which send requests.",
)
@avoid_option
@allow_option
@report_option
@analysing(budget="5m", tests=True, mocked=True)
def ajax(
    url: str | None,
    scenario: Path | None,
    events: int,
    avoid: tuple[str, ...],
    allow: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Delay responses in the application at URL, and report what the user then loses.

    First the application is explored, or a scenario is run, to see which requests each user action sends and what the
    responses change. Where responses to two actions can interfere, both actions are run from a fresh start, twice: once
    with every response in time, and once with the responses to the first held back until the second is done. Reported
    is where the page, its form fields, its storage, its address or the data sent to the server differ.
    """
    check_writable(html)
    chosen = Scenario(scenario) if scenario is not None else None
    if chosen is not None:
        chosen.must_act()
    job = options.job(
        "races ajax",
        url or (chosen.url if chosen is not None else None),
        ResponseRaceOptions(events=events, avoid=avoid, allow=allow),
    )
    asked = {"scenario": str(scenario) if scenario else None, "events": events}
    return searched(job, options, html, asked, scenario=chosen)
