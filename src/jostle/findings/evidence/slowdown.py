"""The evidence of slowdowns: what an event costs the more often it, or another one, is done."""

from __future__ import annotations

from enum import StrEnum
from statistics import median

import msgspec

from jostle.findings.evidence.shared import CodeExcerpt, EvidenceWithTest

Series = tuple[tuple[float, float], ...]
"""Numbers of repetitions, each with what was measured then."""


class Law(StrEnum):
    """How a cost grows, slowest first."""

    CONSTANT = "constant"
    LOGARITHMIC = "logarithmic"
    LINEAR = "linear"
    LINEARITHMIC = "n log n"
    QUADRATIC = "quadratic"
    EXPONENTIAL = "exponential"


class GrowthOutcome(StrEnum):
    """What came of repeating it, the worst first."""

    SLOWDOWN = "slowdown"
    FAILURE = "failure"
    """The application failed in the end."""
    BOUNDED = "bounded"
    """It stopped growing."""


class Levelled(msgspec.Struct, frozen=True):
    """A cost that rose and then stood still."""

    at: float
    """The number of repetitions from which on it rose no more."""
    cost: float
    """The cost it stays at."""
    points: int = 0
    """How many points show that."""


class GrowingFunction(msgspec.Struct, frozen=True, kw_only=True):
    """A function that does more and more."""

    name: str = ""
    file: str = ""
    line: int = 0
    """0: not known."""
    first: float | None = msgspec.field(default=None, name="from")
    last: float | None = msgspec.field(default=None, name="to")
    """How often it ran at first and at the end."""
    share: float | None = None
    """Of the growth of the cost."""
    first_line: int = 0
    excerpt: tuple[str, ...] = ()


class SlowdownEvidence(EvidenceWithTest, frozen=True, kw_only=True, tag="slowdown"):
    """An event costs more the more often it, or another one, is done."""

    cause: str
    effect: str
    outcome: GrowthOutcome
    reason: str
    costs: Series
    functions: tuple[GrowingFunction, ...]
    also: tuple[str, ...] = ()
    """Other pairs with the same root cause."""
    inverse: bool = False
    """The effect makes the cause slower, too."""
    law: Law | None = None
    sure: float | None = None
    others: dict[Law, float] = {}
    """Other laws that it may be, and how likely."""
    control: Series = ()
    """Measured without the cause, afterwards."""
    levelled: Levelled | None = None
    times: Series = ()
    """Milliseconds."""
    passes: dict[str, float | None] = {}
    """After how many repetitions it takes longer than so many milliseconds; null: not within sight."""
    grows: dict[str, Series] = {}
    """What else grows."""

    @property
    def itself(self) -> bool:
        return bool(self.cause) and self.cause == self.effect

    @property
    def repetitions(self) -> float:
        return max((x for x, _ in self.costs), default=0.0)

    @property
    def code(self) -> tuple[CodeExcerpt, ...]:
        return tuple(
            CodeExcerpt(
                event=each.name,
                source=f"{each.file}:{each.line}" if each.line else each.file,
                first_line=each.first_line,
                excerpt=each.excerpt,
            )
            for each in self.functions
        )

    @property
    def wrong(self) -> str:
        return self.reason


class ServerSlower(msgspec.Struct, frozen=True, kw_only=True):
    """The server answers a request ever more slowly, and the page has as much to do with it as ever."""

    request: str
    """`GET /api/log`"""
    cause: str
    effect: str
    times: Series
    """Repetitions of the cause, and milliseconds until the server began to answer."""

    @property
    def first(self) -> float:
        return median(time for _, time in self.times[:3])

    @property
    def last(self) -> float:
        return median(time for _, time in self.times[-3:])

    def __str__(self) -> str:
        asked = self.request if self.cause == self.effect else f"{self.request} of “{self.effect}”"
        done = round(self.times[-1][0])
        return (
            f"The server answers {asked} slower and slower: {self.first:.0f} ms at first, {self.last:.0f} ms after "
            f"{done} repetitions of “{self.cause}”; the page's own work stays the same"
        )
