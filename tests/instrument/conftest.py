from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.instrument.javascript import JavaScript, started


@pytest.fixture(scope="module")
def javascript() -> Iterator[JavaScript]:
    """A browser that runs programs as they are and rewritten."""
    with started() as browser:
        yield browser
