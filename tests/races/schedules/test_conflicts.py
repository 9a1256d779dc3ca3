"""Conflicts of a run: races, coverage, filters, tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import Access, Causality, Effect, Event, Kind, Location, Step, Trace, event_of, located
from jostle.races.schedules.conflicts import Conflicts
from jostle.races.schedules.filters import NO_FILTERS, Filters
from jostle.races.schedules.tags import Tag
from jostle.races.schedules.touches import Mode, touched
from tests.races.schedules.applications import paging, slideshow, wordpress


def access(text: str) -> Access:
    """`r queue`, `w queue=3`"""
    mode, _, place = text.partition(" ")
    location, _, value = place.partition("=")
    where = located(location if ":" in location else f"global:{location}")
    return Access(location=where, write=mode == "w", value=value)


def trace(*events: tuple[str, str], after: Mapping[str, str] | None = None, **kinds: Any) -> Trace:
    """Events with their accesses (`a`, `r x=1, w x=2`); `after`: who created whom."""
    made: dict[str, Event] = {}
    steps = []
    for name, accesses in events:
        creator = made[after[name]].key if after and name in after else ""
        made[name] = event_of(creator=creator, **{"kind": Kind.NETWORK, "what": name, **kinds.get(name, {})})
        told = tuple(access(each.strip()) for each in accesses.split(",") if each.strip())
        steps.append(Step(event=made[name], effect=Effect(accesses=told)))
    return Trace(steps=tuple(steps), initial=tuple(event for event in made.values() if not event.creator))


def pairs(conflicts: Conflicts, run: Trace) -> dict[str, tuple[str, ...]]:
    names = {event.key: event.what for event in run.events}
    return {
        f"{names[each.first]}{names[each.second]}": tuple(str(racing.location) for racing in each.racing)
        for each in conflicts.relevant
    }


def test_the_conflicts_of_the_slideshow() -> None:
    subject = slideshow()
    conflicts = Conflicts(subject.recording.trace)
    assert {(each.first, each.second) for each in conflicts.relevant} == {
        subject.keys(pair) for pair in ("L2 C1", "C2 L3", "L3 T(C2)")
    }
    for each in conflicts.relevant:
        assert "global:queue" in [str(racing.location) for racing in each.racing]
    keys = subject.recording.keys
    covered = {(keys[first], keys[second]) for first, second in conflicts.races} - {
        (each.first, each.second) for each in conflicts.relevant
    }
    assert covered, "and others that are not relevant"
    assert subject.keys("C1 C2") not in covered, "never two of the user's"
    assert {(each.first, each.second) for each in conflicts.covered} == covered


def test_what_covers_a_race() -> None:
    subject = wordpress()
    conflicts = Conflicts(subject.recording.trace)
    x, x1 = subject.keys("x c1")
    assert conflicts.dependent(0, 3)
    assert (x, x1) not in {(each.first, each.second) for each in conflicts.relevant}, "by way of the load event"


def test_all_locations_of_a_pair_are_one_conflict() -> None:
    run = trace(("a", "w x=1, w y=1, r z"), ("b", "r y, w z=2, r x"))
    (conflict,) = Conflicts(run).relevant
    racing = sorted(conflict.racing, key=lambda each: each.name)
    assert [(each.name, each.modes) for each in racing] == [
        ("global:x", (Mode.WRITE, Mode.READ)),
        ("global:y", (Mode.WRITE, Mode.READ)),
        ("global:z", (Mode.READ, Mode.WRITE)),
    ]
    assert [(each.first.write, each.second.write) for each in racing] == [(1, 0), (1, 0), (0, 1)]


@pytest.mark.parametrize(
    ("accesses", "mode"),
    [("r x", Mode.READ), ("w x", Mode.WRITE), ("r x, w x", Mode.UPDATE), ("w x, r x", Mode.WRITE)],
)
def test_what_an_event_does_to_a_location(accesses: str, mode: Mode) -> None:
    told = [access(each.strip()) for each in accesses.split(",")]
    assert touched(told)[located("global:x")].mode is mode


def test_what_must_come_along_when_an_event_is_pulled_forward() -> None:
    subject = paging()
    conflicts = Conflicts(subject.recording.trace)
    assert conflicts.uncovered == [(1, 3)]
    assert conflicts.needed(1, 3) == (2,), "the click that sends the second request"


def test_cancelled_events() -> None:
    late, user = event_of(kind=Kind.TIMER, what="late"), event_of(kind=Kind.USER, what="choose")
    stop, close = event_of(kind=Kind.NETWORK, what="stop"), event_of(kind=Kind.USER, what="close")
    run = Trace(
        steps=(
            Step(event=close, effect=Effect(removed=(user.key,))),
            Step(event=stop, effect=Effect(removed=(late.key, "timer:unknown"))),
        ),
        initial=(late, user, stop, close),
    )
    assert list(Conflicts(run).cancelled()) == [(1, late.key)], "never one of the user's by the user"


# Against the definitions, on runs at random.


@st.composite
def runs(draw: st.DrawFn) -> Trace:
    events: list[tuple[str, str]] = []
    after: dict[str, str] = {}
    kinds: dict[str, Any] = {}
    for number in range(draw(st.integers(2, 9))):
        name = f"e{number}"
        touched = draw(st.lists(st.tuples(st.sampled_from("rw"), st.sampled_from("xyz")), max_size=4, unique=True))
        events.append((name, ", ".join(f"{mode} {location}={number}" for mode, location in touched)))
        how = draw(st.integers(0, 3))
        if how == 0:
            kinds[name] = {"kind": Kind.USER}
        elif how == 1 and number:
            after[name] = f"e{draw(st.integers(0, number - 1))}"
    return trace(*events, after=after, **kinds)


@settings(max_examples=150, deadline=None)
@given(runs())
def test_conflicts_are_the_ones_by_definition(run: Trace) -> None:
    causality = Causality(run)
    found = Conflicts(run, filters=NO_FILTERS)
    size = len(run.steps)
    racing: dict[tuple[int, int], set[Location]] = {}
    for one, two in combinations(range(size), 2):
        shared = {
            a.location
            for a in run.steps[one].effect.accesses
            for b in run.steps[two].effect.accesses
            if a.location == b.location and (a.write or b.write)
        }
        if shared and causality.concurrent(causality.keys[one], causality.keys[two]):
            racing[one, two] = shared
    depends = {
        (one, two)
        for one, two in combinations(range(size), 2)
        if (one, two) in racing or causality.before(causality.keys[one], causality.keys[two])
    }
    for middle in range(size):
        depends |= {
            (one, two)
            for one in range(middle)
            for two in range(middle, size)
            if (one, middle) in depends and (middle, two) in depends
        }
    relevant = {
        (one, two): shared
        for (one, two), shared in racing.items()
        if not any((one, middle) in depends and (middle, two) in depends for middle in range(one + 1, two))
    }
    assert {pair: set(found.races[pair]) for pair in found.uncovered} == relevant
    assert set(found.races) <= set(racing)
    assert {(one, two) for two in range(size) for one in range(two) if found.dependent(one, two)} == depends
    for one, two in relevant:
        between = [m for m in range(one + 1, two) if (m, two) in depends]
        assert list(found.needed(one, two)) == between
        assert not any((one, m) in depends for m in between), "what comes along can come before"


# Filters.


def filtered(run: Trace, **filters: Any) -> tuple[list[str], list[tuple[str, tuple[str, ...]]]]:
    conflicts = Conflicts(run, filters=Filters(**filters))
    return list(pairs(conflicts, run)), [(each.name, each.filters) for each in conflicts.dropped]


def test_lazy_initialisation() -> None:
    """R4, section 6.6."""
    after = {"a": "i", "b": "i"}
    again = "r x=object:1, w x=object:1"
    run = trace(("i", "w x=object:1"), ("a", again), ("b", again), after=after)
    assert list(pairs(Conflicts(run, filters=NO_FILTERS), run)) == ["ab"]
    assert filtered(run, lazy=("x", "global:x"), constants=False) == ([], [("global:x", ("lazy init",))])
    assert filtered(run, lazy=("other",), constants=False)[0] == ["ab"]
    first = trace(("a", "r x=undefined, w x=object:1"), ("b", again))
    assert filtered(first, lazy=("global:*",), constants=False) == (["ab"], []), "the first write stays"
    zero = trace(("i", "w x=0"), ("a", "r x=0, w x=0"), ("b", "r x=0, w x=0"), after=after)
    assert filtered(zero, lazy=("global:x",), constants=False)[0] == ["ab"], "nothing is no initial value"


@pytest.mark.parametrize(
    ("one", "two", "conflict", "dropped"),
    [
        ("w x=1", "w x=2", False, "event-local"),
        ("w x=1, r x=1", "w x=2, r x=2", False, "event-local"),
        ("w x=1", "r x=1", True, ""),
        ("r x=1, w x=2", "r x=2, w x=3", False, "pure increment"),
        ("r x=1, w x=3", "r x=3, w x=4", True, ""),
        ("r x=1, w x=2", "r x=2", True, ""),
        ("r x=a, w x=b", "r x=b, w x=c", True, ""),
        ("w x=1", "r x=1, w x=1", True, ""),
        ("r x=1", "r x=1, w x=1", True, ""),
        ("w dom:p@text=1", "w dom:p@text=2", True, ""),
        ("r cookie:n=1, w cookie:n=2", "r cookie:n=2, w cookie:n=3", True, ""),
        ("w event:e", "w event:e", True, ""),
        ("w storage:local.x=1", "r storage:local.x=1, w storage:local.x=1", True, ""),
    ],
)
def test_filters(one: str, two: str, conflict: bool, dropped: str) -> None:
    run = trace(("a", one), ("b", two))
    location = str(access(one.split(",")[0]).location)
    assert filtered(run) == (["ab"] if conflict else [], [(location, (dropped,))] if dropped else [])
    assert filtered(run, ignored=(location,)) == ([], [(location, ("ignored",))])


def test_of_a_constant_only_the_first_write_matters() -> None:
    run = trace(("a", "w x=1"), ("b", "r x=1"), ("c", "w x=1"), ("d", "r x=1"))
    assert filtered(run) == (["ab", "ad"], [("global:x", ("constant value",))])
    cut = "y" * 80
    run = trace(("a", f"w x={cut}"), ("b", f"r x={cut}"), ("c", f"w x={cut}"))
    assert filtered(run)[0] == ["ab", "bc"], "of what was cut it is not known whether it is the same"


def test_patterns_are_compared_with_names_for_people_too() -> None:
    told = [Access(location=located("closure:7.cache"), write=True, value=str(n), name="cache") for n in range(2)]
    read = Access(location=located("closure:7.cache"), value="0", name="cache")
    events = [event_of(kind=Kind.NETWORK, what=what) for what in "ab"]
    steps = (
        Step(event=events[0], effect=Effect(accesses=(told[0],))),
        Step(event=events[1], effect=Effect(accesses=(read, told[1]))),
    )
    run = Trace(steps=steps, initial=tuple(events))
    assert filtered(run) == (["ab"], [])
    assert filtered(run, ignored=("ca*",)) == ([], [("cache", ("ignored",))])


# EventRacer's tags.

SLOT = "handler:window load"
XHR = {"detail": {"resource": "xhr"}}
UNLOAD = {"kind": Kind.LIFECYCLE, "what": "unload", "detail": {"type": "unload"}}


@pytest.mark.parametrize(
    ("events", "kinds", "location", "tags"),
    [
        ([f"w {SLOT}=1", f"r {SLOT}=1"], {}, SLOT, {Tag.LATE_EVENT_ATTACH}),
        ([f"r {SLOT}=0", f"w {SLOT}=1"], {}, SLOT, {Tag.NO_EVENT_ATTACHED}),
        ([f"w {SLOT}=1", f"w {SLOT}=2"], {}, SLOT, set()),
        (["w dom:p@title=1", "w dom:p@title=1"], {}, "dom:p@title", {Tag.WRITE_SAME_VALUE}),
        (["w event:e=1", "w event:e=2"], {}, "event:e", {Tag.ONLY_LOCAL_WRITE}),
        (["w event:e=1", "w event:e=2", "r event:e=2"], {}, "event:e", set()),
        (["r x=undefined, w x=1", "r x=1"], {}, "global:x", {Tag.MAYBE_LAZY_INIT}),
        (["r x=undefined, w x=1", "r x=1, w x=4"], {}, "global:x", set()),
        (["w dom:p@class=1", "r dom:p@class=1"], {}, "dom:p@class", {Tag.COOKIE_OR_CLASSNAME}),
        (["w cookie:n=1", "r cookie:n=1"], {}, "cookie:n", {Tag.COOKIE_OR_CLASSNAME}),
        (["w x=1", "r x=1"], {"b": UNLOAD}, "global:x", {Tag.RACE_WITH_UNLOAD}),
        (["w x=function:3", "r x=function:3"], {}, "global:x", {Tag.INITIALIZATION_RACE}),
        (["w x=1", "r x=1"], {"a": XHR}, "global:x", {Tag.ANSWER_RACE}),
    ],
)
def test_tags(events: Sequence[str], kinds: Mapping[str, Any], location: str, tags: set[Tag]) -> None:
    run = trace(*zip("abc", events, strict=False), **kinds)
    conflicts = Conflicts(run, filters=NO_FILTERS)
    assert set(conflicts.tags(located(location))) == tags
    first = next(iter(conflicts.relevant))
    assert set(next(each for each in first.racing if str(each.location) == location).tags) == tags
    assert {tag for tag in tags if tag.high_risk} == tags & {Tag.INITIALIZATION_RACE, Tag.ANSWER_RACE}


def test_what_was_written_before_for_sure_is_no_initialisation_race() -> None:
    run = trace(("i", "w x=object:1"), ("a", "w x=object:2"), ("b", "r x=object:2"), after={"b": "i"})
    assert Conflicts(run, filters=NO_FILTERS).tags(located("global:x")) == ()
