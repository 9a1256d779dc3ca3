"""Which growth is a problem: leaks, what nobody sees, what gets out of hand and what is felt; not a list that grows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jostle.events import Effect, Kind, Request, State, event_of
from jostle.findings import Severity
from jostle.findings.evidence import Law
from jostle.model.visit import Visit
from jostle.slowdowns.alternate import Ended, Sample, Trial
from jostle.slowdowns.growth import Fit
from jostle.slowdowns.history import Pair, action_of
from jostle.slowdowns.leftover import Growths, Leftover, growths, repeated
from jostle.slowdowns.verdict import PairOutcome, judge
from jostle.slowdowns.wear import FELT, SLOW, Wear
from jostle.slowdowns.weight import Harm, Weight, milliseconds_a_block, passed, weigh

CLICK = event_of(
    kind=Kind.USER,
    what='click button "Submit"',
    detail={"action": "click", "locator": {"words": "", "role": "button", "name": "Submit", "css": "", "nth": 1}},
)
TIMES = 24


def weighed(
    cost: Callable[[int], float],
    left: Callable[[int], Leftover],
    milliseconds: Callable[[int], float] | None = None,
    *,
    saves: bool = False,
) -> Weight:
    effect = Effect(requests=(Request("POST", "http://a/save"),)) if saves else Effect()
    visit = Visit(before=State("a"), event=CLICK, effect=effect, after=State("a"))
    pair = Pair(action_of(visit), action_of(visit))
    samples = [Sample(n, cost(n), left=left(n)) for n in range(TIMES)]
    verdict = judge(Trial(pair=pair, samples=samples, ended=Ended.FULL, steps=[visit] * TIMES))
    assert verdict.outcome is PairOutcome.SLOWDOWN, verdict.reason
    times = [(float(n), milliseconds(n)) for n in range(TIMES)] if milliseconds else []
    return weigh(verdict, Wear(times=times) if times else None)


def linear(n: int) -> float:
    return 3000 + n


def same(n: int) -> Leftover:
    return Leftover(elements=100, text=1000)


def longer(n: int) -> Leftover:
    return Leftover(elements=100 + 3 * n, text=1000 + 20 * n, timers=n)


def listening(n: int) -> Leftover:
    return Leftover(elements=100 + 3 * n, repeated={"click on the window": n, "load on the document": 2})


def steady_time(n: int) -> float:
    return 3.8 - 0.03 * n


def test_a_list_that_grows_by_design_is_not_told() -> None:
    """One block more with each comment, and no longer in milliseconds."""
    for times in (steady_time, None):
        found = weighed(linear, longer, times)
        assert found.harm is Harm.BY_DESIGN and not found.told
        assert found.severity is Severity.LOW


def test_what_is_saved_grows_by_design_too() -> None:
    assert weighed(linear, same, steady_time, saves=True).harm is Harm.BY_DESIGN


def test_a_list_that_is_felt_is_told() -> None:
    found = weighed(linear, longer, lambda n: 4 + 1.5 * n)
    assert found.harm is Harm.FELT and found.told
    felt = found.passes[FELT]
    assert felt is not None and 28 <= felt <= 34
    assert found.severity is Severity.HIGH


def test_what_takes_long_from_the_start_is_another_matter() -> None:
    found = weighed(linear, longer, lambda n: 70 + (n * 7 % 5) / 10)
    assert found.harm is Harm.BY_DESIGN and found.severity is Severity.LOW
    assert found.passes[FELT] == 0


def test_listeners_that_pile_up_are_a_leak_however_cheap() -> None:
    found = weighed(linear, listening, steady_time)
    assert found.harm is Harm.LEAK and found.leaked == "event listeners"
    assert found.severity is Severity.LOW
    assert "23 listeners for click on the window" in found.reason and "load" not in found.reason


def test_timers_that_pile_up_are_a_leak_where_nothing_is_seen() -> None:
    found = weighed(linear, lambda n: Leftover(elements=100, timers=n), steady_time)
    assert found.harm is Harm.LEAK and found.leaked == "timers"


def test_what_grows_though_nobody_sees_anything_is_told() -> None:
    found = weighed(linear, same, steady_time)
    assert found.harm is Harm.HIDDEN and found.told and found.severity is Severity.LOW


@pytest.mark.parametrize(
    ("milliseconds", "severity"), [(None, Severity.HIGH), (lambda n: 1 + n * n / 500, Severity.HIGH)]
)
def test_what_gets_out_of_hand_is_told(milliseconds: Callable[[int], float] | None, severity: Severity) -> None:
    found = weighed(lambda n: 3000 + 40 * n * n, longer, milliseconds)
    assert found.harm is Harm.STEEP and found.severity is severity


def test_a_quick_parabola_is_less_severe() -> None:
    assert weighed(lambda n: 300 + n * n, longer, lambda n: 1 + 0.001 * (n % 3)).severity is Severity.MEDIUM


def test_times_only_say_how_long_a_block_takes() -> None:
    law = Fit(Law.LINEAR, 1000, 10)
    rising = [(float(n), 2 + 0.5 * n) for n in range(20)]
    assert milliseconds_a_block(rising, law) == pytest.approx(0.05)
    assert passed(SLOW, law, Wear(times=rising)) == pytest.approx(397, abs=2)
    wobbling = [(float(n), 2 + (n * 7 % 5) / 10) for n in range(20)]
    assert milliseconds_a_block(wobbling, law) <= 0.0002
    expected = passed(SLOW, law, Wear(times=wobbling))
    assert expected is not None and expected > 50_000
    assert passed(SLOW, law, Wear(times=[(float(n), 5.0) for n in range(20)])) is None
    assert passed(FELT, law, Wear(times=[(float(n), 60.0) for n in range(20)])) == 0


# What is left in the page -------------------------------------------------------------------------------------------


def listener(node: int, kind: str = "click", line: int = 1) -> dict[str, object]:
    return {"type": kind, "scriptId": "8", "lineNumber": line, "columnNumber": 3, "backendNodeId": node}


def test_only_a_function_that_listens_twice_is_there_twice() -> None:
    rows = [("an element", listener(node)) for node in range(50)]
    others = [("an element", listener(1, line=line)) for line in range(2, 9)]
    again = [("an element", listener(7))] * 3
    assert repeated([*rows, *others]) == {}
    assert repeated([*rows, *again]) == {"click on an element": 3}
    assert repeated([("the window", {"type": "x\x1b[31m<b>"})] * 2) == {"another event on the window": 1}


def test_what_piles_up() -> None:
    grown = growths([(float(n), longer(n)) for n in range(12)])
    assert grown == Growths(elements=True, text=True, timers=True) and not grown.leaks
    toggled = [(float(n), Leftover(elements=100 + 5 * (n % 2), text=10 + n // 6)) for n in range(12)]
    assert growths(toggled) == Growths(), "a panel that opens and closes, and a counter"
    few = [(float(n), longer(n)) for n in range(4)]
    assert growths(few) == growths([]) == Growths()
    ends = [(float(n), Leftover(elements=min(n, 8))) for n in range(24)]
    assert not growths(ends).elements


def test_a_machine_that_is_busy_now_and_then_makes_nothing_felt() -> None:
    """A list of tasks that gets longer by design: times as they were measured while other programs ran."""
    law = Fit(Law.LINEAR, 17_000, 2_234)
    times = [0.6, 0.28, 0.28, 0.26, 0.41, 0.27, 0.44, 0.31, 0.22, 0.4, 0.25, 0.26, 0.21, 0.83, 0.43, 0.24, 0.27, 0.36]
    times += [0.29, 0.37, 0.33, 1.54, 0.75, 4.48, 0.25, 0.35, 0.52, 0.27, 0.26, 0.28, 1.43, 0.28, 0.2, 0.32, 0.38, 0.19]
    times += [0.2, 0.23, 0.33, 0.58, 0.52, 9.26, 0.43, 4.08, 0.29, 0.31, 0.34, 0.31, 0.32, 0.26, 0.33, 0.27, 0.23]
    times += [70.68]
    block = milliseconds_a_block([(float(n), time) for n, time in enumerate(times)], law)
    assert 0 < block < 0.00002
