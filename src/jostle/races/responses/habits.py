"""What events of the user usually lead to, apart from what comes with all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import msgspec

from jostle.events import Box, Event
from jostle.events.operation import operation_of
from jostle.exploring.family import family
from jostle.model.label import label, without_figures
from jostle.model.reaction import Footprint, Reaction, derived, footprint, sending, united
from jostle.races.responses.timers import set_by

_SEVERAL, _MOST = 6, 0.5
"""What comes with so many kinds of events, and with this share of all of them, comes with whatever the user does."""


class Background(msgspec.Struct, frozen=True):
    """What comes with whatever the user does, and so is nobody's in particular: the timer of an application that asks
    for news, and what it asks then."""

    timers: frozenset[str] = frozenset()
    sent: frozenset[str] = frozenset()

    def without(self, footprint: Footprint) -> Footprint:
        return msgspec.structs.replace(footprint, sent=footprint.sent - self.sent)


def background(reactions: Iterable[Reaction]) -> Background:
    """What most of the different events have in common. Where several things are sent to one address, only what says
    which of them it is."""
    timers: dict[str, set[str]] = {}
    sent: dict[str, set[str]] = {}
    kinds: set[str] = set()
    for each in reactions:
        kind = family(each.event)
        kinds.add(kind)
        for timer in set_by(each.steps):
            timers.setdefault(timer.what, set()).add(kind)
        for request in (request for step in each.steps for request in step.effect.requests):
            if operation_of(request.body):
                sent.setdefault(sending(request), set()).add(kind)

    def common(found: Mapping[str, Collection[str]]) -> frozenset[str]:
        return frozenset(what for what, with_ in found.items() if len(with_) >= max(_SEVERAL, _MOST * len(kinds)))

    return Background(common(timers), common(sent))


class Habit(msgspec.Struct, frozen=True, kw_only=True):
    """What an event of the user leads to, over all the times it was done: clearing an empty list tells nothing."""

    reaction: Reaction
    """One of these times: one that asked for answers, if any, with the shortest way to it."""
    whole: Footprint
    by_answers: Footprint
    by_timers: Footprint | None = None
    """What its timers write, or may write; None when it sets none that a user could outrun."""


def habits(reactions: Iterable[Reaction], behind: Background | None = None) -> list[Habit]:
    """One for each event on each page. What leads to another page is left out, and so is what comes with everything.

    An element that was emptied is nowhere on the screen any more: it counts where it was seen at other times.
    """
    behind = behind or Background()
    times: dict[tuple[str, str], list[Reaction]] = {}
    for each in reactions:
        if not each.leaves:
            times.setdefault((page_of(each), name_of(each.event)), []).append(each)
    seen: dict[tuple[str, str], list[Box]] = {}
    for (page, _), same in times.items():
        for change in (change for each in same for step in each.steps for change in step.effect.changes):
            if change.box is not None:
                seen.setdefault((page, change.target), []).append(change.box)

    def as_seen(page: str, footprint: Footprint) -> Footprint:
        boxes = [box for element in footprint.elements for box in seen.get((page, element), ())]
        return united([footprint, Footprint(boxes=tuple(boxes))])

    found = []
    for (page, _), same in times.items():
        timed = _by_timers([(each, own) for each in same if (own := _own_timers(each, behind))])
        habit = Habit(
            reaction=min(same, key=lambda each: (not each.answers, len(each.path), len(each.answers))),
            whole=as_seen(page, behind.without(united(each.whole for each in same))),
            by_answers=as_seen(page, behind.without(united(each.by_answers for each in same))),
            by_timers=as_seen(page, timed) if timed is not None else None,
        )
        found.append(habit)
    return found


def _own_timers(reaction: Reaction, behind: Background) -> set[str]:
    """Keys of the timers that it set, and that are not set by everything."""
    return {event.key for event in set_by(reaction.steps) if event.what not in behind.timers}


def _by_timers(setting: list[tuple[Reaction, set[str]]]) -> Footprint | None:
    """What timers write: what they were seen to write and, while they wait, all that their event wrote."""
    if not setting:
        return None
    found = []
    for each, timers in setting:
        fired = timers & {step.event.key for step in each.steps}
        keys = {key for timer in fired for key in derived(timer, each.steps)}
        found.append(footprint(step for step in each.steps if step.event.key in keys))
        if timers - fired:
            found.append(each.whole)
    return united(found)


def name_of(event: Event) -> str:
    """What it is called whatever is measured in its name."""
    return without_figures(label(event))


def page_of(reaction: Reaction) -> str:
    return reaction.before.url.partition("#")[0]
