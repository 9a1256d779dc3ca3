"""`--jostle-repro`: a test once, as it failed; and in words whether that came about."""

from __future__ import annotations

import pytest

from jostle.adverse import token
from jostle.adverse.conditions import known
from jostle.adverse.holding import TOKEN, Hold, Holding, ReleaseOrder
from jostle.adverse.holding import read as read_order
from jostle.adverse.orders import in_words
from jostle.adverse.plan import InjectionPlan
from jostle.adverse.repeating import RepeatableTest
from jostle.adverse.run import AdverseRun, RunSetup

Reproduced = tuple[list[pytest.TestReport], list[str]]
"""What pytest reports of the test, and notes."""


class Reproduction:
    """What a token says is to happen again. Raises UsageProblem for what is no token."""

    def __init__(self, text: str) -> None:
        self.schedule: tuple[Hold, ...] = read_order(text) if text.startswith(TOKEN) else ()
        """An order of responses."""
        self._steps = token.read(text) if not self.schedule else ()

    def run(self, test: RepeatableTest) -> Reproduced:
        return self._in_order(test) if self.schedule else self._in_conditions(test)

    def _in_conditions(self, test: RepeatableTest) -> Reproduced:
        everything = known()
        if unknown := [each.injection.condition for each in self._steps if each.injection.condition not in everything]:
            raise pytest.UsageError(f"--jostle-repro: there is no condition `{unknown[0]}`.")
        plan = InjectionPlan.of((each.injection for each in self._steps), tuple(everything))
        observed, reports = test.run(RunSetup(plan=plan), conditions=everything)
        notes = [_happened(step, observed.run, everything[step.injection.condition].title) for step in self._steps]
        return reports, notes + observed.run.notes

    def _in_order(self, test: RepeatableTest) -> Reproduced:
        holding = Holding(ReleaseOrder.EXACTLY, self.schedule)
        observed, reports = test.run(RunSetup(holding=holding, at_ease=False))
        actions = {point.number: point.words for point in observed.run.points}
        notes = [in_words(hold, actions) for hold in holding.performed]
        missed = [hold for hold in self.schedule if hold not in set(holding.performed)]
        return reports, notes + [f"This did not come about: {in_words(hold, actions)}." for hold in missed]


def _happened(step: token.ReproStep, run: AdverseRun, title: str) -> str:
    number = step.injection.point
    point = next((each for each in run.points if each.number == number), None)
    if point is not None and step.mark and token.mark(point.identity) != step.mark:
        return f"The test has changed: action {number} is now {point.words}."
    if step.injection in run.performed:
        return f"After {point.words if point else ''}, {title}."
    why = point.suspended or point.barred if point else f"the test has {len(run.points)} actions only"
    return f"{step.injection.condition} did not happen: {why or 'it does not matter here'}."
