"""Finding again what goes by another name meanwhile: `Inbox (3)` has become `Inbox (4)`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jostle.events import Event
from jostle.exploring.forms import field_of, filled
from jostle.model.label import label

_NUMBER = re.compile(r"\d+")


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
