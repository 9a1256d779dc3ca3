"""How work grows with its input: processor time, so that a busy machine makes no difference."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_LEAST = 0.02
"""Seconds below which a measurement says nothing."""
MOST_GROWTH = 2.3


def processor_seconds(work: Callable[[], object]) -> float:
    """The least of three times: what disturbs only makes it longer."""
    times = []
    for _ in range(3):
        began = time.thread_time()
        work()
        times.append(time.thread_time() - began)
    return min(times)


def assert_linear(work: Callable[[T], object], sized: Callable[[int], T], size: int) -> None:
    """Twice the input takes at most a little more than twice the time."""
    small, large = sized(size), sized(2 * size)
    for _ in range(3):  # a cache that others emptied meanwhile counts, too
        one, two = processor_seconds(lambda: work(small)), processor_seconds(lambda: work(large))
        if two <= MOST_GROWTH * max(one, _LEAST):
            return
    raise AssertionError(f"{one:.3f} s for {size}, {two:.3f} s for twice as much: {two / one:.1f} times")
