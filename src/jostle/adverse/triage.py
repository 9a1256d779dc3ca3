"""From failures to bugs: what is the same for all failures of a bug, and what sort of bug it looks like."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence

import msgspec

LONGEST = 200
_ADDRESS = re.compile(r"https?://[^\s\"'<>]+")
_HEXADECIMAL = re.compile(r"\b(?=[0-9a-f-]*\d)(?=[0-9a-f-]*[a-f])[0-9a-f-]{8,}\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_EXPECTED = re.compile(r"( expected (?:not )?to [a-z ]+? )(?:'.*'|\".*\"|\[.*\])", re.DOTALL)
"""What a test expects to see is mostly what it typed itself."""
_BLANK = re.compile(r"\s+")
_CALL_LOG = re.compile(r"\n\s*(?:Call log|=+ logs =+)", re.IGNORECASE)
_STALE = re.compile(r"not attached|detached|disposed|stale|execution context was destroyed", re.IGNORECASE)
_MISSING = re.compile(
    r"waiting for |to be visible|to be attached|element\(s\) not found|strict mode|no such element|resolved to 0",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"to have values?\b|to be checked|to be disabled|to be enabled|to be empty|to be focused", re.IGNORECASE
)
_CONTENT = re.compile(
    r"to have text|to contain text|to have (?:attribute|class|css|count|accessible)|==|to match aria", re.IGNORECASE
)
_SCREEN = re.compile(r"to have (?:url|title)|page URL|page title", re.IGNORECASE)


class Category(enum.StrEnum):
    """What sort of bug it looks like. A guess, for those who read many."""

    CRASH = "crash"
    SILENT = "silent fail"
    NOT_PERSISTED = "not persisted"
    UNEXPECTED_SCREEN = "unexpected screen"
    ELEMENT_GONE = "element disappears"
    WRONG_CONTENT = "wrong content"
    OTHER = "other"
    BRITTLE = "brittle test"
    TECHNICAL = "technical"


MEANINGS = {
    Category.CRASH: "a script of the page fails",
    Category.SILENT: "it looks the same, but something no longer works",
    Category.NOT_PERSISTED: "something that was entered or chosen is lost",
    Category.UNEXPECTED_SCREEN: "the application is on another screen",
    Category.ELEMENT_GONE: "something that was on the screen is gone",
    Category.WRONG_CONTENT: "something else is shown than without it",
    Category.OTHER: "the test fails in another way",
    Category.BRITTLE: "the test holds on to an element of the old document",
    Category.TECHNICAL: "the page could not be brought back as it was",
}


class FailureSigns(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a failure beyond its message."""

    message: str
    errors: Sequence[str] = ()
    """Uncaught errors of the page that the ordinary run does not have."""
    screen: str | None = None
    """The skeleton before the failure, and in the ordinary run at the same place."""
    usual: str | None = None
    address: str = ""
    usual_address: str = ""
    restored: bool = True


def normal(message: str) -> str:
    """The first words of a message, without numbers, addresses and what else changes from run to run or from test to
    test."""
    text = _CALL_LOG.split(message, maxsplit=1)[0]
    text = _EXPECTED.sub(r"\1<value>", text)
    text = _ADDRESS.sub("<address>", text)
    text = _HEXADECIMAL.sub("<id>", text)
    text = _NUMBER.sub("#", text)
    return _BLANK.sub(" ", text).strip()[:LONGEST]


def category(seen: FailureSigns) -> Category:
    if not seen.restored:
        return Category.TECHNICAL
    if seen.errors:
        return Category.CRASH
    if _STALE.search(seen.message):
        return Category.BRITTLE
    if (seen.address and seen.usual_address and seen.address != seen.usual_address) or _SCREEN.search(seen.message):
        return Category.UNEXPECTED_SCREEN
    same = seen.screen is not None and seen.screen == seen.usual
    if _VALUE.search(seen.message):
        return Category.NOT_PERSISTED
    if _CONTENT.search(seen.message):
        return Category.WRONG_CONTENT
    if same:
        return Category.SILENT
    if _MISSING.search(seen.message):
        return Category.ELEMENT_GONE
    return Category.OTHER
