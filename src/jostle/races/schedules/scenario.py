"""What is done in every order: one run of a scenario as it goes by itself, event by event, with its answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.errors import UsageProblem
from jostle.events import Event, NotEnabled, Step, Trace
from jostle.exploring.alike import renumbered
from jostle.exploring.application import Explored
from jostle.model.reaction import Reaction, shortest_paths
from jostle.progress import Listener, Note
from jostle.races.rehearsal import Rehearsal
from jostle.recording.file import Recording

LONGEST = 5
"""Things in a row that a user does in one scenario, where scenarios are found by exploring; the way there comes before.
"""
_Target = tuple[object, ...]


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """The run that others are compared with."""

    trace: Trace
    """Of the user's events, `after` in their detail says which event made them possible."""
    recording: Recording
    """The same, with the answers of the server."""


async def original(rehearsal: Rehearsal, scenario: Sequence[Event], listener: Listener) -> Original:
    """Do what the scenario has, each thing when the one before has come to rest, with the server's answers.

    What cannot be done is told and left out. Raises UsageProblem when nothing can be done.
    """
    possible = _Possible(scenario)
    app, recorder = await rehearsal.begin(states=True, watches=possible.look)
    done = 0
    for event in scenario:
        try:
            await _done(app, event)
        except NotEnabled as problem:
            listener(Note(text=f"Left out: {event}: {problem.reason}"))
        else:
            done += 1
    if scenario and not done:
        raise UsageProblem("Nothing of the scenario can be done in the application as it is now.")
    recorder.screen("end", await app.screenshot())
    recording = recorder.recording()
    steps = tuple(msgspec.structs.replace(step, event=possible.placed(step.event)) for step in recording.trace.steps)
    return Original(trace=msgspec.structs.replace(recording.trace, steps=steps), recording=recording)


async def _done(app: Explored, event: Event) -> None:
    """A counter in its name may have another number by now. Raises NotEnabled."""
    try:
        await app.step(event)
    except NotEnabled:
        again = renumbered(event, await app.enabled())
        if again is None:
            raise
        await app.step(again)


def scenarios_in(reactions: Sequence[Reaction]) -> list[list[Event]]:
    """What was done in a row while exploring, from a fresh start on, without detours; those first that led to most
    answers, timers and the like. When nothing can be done, there is one in which nothing is done."""
    ways = shortest_paths(reactions)
    found: dict[tuple[str, ...], tuple[int, list[Event]]] = {}
    row: list[Reaction] = []
    for number, reaction in enumerate(reactions):
        row.append(reaction)
        following = reactions[number + 1] if number + 1 < len(reactions) else None
        if len(row) < LONGEST and following is not None and following.path:
            continue
        way = row[0].direct if row[0].direct is not None else ways.get(row[0].before, row[0].path)
        events = [*way, *(each.event for each in row)]
        worth = sum(len(each.steps) - 1 for each in row)
        found.setdefault(tuple(event.key for event in events), (worth, events))
        row = []
    ranked = sorted(found.values(), key=lambda pair: -pair[0])
    return [events for _, events in ranked] or [[]]


class _Possible:
    """Since which event on each thing that the user is going to do has been possible: a page must show it first."""

    def __init__(self, scenario: Sequence[Event]) -> None:
        self._wanted = {_target(event) for event in scenario}
        self._since: dict[_Target, str] = {}
        self._placed: dict[str, str] = {}

    async def look(self, app: ChromiumApp, step: Step) -> None:
        if step.event.by_user and (since := self._since.get(_target(step.event))) is not None:
            self._placed[step.event.key] = since
        there = {_target(event) for event in await app.user_events()} & self._wanted
        self._since = {target: self._since.get(target, step.event.key) for target in there}

    def placed(self, event: Event) -> Event:
        since = self._placed.get(event.key)
        return event if since is None else event.with_detail(after=(since,))


def _target(event: Event) -> _Target:
    """What is done to which element, whatever is entered."""
    action = event.action
    place = action.locator.words if action.locator is not None else event.what
    return action.type, place, action.tab, action.frame
