"""The file of known findings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.errors import Exit, UsageProblem
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.baseline import Baseline, Known
from jostle.findings.evidence import Dismissal, DismissedEvidence


def found(name: str, kind: FindingKind = FindingKind.AJAX_RACE, title: str = "A race") -> Finding:
    return Finding(
        id=name,
        technique="races ajax",
        kind=kind,
        confidence=Confidence.WITNESSED,
        severity=Severity.HIGH,
        title=title,
        evidence=DismissedEvidence(outcome=Dismissal.HARMLESS),
    )


def test_written_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    baseline = Baseline(comment="why").updated([found("b-2", title="two\nlines"), found("b-1")])
    baseline.write(file)
    again = Baseline.read(file)
    assert again.comment == "why"
    assert [(each.id, each.kind, each.technique, each.title) for each in again.findings] == [
        ("b-1", "ajax-race", "races ajax", "A race"),
        ("b-2", "ajax-race", "races ajax", "two lines"),
    ]


def test_the_file_is_for_people_and_does_not_depend_on_order(tmp_path: Path) -> None:
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    findings = [
        found("x-2", FindingKind.SLOWDOWN),
        found("x-1", FindingKind.SLOWDOWN),
        found("z", FindingKind.EXCEPTION),
    ]
    Baseline().updated(findings).write(one)
    Baseline().updated(findings[::-1]).write(other)
    assert one.read_bytes() == other.read_bytes()
    lines = one.read_text().splitlines()
    assert lines[:5] == ["{", '  "jostle": "baseline",', '  "version": 1,', '  "comment": "",', '  "findings": [']
    assert [line.strip() for line in lines if '"id"' in line] == ['"id": "z",', '"id": "x-1",', '"id": "x-2",']


def test_what_people_wrote_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    entry = {"id": "a", "kind": "a-kind-of-tomorrow", "title": "as it was", "comment": "ticket 12"}
    file.write_text(json.dumps({"jostle": "baseline", "version": 1, "comment": "ours", "findings": [entry]}))
    Baseline.read(file).updated([found("a", title="as it is"), found("b")]).write(file)
    written = json.loads(file.read_text())
    assert written["comment"] == "ours"
    assert written["findings"][0] == entry
    assert [each["id"] for each in written["findings"]] == ["a", "b"]


def test_what_was_not_seen_stays_unless_it_is_to_be_forgotten() -> None:
    baseline = Baseline().updated([found("a"), found("b")])
    assert [each.id for each in baseline.updated([found("b")]).findings] == ["a", "b"]
    assert [each.id for each in baseline.updated([found("b")], forget=["a"]).findings] == ["b"]


def test_an_id_that_stands_there_twice_is_written_once(tmp_path: Path) -> None:
    twice = (Known(id="a", kind="hang", comment="first"), Known(id="a", kind="hang", comment="second"))
    Baseline(findings=twice).write(tmp_path / "known.json")
    assert [each.comment for each in Baseline.read(tmp_path / "known.json").findings] == ["first"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"<<<<<<< HEAD\n{}", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "is not a baseline but something else"),
        (b'{"findings": []}', "is not a baseline but something else"),
        (b'{"jostle": "0.1.0", "command": "check", "findings": []}', "but the outcome of a run (--json)"),
        (b'{"jostle": "baseline", "version": 2, "findings": []}', "has version 2; this jostle reads version 1"),
        (b'{"jostle": "baseline", "version": "1", "findings": []}', "no right version: '1' is not 1"),
        (b'{"jostle": "baseline", "findings": []}', "no right version: None is not 1"),
        (b'{"jostle": "baseline", "version": 1}', "missing required field `findings`"),
        (b'{"jostle": "baseline", "version": 1, "findings": [{"id": "a"}]}', "`$.findings[0]`"),
        (b'{"jostle": "baseline", "version": 1, "findings": [{"id": 7, "kind": "x"}]}', "`$.findings[0].id`"),
        (b'{"jostle": "baseline", "version": 1, "findings": [{"id": "a", "kind": "x", "note": ""}]}', "`note`"),
    ],
)
def test_a_wrong_file_is_explained(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "known.json"
    file.write_bytes(content)
    with pytest.raises(UsageProblem) as caught:
        Baseline.read(file)
    assert said in caught.value.message
    assert str(file) in caught.value.message
    assert caught.value.advice
    assert caught.value.exit_code is Exit.WRONG_USAGE


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="is not there") as caught:
        Baseline.read(tmp_path / "known.json")
    assert "--update-baseline" in caught.value.advice
    with pytest.raises(UsageProblem, match="cannot be read: it is a directory"):
        Baseline.read(tmp_path)


@given(st.lists(st.tuples(st.text(min_size=1), st.text()), unique_by=lambda each: each[0], max_size=5))
def test_any_text_is_kept_or_made_writable(
    tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]
) -> None:
    file = tmp_path_factory.mktemp("baseline") / "known.json"
    findings = [found(f"id-{number}", title=title) for number, (_, title) in enumerate(texts)]
    Baseline().updated(findings).write(file)
    assert {each.id for each in Baseline.read(file).findings} == {each.id for each in findings}
    for each, (_, title) in zip(
        sorted(Baseline.read(file).findings, key=lambda one: int(one.id[3:])), texts, strict=True
    ):
        clean = title.encode("utf-8", "surrogatepass").decode("utf-8", "replace") == title
        assert not clean or each.title == " ".join(title.split())
