"""What is said of times and of what piles up, out of what was measured."""

from __future__ import annotations

import pytest

from jostle.slowdowns.wear import Wear


@pytest.mark.parametrize(
    ("times", "limit", "repetitions"),
    [
        ([10, 20, 30, 40, 55, 60, 70, 80], 50, 3),  # of three in a row, most are above
        ([10, 20, 30, 40, 50, 60, 70, 80], 200, 20),
        ([90, 95, 99, 120, 130], 50, 0),
        ([127, 157, 161, 117, 297, 322, 176, 205, 218, 368, 306, 372, 222, 286, 135, 191], 50, 0),
        ([127, 157, 161, 117, 297, 322, 176, 205, 218, 368, 306, 372, 222, 286, 135, 191], 200, 3),
        ([10, 300, 11, 9, 10, 12, 10, 11], 200, None),  # one slow time among quick ones
        ([10, 12, 9, 11, 10, 12, 9, 11], 50, None),
        ([], 50, None),
    ],
)
def test_when_a_limit_is_passed(times: list[float], limit: float, repetitions: int | None) -> None:
    found = Wear(times=[(float(number), float(time)) for number, time in enumerate(times)]).passes(limit)
    assert found == repetitions if repetitions is None or repetitions < 10 else abs((found or 0) - repetitions) <= 2


def test_only_what_grows_all_the_time_is_told() -> None:
    left = {
        "nodes": [900.0, 10, 20, 30, 40, 50, 60],
        "listeners": [0.0, 1, 2, 3, 3, 4, 5],
        "timers": [1.0, 2, 3, 4, 5],
        "heap": [5.0, 6, 7, 6, 8, 9, 10],
    }
    worn = Wear(left={name: [(float(n), each) for n, each in enumerate(counts)] for name, counts in left.items()})
    assert set(worn.grows) == {"nodes"}
