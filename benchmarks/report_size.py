"""How large the report of a check gets, and how fast it is: `python -m benchmarks.report_size`.

Reports of made-up findings of all techniques, two thirds of them with two screenshots, are opened from disk in a real
browser. Measured are the size of the file, the time to make it, the time until something is seen (first contentful
paint) and until the report can be used (its script has run), and what a reader waits for: the model drawn, a word found
in all stories, another story opened.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from jostle.browser.find import find, sandbox_arguments
from jostle.report.check import page
from jostle.search.registry import reported_techniques
from tests.report.check_runs import many

NUMBERS = (10, 100, 500)
_PAINTED = """new Promise(resolve => {
    const seen = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
    if (seen()) return resolve(seen());
    new PerformanceObserver(() => seen() && resolve(seen())).observe({ type: "paint", buffered: true });
})"""
_FIND = """() => {
    const began = performance.now(), field = document.getElementById("filter");
    field.value = "number 7";
    field.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    const took = performance.now() - began;
    field.value = "";
    field.dispatchEvent(new Event("input"));
    return took;
}"""
_OPEN = """() => {
    const began = performance.now(), buttons = document.querySelectorAll(".opener");
    buttons[1].click();
    document.body.getBoundingClientRect();
    return performance.now() - began;
}"""


def measured(browser: Browser, number: int, file: Path, times: int) -> dict[str, Any]:
    report = many(number, shots=2 * number)
    began = time.process_time()
    document = page(report, reported_techniques())
    made = time.process_time() - began
    file.write_text(document, encoding="utf-8")
    runs = []
    for _ in range(times):
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.goto(file.as_uri(), wait_until="load")
        runs.append(
            {
                "first paint (ms)": tab.evaluate(_PAINTED),
                "usable (ms)": tab.evaluate("performance.timing.domComplete - performance.timing.navigationStart"),
                "a word found (ms)": tab.evaluate(_FIND),
                "a story opened (ms)": tab.evaluate(_OPEN),
            }
        )
        tab.close()
    figures = {name: round(median(run[name] for run in runs)) for name in runs[0]}
    return {
        "findings": number,
        "size (MB)": round(file.stat().st_size / 1e6, 1),
        "pictures (MB)": round(sum(map(len, report.pictures.values())) / 1e6, 1),
        "made in (s of CPU)": round(made, 2),
        **figures,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="how often each is opened; the median is told")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as directory:
        browser = playwright.chromium.launch(executable_path=find().path, args=sandbox_arguments())
        rows = [measured(browser, n, Path(directory, f"{n}.html"), arguments.times) for n in NUMBERS]
        browser.close()
    for name in rows[0]:
        print(f"{name:<22}" + "".join(f"{row[name]:>10}" for row in rows))
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
