"""What grows below a large load that goes up and down: functions that run more often every time, and that climb."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import State
from jostle.slowdowns.climbing import Climbing
from jostle.slowdowns.history import Action, Occurrence, Pair
from jostle.slowdowns.inference import infer
from jostle.slowdowns.steady import FEWEST, Steady

HERE = State("here")


def steady(series: Sequence[dict[str, int]]) -> Steady[str]:
    made: Steady[str] = Steady()
    for ran in series:
        made.add(ran)
    return made


@settings(deadline=None, max_examples=60)
@given(st.integers(FEWEST, 40), st.integers(1, 3), st.integers(0, 2**32))
def test_a_listener_more_each_time_is_seen_below_any_load(times: int, slope: int, seed: int) -> None:
    chance = random.Random(seed)
    series = [
        {"render": 50_000, "schedule": chance.randrange(3000) + 3000 * (n % 2), "listener": slope * n}
        for n in range(times)
    ]
    made = steady(series)
    assert made.functions == {"listener"}
    assert made.costs == [slope * n for n in range(1, times)]


def test_what_ran_for_the_first_time_the_third_time_counts() -> None:
    made = steady([{"a": 5}, {"a": 5}, {"a": 5, "late": 1}, {"a": 5, "late": 2}, {"a": 5, "late": 3}])
    assert made.functions == {"late"} and made.costs == [0, 1, 2, 3]


def test_nothing_is_said_too_early_and_hope_is_given_up() -> None:
    rising = [{"a": n} for n in range(FEWEST)]
    assert steady(rising[:-1]).undecided and not steady(rising[:-1]).functions
    assert not steady(rising).undecided and steady(rising).functions
    assert not steady([{"a": 1}, {"a": 1}, {"a": 1}]).undecided
    assert not steady([]).undecided, "who knows nothing of functions is not told to go on"


@pytest.mark.parametrize(("off", "still"), [([10], True), ([8, 17], True), ([8, 10, 12], False), ([4], False)])
def test_a_few_times_may_be_off(off: list[int], still: bool) -> None:
    counts = [0 if n in off else n for n in range(24)]
    assert bool(steady([{"a": count} for count in counts]).functions) is still


def test_what_stops_growing_is_not_steady() -> None:
    assert not steady([{"rows": min(n, 15)} for n in range(25)]).functions


def action(name: str) -> Action:
    return Action(name, HERE, HERE)


SHOW, THEME, SCROLL = action("show"), action("theme"), action("scroll")


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32))
def test_the_cause_is_found_in_a_noisy_history(seed: int) -> None:
    chance = random.Random(seed)
    climbing: Climbing[str] = Climbing()
    occurrences: list[Occurrence] = []
    listeners = 0
    for position, done in enumerate([THEME, SCROLL, THEME, SHOW, THEME, THEME, SHOW, SHOW, SCROLL, THEME] * 5):
        listeners += done is SHOW
        noise = chance.randrange(60)
        ran = {"render": 5000, "idle": noise} | ({"listener": listeners} if done is THEME and listeners else {})
        occurrences.append(Occurrence(done, sum(ran.values())))
        climbing.add(position, 1, done, ran)
    found = infer(climbing.history(occurrences), several_causes=True)
    assert found[0].pair == Pair(SHOW, THEME) and found[0].confidence == 1
    assert {each.pair.effect for each in found} == {THEME}


def test_what_falls_or_comes_in_another_run_does_not_climb() -> None:
    climbing: Climbing[str] = Climbing()
    counts = [1, 2, 3, 4, 2, 5, 6, 7]
    for position, count in enumerate(counts):
        climbing.add(position, 1, THEME, {"a": count, "b": 1})
        climbing.add(len(counts) + position, 2 + position, THEME, {"c": count})
    occurrences = [Occurrence(THEME, 1)] * (2 * len(counts))
    assert all(each.cost is None for each in climbing.history(occurrences))
