"""What is the same by another name: `Inbox (3)` that has become `Inbox (4)`, the same button in each row of a list."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jostle.events import Event
from jostle.exploring.family import family, shape
from jostle.exploring.forms import field_of, filled
from jostle.model.label import label, without_figures

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[\w-]+")
_LONG_WORD = re.compile(r'(?<=["\s])[^\W\d_]{4,}(?=["\s,:;.])')
_NAMED_BY_ENTRY = ("check",)
"""What is done to elements that are called what their entry is, not what they do."""


def renumbered(event: Event, offered: Iterable[Event]) -> Event | None:
    """The one of the offered events that is this one but for numbers in its name: the same link by where it leads to,
    anything else by its place in the page. Of what is named by what is measured, one word in common is enough there.
    What is to be typed stays the same. None when there is none.
    """
    wanted, offered = _NUMBER.sub("#", label(event)), list(offered)
    action = event.action
    for each in offered:
        other = each.action
        if other.type != action.type or _NUMBER.sub("#", label(each)) != wanted:
            continue
        if other.href == action.href if action.href else action.xpath and other.xpath == action.xpath:
            return each if field_of(each) is None or action.value is None else filled(each, action.value)
    return _measured(event, offered)


def _measured(event: Event, offered: Iterable[Event]) -> Event | None:
    """What stands in the place of something whose name tells what is measured: `River, paused, 3 kB of 7 kB` that is
    `River, ratio 0.5` by now."""
    action, name = event.action, label(event)
    if not action.xpath or action.href or action.enters_text or without_figures(name) == name:
        return None
    words = set(_LONG_WORD.findall(name.partition(" ")[2]))
    for each in offered:
        other = each.action
        same = (other.type, other.element, other.xpath) == (action.type, action.element, action.xpath)
        if same and not other.href and _role(each) == _role(event) and words & set(_LONG_WORD.findall(label(each))):
            return each
    return None


def _role(event: Event) -> str:
    return event.action.locator.role if event.action.locator is not None else ""


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
