"""Beside generated tests while they are tried out. Copied there as `conftest.py`, imported by nothing else.

The session runs the tests that it is handed over a socket, one after the other, and tells how each ended. So there is
one browser for all of them, and each gets a context as it is described. A test may try its locators.
"""

import builtins
import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Locator

LONGEST = 4000  # characters of an error
HANDED_OVER = os.environ["JOSTLE_TRIALS"]

told: dict[str, str] = {}
by_place: set[int] = set()
context: dict[str, Any] = {}
"""The arguments of the browser context of the test that is run. They are asked for once, and change in place."""
usual: dict[str, Any] = {}


def either(by_its_name: Locator, by_its_place: Locator, number: int) -> Locator:
    """By its name where Playwright finds that element by it, or where it is not there yet; by its place otherwise."""
    try:
        there, named = by_its_place.element_handles(), by_its_name.element_handles()
        if not there or (named and there[0].evaluate("(one, other) => one === other", named[0])):
            return by_its_name
    except Error:  # the page is just being replaced
        return by_its_name
    by_place.add(number)
    return by_its_place


vars(builtins)["either"] = either


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **json.loads(os.environ["JOSTLE_LAUNCH"])}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    usual.update(browser_context_args)
    given = dict(context)
    context.update(usual)
    context.update(given)
    return context


class MoreToCome:
    """Stands for the test after the one that is run: what belongs to the session is kept."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session

    def listchain(self) -> list[Any]:
        return [self._session]


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> bool:
    return True  # tests come later


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(HANDED_OVER)
        with connection.makefile("r", encoding="utf-8") as trials:
            for line in trials:
                trial = json.loads(line)
                context.clear()
                context.update({**usual, **trial["context"]})
                run(session, trial["file"])
                outcome = {"outcome": told, "by_place": sorted(by_place)}
                connection.sendall(json.dumps(outcome).encode() + b"\n")
    return True


def run(session: pytest.Session, file: str) -> None:
    told.clear()
    by_place.clear()
    try:
        tests = session.perform_collect([str(Path(file))])
    except pytest.UsageError as error:
        if not told:
            told.update(when="collect", error="UsageError", message=str(error)[-LONGEST:])
        return
    for test in tests:
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=MoreToCome(session))


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed and not told:
        told.update(when="collect", error="ImportError", message=str(report.longrepr)[-LONGEST:])


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if call.excinfo is not None and not told:
        message = str(call.excinfo.value)[:LONGEST]
        told.update(when=call.when, error=call.excinfo.typename, message=message)
