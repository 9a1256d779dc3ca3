"""What goes wrong while exploring: collected by cause, brought about again with as few events as possible, recorded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from jostle.events import Effect, Event, State
from jostle.explore.application import Explored
from jostle.explore.situation import Visit
from jostle.findings import START, Finding, Group, Groups, Minimised, Problem, minimise
from jostle.oracles import Invariants, problems
from jostle.progress import Finished, Listener, Note, Started, Stepped

REPLAYS = 40
SECONDS = 60.0
"""Bounds for making one finding small."""

Record = Callable[[str, Sequence[Event]], Awaitable[str | None]]
"""Records a run of these events under a name; gives the file, or None when the events could not be done."""


class _Happened(msgspec.Struct, frozen=True):
    event: Event
    effect: Effect


class Hunt:
    """Hand `started` and `visited` to the exploration, then ask for `findings`."""

    def __init__(self, explored: Explored, invariants: Invariants, listener: Listener) -> None:
        self._explored = explored
        self._invariants = invariants
        self._listener = listener
        self._events: list[Event] = []
        self._done = 0
        self.groups = Groups()

    async def started(self, state: State) -> None:
        """A new run has begun."""
        self._events = []
        await self._look(START, self._explored.last_effect)

    async def visited(self, visit: Visit) -> None:
        """An event was done."""
        self._events.append(visit.event)
        self._done += 1
        await self._look(visit.event, visit.effect)

    async def _look(self, event: Event, effect: Effect) -> None:
        for problem in await self._wrong(event, effect):
            if self.groups.add(problem, self._events, self._done):
                self._listener(Note(text=f"Found: {problem.title}"))

    async def _wrong(self, event: Event, effect: Effect) -> list[Problem]:
        found = problems(_Happened(event, effect), origins=self._explored.app.origins)
        if self._invariants and not effect.hung:
            page = await self._explored.page() if self._invariants.reads_pages else {}
            found += await self._invariants.broken(page, self._explored.app.evaluate)
        return found

    async def findings(self, record: Record, *, is_late: Callable[[], bool]) -> list[Finding]:
        """One for each cause: made small and recorded, as long as it is not too late for that."""
        found: list[Finding] = []
        groups = sorted(self.groups, key=lambda group: len(group.events))
        if groups:
            self._listener(Started(what="bringing it about again", total=len(groups)))
        for group in groups:
            if is_late():
                found.append(group.finding())
                continue
            small = await self._small(group)
            replay = await record(group.problem.id, small.events) if small.shown else None
            found.append(group.finding(small, replay=replay))
            self._listener(Stepped(done=len(found), what=group.problem.title))
        if groups:
            self._listener(Finished(summary=_summary(found)))
        return found

    async def _small(self, group: Group) -> Minimised:
        async def shows(event: Event, effect: Effect) -> bool:
            return any(problem.id == group.problem.id for problem in await self._wrong(event, effect))

        return await minimise(self._explored, group.events, shows, replays=REPLAYS, seconds=SECONDS)


def _summary(found: Sequence[Finding]) -> str:
    witnessed = sum(finding.confidence == "witnessed" for finding in found)
    return f"{len(found)} found, {witnessed} of them brought about again"
