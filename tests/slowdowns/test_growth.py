"""Laws of growth, levels and projections."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.findings.evidence import Law
from jostle.slowdowns.growth import Fit, Growth, falls_back, growth, levelled_off, rises, without_outliers

LAWS: dict[Law, Callable[[float], float]] = {
    Law.CONSTANT: lambda x: 100,
    Law.LOGARITHMIC: lambda x: 50 + 40 * math.log(x + 1),
    Law.LINEAR: lambda x: 30 + 7 * x,
    Law.LINEARITHMIC: lambda x: 10 + 3 * (x + 2) * math.log2(x + 2),
    Law.QUADRATIC: lambda x: 20 + 3 * x * x + 2 * x,
    Law.EXPONENTIAL: lambda x: 10 + 1.5**x,
}


def series(
    law: Callable[[float], float], count: int = 25, noise: float = 0, seed: int = 1
) -> list[tuple[float, float]]:
    chance = random.Random(seed)
    return [(float(x), float(round(law(x) * (1 + noise * chance.gauss(0, 1))))) for x in range(count)]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("noise", [0, 0.005])
def test_recognises_each_law(law: Law, noise: float) -> None:
    found = growth(series(LAWS[law], noise=noise))
    assert found is not None
    assert found.law is law
    assert found.sure > 0.5


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("first", [0, 0.5, 2, 20])
@pytest.mark.parametrize("count", [12, 20, 40])
def test_a_first_time_that_is_different_does_not_matter(law: Law, first: float, count: int) -> None:
    """The first click may meet an empty list, or make what is kept."""
    points = series(LAWS[law], count)
    points[0] = (0.0, first * points[0][1])
    found = growth(points)
    assert found is not None
    assert found.law is law, found
    assert found.points >= count - 1


def test_the_series_of_a_list_that_is_sorted_anew() -> None:
    costs = [0, 182, 201, 221, 242, 264, 287, 311, 336, 362, 389, 417, 446, 476, 507, 539, 572, 606, 641, 677]
    found = growth([(float(n), float(cost)) for n, cost in enumerate(costs)])
    assert found is not None
    assert found.law is Law.QUADRATIC
    assert found.sure > 0.9
    assert (found.fit.at(30) - found.fit.at(29)) == pytest.approx(47, abs=1)


def test_a_growth_says_how_sure_it_is() -> None:
    def words(count: int, law: Law = Law.LINEAR) -> str:
        return str(growth(series(LAWS[law], count)))

    assert words(6) == "it looks linear, which 6 costs are too few to tell"
    assert words(40) == "linear growth, 98% sure"
    fit = Fit(Law.LINEAR, 0, 1)
    assert str(Growth(fit, 0.7, {Law.QUADRATIC: 0.2}, 9)) == "probably linear growth, 70% sure, else quadratic"
    either = Growth(fit, 0.5, {Law.QUADRATIC: 0.1, Law.LINEARITHMIC: 0.4}, 9)
    assert str(either) == "linear or n log n growth, 50% and 40% sure"


def test_is_less_sure_of_what_could_be_either() -> None:
    short, long = growth(series(LAWS[Law.LINEARITHMIC], 8)), growth(series(LAWS[Law.LINEARITHMIC], 60))
    assert short is not None and long is not None
    assert short.sure < 0.9 < long.sure
    assert short.others


def test_says_nothing_about_a_few_points() -> None:
    assert growth(series(LAWS[Law.LINEAR], 4)) is None


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 1000), st.integers(1, 50), st.integers(8, 40))
def test_a_straight_line_is_linear(offset: int, slope: int, count: int) -> None:
    found = growth([(x, offset + slope * x) for x in range(count)])
    assert found is not None
    assert found.law is Law.LINEAR


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 1000), min_size=5, max_size=40), st.integers(0, 10**6))
def test_any_series_gets_an_answer(costs: list[int], limit: int) -> None:
    points = [(float(x), float(cost)) for x, cost in enumerate(costs)]
    found = growth(points)
    assert found is not None or len(without_outliers(points)) < 5
    if found is not None:
        assert 0 < found.sure <= 1
        passed = found.fit.reaches(limit)
        assert passed is None or passed == 0 or found.fit.at(passed) > limit >= found.fit.at(passed - 1)


def test_one_point_far_off_does_not_matter() -> None:
    points = series(LAWS[Law.LINEAR])
    points[11] = (11.0, 900.0)
    found = growth(points)
    assert found is not None
    assert found.law is Law.LINEAR
    assert found.fit.slope == pytest.approx(7, rel=0.02)
    assert rises(points)


def test_projections() -> None:
    fit = Fit(Law.LINEAR, 10, 2)
    assert fit.reaches(50) == 21
    assert fit.reaches(5) == 0
    assert fit.reaches(10**9) is None
    assert Fit(Law.CONSTANT, 10).reaches(11) is None
    assert Fit(Law.EXPONENTIAL, 0, 1, 2).reaches(1000) == 10


@pytest.mark.parametrize("cap", [6, 12, 18])
@pytest.mark.parametrize("noise", [0, 0.01])
def test_a_level(cap: int, noise: float) -> None:
    level = levelled_off(series(lambda x: 100 + 25 * min(x, cap), 2 * cap + 6, noise))
    assert level is not None
    assert abs(level.at - cap) <= 1
    assert level.cost == pytest.approx(100 + 25 * cap, rel=0.03)


@pytest.mark.parametrize(
    "law",
    [*LAWS.values(), lambda x: 10 + 5 * int(math.log2(x + 1)), lambda x: 10 + 30 * (x > 0), lambda x: 50 - min(x, 10)],
)
def test_no_level(law: Callable[[float], float]) -> None:
    """Neither what goes on rising, if ever more slowly, nor what rose only once, nor what fell."""
    for count in range(5, 40):
        assert levelled_off(series(law, count)) is None


@pytest.mark.parametrize(
    ("costs", "up"),
    [
        ([1, 2, 3, 4, 5, 6], True),
        ([1, 3, 2, 4, 3, 5, 6, 5, 7], True),
        ([5, 5, 5, 5, 5, 5], False),
        ([9, 2, 7, 3, 8, 1, 9, 2], False),
        ([6, 5, 4, 3, 2, 1], False),
        ([5, 6, 5, 6, 5, 6, 5, 6], False),
    ],
)
def test_rises_on_the_whole(costs: list[float], up: bool) -> None:
    assert rises([(float(x), cost) for x, cost in enumerate(costs)]) is up


@pytest.mark.parametrize("every", [25, 30, 40, 70])
def test_what_is_emptied_again_and_again_falls_back(every: int) -> None:
    emptied = [(float(n), 10.0 + 5 * (n % every)) for n in (*range(20), *range(20, 101, 5))]
    peak = falls_back(emptied)
    assert peak is not None and peak.at < 101 and peak.cost > 80


@pytest.mark.parametrize("law", [law for law in Law if law is not Law.CONSTANT])
@pytest.mark.parametrize("seed", range(3))
def test_what_grows_does_not_fall_back(law: Law, seed: int) -> None:
    assert falls_back(series(LAWS[law], 40, noise=0.02, seed=seed)) is None
    spiked = series(LAWS[law], 40)
    spiked[20] = (20.0, spiked[0][1])
    assert falls_back(spiked) is None


noisy = st.builds(
    lambda slope, base, seed, spread, off: _noisy(slope, base, seed, spread, off),
    st.sampled_from([1, 3, 20]),
    st.sampled_from([50, 5_000, 50_000]),
    st.integers(0, 2**32),
    st.sampled_from([0, 0.3, 1]),
    st.lists(st.tuples(st.integers(0, 35), st.sampled_from([-300, -40, 25, 100, 500])), max_size=2),
)


def _noisy(slope: int, base: int, seed: int, spread: float, off: list[tuple[int, int]]) -> list[tuple[float, float]]:
    """A straight line with noise, and a few costs that are far off."""
    chance = random.Random(seed)
    costs = [(float(x), base + slope * (x + spread * chance.uniform(-1, 1))) for x in (*range(20), *range(20, 100, 5))]
    for place, far in off:
        x, y = costs[place]
        costs[place] = (x, y + slope * far)
    return costs


@settings(deadline=None, max_examples=300)
@given(noisy)
def test_costs_far_off_do_not_make_a_rise_bounded(points: list[tuple[float, float]]) -> None:
    assert rises(points)
    assert falls_back(points) is None
    assert levelled_off(points) is None
