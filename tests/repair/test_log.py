"""What controllers say of themselves; pages may have made them say anything."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as some

from jostle.repair.log import ControllerLog, log_of

REPORT = {
    "policy": "fifo",
    "postponed": 2,
    "discarded": 1,
    "aborted": 3,
    "waited": 250.5,
    "longest": 200.0,
    "waiting": 1,
}


def test_all_documents_together() -> None:
    frame = {"policy": "fifo", "postponed": 1, "waited": 300.0, "longest": 300.0, "overdue": 1, "kept": 4}
    assert log_of([{"tab": 0, "frame": "", **REPORT}, {"tab": 0, "frame": "1", **frame}]) == ControllerLog(
        postponed=3, dropped=4, kept=4, waited=550.5, longest=300.0, waiting=1, overdue=1
    )


def test_no_controller() -> None:
    assert log_of([]) == ControllerLog() == log_of([{"tab": 0, "frame": ""}])


anything = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(), some.lists, max_leaves=4
)


@given(
    some.lists(some.dictionaries(some.sampled_from([*REPORT, "log", "kept", "x"]), anything, max_size=6), max_size=3)
)
def test_whatever_is_said(parts: list[dict[str, Any]]) -> None:
    log = log_of(parts)
    assert (
        log.postponed >= 0 and log.dropped >= 0 and 0 <= log.longest < float("inf") and 0 <= log.waited < float("inf")
    )
