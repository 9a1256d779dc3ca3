"""The same thing goes wrong many times: one finding for each cause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from jostle.events import Event
from jostle.findings.defect import Defect
from jostle.findings.evidence import SightedEvidence
from jostle.findings.finding import Confidence, Finding
from jostle.findings.minimise import Minimised


class Group(msgspec.Struct, kw_only=True):
    """All that went wrong for one cause."""

    problem: Defect
    """As it was seen first."""
    first: int
    """When it was seen first: the number of events that had been done, from the beginning of the search."""
    count: int = 1
    events: tuple[Event, ...]
    """The user's events of a run, up to the one that shows it: of the shortest run so far that showed it."""

    def finding(
        self, minimised: Minimised | None = None, *, technique: str = "explore", replay: str | None = None
    ) -> Finding:
        """Witnessed when it was shown again by the events that were left; otherwise it is told as it was seen."""
        again = minimised is not None and minimised.shown
        events = minimised.events if minimised is not None and again else self.events
        problem, evidence = self.problem, self.problem.evidence
        assert isinstance(evidence, SightedEvidence)
        return Finding(
            id=problem.id,
            technique=technique,
            kind=problem.kind,
            confidence=Confidence.WITNESSED if again else Confidence.PREDICTED,
            severity=problem.severity,
            title=problem.title,
            events=(*(event.what for event in events), problem.title),
            evidence=msgspec.structs.replace(
                evidence,
                count=self.count,
                first=self.first,
                replays=minimised.replays if minimised is not None else 0,
                minimal=minimised is not None and minimised.minimal,
            ),
            replay=replay,
        )


class Groups:
    """The problems of a search by cause, in the order in which they were seen first."""

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}

    def add(self, problem: Defect, events: Sequence[Event], at: int) -> bool:
        """`events`: the user's, from the beginning of the run to the one that shows it. True when the cause is new."""
        known = self._groups.get(problem.id)
        if known is None:
            self._groups[problem.id] = Group(problem=problem, first=at, events=tuple(events))
            return True
        known.count += 1
        if len(events) < len(known.events):
            known.events = tuple(events)
        return False

    def __iter__(self) -> Iterator[Group]:
        return iter(self._groups.values())

    def __len__(self) -> int:
        return len(self._groups)
