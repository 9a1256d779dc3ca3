"""`jostle export`: the Playwright test of a finding, as a file of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from jostle.cli.options import RUNS, check_writable
from jostle.errors import Problem, RunProblem, UsageProblem
from jostle.exploring.playwright_test import problem_test
from jostle.export.context import in_context
from jostle.findings import Finding, FindingKind
from jostle.findings.evidence import SightedEvidence
from jostle.plural import count
from jostle.recording.file import Recording
from jostle.runs import RunDirectory, newest, runs_below
from jostle.search.registry import CHECK, in_checks
from jostle.text import printable
from jostle.writing import write_whole

_OTHERS = 50
"""Older runs that are looked through for a finding that is not in the newest."""


@click.command()
@click.argument("finding", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The test to write, - for standard output. Default: test_ID.py here. With --all, a directory.",
)
@click.option(
    "--run",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="The run directory with the finding. Default: the newest run that searched for something.",
)
@click.option("--list", "listed", is_flag=True, help="List the findings of the run, and which have a test.")
@click.option("--all", "everything", is_flag=True, help="Write a test for every finding of the run.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=RUNS,
    show_default=True,
    metavar="DIR",
    help="Where runs are kept.",
)
def export(
    finding: str | None, output: Path | None, run: Path | None, listed: bool, everything: bool, out: Path
) -> None:
    """Write the Playwright test of a FINDING: a Python file for pytest-playwright that fails as long as it is there.

    FINDING is its id, or as much of its beginning as only one finding has; or RUN/ID, for a run other than the newest.
    """
    if sum((finding is not None, listed, everything)) != 1:
        raise UsageProblem("Name one finding, or give --list or --all.", advice="`jostle export --list` shows the ids.")
    if finding is not None:
        run, finding = _where(finding, run)
    directory = run or newest(out, CHECK, *in_checks().values())
    with RunDirectory.open(directory) as opened:
        exporting = Exporting(opened)
        if listed:
            exporting.list()
        elif everything:
            exporting.all(output or Path())
        elif finding is not None:
            exporting.one(finding, output, out if run is None else None)


def the_finding(name: str, run: Path | None, out: Path) -> tuple[Path, Finding]:
    """The finding of that name, as `jostle export` takes it, and the directory of its run. Raises Problem."""
    run, name = _where(name, run)
    directory = run or newest(out, CHECK, *in_checks().values())
    with RunDirectory.open(directory) as opened:
        return directory, Exporting(opened).named(name, out if run is None else None)


def _where(finding: str, run: Path | None) -> tuple[Path | None, str]:
    """RUN/ID names a run, too."""
    return (Path(finding).parent, Path(finding).name) if run is None and "/" in finding else (run, finding)


class Exporting:
    """The tests of the findings of a run."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        try:
            self._findings: Sequence[Finding] = run.findings
        except msgspec.MsgspecError as error:
            raise RunProblem(f"The findings of the run in {run.path} cannot be read: {error}.") from None

    def list(self) -> None:
        said = [f"{count(len(self._findings), 'finding') if self._findings else 'No finding'} in {self._run.path}"]
        for each in self._findings:
            said.append(f"  {each.id:<36} {'' if self._has_test(each) else '(no test) '}{each.title}")
        click.echo(printable("\n".join(said)))

    def one(self, name: str, output: Path | None, others: Path | None) -> None:
        finding = self.named(name, others)
        text = self.test(finding)
        if output == Path("-"):
            click.echo(text, nl=False)
            return
        file = output or Path(_file(finding))
        if output is None and file.exists() and file.read_bytes() != text.encode():
            raise UsageProblem(f"{file} is there already, with another content.", advice="Name a file with -o FILE.")
        check_writable(file)
        write_whole(file, text.encode())
        click.echo(printable(f"{file}: fails because of “{finding.title}”\nRun it: pytest {file}"))

    def all(self, folder: Path) -> None:
        if folder.exists() and not folder.is_dir():
            raise UsageProblem(f"{folder} is no directory.", advice="With --all, -o names a directory.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageProblem(f"{folder} cannot be made: {error.strerror}.") from None
        written = 0
        for each in self._findings:
            try:
                text = self.test(each)
            except Problem as why:
                click.echo(printable(f"{each.id}: {why.message}"), err=True)
                continue
            write_whole(folder / _file(each), text.encode())
            written += 1
        click.echo(printable(f"{count(written, 'test')} of {count(len(self._findings), 'finding')} in {folder}"))

    def test(self, finding: Finding) -> str:
        """As it was written when it was found, else made of the recording. Raises RunProblem."""
        if why := finding.evidence.no_test_because:
            raise self._none(finding, why)
        name = finding.evidence.generated_test
        file = self._run.path / name if name and Path(name).name == name else None
        if file is not None and file.is_file():
            return self._run.file(file.name).decode("utf-8", "replace")
        if isinstance(finding.evidence, SightedEvidence) and finding.replay:
            name = Path(finding.replay).name
            recording = Recording.from_bytes(self._run.file(name), name)
            manifest = recording.manifest
            try:
                made = problem_test(manifest.url, recording.trace.steps, finding, name=finding.id)
            except ValueError as reason:
                raise self._none(finding, str(reason)) from None
            locale, timezone = (str(manifest.options.get(key) or "") for key in ("locale", "timezone"))
            return in_context(made, viewport=manifest.viewport, locale=locale, timezone=timezone)
        if file is not None:
            raise self._none(finding, f"{file} is not there any more")
        if finding.kind is FindingKind.BOUNDED_GROWTH:
            raise self._none(finding, "what stops growing by itself is no mistake that a test should fail for")
        raise self._none(finding, "it could not be reproduced, so there is no test for it")

    def _none(self, finding: Finding, why: str) -> RunProblem:
        advice = f"Its recording: jostle replay {self._run.path / finding.replay}" if finding.replay else ""
        return RunProblem(f"There is no Playwright test for {finding.id}: {why.rstrip('.')}.", advice=advice)

    def _has_test(self, finding: Finding) -> bool:
        try:
            self.test(finding)
        except Problem:
            return False
        return True

    def named(self, name: str, others: Path | None) -> Finding:
        """By its id or the beginning of it. `others`: runs that may have it instead. Raises UsageProblem."""
        found = [each for each in self._findings if each.id == name]
        found = found or [each for each in self._findings if each.id.startswith(name)]
        if len(found) == 1:
            return found[0]
        if found:
            ids = ", ".join(each.id for each in found[:6])
            raise UsageProblem(f"Several findings begin with `{name}`: {ids}.", advice="Write more of the id.")
        where = next((run for run in runs_below(others)[:_OTHERS] if _has(run, name)), None) if others else None
        if where is not None:
            advice = f"The run in {where} has one: jostle export {name} --run {where}"
        elif self._findings:
            advice = "There are: " + ", ".join(each.id for each in self._findings[:6])
        else:
            advice = "Nothing was found in that run. --run names another."
        raise UsageProblem(f"The run in {self._run.path} has no finding `{name}`.", advice=advice)


def _file(finding: Finding) -> str:
    return f"test_{re.sub(r'[^0-9A-Za-z]+', '_', finding.id)}.py"


def _has(run: Path, name: str) -> bool:
    try:
        with RunDirectory.open(run) as opened:
            return any(each.id.startswith(name) for each in opened.findings)
    except (RunProblem, msgspec.MsgspecError):
        return False
