"""`jostle races init`: acting before a page is ready."""

from __future__ import annotations

from pathlib import Path

import click

from jostle.cli.options import Options, allow_option, analysing, avoid_option, check_writable, report_option
from jostle.cli.searching import searched
from jostle.races.loading.search import LoadRaceOptions


@click.command()
@click.argument("url", required=False)
@click.option(
    "--unproved",
    is_flag=True,
    help="Try also what a script does that may as well run before its element is there: asynchronous scripts.",
)
@avoid_option
@allow_option
@report_option
@analysing(budget="2m", tests=True, mocked=True)
def init(
    url: str | None,
    unproved: bool,
    avoid: tuple[str, ...],
    allow: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Act on the page at URL before it is ready, and report what goes wrong.

    First the page is watched while it loads: what a user could do while a script, response or long timer is still
    pending, when event handlers are attached, and which scripts write to fields. Then it is loaded again with the same
    responses, and the user acts at such a moment: fills in a field that a script will set, clicks a link that has no
    handler yet, or uses a handler that needs something not yet defined. The same is done after everything has loaded,
    and the two results are compared.
    """
    check_writable(html)
    job = options.job("races init", url, LoadRaceOptions(unproved=unproved, avoid=avoid, allow=allow))
    return searched(job, options, html, {"unproved": unproved})
