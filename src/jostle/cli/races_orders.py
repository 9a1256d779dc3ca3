"""`jostle races orders`: the same things in every other order that matters."""

from __future__ import annotations

from pathlib import Path

import click

from jostle.cli.options import Options, allow_option, analysing, avoid_option, check_writable, report_option
from jostle.cli.scenario import Scenario
from jostle.cli.searching import searched
from jostle.races.schedules.reordering import OrderStrategy
from jostle.races.schedules.search import EVENTS, OrderOptions


@click.command()
@click.argument("url", required=False)
@click.option(
    "--scenario",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="What is done in every order: a recording, or a Playwright script or test. Default: scenarios are found by "
    "exploring.",
)
@click.option(
    "--strategy",
    type=click.Choice([each.value for each in OrderStrategy]),
    default=OrderStrategy.MODEL_CHECK.value,
    show_default=True,
    help="How to choose orders: reverse events that touch the same data (model-check); or any feasible orders, those "
    "first in which most pairs (precedence) or neighbours (adjacency) are new; or at random.",
)
@click.option(
    "--bound",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    metavar="K",
    help="With model-check: reverse at most K conflicts in one order.",
)
@click.option(
    "--orders",
    "most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Try at most N orders of each scenario.",
)
@click.option(
    "--ignore",
    "ignored",
    multiple=True,
    metavar="NAME",
    help="With model-check: data that does not matter, by its name in the report; * stands for anything. May be "
    "repeated.",
)
@click.option(
    "--events",
    type=click.IntRange(min=1),
    default=EVENTS,
    show_default=True,
    metavar="N",
    help="Without a scenario: perform at most N actions to find some.",
)
@avoid_option
@allow_option
@report_option
@analysing(budget="5m", tests=True, mocked=True)
def orders(
    url: str | None,
    scenario: Path | None,
    strategy: str,
    bound: int,
    most: int | None,
    ignored: tuple[str, ...],
    events: int,
    avoid: tuple[str, ...],
    allow: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Run the same events in the application at URL in other orders, and compare the results.

    One run of a scenario is recorded in its usual order, with every response, timer, message and parser pause as an
    event of its own. Then it is repeated with the same responses and the same input in other possible orders: events
    that read and write the same data change places, fewest changes first. Reported is where the page, its form fields,
    its storage, its address or the data sent to the server differ, and what fails.
    """
    check_writable(html)
    chosen = Scenario(scenario) if scenario is not None else None
    wanted = OrderOptions(
        strategy=OrderStrategy(strategy),
        bound=bound,
        orders=most,
        ignored=ignored,
        events=events,
        avoid=avoid,
        allow=allow,
    )
    job = options.job("races orders", url or (chosen.url if chosen is not None else None), wanted)
    more = {"scenario": str(scenario) if scenario else None, "strategy": strategy, "bound": bound, "events": events}
    return searched(job, options, html, more, scenario=chosen)
