"""What the repair controller costs a page in which nothing has to wait: `python -m benchmarks.repair_controller`.

Each round loads the page with and without the controller in turn, in one browser; figures are medians, and differences
are between medians of the same run.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from statistics import median

from playwright.sync_api import CDPSession, Page, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from jostle.examples import running
from jostle.repair.catalogue import GENERAL, fifo, general, latest_only, protect_field, user_until
from jostle.repair.policy import IsFunction, Policy
from jostle.repair.script import READ_REPORT, controller_source, script_of

PAGES = ("station-filters", "larder")
CLICKS = 50
MANY = Policy(
    name="fifty-rules",
    rules=tuple(rule for number in range(50) for rule in user_until(f"#nowhere{number}", IsFunction("never")).rules),
)
POLICIES: tuple[Policy, ...] = (
    *(general(name) for name in GENERAL),
    latest_only("/api/*"),
    fifo("/api/*", lanes=True),
    protect_field("#nowhere"),
    MANY,
)
_NOTING = """() => {
  window.delays = [];
  document.body.addEventListener("click", (event) => delays.push(performance.now() - event.timeStamp));
}"""


def metrics(session: CDPSession) -> dict[str, float]:
    return {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}


def loaded(page: Page, url: str) -> tuple[float, float]:
    """Milliseconds until the load event was over, and of JavaScript."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before = metrics(session)
    page.goto(url, wait_until="load")
    page.wait_for_function("performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
    took: float = page.evaluate("() => performance.getEntriesByType('navigation')[0].loadEventEnd")
    script = (metrics(session)["ScriptDuration"] - before["ScriptDuration"]) * 1000
    session.detach()
    return took, script


def clicked(page: Page) -> tuple[float, float]:
    """Milliseconds of JavaScript for one click, and from the click to its handler."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.evaluate(_NOTING)
    before = metrics(session)
    for _ in range(CLICKS):
        for type in ("mousePressed", "mouseReleased"):  # noqa: A001
            session.send("Input.dispatchMouseEvent", {"type": type, "x": 5, "y": 5, "button": "left", "clickCount": 1})
    script = (metrics(session)["ScriptDuration"] - before["ScriptDuration"]) * 1000 / CLICKS
    delay: float = page.evaluate("() => delays.sort((a, b) => a - b)[Math.floor(delays.length / 2)]")
    session.detach()
    return script, delay


def rounds(page_of: dict[str, Page], url: str, count: int) -> Iterator[dict[str, tuple[float, float, float, float]]]:
    for _ in range(count):
        yield {name: (*loaded(page, url), *clicked(page)) for name, page in page_of.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    count = parser.parse_args().rounds
    whole = controller_source()
    print(f"The whole controller: {len(whole)} bytes, {len(gzip.compress(whole.encode()))} compressed.\n")
    print("| policy | script, bytes | compressed |\n|---|--:|--:|")
    for policy in POLICIES:
        script = script_of(policy).encode()
        print(f"| {policy.name} | {len(script)} | {len(gzip.compress(script))} |")
    with running() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        page_of = {"without": browser.new_context().new_page()}
        for policy in POLICIES:
            page = page_of[policy.name] = browser.new_context().new_page()
            page.add_init_script(script_of(policy))
        for name in PAGES:
            url = f"{base}/{name}/"
            next(rounds(page_of, url, 1))
            told = list(rounds(page_of, url, count))
            print(f"\n`{name}`, medians of {count} loads and {count} times {CLICKS} clicks:\n")
            print("| policy | load | JavaScript of a load | JavaScript of a click | click to handler | postponed |")
            print("|---|--:|--:|--:|--:|--:|")
            base_of = [median(each["without"][part] for each in told) for part in range(4)]
            for policy_name, page in page_of.items():
                at = [median(each[policy_name][part] for each in told) for part in range(4)]
                report = page.evaluate(READ_REPORT) or {"postponed": 0}
                more = [
                    f"{value:.2f} ms" if policy_name == "without" else f"{value - before:+.2f} ms"
                    for value, before in zip(at, base_of, strict=True)
                ]
                print(f"| {policy_name} | {' | '.join(more)} | {report['postponed']} |")
        browser.close()


if __name__ == "__main__":
    main()
