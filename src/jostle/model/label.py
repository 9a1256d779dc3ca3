"""The name by which an event is known wherever it happens again."""

from __future__ import annotations

import re

from jostle.events import Event

_TYPED = re.compile(r'(type|fill) "(?:[^"\\]|\\.)*" in ', re.DOTALL)


def label(event: Event) -> str:
    """The descriptor of the event without the value typed into a field: `type in textbox "Search"`."""
    if event.detail.get("action") in ("type", "fill"):
        return _TYPED.sub(r"\1 in ", event.what, count=1) if _TYPED.match(event.what) else event.what
    return event.what
