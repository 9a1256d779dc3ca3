"""A suite on disk: its run directory, from the first finding on, and in the end the report and the JSON document."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from jostle.adverse.bugs import Bugs
from jostle.adverse.suite import SuiteOptions
from jostle.adverse.tally import SuiteTally
from jostle.config import load
from jostle.consumers.document import JsonFile
from jostle.consumers.report import ReportFile
from jostle.consumers.run_keeper import RunKeeper
from jostle.errors import Problem
from jostle.findings import Finding
from jostle.progress import Note
from jostle.pytest_plugin.known_failures import KnownFailures
from jostle.runs import RunDirectory, Status
from jostle.search.redacting import Redaction
from jostle.search.stream import ArtefactMade, Consumer, FindingReported, RunEnded, RunEvent, RunStarted


class KeptRun:
    """Tells of a suite to those who write it down. What cannot be written is told in the end, and stops no test."""

    def __init__(self, config: pytest.Config, options: SuiteOptions, technique: str) -> None:
        """Raises RunProblem."""
        asked = {
            "suite": config.rootpath.name,
            "budget": options.budget,
            "conditions": list(options.conditions),
            "rerun": options.rerun,
        }
        configuration = load(start=config.rootpath).configuration
        self._redaction = Redaction.configured(configuration, on=not config.option.jostle_no_redact)
        self._technique = technique
        self._budget = options.budget
        self._run = RunDirectory.create(Path(config.option.jostle_out), technique, options=asked)
        self.path = self._run.path
        html, json = config.option.jostle_html, config.option.jostle_json
        self._html = Path(html) if html else self.path / "report.html"
        self.report: Path | None = None
        """Once it is written."""
        self._consumers: list[Consumer] = [RunKeeper(self._run), ReportFile(self._run, self._html), self._reported]
        if json:
            self._consumers.append(JsonFile(Path(json)))
        self.trouble = ""
        """What could not be written, in words."""
        self._emit(RunStarted(command=technique, url=None, seed=0))

    def found(self, finding: Finding) -> None:
        """A new finding, or one of which there is another failure now."""
        self._emit(FindingReported(finding))

    def end(self, tally: SuiteTally, bugs: Bugs, known: KnownFailures, *, interrupted: bool) -> None:
        found = bugs.findings
        with self._run:
            for finding in found:  # in the order of their first failures, however often they were written since
                self.found(finding)
            for note in tally.notes:
                self._emit(Note(text=note))
            account = msgspec.json.encode(tally.account(self._technique, len(found), self._budget))
            self._emit(ArtefactMade("told.json", account, "application/json"))
            try:
                known.remember(tally.outcomes)
            except Problem as problem:
                self.trouble = str(problem)
            status = Status.INTERRUPTED if interrupted else Status.FINISHED
            self._emit(RunEnded(status=status, seconds=tally.elapsed, stats=tally.stats(len(found))))

    def _reported(self, event: RunEvent) -> None:
        if isinstance(event, RunEnded):
            self.report = self._html

    def _emit(self, event: RunEvent) -> None:
        event = self._redaction.event(event)
        try:
            for consumer in self._consumers:
                consumer(event)
        except Problem as problem:
            self.trouble = str(problem)
