"""A test whose locators are still open: by role and name, as people read them, or by place.

A name that our agent computes need not be Playwright's: icons in `::before`, hidden text, `aria-labelledby`. Who runs a
draft finds out which of its locators Playwright resolves to the element that was meant, and only then it is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import msgspec

_OPEN = re.compile("\x00(\\d+)\x00(\\.first)?")
"""No generated source has this character: literals and comments are printable."""


class LocatorPair(msgspec.Struct, frozen=True):
    """Two expressions for one element."""

    by_name: str
    by_place: str


class Draft(msgspec.Struct, frozen=True):
    """The source of a test with open locators."""

    text: str
    locators: tuple[LocatorPair, ...] = ()

    def written(self, by_place: Collection[int] = ()) -> str:
        """The test with its locators by name, and by place those with these numbers, from 0."""
        return self._filled(lambda number, pair: pair.by_place if number in by_place else pair.by_name)

    def probing(self, function: str) -> str:
        """The test in which `function(by_name, by_place, number)` chooses each locator while it runs."""
        return self._filled(lambda number, pair: f"{function}({pair.by_name}, {pair.by_place}, {number})")

    def with_text(self, change: Callable[[str], str]) -> Draft:
        """With something else done to the source."""
        return Draft(change(self.text), self.locators)

    def _filled(self, choose: Callable[[int, LocatorPair], str]) -> str:
        def fill(match: re.Match[str]) -> str:
            number, first = int(match[1]), match[2] or ""
            chosen = choose(number, self.locators[number])
            return chosen if chosen.endswith(first) else chosen + first

        return _OPEN.sub(fill, self.text)


_pairs: ContextVar[dict[LocatorPair, int] | None] = ContextVar("locators of the draft being written", default=None)


def located(by_name: str, by_place: str) -> str:
    """An expression by name: left open while a draft is written, where there is one by place as well."""
    pairs = _pairs.get()
    if pairs is None or not by_place:
        return by_name
    number = pairs.setdefault(LocatorPair(by_name, by_place), len(pairs))
    return f"\x00{number}\x00"


def closed(text: str) -> str:
    """A source with a name in place of each open locator, every character at its place: Python can read it."""
    return _OPEN.sub(lambda match: match[0].replace("\x00", "_"), text)


def drafted(make: Callable[[], str]) -> Draft:
    """What `make` writes, with its locators left open. Raises what `make` raises."""
    with _drafting() as pairs:
        text = make()
        return Draft(text, tuple(pairs))


@contextmanager
def _drafting() -> Iterator[dict[LocatorPair, int]]:
    pairs: dict[LocatorPair, int] = {}
    token = _pairs.set(pairs)
    try:
        yield pairs
    finally:
        _pairs.reset(token)
