"""`jostle api mock`: stand in for a server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from jostle.cli.options import config_option
from jostle.config import load
from jostle.plural import count
from jostle.serverapi.files import read_api
from jostle.serverapi.mock.answering import MockOptions, MockResponse, MockServer
from jostle.serverapi.mock.faults import Fault
from jostle.serverapi.mock.latency import Latency
from jostle.serverapi.mock.releasing import Order, Releasing
from jostle.serverapi.mock.site import MockSite, serve
from jostle.serverapi.mock.source import Source
from jostle.text import printable


@click.command("mock")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="Port; 0 picks a free one."
)
@click.option("--seed", default=0, show_default=True, metavar="N", help="Another seed makes other data.")
@click.option("--responses", type=click.Choice([each.value for each in Source]), default=Source.RECORDED.value,
              show_default=True, help="Recorded responses where there are any; or only such that are made by the "
              "schemas, with every option of them in turn (covering) or by chance (random).")  # fmt: skip
@click.option("--latency", default="0", metavar="MS", help="Milliseconds before each response: 200, or 50-400.")
@click.option("--order", type=click.Choice([each.value for each in Order]), default=Order.SENT.value, show_default=True,
              help="In which order responses to requests that are open at the same time are sent; manual: when they "
              "are released by POST /.jostle/release.")  # fmt: skip
@click.option("--gather", type=click.IntRange(1, 60_000), default=50, show_default=True, metavar="MS",
              help="With --order, how long to wait for further requests.")  # fmt: skip
@click.option("--fault", "faults", multiple=True, type=click.Choice([each.value for each in Fault]),
              help="Some responses go wrong like this, outside of the description. May be repeated.")  # fmt: skip
@click.option("--fault-rate", type=click.FloatRange(0, 1), default=0.1, show_default=True, metavar="P",
              help="How many of the responses go wrong, if --fault is given.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="Say nothing of each request.")
@config_option
def mock_api(
    file: Path,
    host: str,
    port: int,
    seed: int,
    responses: str,
    latency: str,
    order: str,
    gather: int,
    faults: Sequence[str],
    fault_rate: float,
    quiet: bool,
    config_file: Path | None,
) -> None:
    """Answer as the server does that the description in FILE is of, until Ctrl-C."""
    wait = Latency.parse(latency)
    files = read_api(file)
    options = MockOptions(
        seed=seed,
        source=Source(responses),
        faults=tuple(Fault(each) for each in faults),
        fault_rate=fault_rate,
        ignored=load(config_file).configuration.ignore.parameters,
    )
    server = MockServer(files.description, files.schemas, files.recording, options)
    site = MockSite(
        server,
        latency=wait,
        releasing=Releasing(Order(order), gather=gather / 1000, seed=seed),
        on_response=_silent if quiet else _tell,
        host=host,
    )
    operations = count(len(files.description.operations), "operation")
    serve(site, host, port, ready=lambda url: click.echo(f"{operations} at {url} (Ctrl-C stops)"))
    shown, known = server.covered
    if known:
        click.echo(f"Of {count(known, 'option')} that the schemas leave, {shown} were shown.")


def _tell(method: str, path: str, response: MockResponse) -> None:
    how = "not described" if not response.known else "made" if response.made else "recorded"
    if response.stands_in:
        how = f"like the recorded {response.stands_in}"
    if response.fault:
        how = f"fault: {response.fault.value}"
    click.echo(printable(f"{response.status or '-':>3}  {method} {path}  ({how})"), err=True)


def _silent(method: str, path: str, response: MockResponse) -> None:
    """Nothing is told."""
