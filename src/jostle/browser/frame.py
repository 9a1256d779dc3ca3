"""A document's place in a tab."""

from __future__ import annotations

import msgspec

from jostle.browser.connection import Session


class ContextGone(Exception):
    """The document was replaced or its frame removed while we spoke to it."""


class Frame(msgspec.Struct, kw_only=True, eq=False):
    """A document's place in a tab."""

    id: str
    session: Session
    parent: str = ""
    path: tuple[int, ...] = ()
    """The n-th child of the n-th child ...: the same in every run."""
    url: str = ""
    origin: str = ""
    """Of its document, as the browser tells it; `://` for one of its own."""
    context: str = ""
    context_number: int = 0
    document: int = 0
    """Grows with every document shown here."""
    children: int = 0
    navigating: str = ""
    """Address of a navigation the page has asked for and that has not shown up at the gate yet."""
    reasons: dict[str, str] = {}
    """Why it was sent to an address, as the DevTools Protocol names it; the latest ones."""
