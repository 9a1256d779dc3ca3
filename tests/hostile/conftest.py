"""For attacks: a browser, and a server that stands for an origin which nobody allowed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.conftest import _browser, _isolating_browser, _site, browser, isolating_browser, site
from tests.browser.live import Site, site_served

__all__ = ["_browser", "_isolating_browser", "_site", "browser", "isolating_browser", "site"]


@pytest.fixture(scope="session")
def _elsewhere() -> Iterator[Site]:
    with site_served() as site:
        site.url, site.other_url = site.other_url, site.url  # another site too, not only another port
        yield site


@pytest.fixture
def elsewhere(_elsewhere: Site) -> Site:
    """An origin that is not the application's. What reaches it is in `received`."""
    _elsewhere.serve({})
    return _elsewhere
