"""A race as a repair needs to know it: the events that race, typed, taken from the recordings of its two orders. Pure.

Evidence tells the events of a race in words, for people; the recordings beside it have the same events with their
locators, addresses and delays. The two are laid side by side here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from jostle.events import Event, Kind, PageError, Step
from jostle.findings import Finding
from jostle.findings.evidence import LoadRaceEvidence, OrderedEvent, RaceEvidence, ResponseRaceEvidence, Role
from jostle.model.reaction import derived
from jostle.recording.file import Recording


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """What shows a race."""

    finding: Finding
    evidence: RaceEvidence
    good: Recording
    bad: Recording
    first: Event | None = None
    """What the user does first; for a race with loading, what is done too early. None where no user takes part."""
    second: Event | None = None
    """What the user does while something that the first has begun is still to come."""
    late: tuple[Event, ...] = ()
    """What comes too late in the bad order."""
    early: tuple[Event, ...] = ()
    """What comes too early in it, apart from the user's `first` and `second`."""
    followed: tuple[Event, ...] = ()
    """The responses that the second event led to in the good order."""

    @property
    def errors(self) -> tuple[PageError, ...]:
        """What is thrown in the bad order and not in the good one."""
        known = {each.message for each in _errors(self.good.trace.steps)}
        return tuple(each for each in _errors(self.bad.trace.steps) if each.message not in known)

    @property
    def scripts(self) -> tuple[str, ...]:
        """Addresses of the scripts of the page, in the order in which they ran when all was well."""
        events = (step.event for step in self.good.trace.steps)
        return tuple(dict.fromkeys(each.request.url for each in events if each.request.resource == "script"))

    @property
    def alone(self) -> bool:
        """In the good order the second event is not possible: what it is done to is gone."""
        return self.second is not None and not any(each.role is Role.SECOND for each in self.evidence.good.order)

    @property
    def repeats(self) -> bool:
        """Whether the user does the same thing twice."""
        if self.first is None or self.second is None:
            return False
        one, other = self.first.action, self.second.action
        return (one.type, one.xpath, one.frame) == (other.type, other.xpath, other.frame)


def witness_of(finding: Finding, good: Recording, bad: Recording) -> Witness:
    """Raises ValueError, in words, when the recordings are not those of the finding."""
    evidence = finding.evidence
    if not isinstance(evidence, RaceEvidence):
        raise ValueError("it is no race")
    roles = list(_roles(evidence.bad.order, bad.trace.steps))
    if not roles and evidence.bad.order:
        raise ValueError("its recording has none of the events that its report tells of")

    def having(role: Role) -> list[Event]:
        return [event for event, its in roles if its is role]

    first, second = having(Role.FIRST), having(Role.SECOND)
    late = having(Role.LATE)
    if not late:  # the page was left before it came
        late = [event for event, role in _roles(evidence.good.order, good.trace.steps) if role is Role.LATE]
    early = [*having(Role.EARLY), *(each for each in first if not each.by_user)]
    if isinstance(evidence, LoadRaceEvidence | ResponseRaceEvidence):
        user = next((each for each in first if each.by_user), None)
    else:
        user = next((each for each in early if each.by_user), None)
    done = second[0] if second else None
    return Witness(
        finding=finding,
        evidence=evidence,
        good=good,
        bad=bad,
        first=user,
        second=done,
        late=tuple(late),
        early=tuple(each for each in early if not each.by_user),
        followed=_responses_to(done, good.trace.steps) if done is not None else (),
    )


def _roles(order: Sequence[OrderedEvent], steps: Sequence[Step]) -> Iterator[tuple[Event, Role]]:
    """The events of a trace that an order tells of, with their roles. Both are in the same order; an order may leave
    some of them out."""
    place = 0
    for told in order:
        for number in range(place, len(steps)):
            event = steps[number].event
            if event.kind is told.kind and (str(event) == told.what or _at(steps[number], told)):
                yield event, told.role
                place = number + 1
                break


def _at(step: Step, told: OrderedEvent) -> bool:
    """The words of an event may have been redacted in one place and not in the other: its time was not."""
    return told.at is not None and step.at == told.at and step.event.by_user


def _responses_to(event: Event, steps: Sequence[Step]) -> tuple[Event, ...]:
    same = [step.event for step in steps if step.event.by_user and step.event.what == event.what]
    if not same:
        return ()
    caused = derived(same[-1].key, steps)
    return tuple(step.event for step in steps if step.event.key in caused and step.event.kind is Kind.NETWORK)


def _errors(steps: Sequence[Step]) -> Iterator[PageError]:
    yield from (error for step in steps for error in step.effect.errors if error.kind != "console")
