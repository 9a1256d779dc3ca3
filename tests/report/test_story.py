"""A finding as plain text."""

from __future__ import annotations

import msgspec

from jostle.findings.evidence import UnreadableEvidence
from jostle.report.story import commands, story
from tests.report.outcomes import OVERWRITTEN, RACE, REFUSED, SLOW, THROWN, URL
from tests.report.race_findings import bare, entry, search


def test_a_race() -> None:
    told = story(RACE, URL, directory="runs/1").split("\n\n")
    assert [block.split("\n")[0] for block in told] == [
        RACE.title,
        "The order that works:",
        "The order that breaks:",
        "What is different then:",
        "In the code:",
        "How to fix it:",
        "To see it again:",
    ]
    assert told[2].split("\n")[1:] == [
        '  1. type "go" in searchbox "Search"',
        '  2. type "gopher" in searchbox "Search"',
        "  3. GET /api/search?q=gopher",
        "  4. GET /api/search?q=go  (late)",
        "  5. GET /thumbs/board.png",
    ]
    assert told[4].split("\n")[1:3] == [
        "  assets/search.js:14:5: GET /api/search?q=go",
        "       12   const answer = await fetch(`/api/search?q=${box.value}`);",
    ]


def test_what_the_user_did_before_is_told() -> None:
    order = [
        entry("GET /", "network", "load", 0),
        entry("click menu", "user", "other", 1),
        entry("go", "user", "first", 2),
    ]
    told = story(search(bad={"order": order}), URL)
    assert "The order that breaks:\n  1. click menu\n  2. go\n" in told


def test_steps_of_what_compares_no_orders() -> None:
    told = story(THROWN, URL)
    assert 'What to do:\n  1. click button "Buy"' in told
    assert "What is wrong:\nTypeError: no price" in told
    assert told.endswith("To see it again:\njostle replay exception-1.jostle")


def test_many_steps_are_cut() -> None:
    assert '\n 40. click button "Save"\n     and 60 more\n' in story(SLOW, URL)


def test_what_is_not_known_is_not_told() -> None:
    assert story(bare(), URL).count("\n\n") == 0
    assert commands(REFUSED) == ()


def test_commands_can_be_pasted() -> None:
    assert commands(OVERWRITTEN, directory="my runs/$1") == ("jostle replay 'my runs/$1/form-1-bad.jostle'",)
    assert commands(SLOW) == ("jostle replay slowdown-1.jostle", "pytest test_slowdown_1.py")


def test_evidence_that_cannot_be_read_is_told_as_such() -> None:
    odd = msgspec.structs.replace(RACE, evidence=UnreadableEvidence(why="it is magic"))
    told = story(odd, URL)
    assert told.startswith(RACE.title)
    assert "What is wrong:\nThe evidence cannot be read: it is magic" in told
