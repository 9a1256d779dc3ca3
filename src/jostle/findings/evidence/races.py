"""The evidence of races: two orders of the same events, what they end in, and the code that races."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Self

import msgspec

from jostle.events import Box, Kind
from jostle.findings.evidence.repair import Repair
from jostle.findings.evidence.shared import CodeExcerpt, EvidenceBase, EvidenceWithTest, of_stack


class Role(StrEnum):
    """What an event is in the story of a race."""

    LOAD = "load"
    """Part of loading the page."""
    FIRST = "first"
    SECOND = "second"
    """The first and the second thing that the user does."""
    EARLY = "early"
    LATE = "late"
    """What comes too early, and too late, in the bad order."""
    OTHER = "other"


class DifferenceKind(StrEnum):
    """In what the ends of two runs differ, the worst first."""

    REQUEST = "request"
    """What the server was told."""
    STORAGE = "storage"
    FORM = "form"
    URL = "url"
    TEXT = "text"
    """What can be read on the page."""
    DIALOG = "dialog"
    """What an alert, a question or a prompt says."""
    ERROR = "error"
    """An uncaught exception or an unhandled rejection."""
    FOCUS = "focus"
    SCREEN = "screen"
    """Only how it looks."""


class OutcomeDifference(msgspec.Struct, frozen=True):
    """One place where the ends of two runs differ. Empty is what is not there."""

    what: DifferenceKind
    where: str
    good: str
    bad: str

    def __str__(self) -> str:
        if not self.good:
            return f"{self.what}: {self.bad} is new"
        return f"{self.what}: {self.good} is missing" if not self.bad else f"{self.what}: {self.bad}, not {self.good}"


class OrderedEvent(msgspec.Struct, frozen=True):
    """One event of a run."""

    what: str
    kind: Kind
    role: Role = Role.OTHER
    at: float | None = None
    """Virtual time in milliseconds."""
    endpoint: str = ""
    """Of a response: the method and the path that it answers, `GET /api/books`."""


class OrderedRun(msgspec.Struct, frozen=True):
    """A run: its events in order, and the files that show it."""

    order: tuple[OrderedEvent, ...] = ()
    screen: str = ""
    replay: str = ""


class RaceEvidence(EvidenceWithTest, frozen=True, kw_only=True):
    """Two orders of the same events, with different ends."""

    good: OrderedRun
    bad: OrderedRun
    differences: tuple[OutcomeDifference, ...]
    boxes: tuple[Box, ...] = ()
    """Where the two screens differ."""
    racing: tuple[CodeExcerpt, ...]
    """The code that races."""
    shared: str
    """What both sides touch."""
    hint: str = ""
    """How to fix it."""
    also: tuple[str, ...] = ()
    """What else has the same cause."""
    repair: Repair | None = None
    """How it is prevented at run time; None: nobody has looked for that."""

    @property
    def code(self) -> tuple[CodeExcerpt, ...]:
        return self.racing

    @property
    def advice(self) -> str:
        return self.hint

    @property
    def compares(self) -> bool:
        return OrderedRun() not in (self.good, self.bad)

    @property
    def orders(self) -> tuple[tuple[OrderedEvent, ...], tuple[OrderedEvent, ...]]:
        return self.good.order, self.bad.order

    @property
    def deviations(self) -> tuple[OutcomeDifference, ...]:
        return self.differences

    @property
    def end_screens(self) -> tuple[str, str]:
        return self.good.screen, self.bad.screen

    @property
    def good_replay(self) -> str:
        return self.good.replay

    @property
    def files(self) -> tuple[str, ...]:
        more = self.repair.files if self.repair is not None else ()
        return tuple(name for name in (self.good.replay, self.generated_test, *more) if name)

    @property
    def pictures(self) -> tuple[str, ...]:
        more = self.repair.pictures if self.repair is not None else ()
        return (*(run.screen for run in (self.good, self.bad) if run.screen), *more)

    def without(self, missing: Collection[str]) -> Self:
        kept = super().without(missing)
        if self.good.replay in missing:
            kept = msgspec.structs.replace(kept, good=msgspec.structs.replace(self.good, replay=""))
        if self.repair is not None:
            kept = msgspec.structs.replace(kept, repair=self.repair.without(missing))
        return kept


class LoadRacePart(StrEnum):
    """What races with the loading of the page."""

    WRITE = "write"
    FOCUS = "focus"
    USER = "user"
    SYSTEM = "system"


class LoadRaceEvidence(RaceEvidence, frozen=True, kw_only=True, tag="load-race"):
    """The user, or an event of the page, comes before the code that it needs."""

    held: tuple[str, ...]
    """What comes late."""
    first: str
    """What the user does before that; empty when it is not the user."""
    second: str = ""
    """Always empty: there is one action only."""
    part: LoadRacePart | None = None
    prevented: bool = False
    """In the good order the handler prevented what the browser does by itself."""
    error: str = ""
    stack: tuple[str, ...] = ()

    @property
    def code(self) -> tuple[CodeExcerpt, ...]:
        return (*self.racing, *of_stack(self.stack))

    @property
    def wrong(self) -> str:
        return self.error


class ResponseRaceEvidence(RaceEvidence, frozen=True, kw_only=True, tag="response-race"):
    """A response comes after what the user did next."""

    held: tuple[str, ...]
    """The requests whose responses come late."""
    endpoints: tuple[str, ...] = ()
    """Their methods and paths."""
    first: str
    second: str = ""
    """The two things that the user does; the second is empty when the responses to the first race with each other."""
    served: bool = False
    """In the bad order, too, the server was asked. Otherwise its responses are those of the good order."""
    noise: tuple[str, ...] = ()
    """What differs between runs of the same order, and was not compared."""


class ScheduleEvidence(RaceEvidence, frozen=True, kw_only=True, tag="schedule"):
    """The same events in another order."""

    reversed: int = 0
    """How many conflicts are the other way round in the bad order."""
    noise: tuple[str, ...] = ()
    """What differs between runs of the same order, and was not compared."""


class Dismissal(StrEnum):
    """Why two orders that were tried are no race."""

    HARMLESS = "harmless"
    GUARDED = "guarded"
    INFEASIBLE = "infeasible"
    INCONCLUSIVE = "inconclusive"
    UNSURE = "not repeatable"


class DismissedEvidence(EvidenceBase, frozen=True, kw_only=True, tag="dismissed"):
    """Two orders that were tried, and are no race as far as is known."""

    outcome: Dismissal
    shared: str = ""
    held: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    """In words."""
    noise: tuple[str, ...] = ()
