"""What the controllers of a page have done in a run, by what they say. A page may have made them say anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from jostle.events.detail import lenient
from jostle.repair.script import ControllerReport

_MOST = 1_000_000
_LONGEST = 86_400_000.0


class ControllerLog(msgspec.Struct, frozen=True, kw_only=True):
    """Of all documents of a run together."""

    postponed: int = 0
    dropped: int = 0
    """What was discarded: events of the user, and responses that were overtaken."""
    kept: int = 0
    """Entries of the user that a script would have overwritten."""
    waited: float = 0.0
    longest: float = 0.0
    """Virtual milliseconds."""
    waiting: int = 0
    """What waits still."""
    overdue: int = 0
    """What waited longer than anything may, and was let through."""
    lost: int = 0
    """What waited and could not be done any more: the element is gone."""


def log_of(parts: Iterable[Mapping[str, Any]]) -> ControllerLog:
    """`parts`: what each document says to `READ_REPORT`."""
    reports = [lenient(dict(part), ControllerReport) for part in parts if isinstance(part.get("policy"), str)]

    def total(*names: str) -> int:
        return sum(min(max(0, getattr(each, name)), _MOST) for each in reports for name in names)

    return ControllerLog(
        postponed=total("postponed"),
        dropped=total("discarded", "aborted"),
        kept=total("kept"),
        waited=sum(_bounded(each.waited) for each in reports),
        longest=max((_bounded(each.longest) for each in reports), default=0.0),
        waiting=total("waiting"),
        overdue=total("overdue"),
        lost=total("lost"),
    )


def _bounded(milliseconds: float) -> float:
    return min(max(0.0, milliseconds), _LONGEST)
