"""A test that starts a browser has to say so: one that does not is found out, whichever way it goes about it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import STARTING

SUITE = """
import asyncio, contextlib, subprocess, sys
import pytest
from jostle.browser.chromium import Chromium
from jostle.browser.launch import launched
from jostle.cli.main import run
from playwright.sync_api import sync_playwright

async def opened(opening):
    async with opening:
        pass

def test_borrowed():
    asyncio.run(opened(Chromium.launch()))

def test_launched():
    asyncio.run(opened(launched()))

def test_a_command():
    run(["doctor"])

def test_a_process():
    subprocess.run([sys.executable, "-m", "jostle.cli.main", "record", "http://127.0.0.1:9/", "--walk", "1"])

def test_who_expects_trouble_and_is_content():
    with pytest.raises(RuntimeError):
        asyncio.run(opened(launched()))

@pytest.fixture(scope="module")
def found():
    with contextlib.suppress(RuntimeError):
        asyncio.run(opened(Chromium.launch()))

def test_a_fixture(found):
    pass

def test_of_something_else():
    subprocess.run([sys.executable, "-c", "print('--user-data-dir=x')"], check=True)

def test_by_playwright():
    with sync_playwright() as playwright:
        playwright.chromium.launch()
"""


def test_whoever_starts_a_browser_without_the_marker_fails(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = browser\n")
    (tmp_path / "test_suite.py").write_text(SUITE)
    here = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:playwright"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(here)}, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    told = done.stdout
    assert told.splitlines()[-1].startswith("6 failed, 1 passed, 1 error in "), told
    assert "ERROR test_suite.py::test_a_fixture" in told
    failures = told.split("= FAILURES =")[1].split("short test summary")[0].split("\n____")
    for failure in failures[1:]:
        assert "A test without the marker `browser` starts a browser: " in failure


def test_the_marker_comes_with_the_fixture(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        if STARTING.intersection(getattr(item, "fixturenames", ())):
            assert item.get_closest_marker("browser"), item.nodeid
