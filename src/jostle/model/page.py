"""What both kinds of search ask about a page."""

from __future__ import annotations

from jostle.browser import agent
from jostle.events import Event

READABLE = agent.call("readable")
"""An expression for what can be read in a page, also in open shadow roots."""


def is_page(event: Event) -> bool:
    """Whether it is the answer with a page, which replaces the one before. A document in a frame is none."""
    return event.request.resource == "document" and not event.request.in_frame
