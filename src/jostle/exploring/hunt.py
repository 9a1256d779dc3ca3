"""What goes wrong while exploring: collected by cause, brought about again with as few events as possible, recorded."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import partial

import msgspec

from jostle.events import Effect, Event, State
from jostle.exploring.application import Explored
from jostle.findings import START, Defect, Finding, Group, Groups, Minimised, minimise
from jostle.model.visit import Visit
from jostle.oracles import Invariants, harmless, problems
from jostle.progress import Finished, Listener, Note, Started, Stepped

REPLAYS = 40
SECONDS = 60.0
"""Bounds for making one finding small."""

Shows = Callable[[Explored, Event, Effect], Awaitable[bool]]
"""Whether an event in an application showed the problem."""
Record = Callable[[str, Sequence[Event], Shows], Awaitable[str | None]]
"""Records a run of these events under a name; gives the file, or None when the problem did not show in it."""


class _Happened(msgspec.Struct, frozen=True):
    event: Event
    effect: Effect


class Hunt:
    """Hand `started` and `visited` to the exploration, then ask for `findings`."""

    def __init__(
        self,
        explored: Explored,
        invariants: Invariants,
        listener: Listener,
        on_seen: Callable[[Finding], None] = lambda finding: None,
    ) -> None:
        """`on_seen` is given what goes wrong before anybody is told of it: it was not reproduced yet."""
        self._on_seen = on_seen
        self._explored = explored
        self._invariants = invariants
        self._listener = listener
        self._events: list[Event] = []
        self._done = 0
        self._groups = Groups()
        self._told: set[str] = set()

    @property
    def found(self) -> bool:
        """Whether there is something to be brought about again."""
        return any(not harmless(group.problem) for group in self._groups)

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
        for problem in await self._wrong(self._explored, event, effect):
            if self._groups.add(problem, self._events, self._done) and not harmless(problem):
                self._on_seen(next(group.finding() for group in self._groups if group.problem.id == problem.id))
                self._listener(Note(text=f"Seen: {problem.title}"))

    async def _wrong(self, explored: Explored, event: Event, effect: Effect) -> list[Defect]:
        found = problems(_Happened(event, effect), origins=explored.app.origins)
        if self._invariants and not effect.hung:
            page = await explored.page() if self._invariants.reads_pages else {}
            found += await self._invariants.broken(page, explored.evaluate)
        return found

    async def findings(self, record: Record, *, deadline: float | None = None) -> AsyncIterator[Finding]:
        """One for each cause: made small and recorded, as long as there is time for that (`time.monotonic`)."""
        found: list[Finding] = []
        groups = sorted(
            (group for group in self._groups if not harmless(group.problem)), key=lambda group: len(group.events)
        )
        if groups:
            self._listener(Started(what="bringing it about again", total=len(groups)))
        for group in groups:
            left = SECONDS if deadline is None else min(SECONDS, deadline - time.monotonic())
            if left > 0:
                small = await self._small(group, left)
                replay = await record(group.problem.id, small.events, self._shows(group)) if small.shown else None
                found.append(group.finding(small, replay=replay))
            else:
                found.append(group.finding())
            self._told.add(group.problem.id)
            yield found[-1]
            again = "" if found[-1].replay else " (seen once, not reproduced)"
            self._listener(Note(text=f"Found: {group.problem.title}{again}"))
            self._listener(Stepped(done=len(found), what=group.problem.title))
        if groups:
            self._listener(Finished(summary=_summary(found)))

    def left(self) -> Iterator[Finding]:
        """What was seen and not told of in `findings`, which came to no end: told as it was seen."""
        return (
            group.finding()
            for group in self._groups
            if group.problem.id not in self._told and not harmless(group.problem)
        )

    def suppressed(self) -> Iterator[tuple[Finding, str]]:
        """What was seen and is probably harmless, with the reason."""
        return ((group.finding(), why) for group in self._groups if (why := harmless(group.problem)))

    def _shows(self, group: Group) -> Shows:
        async def shows(explored: Explored, event: Event, effect: Effect) -> bool:
            return any(problem.id == group.problem.id for problem in await self._wrong(explored, event, effect))

        return shows

    async def _small(self, group: Group, seconds: float) -> Minimised:
        shows = partial(self._shows(group), self._explored)
        return await minimise(self._explored, group.events, shows, replays=REPLAYS, seconds=seconds)


def _summary(found: Sequence[Finding]) -> str:
    witnessed = sum(finding.confidence == "witnessed" for finding in found)
    return f"{len(found)} found, {witnessed} reproduced"
