"""`jostle api check`: whether a description is sound, and whether real traffic keeps to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from jostle.cli.api_traffic import left_out, named, traffic_of
from jostle.cli.options import config_option, duration_option
from jostle.config import load
from jostle.config.settings import Configuration, is_web_address
from jostle.errors import Exit, UsageProblem
from jostle.exploring.search import EVENTS, TRAFFIC, ExploreOptions
from jostle.library import Settings, explore, waited_for
from jostle.plural import count
from jostle.recording.file import Recording
from jostle.search.stream import ArtefactMade
from jostle.serverapi.ail_parser import read_ail
from jostle.serverapi.checks import mistakes
from jostle.serverapi.conformance import Conformance, conformance
from jostle.serverapi.description import Description
from jostle.serverapi.files import combined, read_source
from jostle.serverapi.matching import Matcher
from jostle.serverapi.schemas import SchemaProblem, Schemas
from jostle.serverapi.server import LIVE
from jostle.serverapi.traffic import Traffic, origin_of
from jostle.text import in_words, printable


@click.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--against", multiple=True, metavar="FILE|URL",
              help="A recording or HAR file whose traffic must keep to the description; or the address of the running "
              "application, which is explored for that. May be repeated.")  # fmt: skip
@click.option("--budget", type=duration_option, default="60s", show_default=True, metavar="TIME",
              help="How long the application at a URL is explored.")  # fmt: skip
@click.option("--events", type=click.IntRange(min=1), default=EVENTS, show_default=True, metavar="N",
              help="How many things a user could do are done there at most.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of the exploration.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@config_option
def check_api(
    file: Path, against: Sequence[str], budget: float, events: int, seed: int, as_json: bool, config_file: Path | None
) -> int:
    """Check the description in FILE: whether it is sound, and with --against where real traffic leaves it."""
    description = read_ail(file)
    wrong = mistakes(description, file.parent)
    result = None
    notes: list[str] = []
    if against and (schemas := _usable_schemas(description, file.parent)) is not None:
        configuration = load(config_file).configuration
        recording = combined(
            [_real_traffic(each, budget, events, seed, config_file) for each in against], configuration
        )
        traffic = _described(description, recording, configuration, running=any(map(is_web_address, against)))
        notes = [*left_out(traffic)]
        result = conformance(traffic.samples, Matcher(description, schemas))
        if not result.requests:
            raise UsageProblem(
                f"Nothing was checked: no request to {description.base} is in {named(list(against))}.",
                advice="The URL in the description must be that of the server in the recording.",
            )
    if as_json:
        document = {"mistakes": wrong, "traffic": result}
        click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
    else:
        for each in wrong:
            click.echo(printable(f"{each.operation}: {each.words}."))
        for line in notes:
            click.echo(printable(line), err=True)
        _tell_conformance(result, bool(wrong))
    bad = bool(wrong) or (result is not None and bool(result.deviations))
    return Exit.FINDINGS if bad else Exit.NOTHING_FOUND


def _usable_schemas(description: Description, folder: Path) -> Schemas | None:
    """The schemas of a description; None if one of them is wrong, which is told among the mistakes."""
    try:
        schemas = Schemas.read(description.schema_files(), folder)
        for each in description.schema_files():
            schemas.validator(each)
    except SchemaProblem:
        return None
    return schemas


def _described(
    description: Description, recording: Recording, configuration: Configuration, *, running: bool
) -> Traffic:
    """What was asked of the described server; or, of an application that is `running`, of wherever it is today."""
    traffic = traffic_of(recording, configuration, origin_of(description.base))
    return traffic if traffic.samples or not running else traffic_of(recording, configuration, "")


def _real_traffic(source: str, budget: float, events: int, seed: int, config_file: Path | None) -> Recording:
    """Of a file; or of the application at an address, which is explored."""
    if not is_web_address(source):
        return read_source(Path(source))
    click.echo(printable(f"exploring {source} for {in_words(budget)} ..."), err=True)
    found: list[bytes] = []

    def heard(event: object) -> None:
        if isinstance(event, ArtefactMade) and event.name == TRAFFIC:
            found.append(event.data)

    settings: Settings = {"budget": budget, "seed": seed, "verify_tests": False, "server": LIVE, "on_event": heard}
    if config_file is not None:
        settings["config"] = config_file
    options = ExploreOptions(events=events, patience=events, reports=False, traffic=True)
    waited_for(explore(source, options, **settings))
    return Recording.from_bytes(found[-1], source)


def _tell_conformance(result: Conformance | None, wrong: bool) -> None:
    if result is None:
        if not wrong:
            click.echo("The description is sound.")
        return
    for each in result.deviations:
        where = f" at {each.where}" if each.where else ""
        if each.side == "client":
            head = f"{each.example}: {each.what}"
        else:
            head = f"{each.operation}: response {each.status}{where}: {each.what}"
        often = f" ({count(each.times, 'time')})" if each.times > 1 else ""
        click.echo(printable(f"{head}{often}"))
        if each.side == "server":
            click.echo(printable(f"    first in {each.example}"))
    total = count(result.requests, "request")
    if result.deviations:
        click.echo(f"{count(len(result.deviations), 'deviation')} in {total}; {result.covered:,} described.")
    else:
        click.echo(f"{total}, all as described.")
    if result.unused:
        click.echo(printable(f"Never asked for: {', '.join(result.unused)}"))
