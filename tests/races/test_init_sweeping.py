"""Several things done in one load: what is worth it, and what it shows to be harmless."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.events import Effect, Event, Kind, Milestone, PageError, Step, event_of
from jostle.findings import FindingKind
from jostle.findings.evidence import LoadRacePart
from jostle.races.loading import judge
from jostle.races.loading.judge import Harmless
from jostle.races.loading.loaded import FieldValue
from jostle.races.loading.observation import DOCUMENT, Listening, Write
from jostle.races.loading.patterns import LoadRaceCandidate, Probe
from jostle.races.loading.sweeping import Sweep, Swept, leaves, refuted, sweeps

OVERWRITTEN, LATE, UNDEFINED = (
    FindingKind.FORM_INPUT_OVERWRITTEN,
    FindingKind.LATE_HANDLER,
    FindingKind.ACCESS_BEFORE_DEFINITION,
)
PAGE = event_of(kind=Kind.NETWORK, what="GET /next", detail={"resource": "document", "url": "http://site/next"})


def done(name: str, action: str = "click", **detail: Any) -> Event:
    return event_of(kind=Kind.USER, what=f"{action} {name}", detail={"action": action, **detail})


def suspected(event: Event, position: int = 1, *, at: str = "", **more: Any) -> tuple[LoadRaceCandidate, Probe]:
    probe = Probe(position, event, **more)
    deed = Listening(event="GET /app.js", target=at or event.what, type="click")
    return LoadRaceCandidate(part=LoadRacePart.USER, target=event.what, probes=(probe,), deed=deed), probe


def written(event: Event, position: int = 1) -> tuple[LoadRaceCandidate, Probe]:
    probe = Probe(position, event)
    deed = Write(event="GET /app.js", target=event.what)
    return LoadRaceCandidate(part=LoadRacePart.WRITE, target=event.what, probes=(probe,), deed=deed), probe


def told(found: list[Sweep]) -> list[tuple[int | None, list[str]]]:
    return [(each.position, [probe.event.what for probe in each.probes]) for each in found]


def test_what_is_done_at_one_moment_is_done_in_one_load() -> None:
    fields = [written(done(name, "type"), position) for position in (1, 2) for name in "abc"]
    expected = ["type a", "type b", "type c"]
    assert told(list(sweeps(OVERWRITTEN, fields))) == [(1, expected), (2, expected)]


def test_a_few_are_not_worth_a_load_of_their_own() -> None:
    assert not list(sweeps(OVERWRITTEN, [written(done(name, "type")) for name in "ab"]))
    assert not list(sweeps(OVERWRITTEN, [written(done("a", "type"))] * 5))


def test_after_loading_the_moment_does_not_matter() -> None:
    pairs = [suspected(done(name), position) for position, name in enumerate("abc")]
    assert told(list(sweeps(LATE, pairs))) == [(None, ["click a", "click b", "click c"])]


def test_many_are_several_sweeps() -> None:
    pairs = [suspected(done(str(n))) for n in range(60)]
    assert [len(each.probes) for each in sweeps(LATE, pairs)] == [24, 24, 12]


def test_what_would_leave_a_page_that_loads_is_tried_on_its_own() -> None:
    links = [suspected(done(name, href="http://site/next")) for name in "abc"]
    forms = [suspected(done(name), sends=True) for name in "abc"]
    assert not list(sweeps(UNDEFINED, [*links, *forms]))
    assert len(list(sweeps(LATE, links))) == 1
    assert not list(sweeps(LATE, [suspected(done(name, href="http://site/next", target="_blank")) for name in "abc"]))


A, B = done("a"), done("b")


def swept(*steps: Step, **more: Any) -> Swept:
    at = {step.event.key: n for n, step in enumerate(steps) if step.event.by_user}
    return Swept(steps=steps, done=at, **more)


def step(event: Event, *messages: str) -> Step:
    return Step(event=event, effect=Effect(errors=tuple(PageError(kind="exception", message=m) for m in messages)))


def harmless(kind: FindingKind, outcome: Swept, *known: str) -> set[str]:
    sweep = Sweep(kind=kind, position=1, probes=(Probe(1, A), Probe(1, B)))
    errors = [PageError(kind="exception", message=message) for message in known]
    return {key for _, _, key in refuted(sweep, outcome, errors)}


def test_fields_that_keep_what_was_entered_are_harmless() -> None:
    entered = {A.key: FieldValue("zq7", True), B.key: FieldValue("zq7", True)}
    left = {A.key: FieldValue("zq7", False), B.key: FieldValue("", False)}
    assert harmless(OVERWRITTEN, swept(step(A), step(B), entered=entered, left=left)) == {A.key}
    assert not harmless(OVERWRITTEN, swept(step(A), step(B), entered=dict.fromkeys(entered), left=left))


def test_handlers_that_do_not_fail_are_harmless_unless_something_else_fails() -> None:
    assert harmless(UNDEFINED, swept(step(A), step(B))) == {A.key, B.key}
    assert harmless(UNDEFINED, swept(step(A, "ReferenceError: x"), step(B))) == {B.key}
    timer = event_of(kind=Kind.TIMER, what="timeout", creator=A.key)
    assert harmless(UNDEFINED, swept(step(A), step(timer, "ReferenceError: x"), step(B))) == {B.key}
    script = event_of(kind=Kind.NETWORK, what="GET /app.js", detail={"resource": "script"})
    assert not harmless(UNDEFINED, swept(step(A), step(B), step(script, "TypeError: item 3")))
    assert harmless(UNDEFINED, swept(step(A), step(B), step(script, "TypeError: item 3")), "TypeError: item 4") == {
        A.key,
        B.key,
    }


def test_what_could_not_be_done_is_not_refuted() -> None:
    assert harmless(UNDEFINED, swept(step(A))) == {A.key}


def test_after_loading_what_was_done_decides() -> None:
    with pytest.raises(ValueError, match="judged by what it did"):
        list(refuted(Sweep(kind=LATE, position=None, probes=()), swept(step(A)), []))
    link = done("link", href="http://site/next")
    own, probe = suspected(link)
    delegated, _ = suspected(link, at=DOCUMENT)
    followed = Step(event=link, effect=Effect(lifecycle=(Milestone(Milestone.STAYED),)))
    prevented = Step(event=link, effect=Effect(default_prevented=True))
    for candidate in (own, delegated):
        assert isinstance(judge.not_missed(candidate, probe, followed), Harmless)
        assert judge.not_missed(candidate, probe, prevented) is None


def test_a_page_is_left() -> None:
    assert leaves(Step(event=A, effect=Effect(created=(PAGE,))))
    assert leaves(Step(event=A, effect=Effect(lifecycle=(Milestone(Milestone.REFUSED, "http://other/"),))))
    assert leaves(Step(event=A, effect=Effect(hung="too long")))
    assert not leaves(Step(event=A, effect=Effect(lifecycle=(Milestone(Milestone.STAYED),))))
