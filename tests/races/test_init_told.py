"""Which races while loading have one cause."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from jostle.events import Kind, Step, Trace, event_of
from jostle.findings import FindingKind, Severity
from jostle.findings.evidence import LoadRacePart
from jostle.oracles.outcome import Outcome
from jostle.races.loading.judge import Instead, Shown
from jostle.races.loading.loaded import PageLoad
from jostle.races.loading.observation import Element, Listening, Observation, Write
from jostle.races.loading.patterns import LoadRaceCandidate, Probe
from jostle.races.loading.probing import Race
from jostle.races.loading.search import LoadRaceSearch
from jostle.races.loading.told import finding_of, is_told_by, predicted, problem_of
from jostle.races.told import RaceFiles
from jostle.recording.file import Manifest, Recording

SEEN = Observation(trace=Trace(steps=()))


def race(
    handler: str, instead: Instead, link: str = "Media", *, place: str = "", severity: Severity = Severity.LOW
) -> Race:
    """A click that comes before a script that would have handled it."""
    detail = {
        "action": "click",
        "locator": {"name": link, "words": f'link "{link}"'},
        "href": f"/{link}",
        "xpath": place,
    }
    load = PageLoad(
        steps=(),
        outcome=Outcome(snapshot=""),
        by_user=Outcome(snapshot=""),
        recording=Recording(manifest=Manifest(url="http://x/"), trace=Trace(steps=())),
    )
    return Race(
        shown=Shown(kind=FindingKind.LATE_HANDLER, severity=severity, differences=(), instead=instead),
        part=LoadRacePart.USER,
        target="1",
        event=event_of(kind=Kind.USER, what=f'click link "{link}"', detail=detail),
        held=event_of(kind=Kind.NETWORK, what=f"GET /{handler}.js"),
        candidate=LoadRaceCandidate(
            part=LoadRacePart.USER,
            target="1",
            probes=(),
            deed=Listening(event="", target="1", type="click", source=handler),
        ),
        good=load,
        bad=load,
    )


@pytest.mark.parametrize("instead", [Instead.LEAVES, Instead.SENDS])
def test_what_the_browser_does_by_itself_is_one_finding_whichever_script_is_late(instead: Instead) -> None:
    one, other = (problem_of(race(handler, instead), SEEN) for handler in ("tree", "menu"))
    assert one.id == other.id
    assert problem_of(race("tree", instead, link="Account"), SEEN).id != one.id


def test_what_two_handlers_would_have_done_are_two() -> None:
    one, other = (problem_of(race(handler, Instead.OTHER), SEEN) for handler in ("tree", "menu"))
    assert one.id != other.id


def test_a_control_that_has_no_effect_yet_is_one_finding_whichever_script_is_late() -> None:
    one, other = (problem_of(race(handler, Instead.NOTHING), SEEN) for handler in ("tree", "menu"))
    assert one.id == other.id
    boxes = [
        msgspec.structs.replace(each, event=each.event.with_detail(type="check"))
        for each in (race(handler, Instead.OTHER) for handler in ("tree", "menu"))
    ]
    assert len({problem_of(each, SEEN).id for each in boxes}) == 1
    worse = race("menu", Instead.NOTHING, severity=Severity.HIGH)
    assert problem_of(worse, SEEN).id != one.id  # what is lost is more than what the first would have done


def test_a_control_of_two_pages_is_told_once_where_the_same_script_is_late() -> None:
    files = RaceFiles()

    def on_page(place: str, handler: str = "bulk", link: str = "Select all", **more: Severity) -> Race:
        return race(handler, Instead.NOTHING, link, place=place, **more)

    first = on_page("/html/body/main/table/thead/tr/th/input")
    told = finding_of(problem_of(first, SEEN), first, files=files, repeatable=True)
    again = problem_of(on_page("/html/body/div/ul/li[3]/label/input"), SEEN)
    assert again.id != told.id and is_told_by(told, again)
    for another in (
        on_page("/html/body/div/input", handler="menu"),
        on_page("/html/body/div/input", link="Select none"),
        on_page("/html/body/div/input", severity=Severity.HIGH),
        race("bulk", Instead.OTHER, "Select all", place="/html/body/div/input"),
    ):
        assert not is_told_by(told, problem_of(another, SEEN))


def test_a_field_for_which_there_was_no_time_is_predicted_once() -> None:
    fields = {each: Element(id=each, label=f"input#{each}") for each in ("town", "name", "seen")}
    script = Step(event=event_of(kind=Kind.NETWORK, what="GET /app.js"))
    seen = Observation(trace=Trace(steps=(script,)), elements=fields)
    probe = Probe(position=0, event=event_of(kind=Kind.USER, what="type"))

    def task(field: str, site: str, kind: FindingKind = FindingKind.FORM_INPUT_OVERWRITTEN) -> Any:
        deed = Write(event="", target=field, site=site)
        first = LoadRaceCandidate(part=LoadRacePart.WRITE, target=field, probes=(probe,), deed=deed)
        return SimpleNamespace(kind=kind, first=first)

    tasks = [
        task("town", "/app.js:1:1"),
        task("town", "/app.js:2:2"),
        task("name", "/app.js:1:1"),
        task("seen", "/x:1"),
    ]
    tasks.append(task("name", "/app.js:3:3", FindingKind.LATE_HANDLER))
    search = object.__new__(LoadRaceSearch)
    shown = predicted(FindingKind.FORM_INPUT_OVERWRITTEN, tasks[3].first, seen)
    search._findings, search._reported = {shown.id: shown}, list
    probing: Any = SimpleNamespace(untried=tasks, seen=seen)
    told = [each.title.rpartition(": ")[2] for each in search._predictions(probing)]
    assert told == ["input#town", "input#name"]
