"""Model checking of small applications at random against trying everything."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jostle.races.schedules.filters import NO_FILTERS
from jostle.races.schedules.model_check import ModelCheck, Redundancy
from tests.races.schedules.applications import go
from tests.races.schedules.systems import Reserved, System, class_of, systems

EXAMPLES = 40
MOST = 5
"""Events of an application, but for those that are created twice."""


@pytest.mark.parametrize(
    ("redundancy", "options"),
    [
        (Redundancy.NEIGHBOURS, {}),
        (Redundancy.NEIGHBOURS, {"best_first": True}),
        (Redundancy.NEIGHBOURS, {"best_first": True, "lazily": True}),
        (Redundancy.NOTHING, {}),
        (Redundancy.SLEEP_SETS, {}),
    ],
)
def test_without_a_bound_exactly_the_possible_ends_are_reached(redundancy: Redundancy, options: dict[str, Any]) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(systems(MOST), st.randoms(use_true_random=False))
    def check(system: System, random: Random) -> None:
        go(_check(system, random, redundancy, options))

    check()


async def _check(system: System, random: Random, redundancy: Redundancy, options: dict[str, Any]) -> None:
    told, recording = await system.recorded(random)
    runner = Reserved(told) if options.get("lazily") else told
    search = ModelCheck(runner, recording, bound=None, filters=NO_FILTERS, redundancy=redundancy, **options)
    runs = [recording]
    async for tried in search.explore():
        if not tried.run.failed:
            assert not tried.run.new, "it goes on to the end"
            runs.append(tried.run)
    assert {run.state for run in runs} == await system.ends()
    assert len({run.keys for run in runs}) == len(runs) == search.counts.explored, "no order is run twice"
    if redundancy is Redundancy.SLEEP_SETS:
        classes = [class_of(run.trace) for run in runs]
        assert len(set(classes)) == len(classes), "no two runs are equivalent"
        everything = await system.classes(most=150)
        assert everything is None or everything == set(classes)
