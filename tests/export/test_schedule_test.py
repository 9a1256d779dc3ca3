"""Tests written for whole orders: what they hold, and that they fail because of the order and pass on the twin."""

from __future__ import annotations

from pathlib import Path

import pytest

from jostle.events import Event
from jostle.races.schedules.playwright_test import schedule_test
from tests.browser.live import site_served
from tests.export.test_race_test import HOSTILE, constants, user
from tests.export.test_race_test_runs import click
from tests.export.users_suite import run

ONE, TWO = ("GET", "http://a/one", 1), ("GET", "http://a/two", 1)


def test_steps_and_what_is_late_keep_their_order() -> None:
    text = schedule_test(
        "http://a/", [user("click", "First"), TWO, user("click", "Second"), ONE], title="Order", name="o", origins=[]
    )
    compile(text, "test", "exec")
    assert constants(text)["LATE"] == [TWO, ONE]
    assert "BAD: list[Any] = [STEPS[0], LATE[0], STEPS[1], LATE[1]]" in text
    assert text.index('name="First"') < text.index('name="Second"')


def test_hostile_words_stay_words() -> None:
    text = schedule_test("http://a/", [user("click", HOSTILE), ONE], title=HOSTILE, name=HOSTILE, origins=[])
    compile(text, "test", "exec")
    assert "\nimport os" not in text


def test_without_something_late_there_is_no_test() -> None:
    with pytest.raises(ValueError, match="late"):
        schedule_test("http://a/", [user("click")], title="Order", name="o", origins=[])


PAGE = """<!doctype html><p></p><button>Ask</button> <button>Go on</button><script>
  const said = [];
  const say = (text) => { said.push(text); document.querySelector("p").textContent = SHOWN; };
  const ask = async (path) => say(await (await fetch(path)).text());
  const [first, second] = document.querySelectorAll("button");
  first.onclick = () => { ask("/one.txt"); ask("/two.txt"); setTimeout(say, 300, "tick"); };
  second.onclick = () => say("on");
</script>"""


@pytest.mark.browser
@pytest.mark.long
def test_it_fails_because_of_the_order(tmp_path: Path) -> None:
    with site_served() as site:
        wrong, right = PAGE.replace("SHOWN", 'said.join(" ")'), PAGE.replace("SHOWN", 'said.toSorted().join(" ")')
        site.serve({"/wrong": wrong, "/right": right, "/one.txt": "one", "/two.txt": "two"})
        ask, go_on = click("button Ask"), click("button Go on")
        order: list[Event | tuple[str, str, int]] = [
            ask, ("GET", f"{site.url}/two.txt", 1), go_on, ("timeout", "300", 1), ("GET", f"{site.url}/one.txt", 1),
        ]  # fmt: skip
        for page in ("wrong", "right"):
            text = schedule_test(f"{site.url}/{page}", order, title="Order", name="order", origins=[])
            (tmp_path / f"test_{page}.py").write_text(text, encoding="utf-8")
        said = run(tmp_path, timeout=110)
    assert "calm order: one two tick on" in said["test_wrong"]
    assert "bad order: two on tick one" in said["test_wrong"]
    assert said["test_right"] == ""
