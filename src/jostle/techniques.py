"""The techniques there are, as reports know them."""

from __future__ import annotations

from functools import cache

from jostle.report.technique import ReportedTechniques


@cache
def techniques() -> ReportedTechniques:
    """By their names, in the order in which they are told."""
    from jostle.adverse.report.technique import CONDITIONS, REORDERED
    from jostle.explore.report.technique import USING
    from jostle.races.report.technique import LOADING, RESPONSES, SCHEDULES
    from jostle.slowdown.report.technique import REPEATING

    return {each.name: each for each in (USING, LOADING, RESPONSES, SCHEDULES, REPEATING, CONDITIONS, REORDERED)}
