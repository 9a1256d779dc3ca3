"""Races in memory, as searches leave them behind: a finding and the recordings of its two orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jostle.events import Event, Kind, PageError, Step, Trace, event_of
from jostle.events.effect import Effect
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.findings.evidence import (
    CodeExcerpt,
    DifferenceKind,
    LoadRaceEvidence,
    LoadRacePart,
    OrderedEvent,
    OrderedRun,
    OutcomeDifference,
    ResponseRaceEvidence,
    Role,
    ScheduleEvidence,
)
from jostle.recording.file import Manifest, Recording
from jostle.repair.witness import Witness, witness_of

URL = "http://shop.test/"
TEXT = OutcomeDifference(DifferenceKind.TEXT, "", "Bergen", "Oslo")
LINE = CodeExcerpt(event="GET /api/weather", source="http://shop.test/app.js:12:3", first_line=11, excerpt=("a", "b"))


def user(name: str, action: str = "click", css: str = "", **more: Any) -> Event:
    detail = {
        "action": action,
        "locator": {"role": "button", "name": name, "css": css or f"#{name}"},
        "xpath": f"/{name}",
    }
    return event_of(Kind.USER, f'{action} button "{name}"', detail={**detail, **more})


def response(path: str, creator: Event | None = None, *, resource: str = "fetch", method: str = "GET") -> Event:
    detail = {"method": method, "url": f"http://shop.test{path}", "resource": resource}
    return event_of(Kind.NETWORK, f"{method} {path}", creator=creator.key if creator else "", detail=detail)


def timer(delay: float, creator: Event | None = None, site: str = "/app.js:1:1") -> Event:
    detail = {"function": "timeout", "delay": delay, "site": site, "due": delay}
    return event_of(Kind.TIMER, f"timeout {delay:g} at {site}", creator=creator.key if creator else "", detail=detail)


DOCUMENT = response("/", resource="document")


def recording(events: Sequence[Event], *, errors: Sequence[str] = ()) -> Recording:
    """The events in this order; the last one throws the errors."""
    steps = [Step(event=event, effect=Effect(), at=100.0 * n) for n, event in enumerate(events)]
    if errors:
        thrown = tuple(PageError("exception", each) for each in errors)
        steps[-1] = Step(event=events[-1], effect=Effect(errors=thrown), at=steps[-1].at)
    return Recording(Manifest(url=URL), Trace(steps=tuple(steps)))


def order(events: Sequence[Event], roles: dict[str, Role]) -> OrderedRun:
    return OrderedRun(
        tuple(
            OrderedEvent(str(event), event.kind, roles.get(event.key, Role.OTHER), 100.0 * n)
            for n, event in enumerate(events)
        )
    )


def witness(
    good: Sequence[Event],
    bad: Sequence[Event],
    roles: dict[str, Role],
    *,
    kind: FindingKind = FindingKind.AJAX_RACE,
    evidence: type[ResponseRaceEvidence | LoadRaceEvidence | ScheduleEvidence] = ResponseRaceEvidence,
    differences: Sequence[OutcomeDifference] = (TEXT,),
    errors: Sequence[str] = (),
    **more: Any,
) -> Witness:
    told: dict[str, Any] = {
        "good": order(good, roles),
        "bad": order(bad, roles),
        "differences": tuple(differences),
        "racing": (LINE,),
        "shared": "p#weather",
        **more,
    }
    if evidence is not ScheduleEvidence:
        told = {"held": (), "first": "", **told}
    finding = Finding(
        id="race-1",
        technique="races",
        kind=kind,
        confidence=Confidence.WITNESSED,
        severity=Severity.HIGH,
        title="A race",
        evidence=evidence(**told),
        replay="bad.jostle",
    )
    return witness_of(finding, recording(good), recording(bad, errors=errors))


def stale(**changes: Any) -> Witness:
    """Oslo, then Bergen: the response for Oslo comes last."""
    oslo, bergen = user("Oslo"), user("Bergen")
    one, other = response("/api/weather?town=Oslo", oslo), response("/api/weather?town=Bergen", bergen)
    roles = {oslo.key: Role.FIRST, bergen.key: Role.SECOND, one.key: Role.LATE}
    return witness([DOCUMENT, oslo, one, bergen, other], [DOCUMENT, oslo, bergen, other, one], roles, **changes)


def submitted_twice() -> Witness:
    """The same button twice; in the good order it is gone by then."""
    order_, again = user("Order"), event_again(user("Order"))
    sent = response("/api/orders", order_, method="POST")
    roles = {order_.key: Role.FIRST, again.key: Role.SECOND, sent.key: Role.LATE}
    twice = OutcomeDifference(DifferenceKind.REQUEST, "", "", "POST http://shop.test/api/orders {}")
    return witness([DOCUMENT, order_, sent], [DOCUMENT, order_, again, sent], roles, differences=(twice,))


def event_again(event: Event) -> Event:
    return event_of(
        Kind.USER, event.what, occurrence=2, detail={"action": "click", "locator": {"css": "#Order"}, "xpath": "/Order"}
    )


def loading(kind: FindingKind, action: Event | None = None, *, error: str = "", **more: Any) -> Witness:
    """The user acts before a script has come."""
    act = action or user("Menu")
    script = response("/menu.js", DOCUMENT, resource="script")
    roles = {act.key: Role.FIRST, script.key: Role.LATE}
    return witness(
        [DOCUMENT, script, act],
        [DOCUMENT, act, script],
        roles,
        kind=kind,
        evidence=LoadRaceEvidence,
        errors=(error,) if error else (),
        **{"part": LoadRacePart.USER, **more},
    )


def reordered(early: Event, late: Event) -> Witness:
    """Another order of the same events."""
    roles = {early.key: Role.EARLY, late.key: Role.LATE}
    return witness(
        [DOCUMENT, late, early],
        [DOCUMENT, early, late],
        roles,
        kind=FindingKind.ORDER_VIOLATION,
        evidence=ScheduleEvidence,
    )
