from __future__ import annotations

from collections.abc import Iterator

import pytest

from jostle.examples import running


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """The examples, served for all tests that only read."""
    with running() as base:
        yield base
