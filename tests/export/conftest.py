from __future__ import annotations

from collections.abc import Iterator

import pytest

from jostle.browser.coverage import KEEPS_COUNTS
from jostle.examples.server import running
from tests.browser.live import Browser, browser_launched


@pytest.fixture(scope="module")
def examples() -> Iterator[str]:
    """The address of the examples."""
    with running() as base:
        yield base


@pytest.fixture(scope="module")
def counting_browser() -> Iterator[Browser]:
    """A Chromium that counts all blocks, however often they run."""
    with browser_launched(arguments=[KEEPS_COUNTS]) as browser:
        yield browser
