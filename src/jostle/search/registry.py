"""The techniques that there are, one line each. They are imported when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from jostle.errors import UsageProblem
from jostle.search.job import Job
from jostle.search.technique import Search, SearchContext, Technique

TECHNIQUES = {
    "explore": "jostle.explore.technique",
    "races init": "jostle.races.init.technique",
    "races ajax": "jostle.races.ajax.technique",
    "races orders": "jostle.races.orders.technique",
    "slowdown": "jostle.slowdown.technique",
}
"""By their names, in the order in which they are told: the module that has the `TECHNIQUE`."""
CHECK = "check"
"""The search that uses all of them."""


@cache
def technique(name: str) -> Technique:
    """Raises UsageProblem when there is none of that name."""
    if name not in TECHNIQUES:
        raise UsageProblem(f"There is no technique `{name}`.", advice=f"There are: {', '.join(TECHNIQUES)}.")
    found = import_module(TECHNIQUES[name]).TECHNIQUE
    assert isinstance(found, Technique) and found.name == name
    return found


def opener(name: str) -> Callable[[Job, SearchContext], Search]:
    """What opens jobs of that name. Raises UsageProblem when there is none."""
    if name == CHECK:
        made: Callable[[Job, SearchContext], Search] = import_module("jostle.check.search").CheckSearch
        return made
    return technique(name).opens
