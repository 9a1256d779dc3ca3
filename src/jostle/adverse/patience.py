"""How long a test waits for what does not come.

A test that fails mostly does so by waiting in vain, five seconds for an assertion. Where it failed is looked for with
many runs: these wait no longer than a few times what anything in the test took when nothing happened. That it fails
then is shown with all the time it asks for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

LEAST = 0.4
"""Seconds; not even quick tests are given less."""
_TIMES = 3
"""Machines are busy at times."""
_MODULES = ("playwright.sync_api", "playwright.async_api")


def enough(longest: float) -> float:
    """Seconds that anything in a test may take, of which nothing took longer than this when nothing happened."""
    return max(LEAST, _TIMES * longest)


@contextmanager
def impatient(seconds: float | None) -> Iterator[None]:
    """Inside, assertions wait no longer than this, unless they say so themselves; None: as ever."""
    restore = []
    if seconds is not None:
        for name in _MODULES:
            expect = getattr(sys.modules.get(name), "expect", None)
            usual = getattr(expect, "_timeout", None)
            if expect is not None and (usual is None or usual > 1000 * seconds):
                restore.append((expect, usual))
                expect.set_options(timeout=1000 * seconds)
    try:
        yield
    finally:
        for expect, usual in restore:
            expect.set_options(timeout=usual)
