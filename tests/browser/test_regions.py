"""Parts of a page that the user wants left out of comparisons."""

from __future__ import annotations

import pytest

from jostle.browser.settings import TabSettings
from jostle.events import Settled
from tests.browser.live import Browser, Site

PAGE = """<!doctype html><title>Page</title>
<div class="advert"><p>Buy {0}</p>{1}</div><main><p>{2}</p><button onclick="">Go</button></main>"""


def looks_of(browser: Browser, site: Site, *parts: str, ignored: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """What tells the state of the page, its structure, and what was said about it."""
    app = browser.made(site.serve(PAGE.format(*parts)), settings=TabSettings(ignored=ignored))
    settled = Settled(app)
    browser.run(settled.reset())
    state, skeleton = browser.run(app.state()), browser.run(app.skeletons())
    [press] = [event for event in browser.run(settled.enabled()) if event.by_user]
    return state.digest, skeleton[0]["skeleton"], browser.run(settled.step(press)).limits


@pytest.mark.parametrize(("ignored", "same"), [((".advert", "#none"), True), (("#none",), False), ((), False)])
def test_what_is_in_them_says_nothing(browser: Browser, site: Site, ignored: tuple[str, ...], same: bool) -> None:
    one = looks_of(browser, site, "milk", "", "Hello", ignored=ignored)
    other = looks_of(browser, site, "bread", "<ul><li>now</ul>", "Hello", ignored=ignored)
    assert (one == other) is same


def test_the_rest_does(browser: Browser, site: Site) -> None:
    one = looks_of(browser, site, "milk", "", "Hello", ignored=(".advert",))
    other = looks_of(browser, site, "milk", "", "Good-bye", ignored=(".advert",))
    assert one[0] != other[0]


def test_what_is_no_selector_is_told(browser: Browser, site: Site) -> None:
    one = looks_of(browser, site, "milk", "", "Hello", ignored=("a[", ".advert"))
    assert one[2] == ("ignore.regions: a[ is not a CSS selector, so nothing was left out because of it",)
    assert one[:2] == looks_of(browser, site, "bread", "", "Hello", ignored=(".advert",))[:2]
