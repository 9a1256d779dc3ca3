"""Events that are much the same: the links of a list, the days of a calendar, the options of a choice."""

from __future__ import annotations

import re
from functools import lru_cache

from jostle.events import Event
from jostle.model.label import label

_INDEX = re.compile(r"\[\d+\]")
_NUMBER = re.compile(r"\d+")
_CODE = re.compile(r"\b(?=[\da-f-]*\d)[\da-f-]{8,}\b", re.IGNORECASE)


def family(event: Event) -> str:
    """The same for events on elements that stand in the same place but for their number among their siblings, and for
    keys pressed in the fields of one form."""
    action = event.action
    xpath = action.xpath
    if action.type == "press" and action.form:
        xpath = action.form  # Enter sends it, whichever field it is pressed in
    if xpath:
        return f"{action.type} {_INDEX.sub('', xpath)}"
    return _NUMBER.sub("#", label(event))


@lru_cache(maxsize=4096)
def shape(url: str) -> str:
    """The address without its numbers, codes and values: the same for pages that are likely to be of one kind."""
    path, _, query = url.partition("?")
    names = "&".join(sorted(part.partition("=")[0] for part in query.partition("#")[0].split("&"))) if query else ""
    return f"{_NUMBER.sub('#', _CODE.sub('#', path))}?{names}"
