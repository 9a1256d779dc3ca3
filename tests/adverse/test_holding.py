"""Which answer may arrive when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.adverse.holding import CALM, EXACTLY, GAP, PATIENCE, Hold, Holding, ReleaseOrder, read, written
from jostle.errors import UsageProblem


def let_go(holding: Holding, keys: list[str], now: float, most: float = 10.0) -> tuple[list[str], float]:
    """In which order answers that are there go, and when the last of them."""
    left, order, end = list(keys), [], now + most
    while left and now < end:
        for key in list(left):
            if holding.may_go(key, now):
                holding.released(key, now)
                left.remove(key)
                order.append(key)
        now += 0.01
    return order, now


def asked(holding: Holding, *names: str, at: float = 0.0) -> list[str]:
    for number, name in enumerate(names):
        holding.sent(f"{name}{number}", name, at + number / 1000)
    return [f"{name}{number}" for number, name in enumerate(names)]


def all_came(holding: Holding, keys: list[str], at: float) -> None:
    for key in keys:
        holding.came(key, at)


@given(st.integers(1, 6))
def test_latest_first(number: int) -> None:
    holding = Holding(ReleaseOrder.LATEST_FIRST)
    keys = asked(holding, *(f"GET /{n}" for n in range(number)))
    all_came(holding, keys, 0.05)
    order, _ = let_go(holding, keys, 0.05)
    assert order == keys[::-1]
    pairs = {(n, m) for n in range(number) for m in range(n + 1, number)}
    assert {(h.response, h.after) for h in holding.performed} == {(f"GET /{n}#1", f"GET /{m}#1") for n, m in pairs}


def test_latest_first_waits_for_one_that_joins() -> None:
    holding = Holding(ReleaseOrder.LATEST_FIRST)
    (first,) = asked(holding, "GET /a")
    holding.came(first, 0.01)
    assert not holding.may_go(first, 0.1)
    holding.sent("late", "GET /b", 0.1)
    assert not holding.may_go(first, 0.1 + CALM + 0.01)
    holding.came("late", 0.3)
    assert not holding.may_go(first, 0.3)
    assert holding.may_go("late", 0.3)


def test_nobody_waits_for_ever() -> None:
    for mode in (ReleaseOrder.LATEST_FIRST, ReleaseOrder.PAST_NEXT_ACTION):
        holding = Holding(mode)
        first, _ = asked(holding, "GET /a", "GET /never")
        holding.came(first, 0.0)
        assert not holding.may_go(first, PATIENCE / 2)
        assert holding.may_go(first, PATIENCE + 0.01)
        holding.released(first, PATIENCE + 0.01)
        assert holding.performed == []


def test_past_the_next_action() -> None:
    holding = Holding(ReleaseOrder.PAST_NEXT_ACTION)
    holding.begins(1)
    (key,) = asked(holding, "POST /save")
    holding.ends(1, 0.1)
    holding.came(key, 0.2)
    assert not holding.may_go(key, 0.3)
    holding.begins(2)
    holding.ends(2, 0.5)
    assert not holding.may_go(key, 0.5)
    assert holding.may_go(key, 0.5 + GAP)
    holding.released(key, 0.6)
    assert holding.performed == [Hold("POST /save#1", "@2")]
    assert holding.requests == {"POST /save#1": 1}


@given(st.integers(2, 5))
def test_done_again(number: int) -> None:
    first = Holding(ReleaseOrder.LATEST_FIRST)
    names = [f"GET /{n}" for n in range(number)]
    keys = asked(first, *names)
    all_came(first, keys, 0.0)
    let_go(first, keys, 0.0)
    again = Holding(ReleaseOrder.EXACTLY, first.performed)
    keys = asked(again, *names)
    all_came(again, keys, 0.0)
    order, _ = let_go(again, keys, 0.0)
    assert order == keys[::-1]
    assert not again.missed


def test_what_cannot_be_is_told() -> None:
    hold = Hold("GET /a#1", "@7")
    holding = Holding(ReleaseOrder.EXACTLY, [hold])
    (key,) = asked(holding, "GET /a")
    holding.came(key, 0.0)
    order, now = let_go(holding, [key], 0.0)
    assert order == [key]
    assert now > EXACTLY
    assert holding.missed == [hold]


def test_the_same_address_twice() -> None:
    holding = Holding(ReleaseOrder.EXACTLY, [Hold("GET /a#1", "GET /a#2")])
    keys = asked(holding, "GET /a", "GET /a")
    all_came(holding, keys, 0.0)
    assert let_go(holding, keys, 0.0)[0] == keys[::-1]


def test_who_is_gone_is_not_waited_for() -> None:
    holding = Holding(ReleaseOrder.LATEST_FIRST)
    first, second = asked(holding, "GET /a", "GET /b")
    holding.came(first, 0.0)
    holding.gone(second)
    assert holding.may_go(first, CALM + 0.1)


names = st.text(min_size=1, max_size=20).filter(lambda text: not text.startswith("@"))


@given(st.frozensets(st.builds(Hold, names, names | st.integers(1, 99).map(lambda n: f"@{n}")), min_size=1, max_size=4))
def test_there_and_back(holds: frozenset[Hold]) -> None:
    assert frozenset(read(written(holds))) == holds


@pytest.mark.parametrize("token", ["answers:", "answers:xyz", "answers:eJw", "answers:AAAA", "answers:é"])
def test_wrong(token: str) -> None:
    with pytest.raises(UsageProblem, match="--jostle-repro"):
        read(token)
