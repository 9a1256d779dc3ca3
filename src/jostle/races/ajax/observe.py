"""Seeing what each event of the user leads to, one at a time: while exploring, or along a recorded scenario."""

from __future__ import annotations

import random
from collections.abc import Sequence

from jostle.events import Event
from jostle.explore.application import Explored
from jostle.explore.avoid import Avoid
from jostle.explore.explorer import Exploration, explore
from jostle.explore.guided import Guided
from jostle.explore.repeat import repeated
from jostle.explore.situation import Visit
from jostle.progress import Listener
from jostle.races.ajax.reaction import Reaction

PATIENCE = 20
"""After so many events that brought nothing new there is nothing more to be seen."""


async def exploring(
    app: Explored,
    *,
    events: int,
    chance: random.Random,
    url: str,
    avoid: Avoid,
    listener: Listener,
    deadline: float | None,
    into: list[Reaction],
) -> Exploration:
    """Use the application and keep what each event led to. What there is so far is in `into`."""
    return await explore(
        app,
        Guided(chance, patience=PATIENCE),
        events=events,
        chance=chance,
        what=url,
        listener=listener,
        avoid=avoid,
        on_visit=Seen(app, into).visited,
        deadline=deadline,
    )


class Seen:
    """Keeps what each event of an exploration led to."""

    def __init__(self, app: Explored, into: list[Reaction]) -> None:
        self._app = app
        self._into = into
        self._path: list[Event] = []
        self._run = 0

    def visited(self, visit: Visit) -> None:
        """To be told of each visit, before anything else is done."""
        if visit.run != self._run:
            self._run = visit.run
            self._path.clear()
        self._into.append(_reaction(self._app, visit, self._path))
        self._path.append(visit.event)


async def following(app: Explored, scenario: Sequence[Event], listener: Listener, into: list[Reaction]) -> None:
    """Do what a scenario has, as far as it is possible, and keep what each event led to. Raises UsageProblem."""
    path: list[Event] = []
    async for visit in repeated(app, scenario, listener):
        into.append(_reaction(app, visit, path))
        path.append(visit.event)


def _reaction(app: Explored, visit: Visit, path: Sequence[Event]) -> Reaction:
    return Reaction(before=visit.before, after=visit.after, path=tuple(path), event=visit.event, steps=app.last_steps)
