"""Generated tests in a user's suite: they fail on the page with the mistake, because of it, and pass on its twin."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pytest

from jostle.events import Effect, Kind, State, event_of
from jostle.model.visit import Visit
from jostle.slowdowns.history import Pair, action_of
from jostle.slowdowns.playwright_test import failure_test, slowdown_test
from jostle.slowdowns.verdict import PairOutcome, judge
from tests.browser.live import Browser, Request, site_served
from tests.export.trials import trial
from tests.export.users_suite import run

TRIALS = {
    "slow-todo": (
        ['click button "Add task"', 'check radio "High"', 'click button "Cancel"'],
        'click button "Add task"',
        'check radio "High"',
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", list(TRIALS))
def test_growth(name: str, examples: str, counting_browser: Browser, tmp_path: Path) -> None:
    url = f"{examples}/{name}/"
    walk, cause, effect = TRIALS[name]
    tried = trial(counting_browser, url, walk * 2, cause, effect, costs=8)
    verdict = judge(tried)
    assert verdict.outcome is PairOutcome.SLOWDOWN and verdict.growth is not None, verdict.reason
    text = slowdown_test(
        url, tried.steps, tried.pair, law=verdict.growth.law, title=verdict.reason, name="it gets slower"
    )
    assert "for _ in range(7):" in text
    wrong, right = said_of(text, url, tmp_path)
    assert f"each “{cause}” makes “{effect}” more expensive ({verdict.growth.law} growth)" in wrong
    assert "It grew by" in wrong and "The costs: [" in wrong
    assert right == ""


@pytest.mark.long
def test_failure(examples: str, counting_browser: Browser, tmp_path: Path) -> None:
    url = f"{examples}/slow-articles-crash/"
    cause, effect = 'type in textbox "Title"', 'click button "Save and publish"'
    tried = trial(counting_browser, url, [cause, effect] * 2, cause, effect)
    verdict = judge(tried)
    assert verdict.outcome is PairOutcome.FAILURE, verdict.reason
    text = failure_test(url, tried.steps, tried.pair, problem=tried.problem, title=verdict.reason, name="it fails")
    wrong, right = said_of(text, url, tmp_path)
    assert f"“{effect}” failed" in wrong
    assert "Now: ['500 http://" in wrong
    assert right == ""


LATE = """<!doctype html><title>Late</title><button onclick="items.push(1, 2, 3, 4, 5)">Add</button>
<button onclick="setTimeout(search, 150)">Search</button>
<script>
  const items = [];
  async function search() {
    await (await fetch("/answer")).text();
    setTimeout(() => items.forEach(look), 150);
  }
  const look = eval("() => {}\\n//# sourceURL=app:look.js"); // what it evaluates counts too
</script>"""


@pytest.mark.browser
@pytest.mark.long
def test_work_that_comes_later_counts(tmp_path: Path) -> None:
    def answer(request: Request) -> str:
        time.sleep(0.2)
        return "yes"

    costs = [10 + 5 * n for n in range(10)]
    with site_served() as site:
        url = site.serve({"/": LATE, "/answer": answer})
        visits = [clicked("Search", costs[0])]
        for cost in costs[1:]:
            visits += [clicked("Add"), clicked("Search", cost)]
        pair = Pair(action_of(clicked("Add")), action_of(clicked("Search")))
        text = slowdown_test(url, visits, pair, law="linear", title="Searching", name="search")
        (tmp_path / "test_late.py").write_text(text, encoding="utf-8")
        wrong = run(tmp_path)["test_late"]
    found = [int(cost) for cost in wrong.partition("The costs: [")[2].partition("]")[0].split(", ")]
    # V8 counts a block more or less at times, and on a busy machine something may come too late once.
    assert sum(4 <= b - a <= 6 for a, b in pairwise(found)) >= len(found) - 3, wrong


def clicked(name: str, cost: int = 0) -> Visit:
    where = {"words": f'button "{name}"', "role": "button", "name": name, "css": "", "within": "", "nth": 1}
    event = event_of(kind=Kind.USER, what=f'click button "{name}"', detail={"action": "click", "locator": where})
    return Visit(before=State("a"), event=event, effect=Effect(cost=cost), after=State("a"))


def said_of(text: str, url: str, folder: Path) -> tuple[str, str]:
    """What a test said about the page it is for, and about its twin."""
    (folder / "test_page.py").write_text(text, encoding="utf-8")
    (folder / "test_twin.py").write_text(text.replace(url, f"{url.rstrip('/')}-fixed/"), encoding="utf-8")
    said = run(folder)
    return said["test_page"], said["test_twin"]
