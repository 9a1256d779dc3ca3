"""The baseline of a suite: failures that are known, and are failures no more."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jostle.adverse.bugs import Bugs
from jostle.adverse.failure import AdverseFailure
from jostle.adverse.suite import TestOutcome
from jostle.findings import Finding
from jostle.findings.baseline import Baseline


class KnownFailures:
    """Each failure by itself, since another may be the first of its bug later. Raises UsageProblem."""

    def __init__(self, bugs: Bugs, file: str | None, *, update: bool) -> None:
        """`update`: whatever is found is known from now on."""
        self._bugs = bugs
        self._file = Path(file) if file else None
        self._update = update
        new = self._file is None or (update and not self._file.exists())
        self._baseline = Baseline() if new or self._file is None else Baseline.read(self._file)
        self._ids = {each.id for each in self._baseline.findings}

    def has(self, test: str, failure: AdverseFailure) -> bool:
        return self.has_finding(self._bugs.alone(test, failure))

    def has_finding(self, finding: Finding) -> bool:
        return self._update or finding.id in self._ids

    def remember(self, outcomes: Iterable[TestOutcome]) -> None:
        """With `--jostle-update-baseline`. Raises CouldNotRun."""
        if self._file is None or not self._update:
            return
        every = [(outcome.test, failure) for outcome in outcomes for failure in outcome.examined.failures]
        self._baseline.updated([self._bugs.alone(*each) for each in every]).write(self._file)
