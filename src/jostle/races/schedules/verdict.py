"""Is the other order a bug? The end of a run is compared with that of the run it was derived from."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from jostle.events import Event, Kind, Location, LocationKind, Step
from jostle.findings.evidence import DifferenceKind, OutcomeDifference
from jostle.oracles.made_up import in_substance
from jostle.oracles.outcome import Noise, Outcome, differences, documents_differ, sent
from jostle.races.pace import QUICKEST
from jostle.races.schedules.conflicts import Conflict
from jostle.races.schedules.run import ScheduleRun
from jostle.races.schedules.tags import Tag
from jostle.recording.file import Recording

_ONCE = frozenset({"load", "DOMContentLoaded", "readystatechange", "pageshow"})
"""Events that do not come again when nobody listened: to wait for them in vain is no matter of pressing once more."""


_SAME = "it ends the same"


class OrderVerdict(StrEnum):
    RACE = "race"
    HARMLESS = "harmless"
    """It ends the same, or in what is known to be no harm."""
    GUARDED = "guarded"
    """In that order the application does not let the user do the same."""
    INFEASIBLE = "infeasible"
    UNSURE = "not repeatable"
    """The ends differ, but not every time in the same way."""


class Enacted(ScheduleRun, frozen=True, kw_only=True):
    """A run of an order in the browser, and what it ended in after it had been left to itself."""

    outcome: Outcome
    recording: Recording | None = None


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an order."""

    parent: Enacted
    child: Enacted
    conflict: Conflict | None = None
    """What was reversed, where a single conflict was."""
    verdict: OrderVerdict
    reason: str = ""
    differences: tuple[OutcomeDifference, ...] = ()
    unseen: bool = False
    """The documents differ in something that may or may not be seen, and there are no pictures."""


def judged(parent: Enacted, child: Enacted, conflict: Conflict | None, noise: Noise) -> Judged:
    """Compare a run with the one it was derived from. What is harmless for any reason is harmless."""
    found = tuple(in_substance(differences(parent.outcome, child.outcome, noise), *_known(parent, child)))
    unsaid = _left_unsaid(parent, child) if any(each.what is DifferenceKind.REQUEST for each in found) else frozenset()
    whole, found = (
        found,
        tuple(each for each in found if each.what is not DifferenceKind.REQUEST or each.good not in unsaid),
    )

    def told(verdict: OrderVerdict, reason: str = "") -> Judged:
        return Judged(parent=parent, child=child, conflict=conflict, verdict=verdict, reason=reason, differences=found)

    if child.failed:
        return told(OrderVerdict.INFEASIBLE, child.failed)
    if not found:
        pictures = parent.outcome.picture and child.outcome.picture
        unseen = not pictures and documents_differ(parent.outcome, child.outcome, noise)
        reason = "it ends the same, but for what a page sends while it loads: it was left before" if whole else _SAME
        return msgspec.structs.replace(told(OrderVerdict.HARMLESS, reason), unseen=unseen)
    if conflict is not None and (reason := _no_harm(conflict) or _too_quick(parent, child, conflict)):
        return told(OrderVerdict.HARMLESS, reason)
    if all(each.what is DifferenceKind.ERROR and not each.bad for each in found):
        return told(OrderVerdict.HARMLESS, "there is an error less")
    left_out = [event for event in child.skipped if event.by_user]
    if left_out and not any(each.what is DifferenceKind.ERROR and each.bad for each in found):
        return told(OrderVerdict.GUARDED, f"the user cannot do this then: {left_out[0]}")
    return told(OrderVerdict.RACE)


def _known(*runs: Enacted) -> tuple[list[bytes], list[str]]:
    """What servers said in these runs, and what users entered."""
    said = [body for run in runs if run.recording is not None for body in run.recording.bodies.values()]
    return said, [event.action.value or "" for event in events_of(*runs).values() if event.by_user]


def _left_unsaid(parent: Enacted, child: Enacted) -> frozenset[str]:
    """What pages sent of their own accord while they were loaded, and could not send in the child, where the user had
    left them by then. What the user had them send does not count, for that is lost."""
    happened = {step.event.key for step in child.steps}
    if sum(step.effect.commits for step in child.steps) < 2:
        return frozenset()
    known = {step.event.key: step for step in parent.steps}

    def of_its_own_accord(step: Step | None) -> bool:
        while step is not None and not step.event.by_user:
            if step.effect.commits:
                return True
            step = known.get(step.event.creator)
        return False

    missing = [step for key, step in known.items() if key not in happened and of_its_own_accord(step)]
    return frozenset(sent(request) for step in missing for request in step.effect.requests if not request.reads)


def _no_harm(conflict: Conflict) -> str:
    """Why reversing this conflict does no harm, whatever comes of it; empty when it may."""
    if not conflict.racing:
        return ""
    if all(Tag.RACE_WITH_UNLOAD in each.tags for each in conflict.racing):
        return "the page was being left"
    if all(_may_come_again(each.location) for each in conflict.racing):
        return "late handler: nobody listened yet when it happened (see jostle races init)"
    return ""


def _too_quick(parent: Enacted, child: Enacted, conflict: Conflict) -> str:
    """Why nobody acts in that order; empty when somebody may. What a page sends to itself comes at once: schedulers of
    frameworks do their work in such messages. What a user sets off is done a moment later, before the user goes on."""
    known = events_of(parent, child)
    first, second = known.get(conflict.first), known.get(conflict.second)
    if first is None or second is None or not second.by_user:
        return ""
    if _to_itself(first):
        return "nobody acts before a message that a page sends to itself"
    event: Event | None = first
    while event is not None and (_to_itself(event) or _is_soon(event)):
        event = known.get(event.creator)
        if event is not None and event.by_user:
            return f"nobody does two things within {QUICKEST / 1000:g} s"
    return ""


def _to_itself(event: Event) -> bool:
    return event.kind is Kind.MESSAGE and not event.from_outside


def _is_soon(event: Event) -> bool:
    """A frame, or a short timer."""
    return event.kind is Kind.FRAME or (event.kind is Kind.TIMER and (event.timer.delay or 0.0) < QUICKEST)


def _may_come_again(location: Location) -> bool:
    """Whether it is what listens to something that does not happen only once."""
    return location.kind is LocationKind.HANDLER and location.name not in _ONCE


def confirmed(first: Judged, again: Judged, noise: Noise) -> Judged:
    """The same two orders were run once more: is it the same difference?"""
    if first.verdict is not OrderVerdict.RACE:
        return first
    if again.verdict is not OrderVerdict.RACE:
        return msgspec.structs.replace(again, verdict=OrderVerdict.UNSURE, reason="it did not happen a second time")
    if differences(_by_kind(first.child.outcome, noise), _by_kind(again.child.outcome, noise), noise):
        return msgspec.structs.replace(again, verdict=OrderVerdict.UNSURE, reason="it ended differently each time")
    return again


def _by_kind(outcome: Outcome, noise: Noise) -> Outcome:
    """With errors by their kinds alone: browsers print code in their messages, which may have been rewritten."""
    kinds = tuple(error.partition(":")[0] for error in outcome.errors if error not in noise.errors)
    return msgspec.structs.replace(outcome, errors=kinds)


def words(judged: Judged) -> str:
    """What is in another order, in words."""
    if judged.conflict is None:
        return "another order"
    known = events_of(judged.parent, judged.child)
    first, second = (known.get(key) for key in (judged.conflict.first, judged.conflict.second))
    return f"{named(second)} before {named(first)}"


def events_of(*runs: Enacted) -> dict[str, Event]:
    found: dict[str, Event] = {}
    for run in runs:
        found |= {event.key: event for event in (*run.trace.initial, *run.asked, *run.trace.events)}
        found |= {event.key: event for step in run.trace.steps for event in step.effect.created}
    return found


def named(event: Event | None) -> str:
    if event is None:
        return "an event"
    if event.by_user:
        return f"“{event.what}”"
    if event.kind is Kind.NETWORK:
        return f"the answer to {event}"
    return f"the {event}" if event.kind is Kind.TIMER else str(event)
