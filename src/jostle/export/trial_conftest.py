"""Beside a generated test while it is tried out. Copied there as `conftest.py`, imported by nothing else.

It gives the test the browser that is described in `given.json`, lets it try its locators, and writes to `outcome.json`
how it ended.
"""

import builtins
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Locator

HERE = Path(__file__).parent
GIVEN = json.loads((HERE / "given.json").read_text("utf-8"))
LONGEST = 4000  # characters of an error

ended: dict[str, str] = {}
by_place: set[int] = set()


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
    return {**browser_type_launch_args, **GIVEN["launch"]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, **GIVEN["context"]}


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed and not ended:
        ended.update(when="collect", error="ImportError", message=str(report.longrepr)[-LONGEST:])


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if call.excinfo is not None and not ended:
        message = str(call.excinfo.value)[:LONGEST]
        ended.update(when=call.when, error=call.excinfo.typename, message=message)


def pytest_sessionfinish() -> None:
    (HERE / "outcome.json").write_text(json.dumps({"outcome": ended, "by_place": sorted(by_place)}), "utf-8")
