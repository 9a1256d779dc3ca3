"""What a report says of the Playwright test of a finding. Nothing here is escaped: whoever shows it must do that."""

from __future__ import annotations

from jostle.findings.evidence import EvidenceBase


def words_on_test(evidence: EvidenceBase) -> str:
    """Whether the test was seen to fail because of the finding, or why there is none; empty when nobody made one."""
    if evidence.generated_test:
        return "It was run, and failed because of this." if evidence.test_verified else "It has not been run yet."
    why = evidence.no_test_because.strip().rstrip(".")
    return f"There is no Playwright test: {why}." if why else ""
