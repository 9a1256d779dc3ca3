"""The streams of several searches as one."""

from __future__ import annotations

from jostle.checking.progress import Joined
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import Dismissal, DismissedEvidence
from jostle.progress import FindingCounts, Finished, Note, Started, Stepped
from jostle.search.stream import FindingReported, SearchEvent


def finding(name: str, severity: Severity) -> Finding:
    return Finding(
        id=name,
        technique="races ajax",
        kind=FindingKind.AJAX_RACE,
        confidence=Confidence.WITNESSED,
        severity=severity,
        title=name,
        evidence=DismissedEvidence(outcome=Dismissal.HARMLESS),
    )


def test_each_has_its_name_and_what_was_found_is_counted() -> None:
    told: list[SearchEvent] = []
    joined = Joined(told.append)
    one, other = joined.of("explore"), joined.of("slowdown")
    one(Started(what="exploring", total=3))
    other(Started(what="trying pairs"))
    one(Stepped(done=1))
    severe, mild = finding("a", Severity.HIGH), finding("b", Severity.LOW)
    other(FindingReported(severe))
    other(Note(text="Found: a"))
    one(FindingReported(mild))
    one(FindingReported(mild))  # more is known of it: still one
    one(Finished(summary="3 events"))
    counted = FindingCounts(severities=(("high", 1), ("medium", 0), ("low", 1)))
    assert str(counted) == "1 high, 1 low"
    assert told == [
        Started(what="explore: exploring", total=3, by="explore"),
        Started(what="slowdown: trying pairs", by="slowdown"),
        Stepped(done=1, by="explore"),
        FindingReported(severe),
        FindingCounts(severities=(("high", 1), ("medium", 0), ("low", 0))),
        Note(text="Found: a"),
        FindingReported(mild),
        counted,
        FindingReported(mild),
        Finished(summary="explore: 3 events", by="explore"),
    ]
    assert joined.findings == (severe, mild)


def test_logging_in_is_told_once() -> None:
    told: list[SearchEvent] = []
    joined = Joined(told.append)
    for name in ("explore", "slowdown"):
        joined.of(name)(Note(text="Logging in ..."))
    assert told == [Note(text="Logging in ...")]
