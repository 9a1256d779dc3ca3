"""What the findings of a run mean for its outcome: `--fail-on` and `--baseline`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jostle.errors import UsageProblem
from jostle.findings import Finding
from jostle.findings.baseline import Baseline
from jostle.findings.gating import FailOn, Gated, gate


class FailureGate:
    """Decides. Raises UsageProblem, before anything is done, when rules or baseline are wrong."""

    def __init__(
        self,
        fail_on: Sequence[str] = (),
        baseline: Path | None = None,
        *,
        update: bool = False,
        techniques: tuple[str, ...] | None = None,
    ) -> None:
        """`update`: what is found becomes known, with `write_baseline`. `techniques`: those that search; None: all.
        What others found before is not gone."""
        self._rules = FailOn.parse(fail_on)
        if update and baseline is None:
            raise UsageProblem("--update-baseline needs --baseline FILE.", advice="Name the file to write.")
        self._file = baseline if update else None
        new = baseline is None or (update and not baseline.exists())
        self._known = Baseline() if new or baseline is None else Baseline.read(baseline)
        self._techniques = techniques

    def __call__(self, findings: Sequence[Finding]) -> Gated:
        known = self._known.updated(findings) if self._file is not None else self._known
        return gate(findings, self._rules, known, techniques=self._techniques)

    def write_baseline(self, findings: Sequence[Finding]) -> Path | None:
        """The file that was written, if that was asked for. Raises CouldNotRun."""
        if self._file is not None:
            self._known.updated(findings).write(self._file)
        return self._file
