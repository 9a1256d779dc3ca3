"""The evidence of a test that fails in adverse conditions."""

from __future__ import annotations

import msgspec

from jostle.findings.evidence.shared import EvidenceBase


class InjectedCondition(msgspec.Struct, frozen=True, kw_only=True):
    """A condition that was injected after an action of the test."""

    point: int = 0
    """The number of the action, from 1."""
    condition: str = ""
    title: str = ""
    words: str = ""
    """The action."""
    where: str = ""
    """The line of the test."""


class EndScreen(msgspec.Struct, frozen=True):
    """What a run ended in."""

    screen: str = ""
    """File in the run directory; empty: there is none."""


class AdverseEvidence(EvidenceBase, frozen=True, kw_only=True, tag="adverse"):
    """A test that passes in usual conditions and fails in these."""

    test: str
    """One of the user's, as pytest names it."""
    conditions: tuple[str, ...]
    places: tuple[InjectedCondition, ...]
    failed_at: str
    message: str
    category: str
    """What the failure looks like."""
    meaning: str
    why: str
    """The condition should make no difference."""
    neutral: str
    """Who says so: `commonly`, `assumed` or `asked`."""
    approximate: str
    errors: tuple[str, ...]
    """What the page reported meanwhile."""
    reproduce: str
    """The command."""
    also: tuple[str, ...]
    """Failures that are probably the same."""
    told: str
    """What pytest says."""
    runs: int
    good: EndScreen
    bad: EndScreen
    before: str
    after: str
    """Pictures of the page before and after the condition."""

    @property
    def wrong(self) -> str:
        return self.message

    @property
    def compares(self) -> bool:
        return True

    @property
    def end_screens(self) -> tuple[str, str]:
        return self.good.screen, self.bad.screen

    @property
    def pictures(self) -> tuple[str, ...]:
        return tuple(name for name in (self.good.screen, self.bad.screen, self.before, self.after) if name)
