"""Which code has run, out of what V8 tells."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from jostle.browser.coverage import EVERY_BRANCH, Coverage
from jostle.browser.settings import Profiling, TabSettings
from jostle.browser.tab import Tab
from jostle.events import Settled
from tests.browser.live import browser_launched, site_served

ORIGIN = "http://x.test"


class Page:
    """A tab whose page gives these figures, one after the other."""

    number, usable, leaving = 0, True, False

    def __init__(self, *readings: dict[str, list[tuple[int, int, int]]]) -> None:
        self.session = self
        self._readings = list(readings)

    async def send(self, method: str, *, timeout: float) -> dict[str, Any]:
        assert method == "Profiler.takePreciseCoverage"
        told = self._readings.pop(0)
        return {
            "result": [
                {
                    "url": url.partition("!")[0],
                    "scriptId": url,
                    "functions": [{"ranges": [_range(*each) for each in ranges]}],
                }
                for url, ranges in told.items()
            ]
        }


def _range(start: int, end: int, count: int) -> dict[str, int]:
    return {"startOffset": start, "endOffset": end, "count": count}


def read(*readings: dict[str, list[tuple[int, int, int]]]) -> tuple[list[int], Coverage]:
    coverage, page = Coverage(), cast(Tab, Page(*readings))

    async def all_of_them() -> list[int]:
        return [await coverage.read([page], [ORIGIN]) for _ in readings]

    return asyncio.run(all_of_them()), coverage


def test_a_block_that_is_told_apart_later_is_not_new() -> None:
    """A branch that ran as often as its function is no range of its own; run less often, it is one."""
    script = f"{ORIGIN}/a.js"
    new, coverage = read(
        {script: [(0, 100, 1), (40, 60, 0)]},
        {script: [(0, 100, 2), (10, 20, 1), (40, 60, 0)]},
        {script: [(0, 100, 3), (40, 60, 1)]},
        {script: [(0, 100, 3), (45, 50, 2)]},
    )
    assert new == [2, 0, 1, 0]  # before and after the branch that did not run; then the branch
    assert len(coverage) == 3
    assert coverage.characters == 100


def test_only_code_with_an_address_of_the_application_counts() -> None:
    new, coverage = read(
        {"": [(0, 10, 1)], "http://elsewhere.test/b.js": [(0, 10, 1)], "jostle:agent": [(0, 10, 1)]},
        {f"{ORIGIN}/a.js?v=1": [(0, 10, 1)]},
        {f"{ORIGIN}/a.js?v=2": [(0, 10, 1)]},
    )
    assert new == [0, 1, 0]
    assert coverage.characters == 10


def test_handlers_within_a_page_are_told_apart() -> None:
    page = f"{ORIGIN}/page"
    new, coverage = read(
        {f"{page}!1": [(0, 40, 1)]},
        {f"{page}!2": [(0, 30, 1)]},
        {f"{page}!1": [(10, 20, 1)], f"{page}!2": [(10, 20, 1)]},
        {f"{page}!3": [(0, 30, 1)]},
    )
    assert new == [1, 1, 0, 0]  # the page was loaded again in between: the same handler has another number
    assert coverage.characters == 70


BRANCHES = """<!doctype html><title>Page</title><a href="/">Again</a><script src=/app.js></script>"""
SCRIPT = "function branch(no) { if (no) { " + "console.log('never'); " * 50 + "} return 1; }\nbranch(false);"


@pytest.mark.browser
def test_what_did_not_run_is_not_counted_when_a_page_is_loaded_again() -> None:
    with browser_launched(arguments=(EVERY_BRANCH,)) as browser, site_served() as site:
        app = browser.made(
            site.serve({"/": BRANCHES, "/app.js": SCRIPT}), settings=TabSettings(profiling=Profiling.COVERAGE)
        )
        settled = Settled(app)
        browser.run(settled.reset())
        run = []
        for _ in range(4):
            browser.run(app.new_blocks())
            run.append(app.coverage.characters)
            [again] = [event for event in browser.run(settled.enabled()) if event.what.startswith("click link")]
            browser.run(settled.step(again))
        browser.close_apps()
    assert 0 < run[0] < 200
    assert run == [run[0]] * 4
