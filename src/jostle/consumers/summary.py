"""What came of a check, on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from jostle.consumers.gate import FailureGate
from jostle.findings import Finding, Severity
from jostle.findings.gating import Gated
from jostle.plural import count
from jostle.search.result import Result
from jostle.search.stream import RunEnded, RunEvent
from jostle.text import printable

_ORDER = [Severity.HIGH, Severity.MEDIUM, Severity.LOW]


class Summary:
    """Writes it to standard output when the run ends. `still` takes live lines of progress away before that."""

    def __init__(self, gate: FailureGate, report: Path, *, still: Callable[[], None]) -> None:
        self._gate = gate
        self._report = report
        self._still = still
        self._result = Result()
        self.gated = Gated()
        """What the findings mean for the outcome, when the run has ended."""

    def __call__(self, event: RunEvent) -> None:
        self._result(event)
        if isinstance(event, RunEnded):
            self.gated = self._gate(self._result.findings)
            self._still()
            click.echo(printable("\n".join(["", *self._lines(), "", f"The report: {self._report}"])))

    def _lines(self) -> list[str]:
        found = self._result.findings
        words = count(len(found), "finding") if found else "Nothing was found"
        ordered = sorted(found, key=lambda each: _ORDER.index(each.severity))
        lines = [f"{words}.", *map(self._line, ordered)]
        if gone := self.gated.gone:
            lines.append(f"Not seen this time, perhaps fixed: {count(len(gone), 'finding')} of the baseline.")
        return lines

    def _line(self, finding: Finding) -> str:
        known = " (known)" if self.gated.standing(finding).value == "known" else ""
        return f"  {finding.severity.value:<6} {finding.kind.value:<24} {finding.title}{known}"
