"""Seeing what each event of the user leads to, one at a time: while exploring, or along a recorded scenario."""

from __future__ import annotations

import random
from collections.abc import Sequence

from jostle.browser.user import visit as visit_of
from jostle.events import Event
from jostle.exploring.application import Explored
from jostle.exploring.avoid import Avoid
from jostle.exploring.explorer import explore
from jostle.exploring.guided import Guided
from jostle.exploring.repeat import repeated
from jostle.model.exploration import Exploration
from jostle.model.reaction import Reaction
from jostle.model.visit import Visit
from jostle.progress import Listener

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
    exploration: Exploration | None = None,
) -> Exploration:
    """Use the application and keep what each event led to. What there is so far is in `into` and `exploration`."""
    return await explore(
        app,
        Guided(chance, patience=PATIENCE),
        events=events,
        chance=chance,
        what=url,
        listener=listener,
        avoid=avoid,
        on_visit=Reactions(app, into).visited,
        deadline=deadline,
        into=exploration,
    )


class Reactions:
    """Keeps what each event of an exploration led to."""

    def __init__(self, app: Explored, into: list[Reaction]) -> None:
        self._app = app
        self._into = into
        self._path: list[Event] = []
        self._ways = Ways()
        self._run = 0

    def visited(self, visit: Visit) -> None:
        """To be told of each visit, before anything else is done."""
        if visit.run != self._run:
            self._run = visit.run
            self._path.clear()
            self._ways = Ways()
        reaction = _reaction(self._app, visit, self._path, self._ways.direct)
        self._into.append(reaction)
        self._path.append(visit.event)
        self._ways.went(reaction)


class Ways:
    """How to get to where one is with as few steps as possible, while an application is used."""

    def __init__(self) -> None:
        self._page = ""
        """The address of the page one is on; empty for the first one, and for the answer to something sent."""
        self._begun = False
        self._since: list[Event] = []
        """What was done on it."""
        self._log_in: tuple[Event, ...] = ()

    @property
    def direct(self) -> tuple[Event, ...] | None:
        if not self._page:
            return None
        return (*self._log_in, visit_of(self._page), *self._since)

    def went(self, reaction: Reaction) -> None:
        """What was done, and what it led to."""
        self._since.append(reaction.event)
        if not reaction.leaves and reaction.after.url == reaction.before.url:
            return  # else it has an address of its own, also where a script has put it up
        if any(_is_secret(event) for event in self._since) and (self._page or not self._begun):
            self._log_in = (*((visit_of(self._page),) if self._page else ()), *self._since)
        url = reaction.after.url
        requests = [request for step in reaction.steps for request in step.effect.requests]
        sent = any(not request.reads and request.url == url for request in requests)
        self._page = url if url.startswith("http") and not sent else ""
        self._begun = True
        self._since = []


def _is_secret(event: Event) -> bool:
    field = event.action.field
    return field is not None and field.type == "password"


async def following(app: Explored, scenario: Sequence[Event], listener: Listener, into: list[Reaction]) -> None:
    """Do what a scenario has, as far as it is possible, and keep what each event led to. Raises UsageProblem."""
    path: list[Event] = []
    async for visit in repeated(app, scenario, listener):
        into.append(_reaction(app, visit, path))
        path.append(visit.event)


def _reaction(app: Explored, visit: Visit, path: Sequence[Event], direct: tuple[Event, ...] | None = None) -> Reaction:
    return Reaction(
        before=visit.before,
        after=visit.after,
        path=tuple(path),
        direct=direct,
        event=visit.event,
        steps=app.last_steps,
    )
