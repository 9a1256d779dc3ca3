"""`jostle repair` on all example pages with races, and what a repair costs a page: `make eval-repair`."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from playwright.sync_api import Browser, BrowserContext, sync_playwright

import jostle
from benchmarks.applications import APPLICATIONS
from benchmarks.applications import running as application_running
from jostle.browser.find import find, sandbox_arguments
from jostle.errors import Problem
from jostle.examples import running
from jostle.examples.catalogue import CATALOGUE
from jostle.examples.entry import Example
from jostle.findings import Finding
from jostle.findings.evidence import RepairOutcome
from jostle.oracles.picture import same_picture
from jostle.repair import catalogue
from jostle.repair.policy import Policy
from jostle.repair.repairing import races_in, repair_of
from jostle.repair.script import script_of

_RESPONSES = {"ajax-race", "exception"}
_LOADING = {"form-input-overwritten", "late-handler", "access-before-definition"}
_ORDERS = {"order-violation", "atomicity-violation"}
_TIMED = ("undo-bar", "clear-too-soon")
"""Order violations that are races of a user with a timer."""
_OTHERS = ("larder", "allotment", "errors", "slow-")
_REAL = ("isso", "swagger-ui-dist")
_LOADS = 15
_CLICK = """() => new Promise((done) => {
  const button = document.querySelector("button");
  button.addEventListener("click", (event) => done(performance.now() - event.timeStamp), { once: true });
})"""
_LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


class Attempt(msgspec.Struct, kw_only=True):
    """One race, and what came of repairing it."""

    page: str
    search: str
    title: str
    outcome: str
    policy: str = ""
    general: bool = False
    waited: float = 0.0
    dropped: int = 0
    waited_when_good: float = 0.0
    why: str = ""
    tested: bool = False
    """There is a test with the repair that was run, and passed."""


class Overhead(msgspec.Struct, kw_only=True):
    """What a policy costs a page on which it has nothing to do, in real milliseconds."""

    page: str
    policy: str
    load: float
    load_without: float
    click: float
    click_without: float
    same_screen: bool = True
    errors: int = 0


def searches(example: Example) -> list[str]:
    """The searches that are to find the races of a page."""
    expected = set(example.expected)
    found = ["ajax"] if expected & _RESPONSES or example.name in _TIMED else []
    if expected & _LOADING:
        found.append("init")
    return found or (["orders"] if expected & _ORDERS else [])


def attempts(base: str, example: Example, search: str, budget: str, verify: bool) -> list[Attempt]:
    """Look for races on one page, and repair them."""
    look = getattr(jostle.races, search)
    found = look(f"{base}{example.path}", budget=budget, seed=1, verify_tests=verify)
    races = races_in(found.findings)
    if not races:
        return []
    made = jostle.repair(found, budget=None, verify_tests=verify)
    return [_attempt(example.name, search, each) for each in made.findings]


def of_run(run: Path, verify: bool) -> list[Attempt]:
    """Repair what an earlier evaluation has found; its folder is named by page and search."""
    made = jostle.repair(run, budget=None, verify_tests=verify)
    page, _, search = run.parent.name.rpartition("-")
    return [_attempt(page, search, each) for each in made.findings]


def _attempt(page: str, search: str, finding: Finding) -> Attempt:
    repair = repair_of(finding)
    assert repair is not None
    return Attempt(
        page=page,
        search=search,
        title=finding.title,
        outcome=repair.outcome.value,
        policy=repair.policy,
        general=repair.general,
        waited=repair.cost.waited,
        dropped=repair.cost.dropped,
        waited_when_good=repair.cost_when_good.waited,
        why=repair.why,
        tested=repair.verified,
    )


def table(made: Sequence[Attempt]) -> str:
    lines = [
        "| page | search | outcome | policy | waited, bad order | dropped | test passes |",
        "|---|---|---|---|--:|--:|---|",
    ]
    for each in made:
        policy = f"{each.policy} (general)" if each.general else each.policy
        tested = "yes" if each.tested else ""
        cells = (
            each.page,
            each.search,
            each.outcome,
            policy or "-",
            f"{each.waited:.0f} ms",
            f"{each.dropped}",
            tested,
        )
        lines.append(f"| {' | '.join(cells)} |")
    prevented = [each for each in made if each.outcome == RepairOutcome.PREVENTED.value]
    hopeless = [each for each in made if each.outcome == RepairOutcome.IMPOSSIBLE.value]
    good = [each.waited_when_good for each in prevented]
    lines.append(
        f"\n{len(prevented)} of {len(made)} races are prevented ({len(hopeless)} of the others are called impossible); "
        f"{sum(not each.general for each in prevented)} of them by a policy about nothing but what races, "
        f"{sum(not each.waited and not each.dropped for each in prevented)} without anything that waits or is dropped. "
        f"In orders that were good anyway, {sum(not each for each in good)} repairs make nothing wait."
    )
    return "\n".join(lines) + "\n"


# What it costs.


def overheads(base: str, pages: Iterable[str], policies: Sequence[Policy]) -> list[Overhead]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find(None).path), args=sandbox_arguments())
        try:
            return [overhead(browser, f"{base}/{page}/", policy) for page in pages for policy in policies]
        finally:
            browser.close()


def overhead(browser: Browser, url: str, policy: Policy, clicks: bool = True) -> Overhead:
    """Loads with and without the script by turns, the middle of each."""
    script = script_of(policy)
    measured: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    pictures: dict[bool, bytes] = {}
    errors: dict[bool, int] = {True: 0, False: 0}
    for _ in range(_LOADS):
        for repaired in (False, True):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            if repaired:
                context.add_init_script(script)
            measured[repaired].append(_measured(context, url, pictures, errors, repaired, clicks))
            context.close()

    def middle(repaired: bool, which: int) -> float:
        return statistics.median(each[which] for each in measured[repaired])

    return Overhead(
        page=url.rstrip("/").rpartition("/")[2],
        policy=policy.name,
        load=middle(True, 0),
        load_without=middle(False, 0),
        click=middle(True, 1),
        click_without=middle(False, 1),
        same_screen=same_picture(pictures[True], pictures[False]),
        errors=max(0, errors[True] - errors[False]),
    )


def _measured(
    context: BrowserContext,
    url: str,
    pictures: dict[bool, bytes],
    errors: dict[bool, int],
    repaired: bool,
    clicks: bool,
) -> tuple[float, float]:
    page = context.new_page()
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(url, wait_until="load")
    page.wait_for_load_state("networkidle")
    loaded = float(page.evaluate(_LOADED))
    pictures[repaired] = page.screenshot()
    delay = 0.0
    if clicks and page.locator("button").first.is_visible():
        page.evaluate(f"() => {{ window.clicked = ({_CLICK})(); }}")
        page.locator("button").first.click()
        delay = float(page.evaluate("() => window.clicked"))
    errors[repaired] = max(errors[repaired], len(failed))
    return loaded, delay


def overhead_table(made: Sequence[Overhead]) -> str:
    lines = [
        "| page | policy | load without | added | click without | added | same first screen | new errors |",
        "|---|---|--:|--:|--:|--:|---|--:|",
    ]
    for each in made:
        lines.append(
            f"| {each.page} | {each.policy} | {each.load_without:.1f} ms | {each.load - each.load_without:+.1f} ms "
            f"| {each.click_without:.2f} ms | {each.click - each.click_without:+.2f} ms "
            f"| {'yes' if each.same_screen else 'NO'} | {each.errors} |"
        )
    return "\n".join(lines) + "\n"


def real(budget: str, names: Sequence[str], out: Path) -> str:
    """Two real applications: what is found and repaired there, and what the general policies cost them."""
    lines = []
    made: list[Overhead] = []
    for application in APPLICATIONS:
        if application.name not in names:
            continue
        with application_running(application) as served, tempfile.TemporaryDirectory() as folder:
            settings = {"budget": budget, "seed": 1, "out": folder, "verify_tests": False}
            found = jostle.races.ajax(served.url, **settings)  # type: ignore[arg-type]
            repaired = jostle.repair(found, budget=None, verify_tests=False)
            for each in repaired.findings:
                told = repair_of(each)
                assert told is not None
                by = f"{told.outcome.value} by {told.policy}" if told.prevents else f"{told.outcome.value}: {told.why}"
                lines.append(f"- {application.package}: {each.title}: {by}")
            if not repaired.findings:
                lines.append(f"- {application.package}: no race was found")
            repaired.write(out / application.name)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=str(find(None).path), args=sandbox_arguments())
                for policy in _GENERAL:
                    measured = overhead(browser, served.url, policy, clicks=False)
                    measured.page = application.name
                    made.append(measured)
                browser.close()
    return "\n".join([*lines, "", overhead_table(made)])


_GENERAL = (catalogue.fifo(), catalogue.init_user(), catalogue.init_user_plus())
_PAGES = ("station-filters", "hydration", "kitchen-sink")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.repair", description=__doc__)
    parser.add_argument("--budget", default="40s", help="time of each search for races (default: 40s)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this page; may be repeated")
    parser.add_argument(
        "--runs", type=Path, metavar="DIR", help="repair the runs in PAGE-SEARCH/ below, search no more"
    )
    parser.add_argument("--no-verify", action="store_true", help="do not run the generated tests")
    parser.add_argument("--part", action="append", choices=("races", "cost", "real"), help="only this; may be repeated")
    parser.add_argument("--out", type=Path, default=Path(".jostle/eval-repair"), metavar="DIR", help="where to write")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    parts = arguments.part or ("races", "cost", "real")
    if "races" in parts and arguments.runs is not None:
        made: list[Attempt] = []
        for run in sorted(each.parent for each in arguments.runs.glob("*/*/run.db")):
            if arguments.only and run.parent.name.rpartition("-")[0] not in arguments.only:
                continue
            made += of_run(run, not arguments.no_verify)
            print(f"{run.parent.name}: {len(made)} races so far", flush=True)
            (arguments.out / "repair.json").write_bytes(msgspec.json.encode(made))
            (arguments.out / "repair.md").write_text(table(made), "utf-8")
        print(f"\n{table(made)}")
    elif "races" in parts:
        made = []
        with running() as base:
            for example in CATALOGUE:
                if example.name.startswith(_OTHERS) or (arguments.only and example.name not in arguments.only):
                    continue
                for search in searches(example):
                    try:
                        tried = attempts(base, example, search, arguments.budget, not arguments.no_verify)
                    except Problem as problem:
                        print(f"{example.name} {search}: {problem}", flush=True)
                        continue
                    made += tried
                    told = [f"{each.outcome} {each.policy}".strip() for each in tried] or ["no race was found"]
                    print(f"{example.name} {search}: {', '.join(told)}", flush=True)
                    (arguments.out / "repair.json").write_bytes(msgspec.json.encode(made))
                    (arguments.out / "repair.md").write_text(table(made), "utf-8")
        print(f"\n{table(made)}")
    if "cost" in parts:
        with running() as base:
            cost = overhead_table(overheads(base, _PAGES, _GENERAL))
        (arguments.out / "cost.md").write_text(cost, "utf-8")
        print(cost)
    if "real" in parts:
        told_of = real("3m", _REAL, arguments.out)
        (arguments.out / "real.md").write_text(told_of, "utf-8")
        print(told_of)
    return 0


if __name__ == "__main__":
    sys.exit(main())
