"""The JSON document an analysing command writes with `--json`; described in docs/reference/json.md."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from jostle.errors import UsageProblem
from jostle.findings.earlier import with_typed_evidence
from jostle.findings.finding import Finding
from jostle.reading import read_named
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
        if len(set(ids)) < len(ids):
            twice = sorted(name for name, times in Counter(ids).items() if times > 1)
            raise ValueError(f"findings with the same id: {', '.join(twice)}")

    def to_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    @classmethod
    def of_json(cls, json: bytes) -> Document:
        """One of any version. Raises msgspec.DecodeError."""
        try:
            return msgspec.json.decode(json, type=cls)
        except msgspec.ValidationError:
            return msgspec.convert(_with_typed_evidence(msgspec.json.decode(json)), cls)

    @classmethod
    def read(cls, file: Path) -> Document:
        """Raises UsageProblem when the file is not such a document."""
        try:
            return cls.of_json(read_named(file))
        except OSError as error:
            raise UsageProblem(f"{file} cannot be read: {error.strerror}.") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UsageProblem(f"{file} is not a document written by `jostle --json`: {error}.") from None


def _with_typed_evidence(document: Any) -> Any:
    """Where something else is wrong with it, as it is: the decoder says what."""
    if not isinstance(document, dict):
        return document
    findings, suppressed = document.get("findings", ()), document.get("suppressed", ())
    if not isinstance(findings, list | tuple) or not isinstance(suppressed, list | tuple):
        return document
    return {
        **document,
        "findings": [with_typed_evidence(each) for each in findings],
        "suppressed": [
            {**each, "finding": with_typed_evidence(each.get("finding"))} if isinstance(each, dict) else each
            for each in suppressed
        ],
    }
