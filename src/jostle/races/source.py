"""The place in the application's code that asked for something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jostle.addresses import split_url
from jostle.events import Event, Step
from jostle.findings.evidence import OrderedEvent, Role


def sent_from(event: Event, others: Iterable[Event]) -> str:
    """The place in the code that tells most about why something was asked for; empty when no script asked.

    That is the innermost through which nothing else goes: a function that sends all the requests of an application says
    little about any of them.
    """
    places = event.request.sources
    common = {place for other in others if endpoint(other) != endpoint(event) for place in other.request.sources}
    return next((place for place in places if place not in common), next(iter(places), ""))


def one_of_each(events: Iterable[Event], others: Sequence[Event]) -> list[tuple[Event, str]]:
    """One event for each place in the code that asked, with the place."""
    places = ((event, sent_from(event, others)) for event in events)
    return list({place or event.what: (event, place) for event, place in places}.values())


def endpoint(event: Event) -> str:
    """What was asked, and which path, without what differs from one time to the next."""
    request = event.request
    return f"{request.method} {split_url(request.url).path}" if request.url else event.what


def ordered_event(step: Step, role: Role) -> OrderedEvent:
    """A step as evidence has it."""
    event = step.event
    return OrderedEvent(str(event), event.kind, role, step.at, endpoint(event) if event.request.url else "")
