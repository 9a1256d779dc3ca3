"""Which pages are worth loading again and again, and which of them first."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from jostle.exploring.family import shape
from jostle.model.visit import Visit

MOST = 8
"""Pages that are loaded again and again to act on them before they are ready. Of those that promise little, half as
many: they must not take the place of one that is met later."""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A page as it was met."""

    url: str
    digest: str = ""
    """Of what it looks like, in the abstract."""
    scripts: frozenset[str] = frozenset()
    """What it loaded."""
    fills: bool = False
    """Whether a script set the value of a field while it was loading: what a user types there may be lost."""


def arrived(visit: Visit) -> Page | None:
    """The page that an event led to; None when it led to no other document."""
    effect = visit.effect
    if not effect.commits or not visit.after.url.startswith("http"):
        return None
    scripts = {answer.url.partition("?")[0] for answer in effect.answers if answer.resource == "script"}
    return Page(
        url=visit.after.url,
        digest=visit.after.digest,
        scripts=frozenset(scripts),
        fills=bool(effect.form_writes),
    )


class Pages:
    """Takes pages as they are met, and tells which are worth it. Pure."""

    def __init__(self, start: str, *, most: int = MOST) -> None:
        self._most = most
        self._shapes = {shape(start)}
        self._digests: set[str] = set()
        self._scripts: set[str] = set()
        self._numbers = {True: 1, False: 0}  # of those that promise something, and the others

    def began(self, page: Page) -> None:
        """What the first page is like."""
        self._digests.add(page.digest)
        self._scripts |= page.scripts

    def rank(self, page: Page) -> float | None:
        """Where it comes among others, the best first: below 1, or above 2 when little is to be expected. None for one
        that is not worth it: a page like it is known, or there were enough."""
        new = self._new(page)
        worth = 2 * page.fills + bool(new)
        most = self._most if worth else self._most // 2
        known = shape(page.url) in self._shapes or (page.digest in self._digests and not new)
        if known or self._numbers[bool(worth)] >= most:
            return None
        self._shapes.add(shape(page.url))
        self._digests.add(page.digest)
        self._scripts |= page.scripts
        self._numbers[bool(worth)] += 1
        return (3 - worth) / 4 + sum(self._numbers.values()) / 1000 + (0 if worth else 2)

    def _new(self, page: Page) -> Iterable[str]:
        return page.scripts - self._scripts
