"""The Allotment's tests need it to run: here it does, in the version with the bugs or (`--correct`) in the other."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page

from jostle.browser.find import find, sandbox_arguments
from jostle.examples import running


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--correct", action="store_true", help="Test the Allotment without its planted bugs.")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The browser that jostle finds on this machine."""
    return {**browser_type_launch_args, "executable_path": str(find().path), "args": sandbox_arguments()}


@pytest.fixture(scope="session")
def base_url(request: pytest.FixtureRequest) -> Iterator[str]:
    with running() as address:
        yield f"{address}/allotment/" if request.config.getoption("--correct") else f"{address}/allotment-buggy/"


@pytest.fixture(autouse=True)
def jostle_reset(base_url: str) -> None:
    """Notices and orders are the server's: each test begins without those of the others."""
    urllib.request.urlopen(urllib.request.Request(f"{base_url}reset", method="POST"), timeout=10).close()  # noqa: S310


@pytest.fixture
def page(page: Page) -> Page:
    page.set_default_timeout(5_000)
    page.set_default_navigation_timeout(30_000)
    return page
