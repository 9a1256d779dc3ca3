"""What is left in a real page, and that asking leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jostle.browser.settings import Control, TabSettings
from jostle.events import Settled
from jostle.slowdowns.leftover import Leftover, leftover
from tests.browser.live import Browser, browser_launched, site_served

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><title>Left</title><ul><li>one<li>two</ul><button>Go</button>
<script>
  for (const li of document.querySelectorAll("li")) li.addEventListener("click", () => 1);
  for (let n = 0; n < 4; n++) addEventListener("resize", () => n);
  for (let n = 0; n < 3; n++) document.addEventListener("x y", () => n);
  for (let n = 0; n < 2; n++) document.querySelector("button").addEventListener("focus", () => n);
  for (const type of ["keydown", "keyup"]) addEventListener(type, console.log);
  setTimeout(() => 1, 1e9);
</script>"""
HOSTILE = """<!doctype html><title>Hostile</title>
<script>document.getElementsByTagName = () => ({ get length() { return "many"; } });</script>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browser_launched() as launched:
        yield launched


def left(browser: Browser, page: str, times: int = 1) -> Leftover | None:
    with site_served() as site:
        app = browser.made(site.serve({"/": page}), settings=TabSettings(control=Control.FLOWING))

        async def work() -> Leftover | None:
            await Settled(app).reset()
            for _ in range(times - 1):
                await leftover(app)
            return await leftover(app)

        return browser.run(work())


def test_what_there_is(browser: Browser) -> None:
    found = left(browser, PAGE)
    assert found is not None
    assert found.repeated == {
        "resize on the window": 3,
        "another event on the document": 2,
        "focus on an element": 1,
    }
    assert found.elements == 9 and found.timers == 1 and found.text > 100
    assert left(browser, PAGE, times=20) == found


def test_a_page_that_lies_has_nothing(browser: Browser) -> None:
    found = left(browser, HOSTILE)
    assert found is not None and (found.elements, found.text) == (0, 0)
