from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.driven import Driven, OpenApp
from tests.browser.live import Browser, Site, browser_launched, site_served
from tests.browser.pages import Page, opened


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A tab for the tests of a module; each begins with `show`."""
    with opened() as tab:
        yield tab


@pytest.fixture(scope="session")
def _site() -> Iterator[Site]:
    with site_served() as site:
        yield site


@pytest.fixture(scope="module")
def _browser() -> Iterator[Browser]:
    with browser_launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def _isolating_browser() -> Iterator[Browser]:
    with browser_launched(site_isolation=True, arguments=["--site-per-process"]) as browser:
        yield browser


@pytest.fixture
def site(_site: Site) -> Site:
    """A web server; give it pages with `site.serve({path: text})`."""
    _site.serve({})
    return _site


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    """A controlled Chromium: `browser.app(url)` and `browser.run(app.step(event))`."""
    yield _browser
    _browser.close_apps()


@pytest.fixture
def isolating_browser(_isolating_browser: Browser) -> Iterator[Browser]:
    """One in which frames of other sites live in processes of their own."""
    yield _isolating_browser
    _isolating_browser.close_apps()


@pytest.fixture
def app(browser: Browser, site: Site) -> OpenApp:
    """`app(path_or_url, **options)` makes an application that is driven by plain calls; not reset yet."""

    def make(url: str = "/", *, within: Browser | None = None, **options: object) -> Driven:
        return Driven(within or browser, site.url + url if url.startswith("/") else url, **options)

    return make
