"""One finding for each cause, and how sure it is."""

from __future__ import annotations

import msgspec

from jostle.events import Kind, event_of
from jostle.findings import Confidence, Defect, FindingKind, Groups, Minimised, Severity
from jostle.findings.evidence import ErrorEvidence

EVIDENCE = ErrorEvidence(message="m", source="", stack=())
CLICKS = tuple(event_of(kind=Kind.USER, what=f"click button {number}") for number in range(3))


def problem(cause: str = "x is not defined", title: str = "first") -> Defect:
    return Defect(kind=FindingKind.EXCEPTION, severity=Severity.HIGH, title=title, cause=cause, evidence=EVIDENCE)


def test_the_same_cause_is_counted_and_the_shortest_run_kept() -> None:
    groups = Groups()
    assert groups.add(problem(), CLICKS[:2], at=7)
    assert not groups.add(problem(title="later"), CLICKS, at=9)
    assert not groups.add(problem(), CLICKS[2:], at=12)
    assert groups.add(problem("other"), CLICKS, at=13)
    first, second = groups
    assert (first.count, first.first, first.events, first.problem.title) == (3, 7, CLICKS[2:], "first")
    assert (second.count, len(groups)) == (1, 2)


def test_the_kind_is_part_of_the_cause_and_the_id_never_changes() -> None:
    hang = msgspec.structs.replace(problem(), kind=FindingKind.HANG)
    assert hang.id != problem().id != problem("other").id
    assert problem().id == problem(title="otherwise").id == "exception-" + problem().id.split("-")[1]
    assert problem("\ud800").id  # whatever a page says


def test_only_what_was_shown_again_is_witnessed() -> None:
    groups = Groups()
    groups.add(problem(), CLICKS, at=4)
    (group,) = groups
    seen = group.finding()
    assert seen.confidence is Confidence.PREDICTED
    assert seen.events == ("click button 0", "click button 1", "click button 2", "first")
    assert seen.evidence == msgspec.structs.replace(EVIDENCE, count=1, first=4)
    again = Minimised(events=CLICKS[2:], shown=True, minimal=True, replays=5)
    witnessed = group.finding(again, replay="1.jostle")
    assert (witnessed.confidence, witnessed.replay, witnessed.id) == (Confidence.WITNESSED, "1.jostle", seen.id)
    assert witnessed.events == ("click button 2", "first")
    assert witnessed.evidence == msgspec.structs.replace(EVIDENCE, count=1, first=4, replays=5, minimal=True)
    never = group.finding(Minimised(events=CLICKS, shown=False, minimal=False, replays=1))
    assert never.confidence is Confidence.PREDICTED and never.events == seen.events
    assert msgspec.json.decode(msgspec.json.encode(witnessed), type=type(witnessed)) == witnessed
