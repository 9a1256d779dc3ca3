"""What a repair knows of a race, put together from evidence and recordings."""

from __future__ import annotations

import msgspec
import pytest

from jostle.findings import FindingKind
from jostle.findings.evidence import ErrorEvidence
from jostle.repair.witness import witness_of
from tests.repair.witnesses import loading, recording, reordered, response, stale, submitted_twice, timer, user


def test_the_two_actions_and_what_is_late() -> None:
    made = stale()
    assert str(made.first) == 'click button "Oslo"' and str(made.second) == 'click button "Bergen"'
    assert [each.request.url for each in made.late] == ["http://shop.test/api/weather?town=Oslo"]
    assert [each.request.url for each in made.followed] == ["http://shop.test/api/weather?town=Bergen"]
    assert made.first is not None and made.first.action.locator is not None
    assert made.first.action.locator.css == "#Oslo"
    assert not made.repeats and not made.alone


def test_the_same_action_twice() -> None:
    made = submitted_twice()
    assert made.repeats
    assert made.alone, "in the good order it cannot be done a second time"


def test_an_action_before_a_script() -> None:
    made = loading(FindingKind.ACCESS_BEFORE_DEFINITION, error="ReferenceError: open is not defined")
    assert made.second is None and [str(each) for each in made.late] == ["GET /menu.js"]
    assert [each.message for each in made.errors] == ["ReferenceError: open is not defined"]


def test_an_order_without_a_user() -> None:
    made = reordered(timer(100), response("/data.json"))
    assert made.first is None and [str(each) for each in made.early] == ["timeout 100 at /app.js:1:1"]
    assert reordered(user("Close"), response("/data.json")).first is not None


def test_what_was_redacted_in_one_place_is_known_by_its_time() -> None:
    made = stale()
    order = tuple(
        msgspec.structs.replace(each, what="[redacted]") if each.what.startswith("click") else each
        for each in made.evidence.bad.order
    )
    bad = msgspec.structs.replace(made.evidence.bad, order=order)
    finding = msgspec.structs.replace(made.finding, evidence=msgspec.structs.replace(made.evidence, bad=bad))
    again = witness_of(finding, made.good, made.bad)
    assert again.first == made.first and again.second == made.second


def test_what_the_bad_order_never_came_to_is_known_from_the_good_one() -> None:
    """A link was followed before the script had come."""
    made = loading(FindingKind.LATE_HANDLER)
    left = recording([step.event for step in made.bad.trace.steps[:-1]])
    order = msgspec.structs.replace(made.evidence.bad, order=made.evidence.bad.order[:-1])
    finding = msgspec.structs.replace(made.finding, evidence=msgspec.structs.replace(made.evidence, bad=order))
    assert [str(each) for each in witness_of(finding, made.good, left).late] == ["GET /menu.js"]


def test_the_recording_of_something_else() -> None:
    made = stale()
    with pytest.raises(ValueError, match="none of the events"):
        witness_of(made.finding, made.good, recording([]))
    error = msgspec.structs.replace(made.finding, evidence=ErrorEvidence(message="", source="", stack=()))
    with pytest.raises(ValueError, match="it is no race"):
        witness_of(error, made.good, made.bad)
