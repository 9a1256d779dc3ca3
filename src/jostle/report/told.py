"""What a run tells of itself, as reports for machines take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from jostle.findings import Finding
from jostle.report.rows import shown

LONGEST = 2000
_NOT_IN_XML = str.maketrans({"\ufffe": "\ufffd", "\uffff": "\ufffd", "\u2028": " ", "\u2029": " "})


class Run(Protocol):
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


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """What one technique tried."""

    name: str
    """The technique of its findings."""
    what: str = ""
    """What it looks for, in words."""
    tried: int = 0
    not_tried: int = 0
    why: str = ""
    """That something, or everything, was not tried."""
    seconds: float = 0.0


def searches(told: object) -> tuple[Search, ...]:
    """Those in `told.json`, as far as it is there: a run may have been interrupted while it was written."""
    entries = told.get("searches") if isinstance(told, Mapping) else None
    found: dict[str, Search] = {}
    for entry in entries if isinstance(entries, Sequence) and not isinstance(entries, str) else ():
        try:
            search = msgspec.convert(_given(entry), Search, strict=False)
        except (msgspec.ValidationError, UnicodeEncodeError):
            continue
        found.setdefault(search.name, search)
    return tuple(found.values())


def _given(entry: Any) -> Any:
    return {key: value for key, value in entry.items() if value is not None} if isinstance(entry, Mapping) else entry


def text(words: object, longest: int = LONGEST) -> str:
    """A text of the application as it can be written to any file of ours: no control characters, of bounded length."""
    lines = str(words).replace("\r\n", "\n").replace("\r", "\n")
    return shown(lines, longest).translate(_NOT_IN_XML)


def line(words: object, longest: int = LONGEST) -> str:
    """The same in one line."""
    return " ".join(text(words, longest).split())
