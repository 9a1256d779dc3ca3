"""Progress of a check: several searches are under way at once, and what they found is counted."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from jostle.findings import Finding, Severity
from jostle.progress import Finished, Found, LimitMet, Listener, Note, Progress, Started, Stepped

_ONCE = ("Logging in ...",)
"""What every search does, and is told once."""
_EVERY = 1.0
"""Seconds between two looks at what was found."""


class Telling:
    """Gives each search a listener of its own."""

    def __init__(self, listener: Listener, findings: Callable[[], Sequence[Finding]]) -> None:
        self._listener = listener
        self._findings = findings
        self._told: Found | None = None
        self._looked = 0.0
        self._noted: set[str] = set()

    def of(self, name: str) -> Listener:
        """Progress with the name of the search before it."""

        def tell(progress: Progress, /) -> None:
            match progress:
                case Started():
                    progress = msgspec.structs.replace(progress, what=f"{name}: {progress.what}", by=name)
                case Stepped():
                    progress = msgspec.structs.replace(progress, by=name)
                case Finished():
                    progress = msgspec.structs.replace(progress, summary=f"{name}: {progress.summary}", by=name)
                case Note(text=text) if text in _ONCE:
                    if text in self._noted:
                        return
                    self._noted.add(text)
                case Note() | LimitMet() | Found():
                    pass
            self._listener(progress)
            if time.monotonic() - self._looked > _EVERY:
                self._looked = time.monotonic()
                self._look()

        return tell

    def _look(self) -> None:
        counts = Counter(finding.severity for finding in self._findings())
        found = Found(severities=tuple((severity.value, counts[severity]) for severity in reversed(_ORDER)))
        if counts and found != self._told:
            self._told = found
            self._listener(found)


_ORDER = (Severity.LOW, Severity.MEDIUM, Severity.HIGH)
