"""What to enter so that a server has something to say: words that the application shows."""

from __future__ import annotations

import re
from collections import Counter

from jostle.events import Event
from jostle.exploring.forms import accepts, field_of, filled
from jostle.races.responses.conflict import ENTERING

_WORD = re.compile(r"[^\W\d_]{3,20}")
_MOST_LINES = 400
_LONGEST_LINE = 400
_MOST = 40
_FEW_WORDS = 3
"""A line with fewer is often the name of a control."""


def values_in(text: str) -> list[str]:
    """Words of what can be read on a page, those first that are likely to be data: they stand in one line only, which
    has more words than the name of a control, and not at the top or the bottom. Neighbours in the list are from
    different lines."""
    lines = [line[:_LONGEST_LINE] for line in text.splitlines()[:_MOST_LINES]]
    found = [list(dict.fromkeys(_WORD.findall(line))) for line in lines]
    found = [words for words in found if words]
    in_lines = Counter(word.casefold() for words in found for word in words)

    def rank(place: int) -> tuple[bool, bool, int]:
        return in_lines[picked[place].casefold()] > 1, len(found[place]) < _FEW_WORDS, abs(place - len(picked) // 2)

    picked = [min(words, key=lambda word: (in_lines[word.casefold()], -len(word))) for words in found]
    return list(dict.fromkeys(picked[place] for place in sorted(range(len(picked)), key=rank)))[:_MOST]


def entering(event: Event, value: str) -> Event:
    """The event with that value, if it enters a text and its field takes it."""
    field = field_of(event)
    return filled(event, value) if field is not None and accepts(field, value) else event


def with_text(events: tuple[Event, ...], value: str) -> tuple[Event, ...]:
    """The events, those at the end that enter texts with that value."""
    last = len(events)
    while last and events[last - 1].action.type in ENTERING:
        last -= 1
    return (*events[:last], *(entering(event, value) for event in events[last:]))
