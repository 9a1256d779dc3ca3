"""`jostle examples`: show the example pages and say what is known about each."""

from __future__ import annotations

import click
import msgspec

from jostle.examples import CATALOGUE, serve


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
    help="Milliseconds added before every answer.",
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
