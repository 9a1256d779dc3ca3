"""A suite on disk: its run directory, from the first finding on, and in the end the report and the JSON document."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from jostle.adverse.bugs import Bugs
from jostle.adverse.suite import SuiteOptions
from jostle.adverse.tally import SuiteTally
from jostle.errors import Problem
from jostle.findings import Finding
from jostle.pytest_plugin.known_failures import KnownFailures
from jostle.runs import RunDirectory, Status
from jostle.runs.report import write_report
from jostle.writing import write_whole


class KeptRun:
    """What cannot be written is told in the end, and stops no test."""

    def __init__(self, run: RunDirectory, options: SuiteOptions, *, html: Path, json: Path | None) -> None:
        self._run = run
        self._options = options
        self._html = html
        self._json = json
        self.path = run.path
        self.report: Path | None = None
        """Once it is written."""
        self.trouble = ""
        """What could not be written, in words."""

    @classmethod
    def begun(cls, config: pytest.Config, options: SuiteOptions, technique: str) -> KeptRun:
        """Raises RunProblem."""
        asked = {
            "suite": config.rootpath.name,
            "budget": options.budget,
            "conditions": list(options.conditions),
            "rerun": options.rerun,
        }
        run = RunDirectory.create(Path(config.option.jostle_out), technique, options=asked)
        html, json = config.option.jostle_html, config.option.jostle_json
        return cls(
            run, options, html=Path(html) if html else run.path / "report.html", json=Path(json) if json else None
        )

    def found(self, finding: Finding) -> None:
        """A new finding, or one of which there is another failure now."""
        try:
            self._run.add_finding(finding)
        except Problem as problem:
            self.trouble = str(problem)

    def end(self, tally: SuiteTally, bugs: Bugs, known: KnownFailures, *, interrupted: bool) -> None:
        with self._run as run:
            try:
                found = bugs.findings
                for finding in found:  # in the order of their first failures, however often they were written since
                    run.add_finding(finding)
                for note in tally.notes:
                    run.add_note(note)
                account = tally.account(run.info.command, len(found), self._options.budget)
                run.add_artefact("told.json", msgspec.json.encode(account), "application/json")
                known.remember(tally.outcomes)
                run.finish(Status.INTERRUPTED if interrupted else Status.FINISHED)
                write_report(run, self._html)
                self.report = self._html
                if self._json is not None:
                    document = run.document(seconds=tally.elapsed, stats=tally.stats(len(found)))
                    write_whole(self._json, document.to_json())
            except Problem as problem:
                self.trouble = str(problem)
