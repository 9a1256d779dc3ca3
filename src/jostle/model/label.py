"""The name by which an event is known wherever it happens again."""

from __future__ import annotations

import re

from jostle.events import Event

_UNIT = r"(?:[kKMGTP]i?)?B(?:/s)?|[kKMGTP]b(?:it|ps)?(?:/s)?|bps|[µmn]?s|min|[hd]|%|[€$£¥]|[kcm]?m|k?g|°[CF]?|px"
_FIGURE = re.compile(
    rf"""(?<![\w.])(?:
        [€$£¥]\s?\d+(?:[.,:]\d+)*          # an amount
        | \d+(?:[.,:]\d+)*\s?(?:{_UNIT})(?!\w)  # with a unit
        | \d+(?:[.,:]\d+)+                 # with decimals, a time
        | (?<=\()\d+(?=\))                 # how many: Inbox (3)
        | \d+\s?(?:of|/|von|de|di|sur)\s?\d+(?!\w)
    )""",
    re.VERBOSE,
)
"""What is measured or counted."""
_ENTRY = re.compile(r'(type|fill) "(?:[^"\\]|\\.)*" in ', re.DOTALL)

_FILLING = ("type ", "fill ", "select ", "check ", "choose ")
_VISIT = "visit "


def label(event: Event) -> str:
    """The descriptor of the event without the value typed into a field: `type in textbox "Search"`."""
    action = event.action
    if not action.enters_text or action.locator is None or not action.locator.words:
        return event.what
    return f"{action.type} in {action.place}"


def without_figures(name: str) -> str:
    """A label without what is measured or counted in it, which changes by itself: `River 12.5 % at 3 kB/s (2)` is
    `River # at # (#)`. A number alone is part of a name: `Task 3`."""
    return _FIGURE.sub("#", name)


def fills_in(name: str) -> bool:
    """Whether the event of this label fills in a form."""
    return name.startswith(_FILLING)


def goes_by_address(name: str) -> bool:
    """Whether the event of this label goes to an address by itself, as no element of a page does."""
    return name.startswith(_VISIT)


def label_of_words(words: str) -> str:
    """The same where only the words are left of an event, as in the documents of runs."""
    return _ENTRY.sub(r"\1 in ", words, count=1) if _ENTRY.match(words) else words
