"""The evidence of what is wrong in any application: errors, failed requests, hangs, broken invariants."""

from __future__ import annotations

from jostle.findings.evidence.shared import CodeExcerpt, EvidenceWithTest, of_stack


class SightedEvidence(EvidenceWithTest, frozen=True, kw_only=True):
    """Of something that was seen while the application was used."""

    count: int = 0
    """How often it was seen."""
    first: int = 0
    """After how many events it was seen first."""
    replays: int = 0
    """Runs that it took to find the shortest way to it; 0: it was not tried again."""
    minimal: bool = False
    """No single step can be left out."""


class ErrorEvidence(SightedEvidence, frozen=True, kw_only=True, tag="error"):
    """An exception, a rejection or an error on the console."""

    message: str
    source: str
    """Where, with line and column; empty: not known."""
    stack: tuple[str, ...]
    first_line: int = 0
    excerpt: tuple[str, ...] = ()
    """The lines around `source`, where they are known."""

    @property
    def code(self) -> tuple[CodeExcerpt, ...]:
        return (CodeExcerpt(source=self.source), *of_stack(self.stack))

    @property
    def wrong(self) -> str:
        return self.message


class RequestEvidence(SightedEvidence, frozen=True, kw_only=True, tag="request"):
    """A request that failed, or a link that leads nowhere."""

    method: str
    url: str
    status: int
    """0: there was no response."""
    resource: str
    error: str = ""
    """Why there was no response."""
    link: str = ""
    """The user's event, of a link."""

    @property
    def wrong(self) -> str:
        return self.error


class HangEvidence(SightedEvidence, frozen=True, kw_only=True, tag="hang"):
    """The page did not come to rest."""

    event: str
    reason: str

    @property
    def wrong(self) -> str:
        return self.reason


class InvariantEvidence(SightedEvidence, frozen=True, kw_only=True, tag="invariant"):
    """Something that the configuration says must hold did not."""

    invariant: str
    said: str
    url: str
    javascript: str | None = None
    """The expression; null for a Python function."""

    @property
    def wrong(self) -> str:
        return self.said
