"""Which races while loading have one cause."""

from __future__ import annotations

import pytest

from jostle.events import Kind, Trace, event_of
from jostle.findings import FindingKind, Severity
from jostle.findings.evidence import LoadRacePart
from jostle.oracles.outcome import Outcome
from jostle.races.loading.judge import Instead, Shown
from jostle.races.loading.loaded import PageLoad
from jostle.races.loading.observation import Listening, Observation
from jostle.races.loading.patterns import LoadRaceCandidate
from jostle.races.loading.probing import Race
from jostle.races.loading.told import problem_of
from jostle.recording.file import Manifest, Recording

SEEN = Observation(trace=Trace(steps=()))


def race(handler: str, instead: Instead, link: str = "Media") -> Race:
    """A click that comes before a script that would have handled it."""
    detail = {"action": "click", "locator": {"name": link, "words": f'link "{link}"'}, "href": f"/{link}"}
    load = PageLoad(
        steps=(),
        outcome=Outcome(snapshot=""),
        by_user=Outcome(snapshot=""),
        recording=Recording(manifest=Manifest(url="http://x/"), trace=Trace(steps=())),
    )
    return Race(
        shown=Shown(kind=FindingKind.LATE_HANDLER, severity=Severity.LOW, differences=(), instead=instead),
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
