"""The evidence of a race, as far as it is there: two orders of events, what they end in, and the code that races."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from jostle.report.rows import shown

LONGEST_LINE = 200
"""Characters of a line of source that are shown."""
MOST_SOURCE = 40
"""Lines of source that are shown."""
BEFORE = 60
"""Characters of a long line that are shown before the column that is meant."""

_SAID = {
    "form": re.compile(r'\.(?:value="(.*)"|(\w+))', re.DOTALL),
    "url": re.compile(r"tab \d+ (\S+)()"),
}
"""What a snapshot says, and what of it is for people."""
_NTH = re.compile(r" \(#\d+\)$")
_PLACE = re.compile(r"(.*?):(\d{1,9})(?::(\d{1,9}))?", re.DOTALL)


class Entry(msgspec.Struct, frozen=True):
    """One event of an order."""

    what: str = ""
    kind: str = ""
    role: str = "other"
    """`first` and `second` are the user's; `early` and `late` are what comes too early and too late in the bad one."""
    at: float | None = None


class Order(msgspec.Struct, frozen=True):
    """A run, and the files that show it."""

    order: tuple[Entry, ...] = ()
    screen: str = ""
    replay: str = ""


class Difference(msgspec.Struct, frozen=True):
    """In what the two runs end differently."""

    what: str = ""
    where: str = ""
    good: str = ""
    bad: str = ""


class Callback(msgspec.Struct, frozen=True):
    """Code that races."""

    event: str = ""
    source: str = ""
    first_line: int = 0
    """0: not known."""
    excerpt: tuple[str, ...] = ()

    @property
    def lines(self) -> list[tuple[str, str, bool]]:
        """Number, where it is known, text, and whether it is the line that is meant."""
        found = _PLACE.fullmatch(self.source)
        line, column = (int(found[2]), int(found[3] or 1)) if found else (0, 1)
        start = max(0, min(line - self.first_line - MOST_SOURCE // 2, len(self.excerpt) - MOST_SOURCE))
        told = enumerate(self.excerpt[start : start + MOST_SOURCE], self.first_line + start)
        return [
            (str(n) if self.first_line > 0 else "", _part(text, column if n == line else 1), 0 < n == line)
            for n, text in told
        ]


class Evidence(msgspec.Struct, frozen=True):
    good: Order = Order()
    bad: Order = Order()
    differences: tuple[Difference, ...] = ()
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    racing: tuple[Callback, ...] = ()
    shared: str = ""
    held: tuple[str, ...] = ()
    first: str = ""
    second: str = ""
    hint: str = ""
    test: str = ""
    also: tuple[str, ...] = ()
    """What else has the same cause."""

    @property
    def begins(self) -> str:
        """The first event of the race; not always the user's."""
        return self.first or next((each.what for each in self.bad.order if each.role == "first"), "")

    def kind_of(self, what: str) -> str:
        """Of an event of the bad order."""
        found = (each.kind for each in (*self.bad.order, *self.good.order) if once(each.what) == once(what))
        return next(found, "network" if re.match(r"[A-Z]{3,8} \S", what) else "")


def once(what: str) -> str:
    """The event, whether it happens for the first time or for the n-th: without `(#2)`."""
    return _NTH.sub("", what)


def evidence(data: Mapping[str, Any]) -> Evidence:
    known = msgspec.convert(_known(data), Evidence, strict=False)
    return msgspec.structs.replace(known, differences=tuple(map(_said, known.differences)))


def _said(difference: Difference) -> Difference:
    pattern = _SAID.get(difference.what)
    if pattern is None:
        return difference
    good, bad = (
        (found[1] or found[2] or "") if (found := pattern.fullmatch(text)) else text
        for text in (difference.good, difference.bad)
    )
    return msgspec.structs.replace(difference, good=good, bad=bad)


def _known(data: object) -> object:
    """Without what is None: that is not known."""
    if isinstance(data, Mapping):
        return {key: _known(value) for key, value in data.items() if value is not None}
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return [_known(each) for each in data if each is not None]
    return data


def _part(line: str, column: int) -> str:
    """Of a line that is too long, the part in which the column is."""
    start = max(0, column - 1 - BEFORE) if len(line) > LONGEST_LINE else 0
    return ("… " if start else "") + shown(line[start : start + LONGEST_LINE + 1], LONGEST_LINE)
