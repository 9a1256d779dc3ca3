"""What came of a suite, in a section at the end of pytest's output."""

from __future__ import annotations

from typing import Any

from jostle.adverse.bugs import Bugs
from jostle.adverse.suite import SuiteOptions
from jostle.adverse.tally import SuiteTally
from jostle.findings import Finding
from jostle.findings.evidence import AdverseEvidence
from jostle.plural import count
from jostle.pytest_plugin.kept_run import KeptRun
from jostle.pytest_plugin.known_failures import KnownFailures
from jostle.pytest_plugin.relative_names import RelativeNames
from jostle.text import printable

MOST_NOTES = 30


class SuiteSummary:
    """Written once, when all tests have run."""

    def __init__(self, options: SuiteOptions, names: RelativeNames, known: KnownFailures) -> None:
        self._options = options
        self._names = names
        self._known = known

    def write(self, terminal: Any, tally: SuiteTally, bugs: Bugs, kept: KeptRun | None) -> None:
        write = terminal.write_line
        if self._options.repro:
            for outcome in tally.outcomes:
                for note in outcome.examined.notes:
                    write(printable(f"jostle: {note}"))
            return
        terminal.section("adverse conditions" if not self._options.orders else "answers in other orders")
        for finding in bugs.findings:
            for line in self._lines(finding):
                write(printable(line))
            write("")
        notes = tally.notes
        for note in notes[:MOST_NOTES]:
            write(printable(f"  {note}"))
        if len(notes) > MOST_NOTES:
            write(f"  ... and {len(notes) - MOST_NOTES:,} more, in the report")
        if tally.changes_server:
            write(
                "  To reset it: `app.reset` in jostle.toml, a fixture `jostle_reset` or a hook `pytest_jostle_reset`."
            )
        stats = tally.stats(len(bugs.findings))
        if stats["not_in_time"]:
            write(f"  The time was up before {count(stats['not_in_time'], 'test')} had been examined to the end.")
        write(_figures(stats))
        if kept is not None and kept.trouble:
            write(printable(kept.trouble))
        if kept is not None and kept.report is not None:
            write(printable(f"The report: {kept.report}"))

    def _lines(self, finding: Finding) -> list[str]:
        evidence = finding.evidence
        assert isinstance(evidence, AdverseEvidence)
        line = self._names.line
        lines = [f"{finding.title} (known)" if self._known.has_finding(finding) else finding.title]
        lines += [f"  after      {line(place.where)}  {place.words}" for place in evidence.places]
        lines.append(f"  fails at   {line(evidence.failed_at)}  {evidence.message}")
        lines.append(f"  again with {evidence.reproduce}")
        if also := evidence.also:
            lines.append(f"  the same, probably: {count(len(also), 'further failure')} ({', '.join(also[:3])})")
        return lines


def _figures(stats: dict[str, Any]) -> str:
    if not stats["examined"] and not stats["failures"]:
        return "No test used Playwright."
    tried = (
        f"{count(stats['examined'], 'test')} with {count(stats['actions'], 'action')} examined in "
        f"{count(stats['runs'], 'further run')}, {count(stats['injections'], 'time')} something happened: "
    )
    if not stats["failures"]:
        return f"{tried}nothing made a difference."
    return f"{tried}{count(stats['failures'], 'failure')} of {count(stats['bugs'], 'bug')}, probably."
