from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from jostle.examples import running


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """The examples, served for all tests that only read."""
    with running() as base:
        yield base


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    """The examples, served for the tests of one module."""
    with running() as url:
        yield url


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without cookies and storage."""
    context = browser.new_context()
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()
