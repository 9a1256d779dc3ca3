"""`jostle examples`: show the example pages and say what is known about each."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import msgspec

from jostle.errors import CouldNotRun, UsageProblem
from jostle.examples import CATALOGUE, COPIED, copy, serve
from jostle.examples.handing import hand_out
from jostle.plural import count
from jostle.text import printable


@click.group()
def examples() -> None:
    """Pages with known bugs, their correct twins, and a small application."""


@examples.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 picks a free one."
)
@click.option(
    "--delay",
    default=0,
    show_default=True,
    type=click.FloatRange(0, 60_000),
    metavar="MS",
    help="Milliseconds of delay before every response.",
)
def serve_examples(host: str, port: int, delay: float) -> None:
    """Show the examples in a browser until Ctrl-C."""
    serve(host, port, delay=delay, ready=lambda url: click.echo(f"Examples at {url} (Ctrl-C stops)"))


@examples.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list with everything known about each example.")
def list_examples(as_json: bool) -> None:
    """List the examples and the kinds of finding each should give."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(CATALOGUE), indent=2).decode())
        return
    width = max(len(entry.path) for entry in CATALOGUE)
    for entry in CATALOGUE:
        click.echo(f"{entry.path:<{width}}  {', '.join(entry.expected) or '-'}")


@examples.command("suite")
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where to put it; nothing is overwritten.",
)
def suite(folder: Path) -> None:
    """Write a suite of Playwright tests, all green, for trying out `pytest --jostle-adverse`."""
    files = hand_out(folder)
    tests = sum(file.name.startswith("test_") for file in files)
    shown = shlex.quote(str(folder))
    click.echo(f"{count(tests, 'file')} of tests in {folder}. They need pytest-playwright.")
    click.echo(f"  pytest {shown}                              all green")
    click.echo(f"  pytest {shown} --jostle-adverse             and what else there is")
    click.echo(f"  pytest {shown} --jostle-adverse --correct   the same without the planted bugs")


@examples.command("copy")
@click.argument("name", type=click.Choice(list(COPIED)))
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A folder that is not there yet, or is empty. Default: the name of the example.",
)
def copy_example(name: str, folder: Path | None) -> None:
    """Copy an example that can be edited: it needs nothing but Python to run."""
    folder = folder or Path(name)
    try:
        files = copy(name, folder)
    except FileExistsError as error:
        raise UsageProblem(f"{error}.", advice="Name another folder with --to.") from None
    except OSError as error:
        raise CouldNotRun(f"{folder} cannot be written: {error.strerror}.") from None
    click.echo(printable(f"{folder}: {', '.join(files)}"))
