"""Which requests of a page are worth waiting for. When a page is at rest: see test_watch.py."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from jostle.adverse.quiet import OLD, Traffic, endpoint


class Context:
    """A browser context that says what happens in it when it is told to."""

    def __init__(self) -> None:
        self._listeners: dict[str, Callable[[Any], None]] = {}
        self.on = self._listeners.__setitem__

    def happens(self, kind: str, what: Any) -> None:
        self._listeners[kind](what)


class Request:
    def __init__(self, method: str, path: str, resource_type: str = "fetch") -> None:
        self.method, self.url, self.resource_type = method, f"http://127.0.0.1:4711{path}?t=1", resource_type

    def is_navigation_request(self) -> bool:
        return False


@pytest.fixture
def context() -> Context:
    return Context()


@pytest.fixture
def changes() -> list[str]:
    return []


@pytest.fixture
def traffic(context: Context, changes: list[str]) -> Traffic:
    return Traffic(context, changed=changes.append, failed=lambda words: None)


def test_the_same_request_on_another_port() -> None:
    assert (
        endpoint("GET", "http://127.0.0.1:4101/a/1?x=2") == endpoint("GET", "http://127.0.0.1:4102/a/1") == "GET /a/1"
    )


def test_until_a_response_or_a_failure(context: Context, traffic: Traffic, changes: list[str]) -> None:
    first, second = Request("GET", "/a"), Request("POST", "/b")
    context.happens("request", first)
    context.happens("request", second)
    context.happens("request", Request("GET", "/events", "eventsource"))
    assert traffic.waiting() == ["GET /a", "POST /b"]
    context.happens("requestfinished", first)
    context.happens("requestfailed", second)
    assert traffic.waiting() == []
    assert changes == ["POST /b"]


def test_what_kept_a_page_busy_is_not_waited_for_again(context: Context, traffic: Traffic) -> None:
    """Nor is the next request to the same endpoint: a page that polls would never come to rest."""
    context.happens("request", Request("GET", "/poll"))
    traffic.give_up("answers")
    context.happens("request", Request("GET", "/poll"))
    assert traffic.waiting() == []
    context.happens("request", Request("GET", "/other"))
    assert traffic.waiting() == ["GET /other"]


def test_what_was_requested_long_ago_is_not_waited_for(
    context: Context, traffic: Traffic, monkeypatch: pytest.MonkeyPatch
) -> None:
    context.happens("request", Request("GET", "/a"))
    then = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: then + OLD + 1)
    assert traffic.waiting() == []


def test_other_reasons_are_ignored_from_then_on(traffic: Traffic) -> None:
    traffic.give_up("timers")
    traffic.give_up("loading")
    assert traffic.ignored == {"timers"}
