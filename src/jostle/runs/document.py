"""The JSON document an analysing command writes with `--json`; described in docs/reference/json.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from jostle.errors import UsageProblem
from jostle.findings.finding import Finding
from jostle.search.stream import Status


class Suppressed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something a filter called harmless."""

    finding: Finding
    filter: str


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One run in one JSON document."""

    jostle: str
    """Version of jostle."""
    command: str
    url: str | None
    seed: int
    seconds: float
    status: Status
    error: str | None = None
    """Why the run failed."""
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    limits: tuple[str, ...] = ()
    """What was met that could not be controlled."""
    stats: dict[str, Any] = {}

    def __post_init__(self) -> None:
        ids = [finding.id for finding in (*self.findings, *(each.finding for each in self.suppressed))]
        if twice := {name for name in ids if ids.count(name) > 1}:
            raise ValueError(f"findings with the same id: {', '.join(sorted(twice))}")

    def to_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def read(cls, file: Path) -> Document:
        """Raises UsageProblem when the file is not such a document."""
        try:
            return msgspec.json.decode(file.read_bytes(), type=cls)
        except OSError as error:
            raise UsageProblem(f"{file} cannot be read: {error.strerror}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UsageProblem(f"{file} is not a document written by `jostle --json`: {error}.") from None
