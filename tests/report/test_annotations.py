"""Workflow commands: what a runner makes of them, and that no page can issue one."""

from __future__ import annotations

import re

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jostle.findings.baseline import Baseline
from jostle.findings.gating import FailOn, gate
from jostle.report.annotations import command, lines, unheard
from jostle.runs import Status
from tests.report.outcomes import ALL, OVERWRITTEN, RACE, REFUSED, THROWN, hostile, outcome
from tests.report.recordings import HOSTILE


class Heard(msgspec.Struct, frozen=True):
    """A command as the runner understands it."""

    name: str
    properties: dict[str, str]
    message: str


def heard(output: str) -> list[Heard]:
    """What a runner hears in the output of a step: each line that begins with `::`, or has `##[` in it."""
    commands = []
    for line in re.split(r"\r\n|\r|\n", output):
        found = re.match(r"\s*::([^\s:]+)(?: (.*?))?::(.*)$", line, re.DOTALL)
        if found is None:
            assert "##[" not in line
            continue
        given = dict(part.split("=", 1) for part in (found[2] or "").split(",") if "=" in part)
        commands.append(Heard(found[1], {name: unescaped(value) for name, value in given.items()}, unescaped(found[3])))
    return commands


def unescaped(text: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, character)
    return text


def test_a_finding() -> None:
    (told,) = heard("\n".join(lines(outcome(RACE), directory="runs/1", root="public")))
    assert told.name == "error"
    assert told.properties == {
        "file": "public/assets/search.js",
        "line": "14",
        "col": "5",
        "title": "jostle: ajax-race (medium) ajax-race-1",
    }
    first, steps, replay, test = told.message.split("\n")
    assert first == RACE.title
    assert steps == 'Steps: type "go" in searchbox "Search" → type "gopher" in searchbox "Search"'
    assert (replay, test) == ("jostle replay runs/1/ajax-race-1-bad.jostle", "pytest runs/1/test_ajax_race_1.py")


def test_what_has_no_place_in_the_code_has_no_file() -> None:
    (told,) = heard(lines(outcome(REFUSED))[0])
    assert told.properties.keys() == {"title"}


def test_what_fails_is_an_error_and_comes_first() -> None:
    gated = gate(ALL, FailOn.parse(["medium"]), Baseline().updated([OVERWRITTEN]))
    told = [heard(each)[0] for each in lines(outcome(*ALL), gated)]
    assert [each.name for each in told] == ["error"] * 4 + ["warning", "notice"]
    assert [re.findall(r"\((?:known, )?(\w+)\)", each.properties["title"])[0] for each in told] == [
        "high", "high", "medium", "medium", "low", "high",
    ]  # fmt: skip
    assert "(known, high)" in told[-1].properties["title"]


def test_what_was_not_seen_is_told() -> None:
    gated = gate([], None, Baseline().updated([THROWN]))
    (told,) = heard(lines(outcome(), gated)[0])
    assert (told.name, told.properties["title"]) == ("notice", "jostle: not seen, perhaps fixed")
    assert told.message == f"{THROWN.title} (exception-1)"


def test_a_run_that_came_to_no_end() -> None:
    told = heard("\n".join(lines(outcome(RACE, status=Status.FAILED, error="No browser."))))
    assert told[0] == Heard("error", {}, "jostle check: the run is failed: No browser.")
    assert len(told) == 2


def test_nothing_found_says_nothing() -> None:
    assert lines(outcome()) == []


def test_commands_can_be_stopped() -> None:
    assert unheard("t0ken") == ("::stop-commands::t0ken", "::t0ken::")


# Hostile texts

INJECTIONS = [
    "\n::set-env name=PATH::/evil",
    "\r\n::add-mask::a",
    "%0A::error::mine",
    "x,file=/etc/passwd,line=1::mine",
    "::stop-commands::mine",
    "##[add-mask]x",
    "\u2028::error::mine",
    "\x85::error::mine",
    "\x1b[2K\x0b::error::mine",
    HOSTILE,
]


@pytest.mark.parametrize("text", INJECTIONS, ids=repr)
def test_no_page_issues_a_command(text: str) -> None:
    run = hostile(text)
    told = lines(run)
    assert all(len(each.splitlines()) == 1 for each in told)
    commands = heard("\n".join(told))
    assert len(commands) == len(told) == len(run.findings) + 1
    assert {each.name for each in commands} == {"error"}
    assert all(each.properties.get("title", "jostle: ").startswith("jostle: ") for each in commands)
    assert not [each for each in commands if each.properties.get("file", "").startswith(("/", ".."))]


@settings(max_examples=30, deadline=None)
@example("::")
@given(st.text(st.sampled_from("\r\n%:,=0DAad25[]# x\u2028é"), min_size=1, max_size=12))
def test_no_text_ends_a_command_or_begins_one(text: str) -> None:
    run = hostile(text)
    commands = heard("\n".join(lines(run)))
    assert len(commands) == len(run.findings) + 1
    assert {name for each in commands for name in each.properties} <= {"file", "line", "col", "title"}


@example("%0A%25", "%2C%3A%0D")
@given(st.text(), st.text(min_size=1))
def test_what_is_escaped_is_the_same_again(message: str, title: str) -> None:
    (told,) = heard(command("error", message, title=title))
    # Runners undo the escapes one after the other.
    assert told == Heard("error", {"title": title}, message)
