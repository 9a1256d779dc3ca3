"""A command that runs one search: its job, its page, its exit code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jostle.cli.options import Options
from jostle.cli.outcome import Work, working
from jostle.cli.scenario import Scenario
from jostle.consumers.page import TechniquePage
from jostle.consumers.summary import Summary
from jostle.search.job import Job
from jostle.search.registry import technique
from jostle.search.run import run_job, run_to_end
from jostle.search.stream import Consumer


def searched(
    job: Job,
    options: Options,
    html: Path | None,
    asked: Mapping[str, Any],
    *,
    scenario: Scenario | None = None,
    consumers: Sequence[Callable[[Work], Consumer]] = (),
) -> int:
    """Run a job as a command; the exit code. `asked` are the command's own options, kept with the run."""
    with working(job.technique, options, job.url, **asked) as work:
        page = TechniquePage(
            technique(job.technique),
            html or work.run.path / "report.html",
            url=work.redaction.text(job.url),
            directory=str(work.run.path),
            on_written=work.wrote_report,
        )
        summary = Summary(None, None, still=work.terminal.still, document=options.json)
        work.consumers += [*(consumer(work) for consumer in consumers), page, summary]
        with work.application(options) as environment:
            if scenario is not None:
                recording, environment = scenario.recorded(work, options, environment, job.url)
                job = job.beginning_with(recording)
            run_to_end(run_job(job, environment, work.emit))
    return work.exit_code
