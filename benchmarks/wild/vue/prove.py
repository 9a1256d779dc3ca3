"""Shows by hand that each bug of Workshop occurs in the application and not in its twin."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import APIResponse, Browser, Page, Route, WebSocketRoute, expect, sync_playwright

HERE = Path(__file__).parent
SETTLE = 300  # ms for whatever a late response may start


class Held:
    """The responses of one request held back until `release`; the server answers at once."""

    def __init__(self, page: Page, method: str, path: str) -> None:
        self._page = page
        self._method = method
        self._answers: list[tuple[Route, APIResponse]] = []
        self._holding = True
        page.route(re.compile(re.escape(path) + r"$"), self._handle)

    def _handle(self, route: Route) -> None:
        if not self._holding or route.request.method != self._method:
            route.fallback()
            return
        self._answers.append((route, route.fetch()))

    def wait(self) -> None:
        wait_until(self._page, lambda: bool(self._answers), f"a request {self._method}")

    def release(self) -> None:
        self.wait()
        self._holding = False
        for route, answer in self._answers:
            with self._page.expect_event("requestfinished", lambda request, route=route: request == route.request):
                route.fulfill(response=answer)
        self._page.wait_for_timeout(SETTLE)


def wait_until(page: Page, condition: Callable[[], bool], what: str, seconds: float = 5) -> None:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError(f"{what} was awaited for {seconds} s")
        page.wait_for_timeout(20)


def save_navigate(page: Page, base: str) -> bool:
    page.goto(f"{base}/tasks/3")
    held = Held(page, "PUT", "/api/tasks/3")
    page.get_by_role("button", name="Edit task").click()
    page.get_by_label("Title").fill("Send the monthly digest")
    page.get_by_role("button", name="Save task").click()
    held.wait()
    page.get_by_role("link", name="Next task").click()
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Import contacts from a file")
    held.release()
    expect(page).to_have_url(f"{base}/tasks/4")
    return heading.inner_text() == "Send the monthly digest"


def search_clear(page: Page, base: str) -> bool:
    field = page.get_by_label("Search tasks")
    results = page.get_by_role("list", name="Search results").get_by_role("listitem")

    def come_back() -> bool:
        expect(field).to_have_value("")
        return results.count() > 0

    page.goto(base)
    held = Held(page, "GET", "/api/search?q=import")
    field.fill("import")
    held.wait()
    page.get_by_role("button", name="Clear").click()
    held.release()
    by_response = come_back()

    page.clock.install()
    page.goto(base)
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    field.fill("import")
    page.get_by_role("button", name="Clear").click()
    expect(results).to_have_count(0)
    page.clock.run_for(1000)
    page.clock.resume()
    page.wait_for_timeout(SETTLE)
    by_timer = come_back()
    if by_response != by_timer:
        raise AssertionError("the timer and the response disagree")
    return by_timer


def push_draft(page: Page, base: str) -> bool:
    held: list[str | bytes] = []
    sockets: list[WebSocketRoute] = []

    def connect(ws: WebSocketRoute) -> None:
        sockets.append(ws)
        ws.connect_to_server().on_message(lambda message: held.append(message))

    page.route_web_socket(re.compile("/live$"), connect)
    page.goto(f"{base}/tasks/3")
    page.get_by_role("button", name="Edit notes").click()
    draft = page.get_by_label("Notes draft")
    draft.fill("Chiara has the templates now.")
    wait_until(page, lambda: bool(held), "the message of the server")
    for message in held:
        sockets[0].send(message)
    page.wait_for_timeout(SETTLE)
    return draft.input_value() == "Ask Chiara about the templates."


def rename_delete(page: Page, base: str) -> bool:
    page.goto(f"{base}/labels")
    held = Held(page, "PUT", "/api/labels/2")
    page.get_by_role("button", name="Rename Billing").click()
    page.get_by_label("Label name").fill("Invoices")
    page.get_by_role("button", name="Save name").click()
    held.wait()
    page.get_by_role("button", name="Delete Invoices").click()
    label = page.get_by_role("list", name="Labels").get_by_text("Invoices")
    expect(label).to_have_count(0)
    held.release()
    stored = page.request.get(f"{base}/api/labels").json()
    if any(label["id"] == 2 for label in stored):
        raise AssertionError("the label is still on the server")
    return label.count() == 1


def add_undo(page: Page, base: str) -> bool:
    page.goto(base)
    expect(page.get_by_role("link", name="Print the invoice")).to_be_visible()
    held = Held(page, "POST", "/api/tasks")
    page.get_by_label("New task").fill("Water the plants")
    page.get_by_role("button", name="Add task").click()
    held.wait()
    page.get_by_role("button", name="Undo").click()
    card = page.get_by_role("listitem").filter(has_text="Water the plants")
    expect(card).to_have_count(0)
    held.release()
    shown = card.count() == 1
    stored = any(task["title"] == "Water the plants" for task in page.request.get(f"{base}/api/board").json())
    if shown != stored:
        raise AssertionError("the board and the server disagree")
    return shown


def settings_overwritten(page: Page, base: str) -> bool:
    held = Held(page, "GET", "/api/settings")
    page.goto(f"{base}/settings")
    name = page.get_by_label("Team name")
    name.fill("Green team")
    held.release()
    expect(page.get_by_label("Reply address")).to_have_value("blue@workshop.test")
    return name.input_value() == "Blue team"


def filter_stale(page: Page, base: str) -> bool:
    page.goto(base)
    held = Held(page, "GET", "/api/board?sprint=2&person=all")
    page.get_by_label("Sprint").select_option("Sprint 22")
    held.wait()
    page.get_by_label("Person").select_option("Chiara Rossi")
    cards = page.locator(".card")
    expect(cards).to_have_count(1)
    held.release()
    return cards.count() == 4


def closed_panel(page: Page, base: str) -> bool:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(error.message))
    page.goto(f"{base}/people")
    held = Held(page, "GET", "/api/people/1/workload")
    page.get_by_role("button", name="Workload of Amina Diallo").click()
    held.wait()
    page.get_by_role("button", name="Close").click()
    held.release()
    return any("properties of null" in error for error in errors)


PROOFS: dict[str, Callable[[Page, str], bool]] = {
    "save-navigate": save_navigate,
    "search-clear": search_clear,
    "push-draft": push_draft,
    "rename-delete": rename_delete,
    "add-undo": add_undo,
    "settings-overwritten": settings_overwritten,
    "filter-stale": filter_stale,
    "closed-panel": closed_panel,
}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def serving(*options: str) -> Iterator[str]:
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    command = ["node", "server.mjs", "--port", str(port), *options]
    process = subprocess.Popen(command, cwd=HERE, stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(urllib.error.URLError):
                urllib.request.urlopen(base).close()
                break
            time.sleep(0.05)
        else:
            raise TimeoutError("the server did not start")
        yield base
    finally:
        process.terminate()
        process.wait()


def occurs(browser: Browser, base: str, proof: Callable[[Page, str], bool]) -> bool:
    urllib.request.urlopen(urllib.request.Request(f"{base}/__reset", method="POST")).close()
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(10_000)
        return proof(page, base)


def main() -> int:
    if not (HERE / "dist" / "index.html").exists():
        print(f"Build the application first: cd {HERE} && npm install && npm run build", file=sys.stderr)
        return 2
    listed = [bug["id"] for bug in tomllib.loads((HERE / "bugs.toml").read_text())["bug"]]
    if listed != list(PROOFS):
        print("bugs.toml lists other bugs than are proved here", file=sys.stderr)
        return 2
    failed = False
    width = max(map(len, PROOFS))
    with serving() as buggy, serving("--fixed") as twin, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        for name, proof in PROOFS.items():
            shown = occurs(browser, buggy, proof)
            wrong = occurs(browser, twin, proof)
            failed = failed or not shown or wrong
            print(
                f"{name:{width}}  buggy: {'shown' if shown else 'NOT SHOWN'}  twin: {'WRONG' if wrong else 'fine'}",
                flush=True,
            )
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
