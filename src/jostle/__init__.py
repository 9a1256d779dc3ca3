"""jostle tests event-driven web applications by controlling event order, time and user input.

    import jostle

    result = jostle.check("http://localhost:8000", budget="90s")
    assert not result.findings, str(result)

Described in docs/reference/python.md. What is not in `__all__` may change without notice.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jostle.version import __version__

if TYPE_CHECKING:
    from jostle import aio, races
    from jostle.errors import Problem
    from jostle.findings import Confidence, Finding, FindingKind, Severity
    from jostle.library import RepairResult, SearchResult
    from jostle.search.job import Job
    from jostle.sync import check, explore, repair, replay, run, slowdown

_HOMES = {
    "Confidence": "jostle.findings",
    "Finding": "jostle.findings",
    "FindingKind": "jostle.findings",
    "Job": "jostle.search.job",
    "Problem": "jostle.errors",
    "RepairResult": "jostle.library",
    "SearchResult": "jostle.library",
    "Severity": "jostle.findings",
    "check": "jostle.sync",
    "explore": "jostle.sync",
    "replay": "jostle.sync",
    "run": "jostle.sync",
    "slowdown": "jostle.sync",
}
__all__ = [
    "Confidence",
    "Finding",
    "FindingKind",
    "Job",
    "Problem",
    "RepairResult",
    "SearchResult",
    "Severity",
    "__version__",
    "aio",
    "check",
    "explore",
    "races",
    "repair",
    "replay",
    "run",
    "slowdown",
]


def __getattr__(name: str) -> Any:
    """Imported when it is used: the command line must not wait for what it does not need."""
    if name in ("aio", "races", "repair"):  # rooms that are part of the library
        return import_module(f"jostle.{name}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'jostle' has no attribute {name!r}")
