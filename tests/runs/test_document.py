"""The JSON document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jostle.errors import UsageProblem
from jostle.findings.evidence import Dismissal, DismissedEvidence
from jostle.runs import Confidence, Document, Finding, FindingKind, Severity, Status, Suppressed

FINDING = Finding(
    id="f1",
    technique="walk",
    kind=FindingKind.AJAX_RACE,
    confidence=Confidence.ADVERSE,
    severity=Severity.LOW,
    title="two answers",
    events=("click", "answer"),
    evidence=DismissedEvidence(outcome=Dismissal.GUARDED, held=("GET /rows",)),
)


def document(**changes: object) -> Document:
    fields = {
        "jostle": "0.1.0",
        "command": "check",
        "url": "http://x/",
        "seed": 1,
        "seconds": 2.0,
        "status": Status.FINISHED,
        **changes,
    }
    return Document(**fields)  # type: ignore[arg-type]


def test_shape() -> None:
    written = json.loads(document(findings=(FINDING,), stats={"steps": 3}).to_json())
    assert written == {
        "jostle": "0.1.0",
        "command": "check",
        "url": "http://x/",
        "seed": 1,
        "seconds": 2.0,
        "status": "finished",
        "error": None,
        "findings": [
            {
                "id": "f1",
                "technique": "walk",
                "kind": "ajax-race",
                "confidence": "adverse",
                "severity": "low",
                "title": "two answers",
                "events": ["click", "answer"],
                "evidence": {
                    "type": "dismissed",
                    "outcome": "guarded",
                    "shared": "",
                    "held": ["GET /rows"],
                    "differences": [],
                    "noise": [],
                },
                "replay": None,
                "contract": None,
            }
        ],
        "suppressed": [],
        "limits": [],
        "stats": {"steps": 3},
    }


def test_read_back(tmp_path: Path) -> None:
    original = document(suppressed=(Suppressed(finding=FINDING, filter="noise"),))
    (tmp_path / "out.json").write_bytes(original.to_json())
    assert Document.read(tmp_path / "out.json") == original


def test_same_id_twice() -> None:
    with pytest.raises(ValueError, match="same id: f1"):
        document(findings=(FINDING, FINDING))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"jostle": 3}', '{"unknown": 1}'])
def test_not_a_document(tmp_path: Path, content: str) -> None:
    (tmp_path / "out.json").write_text(content)
    with pytest.raises(UsageProblem, match="not a document written by"):
        Document.read(tmp_path / "out.json")


def test_no_document(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="cannot be read: No such file"):
        Document.read(tmp_path / "out.json")
