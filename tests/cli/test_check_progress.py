"""Progress of several searches at once."""

from __future__ import annotations

import pytest

from jostle.cli import check_progress
from jostle.cli.check_progress import Telling
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.progress import Finished, Found, Note, Progress, Started, Stepped


def finding(name: str, severity: Severity) -> Finding:
    return Finding(
        id=name,
        technique="races ajax",
        kind=FindingKind.AJAX_RACE,
        confidence=Confidence.WITNESSED,
        severity=severity,
        title=name,
    )


def test_each_has_its_name_and_what_was_found_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_progress, "_EVERY", -1.0)
    told: list[Progress] = []
    found: list[Finding] = []
    telling = Telling(told.append, lambda: found)
    one, other = telling.of("explore"), telling.of("slowdown")
    one(Started(what="exploring", total=3))
    other(Started(what="trying pairs"))
    one(Stepped(done=1))
    found += [finding("a", Severity.HIGH), finding("b", Severity.LOW), finding("c", Severity.LOW)]
    other(Note(text="Found: a"))
    other(Stepped(done=1))
    one(Finished(summary="3 events"))
    counted = Found(severities=(("high", 1), ("medium", 0), ("low", 2)))
    assert str(counted) == "1 high, 2 low"
    assert told == [
        Started(what="explore: exploring", total=3, by="explore"),
        Started(what="slowdown: trying pairs", by="slowdown"),
        Stepped(done=1, by="explore"),
        Note(text="Found: a"),
        counted,
        Stepped(done=1, by="slowdown"),
        Finished(summary="explore: 3 events", by="explore"),
    ]
