"""What is in a page at a moment, of the kind that may pile up: elements, text, timers, listeners that are there twice.

A list that grows has more elements, each with listeners of its own. A leak has more and more listeners of the same
function on the same target, and nobody sees it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import msgspec

from jostle.browser.agent import OURS
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.tab import Tab
from jostle.events import Kind
from jostle.slowdowns.growth import Point, rises

STEADY = 6
"""With fewer figures nothing is said to pile up."""
EACH_TIME = 0.5
"""What piles up does so with every other repetition at least."""
MOST_ELEMENTS = 4000
"""In larger pages only the window, the document and its body are asked who listens."""
PATIENCE = 3.0
_GROUP = "jostle leftover"
_TYPE = re.compile(r"[\w:.-]{1,40}", re.ASCII)
_COUNTED = f"[document.getElementsByTagName('*').length, (document.documentElement?.textContent ?? '').length]{OURS}"


class Leftover(msgspec.Struct, frozen=True, kw_only=True):
    """What there is in a page."""

    elements: int = 0
    text: int = 0
    """Characters."""
    timers: int = 0
    repeated: Mapping[str, int] = {}
    """Listeners of a function on a target that listens to the same with the same function already, beyond the first:
    `click on the window`, with how many."""

    @property
    def listeners(self) -> int:
        return sum(self.repeated.values())


def repeated(listeners: Iterable[tuple[str, Params]]) -> dict[str, int]:
    """Of listeners as the browser tells them, each with what it is on, how many are there that are there already."""
    there: Counter[tuple[str, object, str, object]] = Counter()
    for target, each in listeners:
        code = (each.get("scriptId"), each.get("lineNumber"), each.get("columnNumber"), bool(each.get("useCapture")))
        there[target, each.get("backendNodeId"), str(each.get("type", "")), code] += 1
    more: Counter[str] = Counter()
    for (target, _, kind, _), count in there.items():
        if count > 1:
            more[f"{kind if _TYPE.fullmatch(kind) else 'another event'} on {target}"] += count - 1
    return dict(more)


class Growths(msgspec.Struct, frozen=True, kw_only=True):
    """What piled up along a series."""

    elements: bool = False
    text: bool = False
    timers: bool = False
    listeners: tuple[tuple[str, int], ...] = ()
    """What they listen to, and how many were there in the end beyond the first."""

    @property
    def visible(self) -> bool:
        """Whether the page got longer: who sees a list grow expects it to take longer."""
        return self.elements or self.text

    @property
    def leaks(self) -> bool:
        """Whether something piled up that nobody sees. Timers may belong to what is seen."""
        return bool(self.listeners) or (self.timers and not self.visible)


def growths(series: Sequence[tuple[float, Leftover]]) -> Growths:
    """By numbers of repetitions. The first does not count: things are made that stay."""
    series = series[1:]

    def grows(what: Callable[[Leftover], int]) -> bool:
        return piles_up([(repetitions, float(what(left))) for repetitions, left in series])

    kinds = sorted({kind for _, left in series for kind in left.repeated})
    growing = [kind for kind in kinds if grows(lambda left, kind=kind: left.repeated.get(kind, 0))]  # type: ignore[misc]
    return Growths(
        elements=grows(lambda left: left.elements),
        text=grows(lambda left: left.text),
        timers=grows(lambda left: left.timers),
        listeners=tuple((kind, series[-1][1].repeated.get(kind, 0)) for kind in growing),
    )


def piles_up(points: Sequence[Point]) -> bool:
    """Whether a number gets larger with (nearly) every repetition, as long as it was looked at."""
    if len(points) < STEADY or not rises(points):
        return False
    slopes = [(y1 - y0) / (x1 - x0) for (x0, y0), (x1, y1) in pairwise(points) if x1 > x0]
    third = len(slopes) // 3 or 1
    return bool(slopes) and median(slopes) >= EACH_TIME and median(slopes[-third:]) >= EACH_TIME


# In a browser ------------------------------------------------------------------------------------------------------


async def leftover(app: ChromiumApp) -> Leftover | None:
    """What is in the page in front; None when it does not tell."""
    tab = max((tab for tab in app.tabs if tab.usable), key=lambda tab: tab.number, default=None)
    if tab is None:
        return None
    try:
        counted = await _asked(tab, "Runtime.evaluate", {"expression": _COUNTED, "returnByValue": True})
        elements, text = _numbers(counted.get("result", {}).get("value"))
        listeners = await _listeners(tab, deep=elements <= MOST_ELEMENTS)
    except (ProtocolError, NoAnswer):
        return None
    timers = sum(event.kind is Kind.TIMER for event in await app.waiting())
    return Leftover(elements=elements, text=text, timers=timers, repeated=repeated(listeners))


async def _listeners(tab: Tab, *, deep: bool) -> list[tuple[str, Params]]:
    """Those on the window, on the document, and on its elements."""
    found: list[tuple[str, Params]] = []
    below = ("document.documentElement", -1) if deep else ("document.body", 1)
    try:
        for name, expression, depth in (
            ("the window", "globalThis", 1),
            ("the document", "document", 1),
            ("an element", *below),
        ):
            asked = {"expression": expression + OURS, "objectGroup": _GROUP}
            target = (await _asked(tab, "Runtime.evaluate", asked)).get("result", {}).get("objectId")
            if target is None:
                continue
            told = await _asked(
                tab, "DOMDebugger.getEventListeners", {"objectId": target, "depth": depth, "pierce": True}
            )
            found += [(name, each) for each in told.get("listeners", ())]
    finally:  # what was asked for is kept by the browser until it is told otherwise
        await _asked(tab, "Runtime.releaseObjectGroup", {"objectGroup": _GROUP})
    return found


async def _asked(tab: Tab, method: str, params: Params) -> Params:
    return await tab.session.send(method, params, timeout=PATIENCE)


def _numbers(told: Any) -> tuple[int, int]:
    """The page may answer anything."""
    match told:
        case [int(elements), int(text)]:
            return elements, text
    return 0, 0
