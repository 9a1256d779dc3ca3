from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from tests.browser.live import Site, site_served
from tests.repair.repaired import Repaired


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    with site_served() as site:
        yield site


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def repaired(page: Page, served: Site) -> Iterator[Repaired]:
    """A plain Chromium at a page with a policy."""
    made = Repaired(page, served)
    yield made
    made.release_all()
