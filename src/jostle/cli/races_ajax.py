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
    help="Do at most N things to see what asks for answers.",
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
    """Let answers come late in the application at URL, and see what the user then loses.

    First it is used, or a scenario is done, to see what each thing a user can do asks for and writes to. Where answers
    to one and the other may get in each other's way, both are done from a fresh start, twice: with every answer in
    time, and with the answers to the first held back until the second is done. Told is where the page, its form fields,
    its storage, its address or what the server was sent end up differently.
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
