"""The streams of the searches of a check as one stream: several searches are under way at once."""

from __future__ import annotations

from collections import Counter

import msgspec

from jostle.findings import Finding, Severity
from jostle.progress import FindingCounts, Finished, Note, Started, Stepped
from jostle.search.stream import Emit, FindingReported, SearchEvent

_ONCE = ("Logging in ...",)
"""What every search does, and is told once."""
_ORDER = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)


class Joined:
    """Gives each search a stream of its own, and counts what was found."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._counted: FindingCounts | None = None
        self._noted: set[str] = set()
        self._findings: dict[str, Finding] = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all searches, so far."""
        return tuple(self._findings.values())

    def found(self, technique: str) -> int:
        """How much was found by a technique, so far."""
        return sum(finding.technique == technique for finding in self._findings.values())

    def of(self, name: str) -> Emit:
        """For the search of this name, which is put before its progress."""

        def emit(event: SearchEvent) -> None:
            match event:
                case Started():
                    event = msgspec.structs.replace(event, what=f"{name}: {event.what}", by=name)
                case Stepped():
                    event = msgspec.structs.replace(event, by=name)
                case Finished():
                    event = msgspec.structs.replace(event, summary=f"{name}: {event.summary}", by=name)
                case Note(text=text) if text in _ONCE:
                    if text in self._noted:
                        return
                    self._noted.add(text)
                case FindingReported(finding):
                    self._findings[finding.id] = finding
                case _:
                    pass
            self._emit(event)
            if isinstance(event, FindingReported):
                self._count()

        return emit

    def _count(self) -> None:
        counts = Counter(finding.severity for finding in self._findings.values())
        found = FindingCounts(severities=tuple((severity.value, counts[severity]) for severity in _ORDER))
        if found != self._counted:
            self._counted = found
            self._emit(found)
