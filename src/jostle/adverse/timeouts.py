"""How long a test waits for what does not come.

A test that fails mostly does so by waiting in vain, five seconds for an assertion. Where it failed is looked for with
many runs: these wait no longer than a few times what the test took when nothing happened. Assertions are made when the
page has come to rest, and look at it at least once however little time they have. That the test fails then is shown
with all the time it asks for.

Nothing to do with `browser.patience`, which remembers requests that are not worth waiting for: those are the page's,
these timeouts are the test's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

_MODULES = ("playwright.sync_api", "playwright.async_api")


class Timeouts(NamedTuple):
    """Seconds that something in a test may take."""

    action: float
    assertion: float


def enough(action: float, between: float) -> Timeouts:
    """For a test of which no action took longer than this when nothing happened, nor what it did between two."""
    return Timeouts(action=max(0.25, 3 * action), assertion=0.1 + 2 * between)


@contextmanager
def shortened(timeouts: Timeouts | None) -> Iterator[None]:
    """Inside, assertions wait no longer than this, unless they say so themselves; None: as ever."""
    restore = []
    if timeouts is not None:
        milliseconds = 1000 * timeouts.assertion
        for name in _MODULES:
            expect = getattr(sys.modules.get(name), "expect", None)
            usual = getattr(expect, "_timeout", None)
            if expect is not None and (usual is None or usual > milliseconds):
                restore.append((expect, usual))
                expect.set_options(timeout=milliseconds)
    try:
        yield
    finally:
        for expect, usual in restore:
            expect.set_options(timeout=usual)
