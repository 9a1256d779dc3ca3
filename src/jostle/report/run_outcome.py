"""What a run tells of itself, as reports for machines take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from jostle.findings import Finding
from jostle.report.rows import shown
from jostle.report.run_summary import SearchSummary, read_summary

LONGEST = 2000
_NOT_IN_XML = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd", "\u2028": " ", "\u2029": " "})


class RunOutcome(Protocol):
    """A run and what it found: the JSON document is one."""

    @property
    def jostle(self) -> str: ...

    @property
    def command(self) -> str: ...

    @property
    def url(self) -> str | None: ...

    @property
    def seed(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def status(self) -> str: ...

    @property
    def error(self) -> str | None: ...

    @property
    def findings(self) -> Sequence[Finding]: ...

    @property
    def limits(self) -> Sequence[str]: ...


def searches(document: object) -> tuple[SearchSummary, ...]:
    """What `told.json` tells of each technique, as far as it is there; of several searches with one, the first."""
    found: dict[str, SearchSummary] = {}
    for search in read_summary(document).searches:
        found.setdefault(search.name, search)
    return tuple(found.values())


def text(words: object, longest: int = LONGEST) -> str:
    """A text of the application as it can be written to any file of ours: no control characters, of bounded length."""
    lines = str(words).replace("\r\n", "\n").replace("\r", "\n")
    return shown(lines, longest).translate(_NOT_IN_XML)


def line(words: object, longest: int = LONGEST) -> str:
    """The same in one line."""
    return " ".join(text(words, longest).split())
