"""The figures of a suite, and what there is to note, from the outcomes of its tests."""

from __future__ import annotations

import time
from typing import Any

from jostle.adverse.suite import TestOutcome


class SuiteTally:
    """Counts as outcomes come in."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.tests = 0
        """All that ran, also those that have nothing to do with a browser."""
        self.outcomes: list[TestOutcome] = []

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    @property
    def changes_server(self) -> bool:
        """A test changes the server, and nothing resets it."""
        return any(outcome.changes for outcome in self.outcomes)

    @property
    def notes(self) -> list[str]:
        every = self.outcomes
        notes = [f"{each.test} did not take part: {each.left_out}." for each in every if each.left_out]
        notes += [f"{each.test}: {each.examined.unstable}" for each in every if each.examined.unstable]
        notes += [
            f"{each.test} changes the server ({', '.join(each.changes[:3])}) and nothing resets it between runs."
            for each in every
            if each.changes
        ]
        notes += [f"{each.test}: {note}" for each in every for note in each.examined.notes]
        return notes

    def stats(self, bugs: int) -> dict[str, Any]:
        """For the JSON document. `bugs`: how many were found."""
        seconds: dict[str, float] = {}
        for each in self.outcomes:
            seconds["ordinary"] = seconds.get("ordinary", 0.0) + each.plain
            for name, value in each.examined.seconds.items():
                seconds[name] = seconds.get(name, 0.0) + value
        part = [each for each in self.outcomes if not each.left_out]
        return {
            "tests": self.tests,
            "examined": len(part),
            "left_out": len(self.outcomes) - len(part),
            "runs": sum(each.examined.runs for each in part),
            "actions": sum(each.examined.points for each in part),
            "injections": sum(each.examined.injected for each in part),
            "skipped": sum(each.examined.skipped for each in part),
            "failures": sum(len(each.examined.failures) for each in part),
            "bugs": bugs,
            "not_in_time": sum(each.examined.cut for each in part),
            "seconds": {name: round(value, 2) for name, value in seconds.items()},
        }

    def account(self, technique: str, bugs: int, budget: float | None) -> dict[str, Any]:
        """For the report: what was tried, and what was not."""
        stats = self.stats(bugs)
        cut = stats["not_in_time"]
        search = {
            "name": technique,
            "tried": stats["injections"],
            "found": bugs,
            "seconds": round(self.elapsed, 1),
            "not_tried": cut,
            "why": "the time was up before all tests had been examined" if cut else "",
            "others": [(each.test, "left out", each.left_out) for each in self.outcomes if each.left_out],
            "stats": stats,
        }
        return {"searches": [search], "budget": budget, "seconds": search["seconds"]}
