"""A failure that a test has only in adverse conditions, and what came of examining a test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from jostle.adverse.pictures import Picture
from jostle.adverse.plan import Failure, InjectionOutcome
from jostle.adverse.run import AdverseRun
from jostle.adverse.triage import Category, FailureSigns, category, normal


class BlamedInjection(msgspec.Struct, frozen=True, kw_only=True):
    """What happened after which action, and made the test fail."""

    point: int
    condition: str
    title: str
    words: str
    where: str


class AdverseFailure(msgspec.Struct, frozen=True, kw_only=True):
    """A failure that a test has only because of what happened after one of its actions."""

    failure: Failure
    places: tuple[BlamedInjection, ...]
    """One, or all that are needed together."""
    token: str
    in_pass: str
    neutral: str
    why: str
    """Why the condition should make no difference."""
    approximate: str = ""
    category: str = ""
    screen: str = ""
    """What the page showed where the condition happened: see screen.py."""
    errors: tuple[str, ...] = ()
    """Of the page, that it has not in the ordinary run."""
    actions: tuple[str, ...] = ()
    """What the test does up to the failure."""
    runs: int = 0
    isolated: bool = True
    told: str = ""
    """What pytest says of the failure."""
    pictures: dict[str, str] = {}
    """By what they show, the names of their files."""

    @property
    def symptom(self) -> tuple[str, ...]:
        """The same for failures of the same bug, probably."""
        conditions = "+".join(sorted({each.condition for each in self.places}))
        return conditions, self.screen, self.failure.kind, normal(self.failure.message)


class ExaminationResult(msgspec.Struct, kw_only=True):
    """What came of examining a test."""

    failures: list[AdverseFailure] = []
    notes: list[str] = []
    unstable: str = ""
    """Why it did not take part, or not to the end."""
    runs: int = 0
    injected: int = 0
    skipped: int = 0
    points: int = 0
    suspended: int = 0
    barred: int = 0
    seconds: dict[str, float] = {}
    """By what the runs were for."""
    cut: bool = False
    """There was no time for all of it."""

    def spend(self, purpose: str, seconds: float) -> None:
        """A run is over."""
        self.runs += 1
        self.seconds[purpose] = self.seconds.get(purpose, 0.0) + seconds


class ObservedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run with all that was seen in it."""

    outcome: InjectionOutcome
    run: AdverseRun
    told: str = ""
    """What pytest says of the failure."""
    requests: Mapping[str, int] = {}
    """What was requested of the server, and after which action."""


class Comparison(msgspec.Struct, frozen=True):
    """A run that failed, and the one without what is to blame, which passed."""

    failed: ObservedRun
    usual: ObservedRun

    @property
    def failure(self) -> Failure:
        assert self.failed.outcome.failure is not None
        return self.failed.outcome.failure

    @property
    def errors(self) -> tuple[str, ...]:
        """Uncaught errors of the page that it usually does not have."""
        usual = self.usual.run.errors
        return tuple(dict.fromkeys(each for each in self.failed.run.errors if each not in usual))

    @property
    def category(self) -> Category:
        end, good = self.failed.run.pictures.get("end"), self.usual.run.pictures.get("end")
        return category(
            FailureSigns(
                message=self.failure.message,
                errors=self.errors,
                screen=end.screen if end else None,
                usual=good.screen if good else None,
                address=end.address if end else "",
                usual_address=good.address if good else "",
            )
        )

    @property
    def actions(self) -> tuple[str, ...]:
        return tuple(point.words for point in self.failed.run.points)

    def pictures(self, around: Sequence[str] = ()) -> dict[str, Picture]:
        """What the test saw and usually sees, and `before` and `after` the injection where these are wanted."""
        failed, usual = self.failed.run.pictures, self.usual.run.pictures
        shots = {name: failed.get(name) for name in around}
        shots |= {"usual": usual.get("end"), "failed": failed.get("failed") or failed.get("end")}
        return {name: shot for name, shot in shots.items() if shot is not None}
