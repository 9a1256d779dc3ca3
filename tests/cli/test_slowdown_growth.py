"""`jostle slowdown` where something piles up below a large constant load, and where a list grows by design."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.browser.live import site_served
from tests.cli.commands import command
from tests.export.users_suite import run

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def searched(url: str, cwd: Path, *, events: int = 120, budget: str = "60s") -> dict[str, Any]:
    options = ("--seed", "1", "--events", str(events), "--budget", budget, "--costs", "12", "--json", "out.json")
    done = command("slowdown", url, *options, cwd=cwd)
    document: dict[str, Any] = json.loads((cwd / "out.json").read_text())
    assert done.returncode == (1 if document["findings"] else 0), done.stderr
    return document


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "cause", "said", "functions"),
    [
        ("leaky-panel", 'click button "Show details"', "listeners for click on the window", {"look", "(no name)"}),
        ("leaky-store", 'click button "Bill"', "something piles up that nobody sees", {"tell", "(no name)"}),
    ],
)
def test_a_leak_below_thousands_of_blocks(
    name: str, cause: str, said: str, functions: set[str], base: str, tmp_path: Path
) -> None:
    """It is found, blamed on the right functions, and its test fails on the page and passes on the twin."""
    document = searched(f"{base}/{name}/", tmp_path)
    [finding] = document["findings"]
    evidence = finding["evidence"]
    assert (finding["kind"], finding["severity"], finding["confidence"]) == ("slowdown", "low", "witnessed")
    assert evidence["cause"] == cause and evidence["law"] == "linear"
    assert said in evidence["reason"] and "on top of" in evidence["reason"]
    assert {each["name"] for each in evidence["functions"]} == functions
    [test] = (tmp_path / ".jostle" / "runs").glob("*/test_*.py")
    text = test.read_text(encoding="utf-8")
    suite = tmp_path / "suite"
    suite.mkdir()
    # Another test of the suite starts the browser that all share, with none of the flags that counting needs.
    (suite / "test_another.py").write_text("def test_it(page):\n    page.goto('about:blank')\n")
    (suite / "test_page.py").write_text(text, encoding="utf-8")
    (suite / "test_twin.py").write_text(text.replace(f"/{name}/", f"/{name}-fixed/"), encoding="utf-8")
    told = run(suite)
    assert "It grew by" in told["test_page"]
    assert told["test_twin"] == told["test_another"] == ""


@pytest.mark.long
@pytest.mark.parametrize("name", ["leaky-panel-fixed", "leaky-store-fixed"])
def test_the_twin_is_silent(name: str, base: str, tmp_path: Path) -> None:
    assert searched(f"{base}/{name}/", tmp_path)["findings"] == []


@pytest.mark.long
def test_a_list_that_grows_by_design_is_not_told(base: str, tmp_path: Path) -> None:
    document = searched(f"{base}/comment-thread/", tmp_path)
    assert document["findings"] == []
    assert document["stats"]["by design"] == 1
    [harmless] = document["suppressed"]
    assert harmless["filter"].startswith("by design: ")


@pytest.mark.long
@pytest.mark.parametrize("name", ["leaky-cards", "leaky-boxes"])
def test_what_can_be_done_again_only_after_something_else_is_found_by_a_check(
    name: str, base: str, tmp_path: Path
) -> None:
    """Another entry of the list, or the way back: nobody has done it so often that costs could tell."""
    options = ("--only", "slowdown", "--seed", "1", "--workers", "1", "--budget", "70s", "--no-verify-tests")
    for page, count in ((name, 1), (f"{name}-fixed", 0)):
        done = command("check", f"{base}/{page}/", *options, "--json", "out.json", cwd=tmp_path)
        findings = json.loads((tmp_path / "out.json").read_text())["findings"]
        assert len(findings) == count, done.stderr
        assert all("listeners" in each["evidence"]["reason"] for each in findings)


HOME = """<!doctype html><title>Home</title><h1>Home</h1><nav><a href="/a">A</a> <a href="/b">B</a>
<a href="/c">C</a></nav>
<button onclick="this.textContent = Number(this.textContent) + 1">1</button> <button>Nothing</button>"""
ELSEWHERE = """<!doctype html><title>Elsewhere</title><a href="/">Home</a> <button onclick="again()">Add</button>
<script>const all = []; function again() { all.push(1); all.forEach(() => all.forEach(() => {})); }</script>"""


@pytest.mark.long
def test_the_search_stays_on_the_page_it_was_given(tmp_path: Path) -> None:
    """Other pages of the application get slower and slower; they were not asked about."""
    with site_served() as site:
        url = site.serve({"/": HOME, "/a": ELSEWHERE, "/b": ELSEWHERE, "/c": ELSEWHERE})
        document = searched(url, tmp_path, events=60, budget="20s")
        assert document["findings"] == []
        elsewhere = searched(f"{url}a", tmp_path, events=60, budget="30s")
    assert [each["kind"] for each in elsewhere["findings"]] == ["slowdown"]
