"""What else a series leaves behind, in a browser that runs as always: time of handlers, nodes, listeners, timers, heap.

A leak is a slowdown that has not happened yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

import msgspec

from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.events import Event, Kind, NotEnabled
from jostle.exploring.application import Explored
from jostle.slowdowns.growth import Point, growth, rises

STEADY = 6
"""With fewer figures nothing is called steady."""
FELT, SLOW = 50.0, 200.0
"""Milliseconds after which people feel that a page lags, and after which it is called slow."""


class Wear(msgspec.Struct, kw_only=True):
    """What was measured at each effect, by the number of repetitions of the cause before it."""

    times: list[Point] = []
    """Milliseconds that the page's JavaScript took for the effect."""
    left: dict[str, list[Point]] = {}
    """How many there were of what may pile up."""

    @property
    def grows(self) -> dict[str, list[Point]]:
        """What grew all the time, from the second figure on: at first much is made that stays."""
        return {name: points for name, points in self.left.items() if _steadily([count for _, count in points[1:]])}

    def measured(self, limit: float) -> int | None:
        """The number of repetitions from which on the handler took longer than so many milliseconds, one slow time
        among quick ones left aside; None when it did not."""
        for number, (repetitions, _) in enumerate(self.times[:-2]):
            if median(time for _, time in self.times[number : number + 3]) > limit:
                return round(repetitions)
        return None

    def passes(self, limit: float) -> int | None:
        """The number of repetitions from which on the handler takes longer than so many milliseconds: as measured, else
        as expected by the times alone, when these rise."""
        if (measured := self.measured(limit)) is not None:
            return measured
        law = growth(self.times) if rises(self.times) else None
        expected = law.fit.reaches(limit) if law is not None else None
        return max(expected, round(self.times[-1][0])) if expected is not None else None


def _steadily(counts: Sequence[float]) -> bool:
    return len(counts) >= STEADY and all(a < b for a, b in pairwise(counts))


async def wear(
    explored: Explored,
    events: Sequence[Event],
    is_effect: Sequence[bool],
    is_cause: Sequence[bool],
    *,
    enough: int = 0,
    deadline: float | None = None,
    on_step: Callable[[Event], None] = lambda event: None,
) -> Wear:
    """Do the events from a fresh start and measure at each effect. What can no longer be done ends it, and so does
    `deadline`, a time of `time.monotonic`, once there are `enough` figures."""
    found = Wear()
    await explored.reset()
    app, repetitions = explored.app, 0
    await _ask(app, "Performance.enable")
    for event, effect, cause in zip(events, is_effect, is_cause, strict=True):
        before = await _script_seconds(app) if effect else 0.0
        try:
            await explored.step(event)
        except NotEnabled:
            break
        if effect:
            found.times.append((float(repetitions), round((await _script_seconds(app) - before) * 1000, 2)))
            for name, count in (await _left(app)).items():
                found.left.setdefault(name, []).append((float(repetitions), count))
        repetitions += cause
        on_step(event)
        if deadline is not None and len(found.times) >= enough and time.monotonic() > deadline:
            break
    return found


async def _script_seconds(app: ChromiumApp) -> float:
    metrics = await _ask(app, "Performance.getMetrics")
    return float(sum(each["value"] for each in metrics.get("metrics", ()) if each["name"] == "ScriptDuration"))


async def _left(app: ChromiumApp) -> dict[str, float]:
    await _ask(app, "HeapProfiler.collectGarbage")
    counters = await _ask(app, "Memory.getDOMCounters")
    heap = await _ask(app, "Runtime.getHeapUsage")
    timers = sum(event.kind is Kind.TIMER for event in await app.waiting())
    return {
        "DOM nodes": float(counters.get("nodes", 0)),
        "event listeners": float(counters.get("jsEventListeners", 0)),
        "timers": float(timers),
        "JavaScript heap (kB)": round(heap.get("usedSize", 0) / 1024),
    }


async def _ask(app: ChromiumApp, method: str) -> Params:
    tab = max((tab for tab in app.tabs if tab.usable), key=lambda tab: tab.number, default=None)
    if tab is None:
        return {}
    try:
        return await tab.session.send(method, timeout=10)
    except (ProtocolError, NoAnswer):
        return {}
