"""What the report tells of a test that fails in adverse conditions."""

from __future__ import annotations

import re
import struct
import zlib
from typing import Any

from jostle.adverse.report.story import story
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import AdverseEvidence
from jostle.report.check import CheckReport, page
from jostle.report.check_stories import RunFiles
from jostle.report.screens import Album
from jostle.search.registry import reported_techniques
from tests.report.evidence_of import evidence_of

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def picture(shade: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes((0, shade, shade)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


PICTURES = {f"{name}.png": picture(shade) for shade, name in enumerate(("before", "after", "usual", "failed"))}


def finding(words: str = 'click button "Delete"', **more: Any) -> Finding:
    evidence: dict[str, Any] = {
        "test": "tests/test_a.py::test_delete",
        "conditions": ["hide"],
        "places": [
            {
                "point": 2,
                "condition": "hide",
                "title": "the tab is hidden",
                "words": words,
                "where": "tests/test_a.py:8",
            }
        ],
        "failed_at": "tests/test_a.py:10",
        "message": f"AssertionError: {words}",
        "category": "silent fail",
        "meaning": "it looks the same",
        "why": "People look at other tabs.",
        "neutral": "assumed",
        "approximate": "told by events",
        "errors": [words],
        "reproduce": "pytest tests/test_a.py::test_delete --jostle-repro hide@2.f631",
        "also": [f"tests/test_b.py::test_{n}" for n in range(60)],
        "told": f"Traceback\n{words}",
        "runs": 4,
        "before": "before.png",
        "after": "after.png",
        "good": {"screen": "usual.png"},
        "bad": {"screen": "failed.png"},
    }
    return Finding(
        id="adverse-failure-1",
        technique="adverse",
        kind=FindingKind.ADVERSE_FAILURE,
        confidence=Confidence.ADVERSE,
        severity=Severity.HIGH,
        title=f"test_delete fails when {words}",
        events=("go to /", words, "click yes"),
        evidence=evidence_of(AdverseEvidence, evidence | more),
    )


def told(one: Finding) -> str:
    files = RunFiles(directory="run", names=frozenset(PICTURES))
    return page(
        CheckReport(url="suite", about="a suite", findings=(one,), pictures=PICTURES, files=files),
        reported_techniques(),
    )


def test_story() -> None:
    one = story(finding(), Album(PICTURES))
    assert [(step.words, step.then) for step in one.steps] == [
        ("go to /", ()),
        ('click button "Delete"', ("the tab is hidden",)),
        ("click yes", ()),
    ]
    assert [words for words, _ in one.around] == ["Before", "After"]
    assert [screen.name for _, screen in one.ends] == ["usual.png", "failed.png"]
    assert "@pytest.mark.adverse(skip=" in one.neutral
    assert (len(one.also), one.more_also) == (50, 10)


def test_page() -> None:
    html = told(finding())
    for words in (
        "tests/test_a.py:8",
        "tests/test_a.py:10",
        "--jostle-repro hide@2.f631",
        "People look at other tabs.",
    ):
        assert words in html
    assert "Not in the directory of the run" not in html
    assert "What pytest says" in html


def test_texts_of_pages_stay_texts() -> None:
    html = told(finding(HOSTILE))
    assert "<img src=x" not in html
    assert len(re.findall(r"<script>alert", html)) == 0
