"""Finding again what goes by another name meanwhile: `Inbox (3)` has become `Inbox (4)`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from jostle.events import Event
from jostle.explore.forms import field_of, filled
from jostle.model.label import label

_NUMBER = re.compile(r"\d+")


def renumbered(event: Event, offered: Iterable[Event]) -> Event | None:
    """The one of the offered events that is this one but for numbers in its name: the same link by where it leads to,
    anything else by its place in the page. What is to be typed stays the same. None when there is none.
    """
    wanted = _NUMBER.sub("#", label(event))
    place, href = event.detail.get("xpath"), event.detail.get("href")
    for each in offered:
        if each.detail.get("action") != event.detail.get("action") or _NUMBER.sub("#", label(each)) != wanted:
            continue
        if (href and each.detail.get("href") == href) or (not href and place and each.detail.get("xpath") == place):
            value = event.detail.get("value")
            return filled(each, str(value)) if field_of(each) is not None and value is not None else each
    return None
