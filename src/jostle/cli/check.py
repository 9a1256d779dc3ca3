"""`jostle check`: everything at once, one report."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import click

from jostle.checking.search import WORKERS, CheckOptions
from jostle.cli.options import Options, allow_option, analysing, avoid_option, check_writable, report_option
from jostle.cli.outcome import working
from jostle.cli.scenario import Scenario
from jostle.consumers.annotations import Annotations
from jostle.consumers.baseline import BaselineFile
from jostle.consumers.gate import FailureGate
from jostle.consumers.junit import JUnitFile
from jostle.consumers.report import ReportFile
from jostle.consumers.sarif import SarifFile
from jostle.consumers.summary import Summary
from jostle.errors import UsageProblem
from jostle.model.macros_file import Macros
from jostle.repair.run import run_and_repair
from jostle.report import annotations as marks
from jostle.search.registry import CHECK, in_checks
from jostle.search.run import run_job, run_to_end

OPTIONS = in_checks()


@click.command()
@click.argument("url", required=False)
@click.option("--only", multiple=True, type=click.Choice(list(OPTIONS)), help="Look for this only. May be repeated.")
@click.option("--skip", multiple=True, type=click.Choice(list(OPTIONS)), help="Do not look for this. May be repeated.")
@click.option(
    "--scenario",
    "scenarios",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Try also what was done in this recording, or what this Playwright script or test does. May be repeated.",
)
@click.option(
    "--macros",
    "macros_file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="Explore by macros, made by `jostle macros infer`.",
)
@click.option(
    "--fail-on",
    "fail_on",
    multiple=True,
    metavar="KIND|SEVERITY",
    help="Exit with 1 only for findings of this kind, or of this severity and worse; `never` for none. May be "
    "repeated. Default: any.",
)
@click.option(
    "--baseline",
    "baseline_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Findings in this file are known: they are reported, but do not fail the run.",
)
@click.option("--update-baseline", "update", is_flag=True, help="Write what was found into the file of --baseline.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write the findings as JUnit XML.")
@click.option("--sarif", type=click.Path(path_type=Path), metavar="FILE", help="Write the findings as SARIF 2.1.0.")
@click.option("--annotations", is_flag=True, help="Print the findings as annotations of GitHub Actions.")
@click.option(
    "--source-root",
    "root",
    default="",
    metavar="DIR",
    help="The folder of the repository that is served as /, for places in SARIF and annotations.",
)
@click.option(
    "--repair",
    "repairs",
    is_flag=True,
    help="Look for a repair of each race that was found, in the last part of the time: see `jostle repair`.",
)
@avoid_option
@allow_option
@report_option
@analysing(budget="5m", workers=WORKERS, tests=True, mocked=True)
def check(
    url: str | None,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    scenarios: tuple[Path, ...],
    macros_file: Path | None,
    fail_on: tuple[str, ...],
    baseline_file: Path | None,
    update: bool,
    junit: Path | None,
    sarif: Path | None,
    annotations: bool,
    root: str,
    repairs: bool,
    avoid: tuple[str, ...],
    allow: tuple[str, ...],
    html: Path | None,
    options: Options,
) -> int:
    """Find what breaks in the application at URL, and write one report.

    First the application is explored as a tester would. The rest of the time goes into what was seen: acting before
    pages are ready, slow responses, the same events in other orders, and actions that get slower with use. Each
    finding comes with a replay and a Playwright test that fails because of it.
    """
    wanted = [name for name in OPTIONS if (not only or name in only) and name not in skip]
    techniques = tuple(OPTIONS[name] for name in wanted)
    gate = FailureGate(fail_on, baseline_file, update=update, techniques=techniques)
    for file in (html, junit, sarif):
        check_writable(file)
    if not wanted:
        raise UsageProblem("Nothing is left to look for.", advice=f"There are: {', '.join(OPTIONS)}.")
    chosen = [Scenario(each) for each in scenarios]
    if macros_file is not None:
        Macros.load(macros_file)
    job = options.job(
        CHECK,
        url,
        CheckOptions(
            techniques=techniques,
            workers=options.workers,
            macros=str(macros_file.absolute()) if macros_file is not None else "",
            avoid=avoid,
            allow=allow,
        ),
    )
    asked = {"only": list(only), "skip": list(skip), "scenarios": [str(each) for each in scenarios]}
    with _Unheard(), working(CHECK, options, job.url, **asked) as work:
        report = html or work.run.path / "report.html"
        places = {"directory": str(work.run.path), "root": root}
        annotated = Annotations(gate, **places)
        summary = Summary(gate, report, still=work.terminal.still, document=options.json)
        work.consumers += [
            ReportFile(work.run, report),
            BaselineFile(gate, lambda file: work.terminal.say(f"The baseline: {file}")),
            *([JUnitFile(junit, gate, **places)] if junit is not None else []),
            *([SarifFile(sarif, gate, **places)] if sarif is not None else []),
            annotated,
            summary,
        ]
        with work.application(options) as environment:
            recordings = []
            for each in chosen:
                name, environment = each.recorded(work, options, environment, job.url)
                recordings.append(name)
            job = job.beginning_with(*recordings)
            if repairs:
                run_to_end(run_and_repair(job, environment, work.emit))
            else:
                run_to_end(run_job(job, environment, work.emit))
    for line in annotated.lines if annotations else ():
        click.echo(line)
    return work.outcome(found=bool(summary.gated.failing))


class _Unheard:
    """While this is open, GitHub Actions takes no line of ours for a command: texts of pages are among them."""

    def __enter__(self) -> None:
        self._lines = marks.unheard(secrets.token_hex(16)) if os.environ.get("GITHUB_ACTIONS") else ("", "")
        if self._lines[0]:
            click.echo(self._lines[0])

    def __exit__(self, *error: object) -> None:
        if self._lines[1]:
            click.echo(self._lines[1])
