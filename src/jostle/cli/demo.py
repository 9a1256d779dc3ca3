"""`jostle demo`: check the example application with its planted bugs, and tell what was planted and what was found."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import msgspec

from jostle.cli.main import main, run
from jostle.errors import CouldNotRun, Exit
from jostle.examples import example, running
from jostle.findings import Finding
from jostle.plural import count
from jostle.runs import Document
from jostle.text import duration, in_words, printable

EXAMPLE = "larder-buggy"
BUDGET = "150s"
PLANTED: Mapping[str, str] = {
    "ajax-race": "The search and the favourite button show the response that arrives last, even if it is an old one.",
    "form-input-overwritten": "The profile arrives while its form is open and overwrites what was typed.",
    "late-handler": "The link that should open the menu navigates away until its script has run.",
    "slowdown": "Each new comment makes the page rebuild all comments and compare each with all others.",
}


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("jostle-demo"),
    show_default=True,
    metavar="DIR",
    help="Write the report and the run into this directory.",
)
@click.option("--budget", default=BUDGET, show_default=True, metavar="TIME", help="The time of the check.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Seed of every random choice.")
def demo(out: Path, budget: str, seed: int) -> int:
    """Check the example application with its planted bugs, and tell which of them were found.

    Takes less than three minutes. Everything is written into one directory; report.html in it is for looking at.
    """
    began = time.monotonic()
    try:
        duration(budget)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="--budget") from None
    report, json, nothing = out / "report.html", out / "check.json", out / "jostle.toml"
    try:
        out.mkdir(parents=True, exist_ok=True)
        nothing.write_text("# The demo needs no configuration, and takes none from elsewhere.\n")
    except OSError as error:
        raise CouldNotRun(
            f"{out} cannot be written: {error.strerror}.", advice="Name another directory with --out."
        ) from None
    with running() as base:
        shown = example(EXAMPLE)
        _say(f"The example application, with its planted bugs, runs at {base}{shown.path}. It is checked:")
        asked = ["check", f"{base}{shown.path}", "--budget", budget, "--seed", str(seed)]
        click.secho(f"  $ jostle {shlex.join(asked)}", fg="cyan", err=True)
        files = ["--html", str(report), "--json", str(json), "--out", str(out / "runs"), "--config", str(nothing)]
        code = run([*asked, *files])
    if code not in (Exit.NOTHING_FOUND, Exit.FINDINGS):
        return code
    findings = msgspec.json.decode(json.read_bytes(), type=Document).findings
    missing = _tell(shown.expected, findings)
    kinds = count(len(shown.expected), "kind")
    took = in_words(time.monotonic() - began)
    if missing:
        click.secho(
            f"\n{len(shown.expected) - missing} of {kinds} of bugs were found, in {took}. On a busy machine it takes "
            "longer: try a longer --budget.",
            fg="red",
            bold=True,
        )
    else:
        click.secho(f"\nAll {kinds} of planted bugs were found, in {took}.", fg="green", bold=True)
    click.echo(f"\n  The report  {printable(report.absolute().as_uri())}")
    return Exit.FINDINGS if missing else Exit.NOTHING_FOUND


def _tell(planted: Sequence[str], findings: Sequence[Finding]) -> int:
    """What was planted, in plain words, and what was found of it. Gives the number of kinds that were not."""
    click.secho("\nWhat was planted, and what was found:\n", bold=True)
    missing = 0
    for kind in planted:
        found = [finding for finding in findings if finding.kind.value == kind]
        missing += not found
        click.echo(f"  {kind}: {PLANTED[kind]}")
        for finding in found:
            click.secho(f"    found: {printable(finding.title)}", fg="green")
        if not found:
            click.secho("    not found in this time", fg="red")
    others = [finding for finding in findings if finding.kind.value not in planted]
    if others:
        click.echo("  Besides:")
        for finding in others:
            click.echo(f"    {finding.kind.value}: {printable(finding.title)}")
    return missing


def _say(text: str) -> None:
    click.secho(f"\n{text}", bold=True, err=True)


if __name__ == "__main__":
    main(["demo", *sys.argv[1:]])
