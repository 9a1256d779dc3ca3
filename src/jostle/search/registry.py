"""The techniques that there are, one line each. They are imported when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from jostle.errors import UsageProblem
from jostle.report.technique import ReportedTechniques
from jostle.search.job import Job
from jostle.search.technique import Search, SearchContext, Technique

TECHNIQUES = {
    "explore": "jostle.exploring.technique:TECHNIQUE",
    "races init": "jostle.races.loading.technique:TECHNIQUE",
    "races ajax": "jostle.races.responses.technique:TECHNIQUE",
    "races orders": "jostle.races.schedules.technique:TECHNIQUE",
    "slowdown": "jostle.slowdowns.technique:TECHNIQUE",
    "adverse": "jostle.adverse.technique:CONDITIONS",
    "adverse orders": "jostle.adverse.technique:REORDERED",
}
"""By their names, in the order in which they are told: the module and the name of the record in it."""
CHECK = "check"
"""The search that uses all of them."""


@cache
def technique(name: str) -> Technique:
    """Raises UsageProblem when there is none of that name."""
    if name not in TECHNIQUES:
        raise UsageProblem(f"There is no technique `{name}`.", advice=f"There are: {', '.join(TECHNIQUES)}.")
    module, _, record = TECHNIQUES[name].partition(":")
    found = getattr(import_module(module), record)
    assert isinstance(found, Technique) and found.name == name
    return found


@cache
def in_checks() -> dict[str, str]:
    """Names of the techniques that a check uses, by what `--only` and `--skip` call them."""
    every = (technique(name) for name in TECHNIQUES)
    return {each.option: each.name for each in every if each.in_check is not None}


@cache
def reported_techniques() -> ReportedTechniques:
    """How reports tell of each technique, in the order in which they are told."""
    return {name: technique(name).report for name in TECHNIQUES}


def opener(name: str) -> Callable[[Job, SearchContext], Search]:
    """What opens jobs of that name. Raises UsageProblem when there is none."""
    if name == CHECK:
        made: Callable[[Job, SearchContext], Search] = import_module("jostle.checking.search").CheckSearch
        return made
    opens = technique(name).opens
    if opens is None:
        raise UsageProblem(f"`{name}` is not run as a job: it is for suites of tests.", advice="See: pytest --help")
    return opens
