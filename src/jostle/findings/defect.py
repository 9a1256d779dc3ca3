"""Something that went wrong in a run: what an oracle saw, before it is known how to bring it about again."""

from __future__ import annotations

from hashlib import blake2s

import msgspec

from jostle.findings.evidence import Evidence
from jostle.findings.finding import Confidence, Finding, FindingKind, Severity


class Defect(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that went wrong once. Defects with the same kind and cause are one finding."""

    kind: FindingKind
    severity: Severity
    title: str
    """One line for people."""
    cause: str
    """What is the same whenever this goes wrong: a message and where it was thrown, without what differs by data."""
    evidence: Evidence

    @property
    def id(self) -> str:
        """The same in every run: `exception-5f0c3a9e12`."""
        text = f"{self.kind.value}\0{self.cause}"
        return f"{self.kind.value}-{blake2s(text.encode('utf-8', 'surrogatepass'), digest_size=5).hexdigest()}"

    def finding(
        self,
        technique: str,
        confidence: Confidence,
        *,
        events: tuple[str, ...] = (),
        evidence: Evidence | None = None,
        replay: str | None = None,
    ) -> Finding:
        """The finding that it is. `evidence`: in place of its own."""
        return Finding(
            id=self.id,
            technique=technique,
            kind=self.kind,
            confidence=confidence,
            severity=self.severity,
            title=self.title,
            events=events,
            evidence=self.evidence if evidence is None else evidence,
            replay=replay,
        )
