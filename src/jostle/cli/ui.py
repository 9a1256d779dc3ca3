"""`jostle ui`: the report of a run on a page of its own, which goes on with the run."""

from __future__ import annotations

import contextlib
import webbrowser
from pathlib import Path

import click

from jostle.cli.options import RUNS
from jostle.consumers.served_report import ServedReport, listening, server
from jostle.runs import newest
from jostle.search.registry import CHECK, in_checks
from jostle.text import printable

PORT = 8177


@click.command()
@click.argument("run", required=False, type=click.Path(path_type=Path), metavar="[RUN]")
@click.option(
    "--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 picks a free one."
)
@click.option("--open", "opened", is_flag=True, help="Show it in the browser.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=RUNS,
    show_default=True,
    metavar="DIR",
    help="Where runs are kept.",
)
def ui(run: Path | None, port: int, opened: bool, out: Path) -> None:
    """Serve the report of the run in the directory RUN, or of the newest run, until Ctrl-C.

    While the run goes on, what is found comes into the page by itself. It is served to this machine only, and nothing
    can be changed through it.
    """
    directory = run or newest(out, CHECK, *in_checks().values())
    report = ServedReport(directory)
    with listening(port) as socket, contextlib.suppress(KeyboardInterrupt):
        url = f"http://127.0.0.1:{socket.getsockname()[1]}/"
        click.echo(printable(f"{directory}: {url} (Ctrl-C stops)"))
        if opened and not webbrowser.open(url):
            click.echo("No browser was found to show it in: open the address yourself.")
        server(report, socket.getsockname()[1]).run(sockets=[socket])
