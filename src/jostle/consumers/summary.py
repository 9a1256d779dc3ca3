"""What came of a run, on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from jostle.consumers.gate import FailureGate
from jostle.findings import Finding, Severity
from jostle.findings.gating import Gated
from jostle.plural import count
from jostle.search.result import Result
from jostle.search.stream import RunEnded, RunEvent, Status
from jostle.text import cut, printable

_LONGEST = 200
"""Characters of why something was given up."""
_ORDER = [Severity.HIGH, Severity.MEDIUM, Severity.LOW]


class Summary:
    """Writes it to standard output when the run ends, or to standard error where a document goes to the other."""

    def __init__(
        self, gate: FailureGate | None, report: Path | None, *, still: Callable[[], None], document: Path | None = None
    ) -> None:
        """`gate` knows what findings mean for the outcome. `still` takes live lines of progress away before anything is
        written. `document`: where the JSON document goes; `Path("-")` is standard output."""
        self._gate = gate
        self._report = report
        self._still = still
        self._to_errors = document == Path("-")
        self._result = Result()
        self.gated = Gated()
        """What the findings mean for the outcome, when the run has ended."""

    def __call__(self, event: RunEvent) -> None:
        self._result(event)
        if isinstance(event, RunEnded):
            if self._gate is not None:
                self.gated = self._gate(self._result.findings)
            self._still()
            report = ["", f"The report: {self._report}"] if self._report is not None else []
            if lines := [*self._lines(event.status), *report]:
                click.echo(printable("\n".join(["", *lines])), err=self._to_errors)

    def _lines(self, status: Status) -> list[str]:
        found = self._result.findings
        if status is Status.FAILED and not found:  # that says nothing
            return []
        tested = not self._result.summary.nothing_tested
        nothing = "Nothing was found" if tested else "Nothing was tested, so this result means nothing"
        words = count(len(found), "finding") if found else nothing
        ordered = sorted(found, key=lambda each: _ORDER.index(each.severity))
        lines = [f"{words}.", *map(self._line, ordered)]
        if given_up := self._result.summary.given_up:
            head = ["Given up, so there may be more:"] if tested else []
            lines += [*head, *(f"  {cut(each, _LONGEST)}" for each in given_up)]
        if gone := self.gated.gone:
            lines.append(f"Not seen this time, perhaps fixed: {count(len(gone), 'finding')} of the baseline.")
        return lines

    def _line(self, finding: Finding) -> str:
        known = " (known)" if self.gated.standing(finding).value == "known" else ""
        contract = finding.contract
        outside = "" if contract is None or contract.kept else f" (outside the contract of {contract.description})"
        return f"  {finding.severity.value:<6} {finding.kind.value:<24} {finding.title}{outside}{known}"
