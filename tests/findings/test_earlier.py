"""Findings of earlier versions, whose evidence has no type: read, told and exported as ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.cli.main import run as jostle
from jostle.findings import Finding, FindingKind
from jostle.findings.baseline import Baseline
from jostle.findings.earlier import read_finding
from jostle.findings.evidence import (
    AdverseEvidence,
    DismissedEvidence,
    ErrorEvidence,
    Evidence,
    GrowthOutcome,
    LoadRaceEvidence,
    RequestEvidence,
    ResponseRaceEvidence,
    ScheduleEvidence,
    SlowdownEvidence,
    UnreadableEvidence,
)
from jostle.findings.gating import gate
from jostle.report import annotations as marks
from jostle.report import junit, sarif
from jostle.report.check import CheckReport, page
from jostle.report.check_stories import RunFiles
from jostle.runs import Document, RunDirectory
from jostle.search.registry import reported_techniques

EARLIER = Path(__file__).parents[1] / "report" / "earlier"
NAMES = sorted(each.stem for each in EARLIER.glob("*.json"))
EXPECTED: dict[str, list[type[Evidence]]] = {
    "adverse": [AdverseEvidence],
    "explore": [ErrorEvidence, RequestEvidence],
    "races-ajax": [ResponseRaceEvidence],
    "races-init": [LoadRaceEvidence],
    "races-orders": [ScheduleEvidence],
    "slowdown": [SlowdownEvidence],
}


def written(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((EARLIER / f"{name}.json").read_text(encoding="utf-8"))
    return document


def of(name: str, **changes: Any) -> Finding:
    return read_finding(json.dumps(written(name)["findings"][0] | changes).encode())


def earlier_run(parent: Path, name: str) -> Path:
    """A run directory with findings as an earlier version wrote them."""
    document = written(name)
    with RunDirectory.create(parent, document["command"], url=document["url"]) as run:
        rows = [(each, None) for each in document["findings"]]
        rows += [(each["finding"], each["filter"]) for each in document["suppressed"]]
        for finding, suppressed_by in rows:
            run._store.execute(
                "INSERT INTO finding VALUES (?, ?, ?)", finding["id"], json.dumps(finding).encode(), suppressed_by
            )
    return run.path


@pytest.mark.parametrize("name", NAMES)
def test_documents_lose_nothing(name: str) -> None:
    document = Document.read(EARLIER / f"{name}.json")
    assert [type(each.evidence) for each in document.findings] == EXPECTED[name]
    for before, after in zip(written(name)["findings"], document.findings, strict=True):
        assert "type" not in before["evidence"]
        assert_same(before["evidence"], msgspec.to_builtins(after.evidence))
    assert read_finding(msgspec.json.encode(document.findings[0])) == document.findings[0]


def assert_same(before: Any, after: Any) -> None:
    """What was said is still said; more may be."""
    if isinstance(before, dict):
        assert before.keys() <= after.keys()
        for key, value in before.items():
            assert_same(value, after[key])
    elif isinstance(before, list):
        assert len(before) == len(after)
        for one, other in zip(before, after, strict=True):
            assert_same(one, other)
    else:
        assert before == after


def test_what_was_dismissed() -> None:
    document = Document.read(EARLIER / "races-orders.json")
    (dismissed,) = (each.finding.evidence for each in document.suppressed)
    assert isinstance(dismissed, DismissedEvidence)
    assert dismissed.outcome == written("races-orders")["suppressed"][0]["finding"]["evidence"]["outcome"]


@pytest.mark.parametrize("name", NAMES)
def test_run_directories(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = earlier_run(tmp_path, name)
    expected = written(name)["findings"]
    assert jostle(["report", str(run)]) == 0
    told = (run / "report.html").read_text(encoding="utf-8")
    assert f"finding-{expected[0]['id']}" in told
    assert "cannot be read" not in told.replace("does not tell what it tried", "")
    assert jostle(["export", "--list", "--run", str(run)]) == 0
    assert expected[0]["id"] in capsys.readouterr().out
    assert jostle(["replay", "--finding", expected[0]["id"], "--run", str(run)]) == 2, "its recording is not here"
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_reports_for_machines_and_baselines(name: str) -> None:
    document = Document.read(EARLIER / f"{name}.json")
    first = document.findings[0]
    assert first.id in junit.report(document)
    assert first.id in sarif.log(document).decode()
    assert first.id in "".join(marks.lines(document))
    assert gate(document.findings, baseline=Baseline().updated(document.findings)).failing == ()


@pytest.mark.parametrize(
    ("kind", "outcome"), [("slowdown", "slowdown"), ("bounded-growth", "bounded"), ("hang", "failure")]
)
def test_an_outcome_that_is_not_told_follows_from_the_kind(kind: str, outcome: str) -> None:
    for evidence in ({}, {"outcome": "magic"}):
        read = of("slowdown", kind=kind, evidence=evidence).evidence
        assert isinstance(read, SlowdownEvidence)
        assert read.outcome is GrowthOutcome(outcome)


def test_what_is_wrong_is_left_out_and_the_rest_is_kept() -> None:
    evidence = written("races-ajax")["findings"][0]["evidence"]
    read = of("races-ajax", evidence=evidence | {"good": 7, "held": None, "racing": [None], "magic": 1}).evidence
    assert isinstance(read, ResponseRaceEvidence)
    assert (read.good.order, read.held, read.racing) == ((), (), ())
    assert read.first == evidence["first"] and read.bad.order


@pytest.mark.parametrize("evidence", [7, [], "x", None, {"type": "sorcery"}, {"type": "schedule", "good": 7}])
def test_what_cannot_be_understood_is_told_as_such(evidence: Any) -> None:
    finding = of("races-ajax", evidence=evidence)
    assert isinstance(finding.evidence, UnreadableEvidence)
    report = CheckReport(url="", findings=(finding,), files=RunFiles(directory=""))
    assert "The evidence cannot be read" in page(report, reported_techniques())


def test_evidence_of_a_technique_that_nobody_knows() -> None:
    assert isinstance(of("races-ajax", technique="sorcery").evidence, UnreadableEvidence)
    assert isinstance(of("explore", technique="sorcery").evidence, ErrorEvidence), "its kind says what it is"


def test_a_finding_that_is_wrong_otherwise_is_refused() -> None:
    for wrong in ({"kind": "magic"}, {"id": 7}, {"more": 1}):
        with pytest.raises(msgspec.ValidationError):
            of("races-ajax", **wrong)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | st.text("ab"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["order", "what", "kind", "role", "at", "screen", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)
_FIELDS = sorted({key for name in NAMES for each in written(name)["findings"] for key in each["evidence"]})


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([*reported_techniques(), "sorcery"]),
    st.sampled_from(FindingKind),
    st.dictionaries(st.sampled_from(_FIELDS), _JSON, max_size=8),
)
def test_any_evidence_is_survived(technique: str, kind: FindingKind, evidence: dict[str, Any]) -> None:
    finding = of("races-ajax", technique=technique, kind=kind.value, evidence=evidence)
    report = CheckReport(url="http://shop.test/", findings=(finding,), files=RunFiles(directory="runs/x"))
    assert finding.id in page(report, reported_techniques())
    assert read_finding(msgspec.json.encode(finding)) == finding
