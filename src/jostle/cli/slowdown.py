"""`jostle slowdown`: clicks that make other clicks slower."""

from __future__ import annotations

from pathlib import Path

import click

from jostle.cli.options import Options, allow_option, analysing, avoid_option, check_writable, report_option
from jostle.cli.scenario import Scenario
from jostle.cli.searching import searched
from jostle.slowdowns.alternate import COSTS, Rule
from jostle.slowdowns.paths import LONGER
from jostle.slowdowns.search import EVENTS, SlowdownOptions
from jostle.slowdowns.trigger import EVENTS as EVENTS_A_TARGET


@click.command()
@click.argument("url", required=False)
@click.option(
    "--from",
    "session",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Look for pairs in what was done in this recording, instead of exploring.",
)
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=EVENTS,
    show_default=True,
    metavar="N",
    help="Perform at most N actions to find pairs.",
)
@click.option(
    "--costs",
    type=click.IntRange(min=8),
    default=COSTS,
    show_default=True,
    metavar="N",
    help="A pair is confirmed after N rising costs.",
)
@click.option(
    "--events-per-target",
    type=click.IntRange(min=1),
    default=EVENTS_A_TARGET,
    show_default=True,
    metavar="N",
    help="Give a target up after N events.",
)
@click.option(
    "--rule",
    type=click.Choice([rule.value for rule in Rule]),
    default=Rule.TREND.value,
    show_default=True,
    help="When to go on with a pair: while every cost is higher than the one before, or while costs rise on the whole.",
)
@click.option(
    "--longer",
    type=click.FloatRange(0, 1),
    default=LONGER,
    show_default=True,
    metavar="P",
    help="The probability with which ways to a target that are longer than the shortest are looked at.",
)
@avoid_option
@allow_option
@report_option
@analysing(budget="5m", tests=True, mocked=True)
def slowdown(
    url: str | None,
    session: Path | None,
    events: int,
    costs: int,
    events_per_target: int,
    rule: str,
    longer: float,
    avoid: tuple[str, ...],
    allow: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Find actions that get slower the longer the application at URL is used.

    First the application is explored, or a recorded session is repeated, while the JavaScript that runs for each event
    is counted: a cost that is the same on every machine. Where an action cost more after another one, the two are
    repeated in turn to see whether the cost keeps growing. Reported is how it grows, and which functions grow.
    """
    check_writable(html)
    recording = Scenario(session) if session is not None else None
    if recording is not None:
        recording.must_act()
    wanted = SlowdownOptions(
        events=events,
        costs=costs,
        events_per_target=events_per_target,
        rule=Rule(rule),
        longer=longer,
        avoid=avoid,
        allow=allow,
    )
    job = options.job("slowdown", url or (recording.url if recording is not None else None), wanted)
    asked = {"from": str(session) if session else None, "events": events, "costs": costs, "rule": rule}
    return searched(job, options, html, asked, scenario=recording)
