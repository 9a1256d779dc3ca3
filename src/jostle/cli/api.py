"""`jostle api`: the interface of a server, learned from traffic, shown, checked, compared and exported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from jostle.cli.api_check import check_api
from jostle.cli.api_mock import mock_api
from jostle.cli.api_traffic import left_out, named, traffic_of
from jostle.cli.options import check_writable, config_option
from jostle.config import load
from jostle.config.settings import Configuration, is_web_address
from jostle.errors import CouldNotRun, Exit, UsageProblem
from jostle.plural import count
from jostle.serverapi.ail_format import format_description, format_operation, format_pattern
from jostle.serverapi.ail_parser import read_ail
from jostle.serverapi.comparison import Difference, compare
from jostle.serverapi.description import JsonSchema, Operation
from jostle.serverapi.explanation import explain
from jostle.serverapi.files import ApiFiles, combined, read_api, read_source, schema_folder, write_api
from jostle.serverapi.learning import Learned, learn
from jostle.serverapi.matching import Matcher
from jostle.serverapi.openapi import to_openapi
from jostle.serverapi.report.page import page
from jostle.serverapi.review import review
from jostle.serverapi.schema_words import in_words
from jostle.serverapi.schemas import Schemas
from jostle.serverapi.traffic import Traffic, origin_of
from jostle.serverapi.updating import learn_more
from jostle.text import printable
from jostle.writing import write_whole

FILE = click.Path(path_type=Path)


@click.group()
def api() -> None:
    """Learn the interface of a server from recorded traffic, write it down in AIL, check it, and stand in for it."""


@api.command("learn")
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--output", type=FILE, default=Path("api.ail"), show_default=True, metavar="FILE",
              help="The description to write; its schemas and its traffic are written beside it.")  # fmt: skip
@click.option("--update", is_flag=True, help="Learn more: keep what was learned before, and what was edited by hand.")
@click.option("--explain", "explained", is_flag=True, help="Say why requests were merged or kept apart.")
@click.option("--url", "base", metavar="ORIGIN", help="The server to describe, if the page asks several.")
@click.option("--faithful", is_flag=True, help="Learn by the published algorithm alone, without its repairs.")
@click.option("--precise", is_flag=True, help="Keep kinds of response apart in schemas, instead of merging them.")
@config_option
def learn_api(
    files: Sequence[Path],
    output: Path,
    update: bool,
    explained: bool,
    base: str | None,
    faithful: bool,
    precise: bool,
    config_file: Path | None,
) -> None:
    """Learn a description from recordings (.jostle) and HAR files, and write it to a file."""
    if base and not is_web_address(base):
        raise UsageProblem(f"--url {base} is not a web address.", advice="For example: --url https://api.example.com")
    configuration = load(config_file).configuration
    before = _before(output, update)
    check_writable(output)
    recordings = [read_source(file) for file in files]
    if before is not None and before.recording is not None:
        recordings.insert(0, before.recording)
    recording = combined(recordings, configuration)
    wanted = origin_of(base) if base else origin_of(before.description.base) if before else ""
    traffic = traffic_of(recording, configuration, wanted)
    if not traffic.samples:
        raise UsageProblem(
            f"There is nothing to learn in {named(files)}: no request of a script to "
            f"{traffic.base or 'any server'} got a response.",
            advice="Record somebody who uses the application: jostle record URL -o session.jostle",
        )
    folder = schema_folder(output)
    if before is None:
        learned = learn(traffic.samples, traffic.base, repaired=not faithful, precise=precise, schema_folder=folder)
    else:
        learned = learn_more(traffic.samples, before, repaired=not faithful, precise=precise, folder=folder)
    _verify(learned, traffic)
    by_hand = [each.operation for each in learned.members if each.given]
    kept = write_api(output, learned.description, learned.schemas, recording, before=before, by_hand=by_hand)
    _tell_learned(learned, traffic, output, kept, explained=explained)


@api.command("show")
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print it as one JSON document, with its schemas.")
@click.option("--html", type=FILE, metavar="FILE",
              help="Write a page: parameters, schemas, examples, and what in the client asks for them.")  # fmt: skip
def show_api(file: Path, as_json: bool, html: Path | None) -> None:
    """Show the description in FILE: each operation with its parameters, and what its responses contain."""
    check_writable(html)
    files = read_api(file)
    if html is not None:
        write_whole(html, page(files).encode())
        click.echo(printable(f"Written: {html}"))
        return
    if as_json:
        document = {**msgspec.to_builtins(files.description), "schemas": files.schemas.by_file}
        click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
        return
    click.echo(printable(f"{files.description.base}   {count(len(files.description.operations), 'operation')}"))
    for operation in files.description.operations:
        click.echo(printable("\n" + "\n".join(_shown(operation, files.schemas))))


@api.command("format")
@click.argument("file", type=FILE)
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if it is not formatted.")
def format_api(file: Path, check: bool) -> int:
    """Put the description in FILE in its usual form."""
    text = format_description(read_ail(file)).encode()
    if text == file.read_bytes():
        return Exit.NOTHING_FOUND
    if check:
        click.echo(printable(f"{file} is not formatted."))
        return Exit.FINDINGS
    write_whole(file, text)
    click.echo(printable(f"Formatted: {file}"))
    return Exit.NOTHING_FOUND


@api.command("export")
@click.argument("file", type=FILE)
@click.option("--openapi", type=FILE, required=True, metavar="FILE", help="The OpenAPI 3.1 document to write, as JSON.")
@click.option("--title", default="", metavar="TEXT", help="Its title; by default the address of the server.")
def export_api(file: Path, openapi: Path, title: str) -> None:
    """Write the description in FILE as OpenAPI 3.1, and say what that cannot hold."""
    check_writable(openapi)
    files = read_api(file)
    made = to_openapi(
        files.description, files.schemas, title=title or files.description.base, in_query=_in_query(files)
    )
    text = msgspec.json.format(msgspec.json.encode(made.document), indent=2).decode() + "\n"
    if openapi == Path("-"):
        click.echo(text, nl=False)
    else:
        write_whole(openapi, text.encode())
        click.echo(printable(f"Written: {openapi}"))
    if made.lost:
        click.echo("OpenAPI cannot say:", err=True)
        for words in made.lost:
            click.echo(printable(f"  {words}"), err=True)


@api.command("diff")
@click.argument("old", type=FILE)
@click.argument("new", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def diff_api(old: Path, new: Path, as_json: bool) -> int:
    """Tell what changed from the description OLD to NEW. Exit code 1 if a client may fail because of it."""
    before, after = read_api(old), read_api(new)
    differences = compare(before.description, after.description, before.schemas, after.schemas)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(differences), indent=2).decode())
    elif not differences:
        click.echo("No differences.")
    else:
        for difference in differences:
            click.echo(printable("\n".join(_difference(difference))))
    return Exit.FINDINGS if any(each.breaking for each in differences) else Exit.NOTHING_FOUND


api.add_command(check_api)
api.add_command(mock_api)


def _before(output: Path, update: bool) -> ApiFiles | None:
    if output == Path("-"):
        raise UsageProblem("A description has several files: name one with -o, such as -o api.ail.")
    if not update:
        return None
    if not output.exists():
        raise UsageProblem(f"There is no {output} to update.", advice="Leave out --update to learn a new one.")
    before = read_api(output)
    if before.recording is None:
        click.echo(
            printable(
                f"The traffic that {output} was learned from is gone: its operations are kept as written by hand."
            ),
            err=True,
        )
    return before


def _verify(learned: Learned, traffic: Traffic) -> None:
    """What was learned must hold for what it was learned from."""
    matcher = Matcher(learned.description, Schemas(learned.schemas))
    for member in learned.members:
        if member.given:
            continue
        for position in member.samples:
            sample = traffic.samples[position]
            found = matcher.operation_for(sample.request)
            if found != member.operation or matcher.violations(found, sample.response):
                raise CouldNotRun(
                    f"jostle itself failed: what was learned does not describe {sample.request}.",
                    advice="This is a mistake in jostle; please report it.",
                )


def _tell_learned(learned: Learned, traffic: Traffic, output: Path, kept: list[str], *, explained: bool) -> None:
    if explained:
        for paragraph in explain(learned, traffic.samples):
            click.echo(printable(paragraph + "\n"))
    for line in left_out(traffic):
        click.echo(printable(line), err=True)
    if kept:
        click.echo(printable(f"Edited by hand, so kept as they are: {', '.join(kept)}"), err=True)
    remarks = review(learned, traffic.samples)
    if explained:
        for remark in remarks:
            click.echo(printable(f"Look at {remark.operation}: {remark.words} ({remark.code})"))
    operations = count(len(learned.description.operations), "operation")
    click.echo(printable(f"{operations} learned from {count(len(traffic.samples), 'request')}: {output}"))
    if remarks and not explained:
        click.echo(f"{count(len(remarks), 'thing')} to look at: --explain lists them.")


def _shown(operation: Operation, schemas: Schemas) -> Iterator[str]:
    yield from (f"# {line}" for line in operation.comments)
    yield format_operation(operation)
    for alternative in operation.responses:
        if isinstance(alternative.type, JsonSchema):
            schema = schemas.by_file.get(alternative.type.file, {})
            yield f"    {alternative.status or '200'}  {in_words(schema)}"


def _in_query(files: ApiFiles) -> list[str]:
    """Patterns of operations whose parameters were all seen in the query, though their method has a body."""
    if files.recording is None:
        return []
    traffic = traffic_of(files.recording, Configuration(), origin_of(files.description.base))
    matcher = Matcher(files.description, files.schemas)
    in_form, seen = set(), set()
    for sample in traffic.samples:
        if (operation := matcher.operation_for(sample.request)) is not None:
            pattern = format_pattern(operation.pattern)
            seen.add(pattern)
            if sample.request.in_body:
                in_form.add(pattern)
    return sorted(seen - in_form)


def _difference(difference: Difference) -> Iterator[str]:
    mark = "  (breaking)" if difference.breaking else ""
    yield f"{difference.change.value:<9} {difference.operation}{mark}"
    yield from (f"            {each}" for each in difference.others)
    yield from (f"            {each}" for each in difference.details)
