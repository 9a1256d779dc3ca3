"""`jostle report`: the HTML report of a run, made anew from its directory."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from jostle.cli.options import check_writable
from jostle.runs import RunDirectory
from jostle.runs.report import write_report
from jostle.text import printable


@click.command()
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE",
              help="The report to write. Default: report.html in the directory of the run.")  # fmt: skip
@click.option("--open", "opened", is_flag=True, help="Show it in the browser.")
def report(run: Path, output: Path | None, opened: bool) -> None:
    """Write the HTML report of the run in the directory RUN, also of one that was interrupted or still goes on."""
    file = output or run / "report.html"
    with RunDirectory.open(run) as directory:
        check_writable(file)
        write_report(directory, file)
    click.echo(printable(f"The report: {file}"))
    if opened and not webbrowser.open(file.absolute().as_uri()):
        click.echo("No browser was found to show it in: open the file yourself.")
