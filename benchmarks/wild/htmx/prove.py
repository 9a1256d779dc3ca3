"""Shows each bug by hand in Corner Shop, and that the twin is free of it: ``python -m benchmarks.wild.htmx.prove``."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import APIResponse, Browser, Error, Page, Request, Route, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[3]
SETTLE = 400  # ms: longer than any debounce and any fading of the application


class Held:
    """Responses kept back: the server has answered, the page has not heard of it yet."""

    def __init__(self, page: Page, url: str, most: int = 1) -> None:
        self.page = page
        self.url = re.compile(url)
        self.most = most
        self.taken = 0
        self.released = False
        self.answers: list[tuple[Route, APIResponse]] = []
        page.route(self.url, self.hold)

    def hold(self, route: Route) -> None:
        self.taken += 1
        if self.released or self.taken > self.most:
            route.continue_()
            return
        self.answers.append((route, route.fetch()))
        if self.released:
            self.give()

    def wait(self) -> None:
        until = time.monotonic() + 5
        while not self.answers:
            assert time.monotonic() < until, f"no request to {self.url.pattern}"
            self.page.wait_for_timeout(20)

    def give(self) -> None:
        while self.answers:
            route, response = self.answers.pop(0)
            with suppress(Error):  # the page may have given the request up
                route.fulfill(response=response)

    def release(self) -> None:
        self.released = True
        self.give()
        self.page.wait_for_timeout(SETTLE)


def products_shown(page: Page) -> list[str]:
    return page.locator("#stock-rows tr td:first-child").all_inner_texts()


def live_search(page: Page) -> bool:
    page.goto("/stock")
    held = Held(page, r"/stock/search\?q=tea")
    page.get_by_role("searchbox", name="Search").press_sequentially("tea")
    held.wait()
    page.get_by_role("radio", name="Household").check()
    expect(page.locator("#stock-rows tr")).to_have_count(1)
    held.release()
    return products_shown(page) != ["Tea towels"]


def product_tabs(page: Page) -> bool:
    page.goto("/products/3")
    held = Held(page, r"/tab/suppliers")
    page.get_by_role("tab", name="Suppliers").click()
    held.wait()
    page.get_by_role("tab", name="Deliveries").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("pieces received")
    held.release()
    expect(page.get_by_role("tab", name="Deliveries")).to_have_attribute("aria-selected", "true")
    return "pieces received" not in page.get_by_role("tabpanel").inner_text()


def order_twice(page: Page) -> bool:
    page.goto("/orders")
    before = page.locator("#order-rows tr").count()
    held = Held(page, r"/orders$")
    page.get_by_role("button", name="Place order").dblclick()
    held.wait()
    held.release()
    expect(page.get_by_role("status")).to_contain_text("placed")
    page.unroute_all()
    page.goto("/orders")
    return page.locator("#order-rows tr").count() != before + 1


def row_edit(page: Page) -> bool:
    page.goto("/stock")
    held = Held(page, r"/stock/refresh")
    page.get_by_role("button", name="Refresh stock").click()
    held.wait()
    page.get_by_role("link", name="Edit Oat biscuits").click()
    page.get_by_role("textbox", name="Shelf label").fill("Window")
    held.release()
    label = page.get_by_role("textbox", name="Shelf label")
    return label.count() == 0 or label.input_value() != "Window"


def early_reply(page: Page) -> bool:
    held = Held(page, r"/vendor/alpine\.js", most=2)
    page.goto("/messages/3", wait_until="commit")
    held.wait()
    page.get_by_role("link", name="Reply").click()
    page.wait_for_url("**/messages/3/reply", wait_until="commit")
    expect(page.get_by_role("textbox", name="Your reply")).to_be_visible()
    held.release()
    return page.get_by_role("navigation", name="Main").count() == 0


def quantity(page: Page) -> bool:
    page.goto("/products/3")
    held = Held(page, r"/quantity$")
    page.get_by_role("button", name="One more").click()
    held.wait()
    page.get_by_role("button", name="One less").click()
    page.wait_for_timeout(SETTLE)
    held.release()
    shown = page.locator("#on-hand").inner_text()
    page.unroute_all()
    page.goto("/products/3")
    return page.locator("#on-hand").inner_text() != shown


def undo_toast(page: Page) -> bool:
    page.clock.install()
    page.goto("/messages")
    undo = page.get_by_role("button", name="Undo")
    page.get_by_role("button", name="Archive New flour").click()
    expect(undo).to_be_visible()
    page.clock.run_for(4000)
    page.get_by_role("button", name="Archive Invoice 2207").click()
    expect(page.locator("#toast")).to_contain_text("2 messages")
    page.clock.run_for(2000)
    gone = not undo.is_visible()
    page.clock.run_for(4000)
    expect(undo).to_be_hidden()
    return gone


def picking_slows_down(page: Page) -> bool:
    page.goto("/picking")
    page.evaluate(
        """() => {
          window.written = 0;
          const observer = new MutationObserver((changes) => { window.written += changes.length; });
          observer.observe(document.getElementById("pick-value"), { childList: true });
        }"""
    )
    written: list[int] = []
    for number in range(20):
        before = page.evaluate("window.written")
        with page.expect_response(re.compile(r"/picking/\d+")):
            page.get_by_role("checkbox").nth(number).check()
        expect(page.locator("#pick-status strong")).to_have_text(str(number + 1))
        written.append(page.evaluate("window.written") - before)
    return written[-1] > written[0] * 5


BUGS: dict[str, Callable[[Page], bool]] = {
    "live-search": live_search,
    "product-tabs": product_tabs,
    "order-twice": order_twice,
    "row-edit-lost": row_edit,
    "early-reply": early_reply,
    "quantity-stepper": quantity,
    "undo-toast": undo_toast,
    "picking-growth": picking_slows_down,
}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(*options: str) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.wild.htmx.server", "--port", str(port), *options]
    server = subprocess.Popen(command, cwd=ROOT)
    try:
        until = time.monotonic() + 10
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            assert server.poll() is None and time.monotonic() < until, "the server does not start"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def shown(browser: Browser, address: str, show: Callable[[Page], bool]) -> bool:
    urllib.request.urlopen(urllib.request.Request(f"{address}/__reset", method="POST")).close()
    context = browser.new_context(base_url=address)
    context.set_default_timeout(5000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: outside(request, address, errors))
    try:
        result = show(page)
        assert not errors, errors
        return result
    finally:
        page.unroute_all(behavior="ignoreErrors")
        context.close()


def outside(request: Request, address: str, errors: list[str]) -> None:
    if not request.url.startswith((address, "data:")):
        errors.append(f"request to {request.url}")


def main() -> int:
    good = True
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with serving() as buggy, serving("--fixed") as twin, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"] if root else [])
        for name, show in BUGS.items():
            in_buggy, in_twin = shown(browser, buggy, show), shown(browser, twin, show)
            good = good and in_buggy and not in_twin
            print(
                f"{name:18} buggy: {'shown' if in_buggy else 'NOT SHOWN'}  twin: {'SHOWN' if in_twin else 'fine'}",
                flush=True,
            )
        browser.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
