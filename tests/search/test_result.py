"""A stream, put together."""

from __future__ import annotations

from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import ErrorEvidence
from jostle.progress import LimitMet, Note, Started
from jostle.report.run_summary import RunSummary
from jostle.search.result import Files, Result
from jostle.search.stream import ArtefactMade, CaseDismissed, FileMade, FindingReported, SearchEnded


def finding(name: str, title: str = "") -> Finding:
    return Finding(
        id=name,
        technique="explore",
        kind=FindingKind.EXCEPTION,
        confidence=Confidence.WITNESSED,
        severity=Severity.HIGH,
        title=title or name,
        evidence=ErrorEvidence(message="no price", source="", stack=()),
    )


def test_what_comes_later_takes_the_place_of_what_came_earlier() -> None:
    result = Result()
    for event in (
        Started(what="searching"),
        FindingReported(finding("a")),
        FindingReported(finding("b")),
        FindingReported(finding("a", "more is known")),
        CaseDismissed(finding("c"), "it ends the same"),
        CaseDismissed(finding("b"), "told already"),
        LimitMet(text="a worker"),
        LimitMet(text="a worker"),
        Note(text="a note"),
        SearchEnded(RunSummary(seconds=2.0), {"pairs": 3}),
    ):
        result(event)
    assert [(each.id, each.title) for each in result.findings] == [("a", "more is known")]
    assert [(each.id, why) for each, why in result.dismissed] == [("c", "it ends the same"), ("b", "told already")]
    assert result.limits == ("a worker",) and result.notes == ["a note"]
    assert result.summary.seconds == 2.0 and result.stats == {"pairs": 3}
    result(FindingReported(finding("c")))
    assert [each.id for each in result.findings] == ["a", "c"]


def test_files() -> None:
    files, some = Files(), Files(but=".jostle")
    for event in (FileMade("a.jostle", b"1"), FileMade("a.png", b"2"), ArtefactMade("model.json", b"3", "text/plain")):
        files(event)
        some(event)
    assert files.made == {"a.jostle": b"1", "a.png": b"2"} and files.artefacts == {"model.json": b"3"}
    assert some.made == {"a.png": b"2"} and some.artefacts == files.artefacts
