"""The actions of a test, after which something may happen."""

from __future__ import annotations

from typing import Any

import msgspec


class PlaywrightAction(msgspec.Struct, kw_only=True):
    """A call of a test's by which it does something to a page, while it is under way."""

    page: Any
    api: str
    """`Locator.click`"""
    words: str
    """`click button "Save"`"""
    event: str
    """The same without data: `click button`."""
    where: str
    """The line of the test, `file:line`."""
    counts: bool
    """Something may happen after it."""


class InjectionPoint(msgspec.Struct, kw_only=True):
    """An action that has been done: something may happen now."""

    number: int
    """From 1."""
    api: str
    words: str
    event: str
    where: str
    suspended: str = ""
    """Why nothing may happen here."""
    barred: str = ""
    """Why the document may not be built anew here."""
    busy: str = ""
    """What kept the page from coming to rest."""

    @property
    def identity(self) -> str:
        return f"{self.api} {self.words}"
