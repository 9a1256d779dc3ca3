"""What is the same by another name: `Inbox (3)` that has become `Inbox (4)`, the same button in each row of a list."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jostle.events import Event
from jostle.exploring.family import family, shape
from jostle.exploring.forms import field_of, filled
from jostle.model.label import label

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[\w-]+")
_NAMED_BY_ENTRY = ("check",)
"""What is done to elements that are called what their entry is, not what they do."""


def renumbered(event: Event, offered: Iterable[Event]) -> Event | None:
    """The one of the offered events that is this one but for numbers in its name: the same link by where it leads to,
    anything else by its place in the page. What is to be typed stays the same. None when there is none.
    """
    wanted = _NUMBER.sub("#", label(event))
    action = event.action
    for each in offered:
        other = each.action
        if other.type != action.type or _NUMBER.sub("#", label(each)) != wanted:
            continue
        if other.href == action.href if action.href else action.xpath and other.xpath == action.xpath:
            return each if field_of(each) is None or action.value is None else filled(each, action.value)
    return None


def sibling(event: Event, offered: Iterable[Event]) -> Event | None:
    """One of the offered events that does the same to another entry of the same list: `Rename Billing` where
    `Rename Import` is gone. None when there is none."""
    action = event.action
    if not action.xpath or action.locator is None or action.enters_text:
        return None
    wanted, begins = family(event), _first_word(action.locator.name)
    for each in offered:
        other = each.action
        alike = (other.type, other.element, bool(other.href)) == (action.type, action.element, bool(action.href))
        if not alike or other.locator is None or family(each) != wanted:
            continue
        # A link is called what it leads to; a button what it does.
        if action.href or _first_word(other.locator.name) == begins:
            return each
    return None


def entry(event: Event, other: Event) -> str:
    """Where the entry of a list stands that an event is done in, while the other is done in another entry of that list;
    empty where it is not so."""
    steps = event.action.xpath.split("/")
    for number, (mine, its) in enumerate(zip(steps, other.action.xpath.split("/"), strict=False), 1):
        if mine != its:
            name, _, index = mine.partition("[")
            return "/".join(steps[:number]) if index and name == its.partition("[")[0] and "[" in its else ""
    return ""


def in_same_entry(event: Event, of: Event, offered: Iterable[Event]) -> Event | None:
    """One of the offered events that does what `event` does, to the entry of the list that `of` was done in. The entry
    may be called otherwise by now. None when there is none."""
    place = entry(of, event)
    within = f"{place}/" if place else event.action.xpath
    return sibling(event, [each for each in offered if each.action.xpath.startswith(within)])


def kin(event: Event) -> str:
    """The same for what is done to the entries of one list. A link is called what it leads to, so its address says
    what it is for; anything else is called what it does."""
    action = event.action
    named = action.locator.name if action.locator is not None and action.type not in _NAMED_BY_ENTRY else ""
    return f"{family(event)} {shape(action.href) if action.href else _first_word(named)}"


def _first_word(name: str) -> str:
    found = _WORD.search(name)
    return found[0].casefold() if found is not None else ""
