"""Algorithm 1 against its printed form, the paper's example, and in time."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.events import Effect, Kind, State, event_of
from jostle.model.visit import Visit
from jostle.slowdowns import inference
from jostle.slowdowns.history import Action, Occurrence, Pair, history
from jostle.slowdowns.inference import infer

S = State("s")


def acts(name: str) -> Action:
    return Action(name, S, S)


def past(text: str) -> list[Occurrence]:
    return [Occurrence(acts(name), int(cost)) for name, cost in (each.split(":") for each in text.split())]


FIGURE_2 = past("E5:2 E6:14 E1:4 E2:3 E3:1 E4:8 E5:2 E6:18 E1:4 E2:3 E7:2 E5:2 E6:18 E1:4 E2:3 E3:1 E4:8 E5:2 E6:22")


def as_printed(h: Sequence[Occurrence], support: int, confidence: float) -> dict[Pair, tuple[int, int]]:
    """The listing, word for word, but for `>=` instead of `>`."""
    unique = {each.action for each in h}
    every = {Pair(cause, effect): 0 for cause in unique for effect in unique}
    supporting = dict(every)
    for effect in unique:
        if sum(each.action == effect for each in h) >= support + 1:
            c0: float = -1
            between: set[Action] = set()
            for each in h:
                assert each.cost is not None
                if each.action == effect:
                    if c0 > -1:
                        for cause in unique:
                            if c0 < each.cost or cause in between:
                                every[Pair(cause, effect)] += 1
                            if c0 < each.cost and cause in between:
                                supporting[Pair(cause, effect)] += 1
                    c0 = each.cost
                    between = set()
                else:
                    between.add(each.action)
    return {
        pair: (supporting[pair], every[pair])
        for pair in every
        if every[pair] > 0 and supporting[pair] >= support and supporting[pair] / every[pair] >= confidence
    }


def found(h: Sequence[Occurrence], support: int, confidence: float) -> dict[Pair, tuple[int, int]]:
    return {
        each.pair: (each.support, each.all) for each in infer(h, support=support, confidence=confidence, itself=False)
    }


def test_the_example_of_the_paper() -> None:
    candidates = infer(FIGURE_2, support=1, confidence=0, itself=False)
    evidence = {each.pair.cause.label: (each.support, each.all) for each in candidates if str(each.pair.effect) == "E6"}
    assert evidence == {"E1": (2, 3), "E2": (2, 3), "E3": (2, 2), "E4": (2, 2), "E5": (2, 3)}
    assert [str(each) for each in infer(FIGURE_2, support=2, itself=False)] == ["E3 → E6 (2/2)", "E4 → E6 (2/2)"]


names = st.sampled_from("abcde")


@settings(deadline=None)
@given(
    st.lists(st.tuples(names, st.integers(0, 6)), max_size=60),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0]),
    st.sampled_from([1, 2, 3, 8, 256]),
)
def test_finds_what_the_printed_algorithm_finds(
    steps: list[tuple[str, int]], support: int, confidence: float, block: int
) -> None:
    h = [Occurrence(acts(name), cost) for name, cost in steps]
    with patch.object(inference, "BLOCK", block):
        assert found(h, support, confidence) == as_printed(h, support, confidence)


def each_by_itself(h: Sequence[Occurrence]) -> dict[Pair, tuple[int, int, float]]:
    """Support, support and in vain, and the rise, of every cause that ever supported; the effect may be the cause."""
    evidence: dict[Pair, tuple[int, int, float]] = {}
    last: dict[Action, int] = {}
    for position, each in enumerate(h):
        if each.action in last:
            begin = last[each.action]
            rise = (each.cost or 0) - (h[begin].cost or 0)
            for cause in {*(other.action for other in h[begin + 1 : position]), each.action}:
                times, every, risen = evidence.get(Pair(cause, each.action), (0, 0, 0.0))
                evidence[Pair(cause, each.action)] = (times + (rise > 0), every + 1, risen + max(0, rise))
        last[each.action] = position
    return {pair: each for pair, each in evidence.items() if each[0]}


@settings(deadline=None)
@given(
    st.lists(st.tuples(names, st.integers(0, 6)), max_size=60),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.5, 0.8, 1.0]),
    st.sampled_from([1, 2, 3, 256]),
)
def test_several_causes_as_counted_one_by_one(
    steps: list[tuple[str, int]], support: int, confidence: float, block: int
) -> None:
    h = [Occurrence(acts(name), cost) for name, cost in steps]
    with patch.object(inference, "BLOCK", block):
        several = infer(h, support=support, confidence=confidence, several_causes=True)
    assert {each.pair: (each.support, each.all, each.rise) for each in several} == {
        pair: each for pair, each in each_by_itself(h).items() if each[0] >= support and each[0] / each[1] >= confidence
    }


def test_more_stretches_than_a_byte_can_count() -> None:
    h = past(" ".join(f"E:{n} a:1 {'b:1' if n % 2 else 'c:1'}" for n in range(600)) + " E:600")
    counted = {str(each.pair): (each.support, each.all) for each in infer(h, confidence=0)}
    assert counted == {"a → E": (600, 600), "b → E": (300, 600), "c → E": (300, 600), "E → E": (600, 600)}


def test_of_very_many_pairs_the_most_promising_are_handed_out() -> None:
    chance = random.Random(2)
    h = [Occurrence(acts(f"e{chance.randrange(30)}"), n % 97 + n // 50) for n in range(2000)]
    every = infer(h, confidence=0.2, several_causes=True)
    few = infer(h, confidence=0.2, several_causes=True, most=50)
    assert len(few) == 50 < len(every)
    weakest = min((each.confidence, each.support) for each in few)
    stronger = [each for each in every if (each.confidence, each.support) > weakest]
    assert {each.pair for each in stronger} <= {each.pair for each in few}
    assert few == sorted(few, key=lambda each: (-each.confidence, -each.support, -each.rise))


@settings(deadline=None)
@given(st.lists(st.tuples(names, st.integers(0, 6), st.integers(0, 9)), max_size=60))
def test_runs_do_not_mix(steps: list[tuple[str, int, int]]) -> None:
    """Two runs are evidence as each of them is: their numbers add up."""
    run, h = 1, []
    for name, cost, change in steps:
        run += change == 0
        h.append(Occurrence(acts(name), cost, run))
    total: dict[Pair, tuple[int, int]] = {}
    for number in range(1, run + 1):
        part = [each for each in h if each.run == number]
        for cause in {each.action for each in h} - {each.action for each in part}:
            part = [Occurrence(cause, 0, number), *part]  # at the start it is evidence of nothing
        for pair, (support, every) in as_printed(part, 0, 0).items():
            before = total.get(pair, (0, 0))
            total[pair] = (before[0] + support, before[1] + every)
    assert found(h, 1, 0) == {pair: each for pair, each in total.items() if each[0] >= 1 and pair.cause != pair.effect}


@settings(deadline=None)
@given(st.lists(st.tuples(names, st.integers(0, 6)), max_size=60), st.sampled_from([0.0, 0.5, 0.8]))
def test_several_causes_are_weighed_each_by_itself(steps: list[tuple[str, int]], confidence: float) -> None:
    h = [Occurrence(acts(name), cost) for name, cost in steps]
    every = infer(h, support=2, confidence=confidence, several_causes=True, itself=False)
    assert set(found(h, 2, confidence)) <= {each.pair for each in every}
    assert all(each.support >= 2 and each.confidence >= confidence for each in every)


def test_three_causes_of_one_effect_are_found_only_when_weighed_each_by_itself() -> None:
    h = past(" ".join(f"E:{n} {cause}:1" for n, cause in enumerate("abcabcabcabc", 10)) + " E:30")
    assert not [each for each in infer(h) if not each.pair.itself]
    several = {str(each) for each in infer(h, several_causes=True) if not each.pair.itself}
    assert several == {"a → E (4/4)", "b → E (4/4)", "c → E (4/4)"}


def test_an_event_that_makes_itself_slower() -> None:
    h = past("a:5 a:6 b:1 a:7 a:8 b:1")
    assert [str(each) for each in infer(h)] == ["a → a (3/3)"]


def test_what_was_not_measured_may_be_a_cause_and_never_an_effect() -> None:
    h = past("E:1 E:2 E:3 E:4 E:5")
    mixed = [each for occurrence in h for each in (occurrence, Occurrence(acts("c")))]
    assert [str(each) for each in infer(mixed, itself=False)] == ["c → E (4/4)"]


def test_histories_of_visits() -> None:
    detail = {"action": "type", "locator": {"words": 'textbox "Name"'}}
    event = event_of(kind=Kind.USER, what='type "abc" in textbox "Name"', detail=detail)
    visits = [
        Visit(before=S, event=event, effect=Effect(cost=3), after=State("t"), run=2),
        Visit(before=S, event=event, effect=Effect(cost=3, hung="it hangs"), after=S, run=2),
    ]
    action = Action('type in textbox "Name"', S, State("t"))
    assert history(visits) == [Occurrence(action, 3, 2), Occurrence(Action(action.label, S, S), None, 2)]


def test_thresholds_that_make_no_sense() -> None:
    with pytest.raises(ValueError, match="support is at least 1"):
        infer([], support=0)


def test_a_long_history_of_many_events_takes_seconds() -> None:
    """50,000 events, 2,000 of them different; as printed this would be 4 * 10^9 steps."""
    chance = random.Random(1)
    actions = [acts(f"e{n}") for n in range(2000)]
    weights = [1 / (n + 1) ** 0.7 for n in range(2000)]
    chosen = chance.choices(range(2000), weights, k=50_000)
    h = [Occurrence(actions[n], chance.randrange(100) if n % 4 == 0 else 7) for n in chosen]
    began = time.process_time()
    infer(h)
    infer(h, several_causes=True)
    assert time.process_time() - began < 10
