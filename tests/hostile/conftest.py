"""For attacks: a browser and a server that stands for an origin which nobody allowed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.live import Browser, Site, browser_launched, site_served


@pytest.fixture(scope="session")
def _site() -> Iterator[Site]:
    with site_served() as site:
        yield site


@pytest.fixture(scope="session")
def _elsewhere() -> Iterator[Site]:
    with site_served() as site:
        site.url, site.other_url = site.other_url, site.url  # another site too, not only another port
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
    """The application under test."""
    _site.serve({})
    return _site


@pytest.fixture
def elsewhere(_elsewhere: Site) -> Site:
    """An origin that is not the application's. What reaches it is in `received`."""
    _elsewhere.serve({})
    return _elsewhere


@pytest.fixture
def browser(_browser: Browser) -> Iterator[Browser]:
    yield _browser
    _browser.close_apps()


@pytest.fixture
def isolating_browser(_isolating_browser: Browser) -> Iterator[Browser]:
    """One in which frames of other sites live in processes of their own."""
    yield _isolating_browser
    _isolating_browser.close_apps()
