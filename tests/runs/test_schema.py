"""The JSON schema is that of the documents which are written."""

from __future__ import annotations

import json
import math
import typing
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import Kind
from jostle.findings.evidence import Evidence, OrderedEvent, OrderedRun, Repair, ScheduleEvidence
from jostle.runs import Confidence, Document, Finding, FindingKind, RunDirectory, Severity, Status, Suppressed
from jostle.runs.schema import schema

FILE = Path(__file__).parents[2] / "docs" / "reference" / "json-schema.json"
VALIDATOR = jsonschema.Draft202012Validator(json.loads(FILE.read_text()))

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
figures = st.dictionaries(words, anything, max_size=3)


def finite(value: Any) -> Any:
    """JSON has no other numbers."""
    if isinstance(value, float):
        return value if math.isfinite(value) else 0.0
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    return [finite(each) for each in value] if isinstance(value, (list, tuple)) else value


def any_of(field: msgspec.structs.FieldInfo) -> st.SearchStrategy[Any]:
    return figures if field.name == "definition" else st.from_type(field.type)


# A policy as data may hold anything that JSON can; of all types that there are, too many cannot be written.
st.register_type_strategy(
    Repair, st.builds(Repair, **{field.name: any_of(field) for field in msgspec.structs.fields(Repair)})
)
EVERY = [
    st.builds(kind, **{field.name: st.from_type(field.type) for field in msgspec.structs.fields(kind)})
    for kind in typing.get_args(Evidence)
]
evidences = st.one_of(EVERY).map(lambda made: msgspec.convert(finite(msgspec.to_builtins(made)), type(made)))
findings = st.builds(
    Finding,
    id=words,
    technique=words,
    kind=st.sampled_from(FindingKind),
    confidence=st.sampled_from(Confidence),
    severity=st.sampled_from(Severity),
    title=words,
    events=st.lists(words, max_size=3).map(tuple),
    evidence=evidences,
    replay=st.none() | words,
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    found = draw(st.lists(findings, max_size=4, unique_by=lambda finding: finding.id))
    harmless = draw(st.integers(0, len(found)))
    return Document(
        jostle="0.1.0",
        command=draw(words),
        url=draw(st.none() | words),
        seed=draw(st.integers(0, 2**31)),
        seconds=draw(st.floats(0, 1e6)),
        status=draw(st.sampled_from(Status)),
        error=draw(st.none() | words),
        findings=tuple(found[harmless:]),
        suppressed=tuple(Suppressed(finding=each, filter="refusal: no") for each in found[:harmless]),
        limits=tuple(draw(st.lists(words, max_size=2))),
        stats=draw(figures),
    )


def test_the_file_is_current() -> None:
    assert FILE.read_bytes() == schema(), f"write it anew: python -m jostle.runs.schema > {FILE}"


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(FILE.read_text()))


@settings(max_examples=40)
@given(documents())
def test_whatever_can_be_written_is_valid(document: Document) -> None:
    VALIDATOR.validate(json.loads(document.to_json()))


def test_what_a_run_writes_is_valid(tmp_path: Path) -> None:
    with RunDirectory.create(tmp_path, "races ajax", url="http://x/", seed=3) as run:
        run.add_limit("a video")
        for kind, why in ((FindingKind.AJAX_RACE, None), (FindingKind.HTTP_ERROR, "refusal: no")):
            finding = Finding(
                id=f"{kind.value}-1",
                technique="races ajax",
                kind=kind,
                confidence=Confidence.WITNESSED,
                severity=Severity.HIGH,
                title="🙂 <b>",
                evidence=ScheduleEvidence(
                    good=OrderedRun((OrderedEvent("click", Kind.USER, at=1.5),)),
                    bad=OrderedRun(),
                    differences=(),
                    racing=(),
                    shared="",
                ),
            )
            run.add_finding(finding, suppressed_by=why)
        written = json.loads(run.document(seconds=1.5, stats={"pairs": 1, "noise": ["clock"]}).to_json())
    VALIDATOR.validate(written)


@pytest.mark.parametrize(
    "spoil",
    [
        {"seed": "7"},
        {"status": "done"},
        {"url": 3},
        {"findings": [{"id": "f"}]},
        {"more": True},
        {"limits": [1]},
    ],
    ids=str,
)
def test_what_is_wrong_is_not(spoil: dict[str, Any]) -> None:
    document = Document(jostle="0", command="check", url=None, seed=0, seconds=0, status=Status.FINISHED)
    good = json.loads(document.to_json())
    VALIDATOR.validate(good)
    assert not VALIDATOR.is_valid(good | spoil)


@pytest.mark.parametrize("left_out", ["findings", "suppressed", "stats", "error", "seed"])
def test_nothing_is_left_out(left_out: str) -> None:
    document = Document(jostle="0", command="check", url=None, seed=0, seconds=0, status=Status.FINISHED)
    written = json.loads(document.to_json())
    del written[left_out]
    assert not VALIDATOR.is_valid(written)
