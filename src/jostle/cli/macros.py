"""`jostle macros`: learn macro events from recorded sessions, and show them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from jostle.cli.options import check_writable
from jostle.errors import UsageProblem
from jostle.model.inference import Facts, infer
from jostle.model.macros_file import Macros
from jostle.model.usage import UsageEntry, usage_of
from jostle.plural import count
from jostle.recording.file import Recording
from jostle.report.macros import in_words, page
from jostle.text import printable
from jostle.writing import write_whole

FILE = click.Path(path_type=Path)


@click.group()
def macros() -> None:
    """Learn from recorded sessions what people do in one go (open a menu and choose, fill in a form), and show it."""


@macros.command("infer")
@click.argument("sessions", type=FILE, nargs=-1, required=True, metavar="SESSION...")
@click.option("-o", "--output", type=FILE, default=Path("macros.json"), show_default=True, metavar="FILE",
              help="The macros to write.")  # fmt: skip
@click.option("--support", type=click.IntRange(min=1), metavar="N",
              help="How often something must have been done; by default twice the number of sessions.")  # fmt: skip
@click.option("--length-min", type=click.IntRange(min=2), default=2, show_default=True, metavar="N",
              help="Events in a macro's shortest sequence.")  # fmt: skip
@click.option("--length-max", type=click.IntRange(min=2), default=10, show_default=True, metavar="N",
              help="Events in the longest sequence that is looked for.")  # fmt: skip
@click.option("--k", type=click.IntRange(min=1, max=8), default=2, show_default=True, metavar="N",
              help="How many next events decide whether two moments are the same; more makes macros stricter.",
              )  # fmt: skip
@click.option("--html", "html", type=FILE, metavar="FILE", help="Write the macros to look at in a browser.")
def infer_macros(
    sessions: Sequence[Path],
    output: Path,
    support: int | None,
    length_min: int,
    length_max: int,
    k: int,
    html: Path | None,
) -> None:
    """Learn macros from the recordings SESSION... and write them to a file."""
    if length_max < length_min:
        raise UsageProblem(f"--length-max {length_max} is less than --length-min {length_min}.")
    for file in (output, html):
        check_writable(file)
    usages = _usages(sessions)
    found, facts = infer(usages, support=support, length_min=length_min, length_max=length_max, k=k)
    if not found:
        raise UsageProblem(
            f"There is nothing to learn: no {length_min} or more related events were done "
            f"{count(facts.support, 'time')} in {count(facts.sessions, 'session')} "
            f"with {count(facts.events, 'event')}.",
            advice=f"Record more sessions, or ask for less than --support {facts.support}.",
        )
    learned = Macros(inferred=facts, macros=found)
    learned.save(output)
    click.echo(_told(facts))
    if facts.length_max < length_max:
        click.echo(f"There are too many longer sequences to look at them all; --support {facts.support + 1} has fewer.")
    click.echo(printable(f"{count(len(found), 'macro')} written: {output}"))
    if html is not None:
        _write(html, learned)


@macros.command("show")
@click.argument("file", type=FILE)
@click.option("--html", "html", type=FILE, metavar="FILE", help="Write them with diagrams, to look at in a browser.")
@click.option("--json", "as_json", is_flag=True, help="Print them as one JSON document, each with its words.")
def show_macros(file: Path, html: Path | None, as_json: bool) -> None:
    """Show the macros in FILE: in words, or with --html as small diagrams."""
    learned = Macros.load(file)
    if html is not None:
        if as_json:
            raise UsageProblem("--html writes a page and --json prints a document: leave one of them out.")
        _write(html, learned)
        return
    if as_json:
        document = msgspec.to_builtins(learned)
        for each, macro in zip(document["macros"], learned.macros, strict=True):
            each["words"] = in_words(macro)
        click.echo(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())
        return
    if learned.inferred.sessions:
        click.echo(_told(learned.inferred))
    for macro in learned.macros:
        size = f"{count(macro.states, 'state')}, {count(len(macro.transitions), 'transition')}"
        click.echo(printable(f"\n{macro.name} (seen {count(macro.support, 'time')}; {size})\n  {in_words(macro)}"))


def _usages(sessions: Sequence[Path]) -> list[tuple[UsageEntry, ...]]:
    """Only what is needed of each recording stays in memory."""
    usages, events = [], 0
    for file in sessions:
        steps = Recording.read(file).trace.steps
        events += sum(step.event.by_user for step in steps)
        usages.append(usage_of(steps))
    if not any(usages):
        where = str(sessions[0]) if len(sessions) == 1 else f"the {len(sessions)} recordings"
        raise UsageProblem(
            f"There is nothing usable in {where}: of {count(events, 'user event')} none ran JavaScript and tells its "
            "element.",
            advice="Record somebody who uses the application: jostle record URL -o session.jostle",
        )
    return usages


def _told(facts: Facts) -> str:
    return (
        f"{count(facts.sessions, 'session')}, {count(facts.events, 'event')} in {count(facts.pieces, 'piece')}; "
        f"{count(facts.frequent, 'sequence')} of {facts.length_min} to {facts.length_max} events done at least "
        f"{count(facts.support, 'time')}, {facts.closed:,} closed"
    )


def _write(file: Path, learned: Macros) -> None:
    write_whole(file, page(learned).encode())
    click.echo(printable(f"Written: {file}"))
