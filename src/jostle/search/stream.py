"""What a search tells: one stream of typed events. The terminal, the run directory and every report consume it.

A finding may name files (recordings, pictures, a generated test): their `FileMade` comes before it in the stream, so
that whoever writes the stream down has everything by the time the finding is announced. A finding or a dismissed case
with the id of an earlier one takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import msgspec

from jostle.export.draft import Draft
from jostle.findings import Finding
from jostle.progress import Progress
from jostle.report.run_summary import RunSummary


class Status(StrEnum):
    """How far a run came."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class RunStarted(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The first event of a run."""

    command: str
    """`check`, or the technique."""
    url: str | None
    seed: int


class RunEnded(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The last event of a run. Consumers that make something of the whole make it now."""

    status: Status
    seconds: float
    error: str | None = None
    """Why it failed."""
    stats: dict[str, Any] = {}
    """Figures for the JSON document."""


class FindingReported(msgspec.Struct, frozen=True, tag=True):
    """Something was found, or more is known of it."""

    finding: Finding


class CaseDismissed(msgspec.Struct, frozen=True, tag=True):
    """Something was tried, or suspected, and a filter called it harmless."""

    finding: Finding
    filter: str


class FileMade(msgspec.Struct, frozen=True, tag=True):
    """A file that findings name, such as a recording, a picture or a test."""

    name: str
    data: bytes


class FileWithdrawn(msgspec.Struct, frozen=True, tag=True):
    """A file that was made turned out not to be what it was made for. No finding names it any more."""

    name: str


class DraftMade(msgspec.Struct, frozen=True, tag=True):
    """How the generated test in the file of this name was written. For whoever runs it; consumers do not get it."""

    name: str
    draft: Draft
    beside: str = ""
    """The name of a storage state that must lie beside the test."""


class ArtefactMade(msgspec.Struct, frozen=True, tag=True):
    """Something about the run as a whole, such as the model of the application."""

    name: str
    data: bytes
    media_type: str


class SearchEnded(msgspec.Struct, frozen=True, tag=True):
    """The search is over, or was interrupted: what it did, for people and for machines."""

    summary: RunSummary
    stats: dict[str, Any] = {}
    """Figures for the JSON document."""


SearchEvent = (
    Progress | FindingReported | CaseDismissed | FileMade | FileWithdrawn | DraftMade | ArtefactMade | SearchEnded
)
"""What a search tells."""
RunEvent = SearchEvent | RunStarted | RunEnded
"""What consumers get: the events of a search, or of what else a command does, with the run around it."""
Consumer = Callable[["RunEvent"], None]

Emit = Callable[[SearchEvent], None]
"""Takes the events of a search as they happen. Must be quick."""
