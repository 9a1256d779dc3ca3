"""`jostle repair`: policies that keep races from happening, tried on their recordings."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from jostle.cli.export import the_finding
from jostle.cli.options import Options, analysing
from jostle.cli.outcome import Work, working
from jostle.consumers.report import ReportFile
from jostle.errors import Exit, UsageProblem
from jostle.findings import Finding
from jostle.plural import count
from jostle.repair.output import README, REPORT, SCRIPT, TESTS, files_of
from jostle.repair.policy_file import read_policy, warned
from jostle.repair.repairing import Repaired, races_in, repair_of
from jostle.repair.run import repair_findings, summary_of
from jostle.report.repair_words import cost_words, headline
from jostle.report.run_summary import RunSummary
from jostle.runs import RunDirectory, newest
from jostle.search.registry import CHECK, in_checks
from jostle.search.run import run_to_end
from jostle.search.stream import FileMade, SearchEnded
from jostle.text import printable
from jostle.writing import write_whole


@click.command()
@click.argument("what", required=False, metavar="[RUN|FINDING]")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("repair"),
    show_default=True,
    metavar="DIR",
    help="Where to write the script, its policy, the tests and how to use them.",
)
@click.option(
    "--run",
    "of_run",
    type=click.Path(path_type=Path),
    metavar="RUN",
    help="The directory of the run that has the FINDING. Default: the newest run that looked for something.",
)
@click.option(
    "--policy",
    "policy_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Try this policy (.toml or .json) instead of looking for one.",
)
@click.option("--live", is_flag=True, help="Ask the server for what the recordings do not know.")
@analysing(budget="10m", tests=True)
def repair(
    what: str | None, output: Path, of_run: Path | None, policy_file: Path | None, live: bool, options: Options
) -> int:
    """Keep the races of a run from happening, and prove it.

    RUN is the directory of a run, FINDING the id of a finding (or as much of its beginning as only one has). Default:
    the newest run. For each race, policies are tried from the least intrusive to the most general: the page is replayed
    in the bad order, in the good one and in others, with a script in it that postpones or drops events. The first
    policy with which the effect is gone and nothing else breaks is written down, with what it costs.

    Ends with 0 when all races are prevented, with 1 when some are not.
    """
    policy = read_policy(policy_file) if policy_file is not None else None
    directory, findings = _findings(what, of_run, options.out)
    races = races_in(findings)
    if not races:
        click.echo(printable(f"There is no race in {directory}: nothing to repair."))
        return Exit.NOTHING_FOUND
    _check_folder(output)
    with RunDirectory.open(directory) as opened:
        url, seed = opened.info.url or "", opened.info.seed
        kept = _files(opened, races)
    asked = {
        "what": what or "",
        "of": str(directory),
        "live": live,
        "output": str(output),
        "policy": str(policy_file or ""),
    }
    began = time.monotonic()
    with working("repair", options, url, **asked) as work:
        work.consumers.append(ReportFile(work.run, work.run.path / REPORT))
        work.note(f"Repairing {count(len(races), 'race')} of {directory} (seed {seed})")
        for warning in warned(policy) if policy is not None else ():
            work.note(f"{policy_file}: {warning}")
        for name, data in kept.items():
            work.emit(FileMade(name, data))
        with work.application(options) if live else nullcontext(work.environment(options)) as environment:
            repaired = run_to_end(
                repair_findings(
                    races,
                    lambda name: _read(work, name),
                    url,
                    environment,
                    work.emit,
                    budget=options.budget,
                    live=live,
                    policy=policy,
                )
            )
        summary = summary_of(repaired, time.monotonic() - began)
        work.emit(SearchEnded(RunSummary(searches=(summary,), seconds=summary.seconds), dict(summary.stats)))
        work.stats |= {"of": str(directory)}
        _write(output, files_of(repaired, lambda name: _read(work, name), url))
    report = work.run.path / REPORT
    if report.is_file():
        write_whole(output / REPORT, report.read_bytes())
    click.echo(printable("\n".join(_lines(repaired, output))), err=options.json == Path("-"))
    return Exit.NOTHING_FOUND if len(repaired.prevented) == len(repaired.findings) else Exit.FINDINGS


def _findings(what: str | None, of_run: Path | None, out: Path) -> tuple[Path, Sequence[Finding]]:
    """The run, and those of its findings that are meant. Raises Problem."""
    if what is not None and of_run is None and Path(what).is_dir():
        of_run, what = Path(what), None
    if what is not None:
        directory, finding = the_finding(what, of_run, out)
        if not races_in([finding]):
            raise UsageProblem(
                f"{finding.id} is no race: only the order of events can be repaired at run time.",
                advice="`jostle export --list` shows the findings of a run.",
            )
        return directory, [finding]
    directory = of_run or newest(out, CHECK, *in_checks().values())
    with RunDirectory.open(directory) as opened:
        return directory, opened.findings


def _files(run: RunDirectory, races: Sequence[Finding]) -> dict[str, bytes]:
    """What the findings name, so that the run of this command is complete by itself."""
    names = [name for each in races for name in (each.replay, *each.evidence.files, *each.evidence.pictures) if name]
    there = {each.name for each in run.path.iterdir() if each.is_file()}
    return {name: run.file(name) for name in dict.fromkeys(names) if Path(name).name == name and name in there}


def _read(work: Work, name: str) -> bytes:
    return work.run.file(Path(name).name)


def _check_folder(folder: Path) -> None:
    """Complain now, not after minutes of work."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".{SCRIPT}.part"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageProblem(
            f"{folder} cannot be written to: {error.strerror}.", advice="Name another directory with -o DIR."
        ) from None


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    if any(name.startswith(f"{TESTS}/") for name in files):
        (folder / TESTS).mkdir(exist_ok=True)
    for name, data in files.items():
        write_whole(folder / name, data)


def _lines(repaired: Repaired, output: Path) -> list[str]:
    number, total = len(repaired.prevented), len(repaired.findings)
    lines = ["", f"{number} of {count(total, 'race')} prevented."]
    for finding in repaired.findings:
        made = repair_of(finding)
        if made is None:
            continue
        cost = f" ({cost_words(made.cost)})" if made.prevents else f": {made.why}"
        lines += [f"  {finding.title}", f"    {headline(made)}{cost}"]
        if made.fix is not None and not made.prevents:
            lines.append(f"    In the source: {made.fix.words}")
    lines += ["", f"Written to {output}/: {README} tells how to use it."]
    return lines
