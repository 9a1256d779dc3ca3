"""What an engine tells while it works: typed progress events and who listens to them.

Engines call a `Listener`; the terminal, reports and the run directory are listeners. An engine never prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec


class Started(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """A piece of work begins."""

    what: str
    """In words: `walking http://localhost:8000/`."""
    total: int | None = None
    """Number of steps, when it is known beforehand."""
    by: str = ""
    """Which of several that work at the same time tells it."""


class Stepped(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """One more step was done."""

    done: int
    what: str = ""
    total: int | None = None
    """Number of steps, where it is another one by now than at the beginning."""
    by: str = ""
    """Which of several that work at the same time tells it."""


class Note(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something worth telling that changes nothing."""

    text: str


class LimitMet(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Something that cannot be controlled was met (see docs/limits.md)."""

    text: str


class Finished(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """The piece of work has ended."""

    summary: str
    interrupted: bool = False
    by: str = ""
    """Which of several that work at the same time tells it."""


class FindingCounts(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """How much was found so far: it has become more."""

    severities: tuple[tuple[str, int], ...]
    """How many of each, the worst first."""

    def __str__(self) -> str:
        return ", ".join(f"{number} {severity}" for severity, number in self.severities if number) or "nothing"


Progress = Started | Stepped | Note | LimitMet | FindingCounts | Finished


class Listener(Protocol):
    """Takes progress events as they happen. Must be quick and must not raise."""

    def __call__(self, progress: Progress, /) -> None: ...


def silent(progress: Progress, /) -> None:
    """The listener that listens to nothing."""


def together(listeners: Sequence[Listener]) -> Listener:
    """One listener that tells several, in order."""

    def tell(progress: Progress, /) -> None:
        for listener in listeners:
            listener(progress)

    return tell
