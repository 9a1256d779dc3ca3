"""For all tests: which of them start a browser, and where browsers come from.

A test that starts a browser has the marker `browser`: by a fixture that starts one, or written at the test or its
module. The others are watched: starting one all the same, in this process or in one that the test starts, fails it.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import settings

from jostle import library
from jostle.cli import options
from tests.lending import lending, not_lending
from tests.without_browser import sitecustomize

# What a shell starts in the background ignores Ctrl-C, and under nohup a hang-up: so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# How long an example of Hypothesis takes says more about the machine than about the code.
settings.register_profile("jostle", deadline=None)
settings.load_profile("jostle")

STARTING = {"app", "browser", "counting_browser", "isolating_browser", "javascript", "page", "running_chromium"}
"""Fixtures that start a browser, under these names wherever they are."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if STARTING.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
    _sample(items)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)  # nobody waits for one of them in the end


def _sample(items: list[pytest.Item]) -> None:
    """Of a test with the marker `sampled(n)`, all but the first n parameters are long."""
    met: Counter[str] = Counter()
    for item in items:
        if sampled := item.get_closest_marker("sampled"):
            name = item.nodeid.partition("[")[0]
            met[name] += 1
            if met[name] > sampled.args[0]:
                item.add_marker(pytest.mark.long)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _VERIFYING[:] = [item.get_closest_marker("verifying") is not None]
    if item.get_closest_marker("browser"):
        return (yield)
    with tempfile.TemporaryDirectory(prefix="jostle-notes-") as folder, pytest.MonkeyPatch.context() as patch:
        notes = Path(folder, "notes")
        notes.touch()
        patch.setenv(sitecustomize.VARIABLE, str(notes))
        patch.setenv("PYTHONPATH", str(Path(sitecustomize.__file__).parent), prepend=os.pathsep)
        return (yield)


def _started() -> None:
    """Fail if a browser was started: whoever was refused it may have taken that for something else."""
    if (notes := os.environ.get(sitecustomize.VARIABLE)) and (tried := Path(notes).read_text()):
        pytest.fail(f"A test without the marker `browser` starts a browser: {tried}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, None, None]:
    try:
        yield
    finally:
        _started()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    try:
        yield
    finally:
        _started()


@pytest.fixture(scope="session", autouse=True)
def _lending() -> Iterator[None]:
    with lending():
        yield


_VERIFYING = [False]
"""Whether the present test has the marker `verifying`."""


@pytest.fixture(scope="session", autouse=True)
def _unverified() -> Iterator[None]:
    """Generated tests are run only where that is what is tested: each takes longer than most tests of ours."""
    with (
        mock.patch.object(options, "can_run_tests", lambda: _VERIFYING[0]),
        mock.patch.object(library, "can_run_tests", lambda: _VERIFYING[0]),
    ):
        yield


@pytest.fixture
def own_browsers() -> Iterator[None]:
    """Browsers in this process are started and ended as they are for users."""
    with not_lending():
        yield
