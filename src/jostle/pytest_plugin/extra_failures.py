"""What makes a test fail, told as a failure of pytest's beside the test itself, which has passed."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.adverse.bugs import beside, first_line, label, what_happens
from jostle.adverse.failure import AdverseFailure
from jostle.adverse.triage import MEANINGS, Category
from jostle.pytest_plugin.relative_names import RelativeNames
from jostle.text import printable


class ExtraFailures:
    """For the terminal, the exit code, JUnit and whatever else hears of reports."""

    def __init__(self, config: pytest.Config, names: RelativeNames) -> None:
        self._config = config
        self._names = names

    def tell(self, report: pytest.TestReport, test: str, failure: AdverseFailure) -> None:
        """`report`: pytest's of the test."""
        extra = pytest.TestReport(
            nodeid=beside(test, label(failure)),
            location=report.location,
            keywords={},
            outcome="failed",
            longrepr=printable(self._story(test, failure)),
            when="call",
            duration=0.0,
        )
        if hasattr(report, "node"):
            extra.node = report.node  # type: ignore[attr-defined]
        self._config.hook.pytest_runtest_logreport(report=extra)
        self._correct(extra.nodeid, getattr(report, "id", test))

    def _correct(self, extra: str, test: Any) -> None:
        """There is no test of that name to be run again by `--last-failed`, nor to be counted."""
        plugins = self._config.pluginmanager
        last: dict[Any, bool] = getattr(plugins.get_plugin("lfplugin"), "lastfailed", None) or {}
        for key in [each for each in last if str(each) == extra]:
            del last[key]
            last[test] = True
        seen = getattr(plugins.get_plugin("terminalreporter"), "_progress_nodeids_reported", None)
        if isinstance(seen, set):
            seen -= {each for each in seen if str(each) == extra}

    def _story(self, test: str, failure: AdverseFailure) -> str:
        line = self._names.line
        lines = [f"The test passes, and fails when {what_happens(failure)}."]
        lines += [f"  after      {line(place.where)}  {place.words}" for place in failure.places if failure.isolated]
        lines.append(f"  fails at   {line(failure.failure.where)}  {failure.failure.kind}: {first_line(failure)}")
        lines.append(f"  looks like {failure.category}: {MEANINGS[Category(failure.category)]}")
        if failure.approximate:
            lines.append(f"  approximate: {failure.approximate}")
        lines += [f"  the page says: {error}" for error in failure.errors[:3]]
        lines.append(f"  again with {self._names.command(test, failure)}")
        return "\n".join([*lines, "", failure.told])
