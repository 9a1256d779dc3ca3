"""What counts as a bug when the same things are done in another order."""

from __future__ import annotations

from jostle.events import Access, Effect, Event, Kind, Milestone, Request, State, Step, Trace, event_of, located
from jostle.oracles.outcome import Noise, Outcome, sent
from jostle.races.schedules.conflicts import Conflict, Racing
from jostle.races.schedules.tags import Tag
from jostle.races.schedules.touches import Mode
from jostle.races.schedules.verdict import Enacted, Judged, OrderVerdict, confirmed, judged

CLICK = event_of(kind=Kind.USER, what="click button")


def ended(text: str = "all is well", *, errors: tuple[str, ...] = (), snapshot: str = "", **more: object) -> Enacted:
    outcome = Outcome(snapshot=snapshot, text=text, errors=errors)
    return Enacted(trace=Trace(), state=State(digest=""), outcome=outcome, **more)  # type: ignore[arg-type]


def conflict(location: str, *tags: Tag) -> Conflict:
    access = Access(location=located(location))
    racing = Racing(location=access.location, first=access, second=access, modes=(Mode.READ, Mode.WRITE), tags=tags)
    return Conflict(first="a", second="b", racing=(racing,))


def verdict(good: Enacted, bad: Enacted, reversed_: Conflict | None = None) -> Judged:
    return judged(good, bad, reversed_, Noise())


def test_another_end_is_a_race() -> None:
    assert verdict(ended(), ended("nothing is well")).verdict is OrderVerdict.RACE


def test_the_same_end_is_harmless() -> None:
    assert verdict(ended(), ended()).verdict is OrderVerdict.HARMLESS


def test_an_error_less_is_harmless_and_an_error_more_is_not() -> None:
    assert verdict(ended(errors=("Error: no",)), ended()).verdict is OrderVerdict.HARMLESS
    assert verdict(ended(), ended(errors=("Error: no",))).verdict is OrderVerdict.RACE


def test_what_is_impossible_is_no_race() -> None:
    told = verdict(ended(), ended("other", failed="click button is not possible so early"))
    assert told.verdict is OrderVerdict.INFEASIBLE and "so early" in told.reason


def test_a_user_who_can_do_less_is_guarded_unless_something_fails() -> None:
    assert verdict(ended(), ended("other", skipped=(CLICK,))).verdict is OrderVerdict.GUARDED
    assert verdict(ended(), ended("other", skipped=(CLICK,), errors=("Error: no",))).verdict is OrderVerdict.RACE


def test_late_handlers_and_pages_that_are_left_are_harmless() -> None:
    late = verdict(ended(), ended("other"), conflict("handler:button click"))
    assert late.verdict is OrderVerdict.HARMLESS and "races init" in late.reason
    for location in ("handler:window load", "handler:document DOMContentLoaded in document 0/1/1"):
        assert (
            verdict(ended(), ended("other"), conflict(location)).verdict is OrderVerdict.RACE
        )  # it does not come again
    left = verdict(ended(), ended("other"), conflict("global:x", Tag.RACE_WITH_UNLOAD))
    assert left.verdict is OrderVerdict.HARMLESS and "left" in left.reason
    assert verdict(ended(), ended("other"), conflict("global:x")).verdict is OrderVerdict.RACE


def test_nobody_acts_within_a_moment_of_what_they_did() -> None:
    """A short timer that a user's event sets fires before the user goes on; one that a response sets may not."""
    response = event_of(kind=Kind.NETWORK, what="GET /data")
    second = event_of(kind=Kind.USER, what="click link")

    def told(creator: Event, delay: float) -> Judged:
        detail = {"function": "setTimeout", "delay": delay}
        timer = event_of(kind=Kind.TIMER, what="timeout", creator=creator.key, detail=detail)
        trace = Trace(initial=(creator, timer, second))
        good, bad = (
            Enacted(trace=trace, state=State(digest=""), outcome=Outcome(snapshot="", text=text))
            for text in ("one", "other")
        )
        shared = conflict("global:x").racing
        return verdict(good, bad, Conflict(first=timer.key, second=second.key, racing=shared))

    quick = told(CLICK, 50)
    assert quick.verdict is OrderVerdict.HARMLESS and quick.reason == "nobody does two things within 0.2 s"
    assert told(CLICK, 500).verdict is OrderVerdict.RACE
    assert told(response, 50).verdict is OrderVerdict.RACE


def test_ids_that_the_page_made_up_are_no_difference() -> None:
    assert verdict(ended("Text #i1e1g"), ended("Text #i1zun")).verdict is OrderVerdict.HARMLESS


def test_a_difference_that_nobody_has_looked_at_is_told() -> None:
    told = verdict(ended(snapshot="<p class=a>"), ended(snapshot="<p class=b>"))
    assert told.verdict is OrderVerdict.HARMLESS and told.unseen


def test_what_does_not_happen_again_is_not_sure() -> None:
    first = verdict(ended(), ended("other"))
    assert confirmed(first, verdict(ended(), ended("other")), Noise()).verdict is OrderVerdict.RACE
    assert confirmed(first, verdict(ended(), ended()), Noise()).verdict is OrderVerdict.UNSURE
    assert confirmed(first, verdict(ended(), ended("third")), Noise()).verdict is OrderVerdict.UNSURE


def test_the_same_error_in_other_words_is_the_same() -> None:
    """In rewritten scripts the browser may print something else for the code that failed."""
    first, noise = verdict(ended(), ended(errors=("TypeError: (intermediate value) is not a function",))), Noise()
    again = verdict(ended(), ended(errors=("TypeError: preview is not a function",)))
    assert confirmed(first, again, noise).verdict is OrderVerdict.RACE
    other = verdict(ended(), ended(errors=("ReferenceError: preview is not defined",)))
    assert confirmed(first, other, noise).verdict is OrderVerdict.UNSURE


COUNT = Request(method="POST", url="http://app.test/count", body="1")


def went(*steps: Step) -> Enacted:
    requests = tuple(sent(each) for step in steps for each in step.effect.requests)
    outcome = Outcome(snapshot="", text="all is well", sent=requests)
    return Enacted(trace=Trace(steps=steps), state=State(digest=""), outcome=outcome)


def document(creator: Event | None = None) -> Step:
    event = event_of(kind=Kind.NETWORK, what="GET /", creator=creator.key if creator else "")
    return Step(event=event, effect=Effect(lifecycle=(Milestone(Milestone.COMMIT, "http://app.test/"),)))


def script(page: Step, *requests: Request) -> Step:
    event = event_of(kind=Kind.NETWORK, what="GET /app.js", creator=page.event.key)
    return Step(event=event, effect=Effect(requests=requests))


def test_what_a_page_says_while_it_loads_is_not_missed_when_it_was_left() -> None:
    leaving = event_of(kind=Kind.USER, what="click link")
    first, second = document(), document(leaving)
    left = Step(event=leaving, effect=Effect())
    good = went(first, script(first, COUNT), left, second, script(second, COUNT))
    bad = went(first, left, second, script(second, COUNT))
    told = verdict(good, bad)
    assert told.verdict is OrderVerdict.HARMLESS and "it was left before" in told.reason


def test_what_a_page_says_while_it_loads_is_missed_when_it_was_not_left() -> None:
    first = document()
    assert verdict(went(first, script(first, COUNT)), went(first)).verdict is OrderVerdict.RACE


def test_what_the_user_has_a_page_send_is_missed_when_it_was_left() -> None:
    leaving = event_of(kind=Kind.USER, what="click link")
    first, second = document(), document(leaving)
    left, saving = Step(event=leaving, effect=Effect()), Step(event=CLICK, effect=Effect())
    timer = event_of(kind=Kind.TIMER, what="timeout 100", creator=CLICK.key)
    saved = Step(event=timer, effect=Effect(requests=(COUNT,)))
    told = verdict(went(first, saving, saved, left, second), went(first, saving, left, second))
    assert told.verdict is OrderVerdict.RACE
