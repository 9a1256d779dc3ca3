"""Pages with a policy in a plain Chromium, and responses that come when the test says so."""

# ruff: noqa: E501 (pages and sentences stay readable in lines of their own length)
from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
from playwright.sync_api import Error, Page

from jostle.repair.policy import Policy
from jostle.repair.script import READ_REPORT, ControllerReport, script_of
from tests.browser.live import Answer, Request, Served, Site

LONGEST = 30
"""Seconds; a bound against hanging."""


class Held:
    """A response that waits until it is released."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._released = threading.Event()
        self.asked = threading.Event()

    def __call__(self, request: Request) -> Answer:
        self.asked.set()
        self._released.wait(LONGEST)
        return self._answer

    def release(self) -> None:
        self._released.set()


class Repaired:
    """A page whose first script is the controller with a policy."""

    def __init__(self, page: Page, site: Site) -> None:
        self.page = page
        self.site = site
        self.errors: list[str] = []
        self.warnings: list[str] = []
        self._held: list[Held] = []
        self.minified = True
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.warnings.append(message.text))

    def held(self, answer: Answer) -> Held:
        self._held.append(Held(answer))
        return self._held[-1]

    def open(
        self,
        policy: Policy | None,
        html: str,
        files: dict[str, Served] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        """Open the page as far as it can be: what is held may keep it from being parsed to the end."""
        first = '<script src="/jostle-repair.js"></script>' if policy is not None else ""
        text = f"<!doctype html><html><head><title>t</title>{first}</head><body>{html}</body></html>"
        whole = (200, {"Content-Type": "text/html; charset=utf-8", **(headers or {})}, text)
        pages: dict[str, Served] = {"/": whole, **(files or {})}
        if policy is not None:
            pages["/jostle-repair.js"] = script_of(policy, minified=self.minified)
        self.page.goto(self.site.serve(pages), wait_until="commit")

    def until(self, holds: Callable[[], Any], what: str = "") -> None:
        deadline = time.monotonic() + LONGEST
        while True:
            try:
                if holds():
                    return
            except Error:
                pass  # another document is coming
            assert time.monotonic() < deadline, f"{what or holds} did not come; {self.errors} {self.warnings}"
            self.page.wait_for_timeout(10)

    def wait(self, expression: str) -> None:
        """Until it is true in the page."""
        self.until(lambda: self.page.evaluate(f"() => !!({expression})"), expression)

    def asked(self, held: Held) -> None:
        self.until(held.asked.is_set, "the request")

    def value(self, expression: str) -> Any:
        return self.page.evaluate(f"() => ({expression})")

    def calm(self, milliseconds: int = 120) -> None:
        """Turns of the page in which what is not kept from happening happens. Frames, which no policy is about: a timer
        of its own would wait for what the policy waits for."""
        self.page.evaluate(
            "(turns) => new Promise((over) => { const turn = () => turns-- > 0 ? requestAnimationFrame(turn) : over(); turn(); })",
            milliseconds // 15,
        )

    @property
    def report(self) -> ControllerReport:
        return msgspec.convert(self.page.evaluate(READ_REPORT), ControllerReport)

    def release_all(self) -> None:
        for held in self._held:
            held.release()
