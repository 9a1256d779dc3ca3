from __future__ import annotations

from jostle.events import Effect, Event, Kind, Step, event_of
from jostle.recording.divergence import compare_steps
from jostle.recording.same_step import comparable, same_event

CLICK = event_of(kind=Kind.USER, what='click button "Wide"')


def observer(creator: str = "", occurrence: int = 1, what: str = "resize observer at app.js:1:2") -> Event:
    return event_of(kind=Kind.OBSERVER, what=what, creator=creator, occurrence=occurrence)


def test_an_observer_that_is_noticed_once_more_is_no_difference() -> None:
    recorded = Step(event=CLICK)
    replayed = Step(event=CLICK, effect=Effect(created=(observer(),)))
    assert compare_steps(1, recorded, replayed) is not None
    assert compare_steps(1, comparable(recorded), comparable(replayed)) is None


def test_a_timer_that_becomes_possible_is_one() -> None:
    timer = event_of(kind=Kind.TIMER, what="timeout 50 at app.js:1:2")
    replayed = Step(event=CLICK, effect=Effect(created=(timer,)))
    assert compare_steps(1, comparable(Step(event=CLICK)), comparable(replayed)) is not None


def test_an_observer_is_known_again_when_another_step_noticed_it() -> None:
    wanted = Step(event=observer(creator="one"))
    exact, elsewhere = observer(creator="one"), observer(creator="two")
    assert same_event(wanted, [elsewhere, exact]) is exact
    assert same_event(wanted, [elsewhere]) is elsewhere
    assert same_event(wanted, [observer(what="resize observer at other.js:1:2")]) is wanted.event


def test_other_events_are_known_by_their_key_only() -> None:
    wanted = event_of(kind=Kind.TIMER, what="timeout 50 at app.js:1:2", creator="one")
    other = event_of(kind=Kind.TIMER, what="timeout 50 at app.js:1:2", creator="two")
    assert same_event(Step(event=wanted), [other]) is wanted
