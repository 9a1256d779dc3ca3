"""Isso is started by `python -m benchmarks.adverse_real`, which tells where it is and where its comments are."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import Any

import pytest

from jostle.browser.find import find, sandbox_arguments


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": str(find().path), "args": sandbox_arguments()}


@pytest.fixture(scope="session")
def base_url() -> str:
    return os.environ["ISSO_URL"]


@pytest.fixture(autouse=True)
def jostle_reset() -> None:
    """Each test begins without a comment."""
    with contextlib.closing(sqlite3.connect(os.environ["ISSO_COMMENTS"], timeout=10)) as database, database:
        database.execute("DELETE FROM comments")
        database.execute("DELETE FROM threads")
