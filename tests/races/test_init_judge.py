"""What a link does by itself and what its handler would have done: the same page or not."""

from __future__ import annotations

import pytest

from jostle.events import Effect, Request, Step, Trace, UserAction, UserEvent
from jostle.findings import FindingKind, Severity
from jostle.findings.evidence import LoadRacePart
from jostle.oracles.outcome import Noise, Outcome
from jostle.races.loading import judge
from jostle.races.loading.loaded import PageLoad
from jostle.races.loading.observation import Listening
from jostle.races.loading.patterns import LoadRaceCandidate, Probe
from jostle.recording.file import Manifest, Recording

ADDRESS = "http://x/media?ns=a&tab=files&do=media&id=b"
UNTOUCHED = "Trace: one • two\nFolders a b\nFiles in b"
POSTED = (Request(method="POST", url="http://x/ajax", body="call=list&ns=a&tab=files&do=media&id=b"),)


def load(text: str, *, requests: tuple[Request, ...] = (), left_for: str = "") -> PageLoad:
    event = UserEvent(what='click link "a"', detail=UserAction(type="click", href=ADDRESS))
    ended = Outcome(snapshot="", text=text)
    return PageLoad(
        steps=(Step(event=event, effect=Effect(requests=requests, default_prevented=not left_for)),),
        acted=0,
        outcome=ended,
        by_user=ended,
        recording=Recording(manifest=Manifest(url="http://x/"), trace=Trace(steps=())),
        addresses=(left_for or "http://x/",),
        left_for=left_for,
    )


def severity(good: PageLoad, bad: PageLoad) -> Severity | None:
    deed = Listening(event="", target="1", type="click")
    candidate = LoadRaceCandidate(part=LoadRacePart.USER, target="1", probes=(), deed=deed)
    probe = Probe(position=0, event=good.steps[0].event)
    verdict = judge.late(candidate, probe, bad, good, Noise(), untouched=UNTOUCHED)
    assert isinstance(verdict, judge.Shown) and verdict.kind is FindingKind.LATE_HANDLER
    return verdict.severity


@pytest.mark.parametrize(
    "good",
    [
        load("Trace: one • two\nFolders a b\nFiles in a: pear.png apple.png", requests=POSTED),
        load("Trace: two • one\nFolders a b\nFiles in b", requests=POSTED),  # it is shown as it was, but for the trail
        load(UNTOUCHED, requests=POSTED),
    ],
    ids=["shown", "another trail", "nothing to show"],
)
def test_what_a_script_asks_for_and_the_address_opens_is_low(good: PageLoad) -> None:
    opened = "Site\nTrace: one • two • a\nFolders a b\nFile\nFiles in b\nFiles in a: pear.png apple.png"
    assert severity(good, load(opened, left_for=ADDRESS)) is Severity.LOW


@pytest.mark.parametrize(
    "good",
    [
        load("Trace: one • two\nFolders a b\nFiles in a: 7 pears were ordered for you", requests=POSTED),
        load(UNTOUCHED, requests=(Request(method="POST", url="http://x/like", body="pear=1&token=8"),)),
    ],
    ids=["something else is shown", "something else is sent"],
)
def test_anything_else_that_is_missed_is_not(good: PageLoad) -> None:
    opened = "Site\nTrace: one • two • a\nFolders a b\nFiles in b"
    assert severity(good, load(opened, left_for=ADDRESS)) is not Severity.LOW
