"""Usage traces: what of a recorded run tells how people use the application."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from jostle.events import Event, State, Step


class MicroEvent(msgspec.Struct, frozen=True, order=True, cache_hash=True):
    """What was done to which kind of element: `click button`."""

    type: str
    element: str
    """The tag name; of an input with its type: `input:checkbox`."""

    def __str__(self) -> str:
        return f"{self.type} {self.element}"


SCROLLING = MicroEvent("scroll", "html")
"""How people get to what they use, and no part of the use: an exploration scrolls to where it wants to go by itself."""


class UsageEntry(msgspec.Struct, frozen=True):
    """A micro event where it happened: the XPath of its target and the page before it happened."""

    event: MicroEvent
    xpath: str
    url: str = ""
    """Empty where it is not known."""
    title: str = ""
    page: int = 0
    """How often the URL had changed before, in the whole run."""
    field: str = ""
    """What the field that was typed into is known by, see `field_name`."""
    typed: str = ""

    @property
    def state(self) -> str:
        return f"{self.url} {self.title}"


def micro_event(event: Event) -> MicroEvent | None:
    """The micro event of a user's event; None where it was done to no element, such as going back."""
    action = event.action
    if not action.type or not action.xpath:
        return None
    return MicroEvent(action.type, action.element or _tag(action.xpath))


def xpath_of(event: Event) -> str:
    """The XPath of the element the event is done to, or an empty string."""
    return event.action.xpath


def field_name(event: Event) -> str:
    """What a field is known by on whatever page it is: `input:text username`. Empty for what holds no text, and for
    passwords."""
    action, field = event.action, event.action.field
    if not action.enters_text or field is None:
        return ""
    name = field.name or field.label
    return f"{action.element} {name}" if name and not action.is_secret else ""


def usage_of(steps: Iterable[Step]) -> tuple[UsageEntry, ...]:
    """The entries of a run: the user's events that were done to an element and had consequences.

    As in the paper, an event that ran no JavaScript (`UserAction.ran` is False) is ignored. Not so a field of a form,
    the button that sends it and a link: in applications whose pages are made by the server they are what people do.
    """
    entries = []
    state = State("")
    page = 0
    for step in steps:
        event = micro_event(step.event)
        action = step.event.action
        idle = action.ran is False and not action.form and not action.href
        idle = idle or event == SCROLLING
        if event is not None and not idle:
            field = field_name(step.event)
            typed = (action.value or "") if field else ""
            entries.append(UsageEntry(event, xpath_of(step.event), state.url, state.title, page, field, typed))
        if step.state is not None:
            page += bool(state.url) and step.state.url != state.url
            state = step.state
    return tuple(entries)


def pieces_of(entries: Sequence[UsageEntry], length_min: int = 2) -> list[Sequence[UsageEntry]]:
    """The entries split where the URL changes, without the pieces shorter than `length_min`."""
    cuts = [n for n in range(1, len(entries)) if _left(entries[n - 1], entries[n])]
    pieces = [entries[start:end] for start, end in zip([0, *cuts], [*cuts, len(entries)], strict=True)]
    return [piece for piece in pieces if len(piece) >= length_min]


def _left(before: UsageEntry, after: UsageEntry) -> bool:
    return before.page != after.page or (bool(before.url) and before.url != after.url)


def _tag(xpath: str) -> str:
    return xpath.rpartition("/")[2].partition("[")[0]
