"""Explorations for the tests of reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jostle.events import Event, Kind, State, event_of
from jostle.exploring.report.page import ExplorationReport
from jostle.findings import Confidence, Finding, FindingKind, Severity
from jostle.model.label import label_of_words
from jostle.model.machine import Machine
from tests.report.evidence_of import evidence_of_defect

PICTURE = b"\xff\xd8 a picture"
FAILED = "uncaught exception: TypeError: no price at /basket.js:41:17"
STATS: Mapping[str, Any] = {
    "strategy": "guided",
    "events": 60,
    "states": 4,
    "pages": 3,
    "blocks": 1204,
    "runs": 2,
    "ended": "all events were done",
    "avoided": {'click link "Log out"': r"\blog[\s_-]?out\b"},
    "events a second": 11.4,
}


def done(what: str, action: str = "") -> Event:
    detail: dict[str, object] = {"action": action or what.split(" ", 1)[0]}
    if label_of_words(what) != what:
        detail["locator"] = {"words": label_of_words(what).removeprefix("type in ")}
    return event_of(kind=Kind.USER, what=what, detail=detail)


def state(number: int, path: str = "", title: str = "") -> State:
    return State(digest=f"{number:032x}", url=f"http://shop.test/{path}", title=title or f"Page {number}")


def shop() -> Machine:
    """Start, a list, an item of it, the same with a dialog; two events lead from the list to the item."""
    start, items, item, dialog = state(0), state(1, "items"), state(2, "items/7", "Milk"), state(3, "items/7", "Milk")
    machine = Machine()
    machine.started(start)
    machine.sighted(start, [done('click link "Items"'), done('click link "Help"'), done('click link "About"')])
    machine.learn(start, done('click link "Items"'), items)
    machine.learn(items, done('click link "Milk"'), item)
    machine.learn(items, done('type "x" in textbox "Search"'), item)
    machine.learn(items, done('click link "Items"'), items)
    machine.learn(item, done('click button "Buy"'), dialog)
    machine.learn(dialog, done("visit http://shop.test/"), start)
    machine.sighted(dialog, [done('click button "Pay"')])
    for each, structure in ((item, "main(h1)"), (dialog, "main(h1 dialog(button))")):
        machine.illustrate(each, picture=f"{each.digest}.jpg", skeleton=f"/items/*\n {structure}")
    machine.illustrate(start, skeleton="/\n main(ul(li*))")
    return machine


def finding(**changes: Any) -> Finding:
    """An exception that three events bring about. `evidence`: as documents have it."""
    fields: dict[str, Any] = {
        "id": "exception-1",
        "technique": "explore",
        "kind": FindingKind.EXCEPTION,
        "confidence": Confidence.WITNESSED,
        "severity": Severity.HIGH,
        "title": FAILED,
        "events": ('click link "Items"', 'type "cheese" in textbox "Search"', 'click button "Buy"', FAILED),
        "evidence": {
            "message": "TypeError: no price",
            "source": "/basket.js:41:17",
            "stack": ["total (/basket.js:41:17)", "render (/basket.js:12:5)"],
            "count": 7,
            "first": 12,
            "replays": 9,
            "minimal": True,
        },
        "replay": "exception-1.jostle",
    }
    fields |= changes
    if isinstance(fields["evidence"], Mapping):
        fields["evidence"] = evidence_of_defect(fields["kind"], fields["evidence"])
    return Finding(**fields)


def report(*findings: Finding, machine: Machine | None = None, **changes: Any) -> ExplorationReport:
    learned = machine if machine is not None else shop()
    fields: dict[str, Any] = {
        "url": "http://shop.test/",
        "findings": findings,
        "machine": learned,
        "pictures": {each.digest: PICTURE for each in learned.states},
        "stats": STATS,
        "directory": "runs/one of many",
    }
    return ExplorationReport(**fields | changes)


def large(number: int) -> Machine:
    """A tree of states, four below each, whose addresses are of ten kinds; each leads back to the start."""
    machine = Machine()
    states = [state(n, f"{'abcdefghij'[n % 10]}/{n}" if n else "") for n in range(number)]
    machine.started(states[0])
    for n, each in enumerate(states[1:], 1):
        machine.learn(states[(n - 1) // 4], done(f'click link "Number {n}"'), each)
        machine.learn(each, done('click link "Home"'), states[0])
        machine.sighted(each, [done('click button "Untried"')])
    return machine
