"""Shows by hand that every bug of bugs.toml is in the application and not in its twin.

Run `npm install && npm run build` in this directory once, then, from the top of the repository:

    python -m benchmarks.wild.react.prove
"""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import APIResponse, Browser, Error, Page, Route, expect, sync_playwright

HERE = Path(__file__).parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
SETTLE = 300

COUNT_LOOKUPS = """
window.lookups = 0;
const original = Document.prototype.querySelectorAll;
Document.prototype.querySelectorAll = function (selector) {
  window.lookups += 1;
  return original.call(this, selector);
};
"""


class Held:
    """Answers of the server that have been made and do not arrive before they are released."""

    def __init__(self, page: Page, pattern: str, first: int | None = None) -> None:
        self.page = page
        self.first = first
        self.kept: list[tuple[Route, APIResponse]] = []
        self.seen = 0
        self.released = False
        page.route(re.compile(pattern), self._keep)

    def _keep(self, route: Route) -> None:
        self.seen += 1
        if self.released or (self.first is not None and self.seen > self.first):
            route.continue_()
        else:
            self.kept.append((route, route.fetch()))

    def wait(self, count: int = 1) -> None:
        for _ in range(250):
            if len(self.kept) >= count:
                return
            self.page.wait_for_timeout(20)
        raise TimeoutError(f"only {len(self.kept)} of {count} requests came")

    def release(self) -> None:
        self.released = True
        for route, response in self.kept:
            try:
                route.fulfill(response=response)
            except Error:
                continue  # the page has given the request up
        self.page.wait_for_timeout(SETTLE)


def before_hydration(page: Page, base: str) -> bool:
    script = Held(page, r"/assets/client\.js$")
    page.goto(f"{base}/ask", wait_until="domcontentloaded")
    page.get_by_label("Your e-mail address").fill("robin@example.org")
    page.get_by_label("Your question").fill("Do I need crampons in May?")
    script.wait()
    page.get_by_role("button", name="Send question").click(no_wait_after=True)
    page.wait_for_timeout(SETTLE)
    script.release()
    page.wait_for_timeout(SETTLE)
    if page.get_by_text("Your question has the number 1").is_visible():
        return False
    assert "?email=" in page.url
    expect(page.get_by_label("Your question")).to_have_value("")
    return True


def field_overwritten(page: Page, base: str) -> bool:
    profile = Held(page, r"/api/profile$")
    page.goto(f"{base}/profile")
    profile.wait()
    page.get_by_label("Home town").fill("Basel")
    profile.release()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Robin Weaver")
    after = page.get_by_label("Home town").input_value()

    page.unroute_all()
    script = Held(page, r"/assets/client\.js$")
    page.goto(f"{base}/profile", wait_until="domcontentloaded")
    page.get_by_label("Home town").fill("Basel")
    script.wait()
    script.release()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Robin Weaver")
    before = page.get_by_label("Home town").input_value()
    assert (after == "Basel") == (before == "Basel"), "typing before and after hydration end differently"
    return after != "Basel"


def filter_and_filter(page: Page, base: str) -> bool:
    page.goto(base)
    first = Held(page, r"/api/tours\?", first=1)
    page.get_by_label("Difficulty").select_option("hard")
    first.wait()
    page.get_by_label("Region").select_option("Alps")
    cards = page.get_by_role("region", name="Tours").get_by_role("listitem")
    expect(cards.first).to_contain_text("Alps · hard")
    page.wait_for_timeout(SETTLE)
    assert all("Alps · hard" in text for text in cards.all_inner_texts())
    first.release()
    assert cards.count() > 0
    return any("Alps" not in text for text in cards.all_inner_texts())


def tab_and_tab(page: Page, base: str) -> bool:
    page.goto(f"{base}/tours/1")
    weather = Held(page, r"/api/tours/1/weather$")
    page.get_by_role("tab", name="Weather").click()
    weather.wait()
    page.get_by_role("tab", name="Route").click()
    panel = page.get_by_role("tabpanel", name="Route")
    expect(panel).to_contain_text("car park")
    weather.release()
    if "°C" in panel.inner_text():
        return True
    expect(panel).to_contain_text("car park")
    return False


def double_submit(page: Page, base: str) -> bool:
    page.goto(f"{base}/tours/2")
    page.get_by_role("button", name="Book this tour").click()
    answer = Held(page, r"/api/bookings$")
    box = page.get_by_role("dialog").get_by_role("button", name="Book", exact=True).bounding_box()
    assert box
    for _ in range(2):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(100)
    answer.wait()
    answer.release()
    expect(page.get_by_role("dialog")).to_have_count(0)
    bookings = len(page.request.get(f"{base}/api/bookings").json())
    assert bookings in (1, 2)
    return bookings == 2


def favourite_rolled_back(page: Page, base: str) -> bool:
    page.goto(base)
    heart = page.get_by_role("button", name="Favourite Eagle Ridge")
    first = Held(page, r"/api/tours/1/favourite$", first=1)
    heart.click()
    first.wait()
    heart.click()
    page.wait_for_timeout(SETTLE)
    expect(heart).to_have_attribute("aria-pressed", "false")
    first.release()
    assert 1 not in page.request.get(f"{base}/api/favourites").json()
    return heart.get_attribute("aria-pressed") == "true"


def undo_timer(page: Page, base: str) -> bool:
    page.clock.install()
    page.goto(f"{base}/plans")
    bar = page.get_by_role("group", name="Archived plan")
    page.get_by_role("button", name="Archive Eagle Ridge").click()
    expect(bar).to_contain_text("Eagle Ridge was archived")
    page.clock.run_for(4000)
    page.get_by_role("button", name="Archive Heron Loop").click()
    expect(bar).to_contain_text("Heron Loop was archived")
    page.clock.run_for(1500)
    page.wait_for_timeout(SETTLE)
    closed_early = not bar.is_visible()
    page.clock.run_for(10_000)
    page.wait_for_timeout(SETTLE)
    archived = [plan["name"] for plan in page.request.get(f"{base}/api/plans").json()["archived"]]
    lost = "Eagle Ridge" not in archived
    assert closed_early == lost and "Heron Loop" in archived
    return lost


def listener_growth(page: Page, base: str) -> bool:
    page.add_init_script(COUNT_LOOKUPS)
    page.goto(base)

    def lookups_of_a_click() -> int:
        page.evaluate("window.lookups = 0")
        page.get_by_role("heading", name="Guided tours").click()
        return int(page.evaluate("window.lookups"))

    counts = []
    for _ in range(10):
        page.get_by_role("link", name="Details of Mill Valley").click()
        expect(page.get_by_role("tabpanel")).to_contain_text("stars")
        counts.append(lookups_of_a_click())
        page.get_by_role("link", name="Close details").click()
    assert counts[0] > 0
    return counts[-1] >= 10 * counts[0]


SCENARIOS: dict[str, Callable[[Page, str], bool]] = {
    "before-hydration": before_hydration,
    "field-overwritten": field_overwritten,
    "filter-and-filter": filter_and_filter,
    "tab-and-tab": tab_and_tab,
    "double-submit": double_submit,
    "favourite-rolled-back": favourite_rolled_back,
    "undo-timer": undo_timer,
    "listener-growth": listener_growth,
}


@contextmanager
def served(*options: str) -> Iterator[str]:
    command = ["node", "server.mjs", "--port", "0", *options]
    with subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            address = re.search(r"http://[\d.:]+", server.stdout.readline())
            if not address:
                raise RuntimeError("The server did not start: run npm install && npm run build first")
            yield address[0]
        finally:
            server.terminate()


def is_shown(browser: Browser, base: str, scenario: Callable[[Page, str], bool]) -> bool:
    context = browser.new_context()
    try:
        context.request.post(f"{base}/__reset")
        page = context.new_page()
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        shown = scenario(page, base)
        if errors:
            raise RuntimeError(f"errors on the page: {errors}")
        return shown
    finally:
        context.close()


def main() -> int:
    bugs = [bug["id"] for bug in tomllib.loads((HERE / "bugs.toml").read_text())["bug"]]
    assert bugs == list(SCENARIOS), "bugs.toml and the scenarios differ"
    right = True
    with served() as buggy, served("--fixed") as twin, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"] if os.geteuid() == 0 else []
        )
        for bug in bugs:
            in_buggy = is_shown(browser, buggy, SCENARIOS[bug])
            in_twin = is_shown(browser, twin, SCENARIOS[bug])
            right = right and in_buggy and not in_twin
            print(f"{bug}  buggy: {'shown' if in_buggy else 'NOT SHOWN'}  twin: {'SHOWN' if in_twin else 'fine'}")
        browser.close()
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
