"""What an event of the user led to: which event was made possible by which, and what each of them touched."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from jostle.events import Box, Event, Kind, Request, State, Step
from jostle.events.operation import operation_of
from jostle.model.page import is_page

_LOCKS = ("attribute disabled", "attribute aria-disabled", "attribute inert", "attribute readonly")


class Footprint(msgspec.Struct, frozen=True, kw_only=True):
    """What events wrote to."""

    boxes: tuple[Box, ...] = ()
    """On the screen."""
    elements: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    stored: frozenset[str] = frozenset()
    sent: frozenset[str] = frozenset()
    """Where something was sent to that may change the server's data: method and address without its parameters."""


class Reaction(msgspec.Struct, frozen=True, kw_only=True):
    """One event of the user with everything that followed from it, done when the application was at rest."""

    before: State
    after: State
    path: tuple[Event, ...] = ()
    """What the user had done before, from the start of the application on."""
    direct: tuple[Event, ...] | None = None
    """The same without detours: logging in, if somebody did, going to the page by its address, and what was done on it.
    None where the page has no address of its own."""
    event: Event
    steps: tuple[Step, ...]
    """The user's event first."""

    @property
    def leaves(self) -> bool:
        """Whether it led to another document: there is nothing left then for an answer to come late to."""
        return any(is_page(step.event) or step.effect.commits for step in self.steps)

    @property
    def asks(self) -> bool:
        """Whether it asked for something that may come late to the page it was done on."""
        return bool(self.answers) and not self.leaves

    @property
    def sends(self) -> bool:
        """Whether it sent something that may change the server's data."""
        return any(not request.reads for step in self.steps for request in step.effect.requests)

    @property
    def locks(self) -> bool:
        """Whether something is disabled at once, so that nobody uses it before the answer is there."""
        return any(change.what in _LOCKS for change in self.steps[0].effect.changes)

    @property
    def answers(self) -> tuple[Event, ...]:
        """What may come late, in the order in which it came."""
        mine = derived(self.steps[0].event.key, self.steps)
        return tuple(step.event for step in self.steps if can_be_late(step.event) and step.event.key in mine)

    @property
    def by_answers(self) -> Footprint:
        """What was written because of answers."""
        keys = {key for answer in self.answers for key in derived(answer.key, self.steps)}
        return footprint(step for step in self.steps if step.event.key in keys)

    @property
    def whole(self) -> Footprint:
        return footprint(self.steps)


def shortest_paths(reactions: Iterable[Reaction]) -> dict[State, tuple[Event, ...]]:
    """What leads to each state with the fewest events, as far as states tell."""
    known = list(reactions)
    paths: dict[State, tuple[Event, ...]] = {each.before: () for each in known if not each.path}
    border = list(paths)
    while border:
        state = border.pop(0)
        for each in known:
            if each.before == state and each.after not in paths:
                paths[each.after] = (*paths[state], each.event)
                border.append(each.after)
    return paths


def can_be_late(event: Event) -> bool:
    """An answer or a message from outside. Not a page: while one is awaited, the old one does nothing any more."""
    answer = event.kind is Kind.NETWORK and event.request.resource != "document"
    return answer or event.from_outside


def derived(root: str, steps: Iterable[Step]) -> set[str]:
    """Keys of an event and of those that it made possible, directly or by others. Messages from outside come from
    nowhere: those that came meanwhile count as its."""
    keys = {root}
    for step in steps:
        if step.event.creator in keys or step.event.from_outside:
            keys.add(step.event.key)
    return keys


def footprint(steps: Iterable[Step]) -> Footprint:
    boxes: dict[Box, None] = {}
    elements, fields, stored, sent = set(), set(), set(), set()
    for step in steps:
        for change in step.effect.changes:
            elements.add(change.target)
            if change.box is not None and change.box.width * change.box.height > 0:
                boxes[change.box] = None
        fields |= {_field(write.target) for write in step.effect.form_writes}
        stored |= {f"{write.area} {write.key}" for write in step.effect.storage_writes if write.area != "cookie"}
        sent |= {sending(request) for request in step.effect.requests if not request.reads}
        action = step.event.action
        if action.type in ("type", "select", "check") and action.locator is not None:
            fields.add(_field(action.locator.css))
    return Footprint(
        boxes=_outer(boxes),
        elements=frozenset(elements),
        fields=frozenset(fields - {""}),
        stored=frozenset(stored),
        sent=frozenset(sent),
    )


def sending(request: Request) -> str:
    """Where a request is sent to, without its parameters; and what is to be done there, where it says so: many things
    may be sent to one address."""
    operation = operation_of(request.body)
    return f"{request.method} {request.url.partition('?')[0]}{f' {operation}' if operation else ''}"


def united(footprints: Iterable[Footprint]) -> Footprint:
    """All of them as one."""
    every = list(footprints)
    return Footprint(
        boxes=_outer(dict.fromkeys(box for each in every for box in each.boxes)),
        elements=frozenset().union(*(each.elements for each in every)),
        fields=frozenset().union(*(each.fields for each in every)),
        stored=frozenset().union(*(each.stored for each in every)),
        sent=frozenset().union(*(each.sent for each in every)),
    )


def _outer(boxes: Collection[Box]) -> tuple[Box, ...]:
    """Without those that lie within another."""
    return tuple(box for box in boxes if not any(other != box and _within(box, other) for other in boxes))


def _within(box: Box, other: Box) -> bool:
    return (
        other.x <= box.x
        and other.y <= box.y
        and box.x + box.width <= other.x + other.width
        and box.y + box.height <= other.y + other.height
    )


def _field(target: str) -> str:
    """A form field by its id where it has one: locators and effects name elements in different ways."""
    _, mark, name = target.rpartition("#")
    return f"#{name}" if mark else target
