"""What stands for evidence that this version cannot read."""

from __future__ import annotations

from jostle.findings.evidence.shared import EvidenceBase


class UnreadableEvidence(EvidenceBase, frozen=True, kw_only=True, tag="unreadable"):
    """There is evidence, but of a shape that this version does not know."""

    why: str

    @property
    def wrong(self) -> str:
        return f"The evidence cannot be read: {self.why}"
