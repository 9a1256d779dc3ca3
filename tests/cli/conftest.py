"""The example applications, for commands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jostle.examples import running


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with running() as served:
        yield served
