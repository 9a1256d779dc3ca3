"""The real fix that is told beside a repair."""

from __future__ import annotations

import pytest

from jostle.findings import FindingKind
from jostle.findings.evidence import DifferenceKind, FixPattern, LoadRacePart, OutcomeDifference
from jostle.repair.hints import fix_of
from jostle.repair.witness import Witness
from tests.repair.witnesses import LINE, loading, reordered, response, stale, submitted_twice, timer, user

FORM = OutcomeDifference(DifferenceKind.FORM, "input#city", "Rome", "")


@pytest.mark.parametrize(
    ("made", "pattern"),
    [
        (stale(), FixPattern.ABORT_OLD_REQUEST),
        (submitted_twice(), FixPattern.DISABLE_WHILE_SENDING),
        (loading(FindingKind.FORM_INPUT_OVERWRITTEN, part=LoadRacePart.WRITE), FixPattern.KEEP_EDITED_FIELDS),
        (loading(FindingKind.FORM_INPUT_OVERWRITTEN, part=LoadRacePart.FOCUS), FixPattern.KEEP_FOCUS),
        (loading(FindingKind.LATE_HANDLER), FixPattern.REGISTER_EARLY),
        (loading(FindingKind.ACCESS_BEFORE_DEFINITION), FixPattern.DEFINE_BEFORE_USE),
        (loading(FindingKind.ATOMICITY_VIOLATION), FixPattern.DISABLE_UNTIL_READY),
        (
            reordered(response("/b.js", resource="script"), response("/a.js", resource="script")),
            FixPattern.SCRIPT_ORDER,
        ),
        (reordered(user("Close"), timer(300)), FixPattern.CLEAR_TIMER),
        (reordered(timer(100), response("/data.json")), FixPattern.AWAIT_DEPENDENCY),
    ],
    ids=lambda each: each.name if isinstance(each, FixPattern) else "",
)
def test_pattern(made: Witness, pattern: FixPattern) -> None:
    fix = fix_of(made)
    assert fix.pattern is pattern
    assert fix.words.endswith(".") and fix.example
    assert fix.lines == (LINE,), "the code concerned"


def test_every_pattern_has_words() -> None:
    from jostle.repair.hints import _EXAMPLES, _WORDS

    assert set(_WORDS) == set(FixPattern) == set(_EXAMPLES)
