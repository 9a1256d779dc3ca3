"""`jostle explore` as a user runs it: real command, real Chromium, real server."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from jostle.examples import running
from jostle.runs import RunDirectory
from jostle.runs.report import reported
from tests.browser.live import Answer, Request, Site, site_served
from tests.cli.commands import PROGRAM, command
from tests.cli.told import told

STEPS = """<!doctype html><title>box</title><p id=out></p>{others}
<button onclick="opened = 1; out.textContent = 'opened'">Open</button>
<button onclick="if (opened) {last}">Send</button><a href=/near>Near</a><script>let opened = 0</script>"""
OTHERS = "".join(f"<button onclick='out.textContent = {n}'>Button {n}</button>" for n in range(5))
NEAR = "<!doctype html><title>near</title><a href=/>Back</a><a href=/logout>Log out</a>"


@pytest.fixture(scope="module")
def _site() -> Iterator[Site]:
    with site_served() as served:
        yield served


@pytest.fixture
def site(_site: Site) -> Site:
    _site.serve({"/": STEPS.format(others=OTHERS, last="null.box"), "/near": NEAR})
    return _site


def read(file: Path) -> Any:
    return json.loads(file.read_text())


@pytest.mark.browser
@pytest.mark.slow
def test_what_is_found_is_told_made_small_and_replayed(site: Site, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    options = ("--events", "60", "--seed", "1", "--model", "model.json", "--json", "out.json", "--html", "r.html")
    done = command("explore", f"{site.url}/", *options, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    document = read(tmp_path / "out.json")
    assert document["command"] == "explore"
    assert document["url"] == f"{site.url}/"
    assert document["seed"] == 1
    stats = document["stats"]
    assert stats["strategy"] == "guided"
    assert stats["events"] == 60
    assert stats["ended"] == "all events were done"
    assert stats["pages"] == 2
    assert list(stats["avoided"]) == ['click link "Log out"']
    assert told(done, tmp_path) == snapshot
    (finding,) = document["findings"]
    assert (finding["kind"], finding["technique"], finding["confidence"]) == ("exception", "explore", "witnessed")
    assert finding["events"][:-1] == ['click button "Open"', 'click button "Send"']
    (run,) = (tmp_path / ".jostle" / "runs").iterdir()
    compile((run / finding["evidence"]["test"]).read_text("utf-8"), "test", "exec")
    with RunDirectory.open(run) as kept:
        [search] = reported(kept).told.searches
        assert (search.name, search.tried, search.found) == ("explore", 60, 1)
    again = command("replay", run / finding["replay"], cwd=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
    assert told(again, tmp_path) == snapshot
    assert "null" in (tmp_path / "r.html").read_text()

    before = read(tmp_path / "model.json")
    done = command("explore", f"{site.url}/", *options[:1], "6", *options[2:6], cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    after = read(tmp_path / "model.json")
    assert {state["digest"] for state in after["states"]} >= {state["digest"] for state in before["states"]}
    led = [sum(count for state in model["states"] for event in state["events"] for count in event["led"].values())
           for model in (before, after)]  # fmt: skip
    assert led == [60, 66]


@pytest.mark.browser
@pytest.mark.long
def test_the_same_seed_explores_the_same_way_and_finds_nothing_where_nothing_is(tmp_path: Path) -> None:
    models = []
    with running() as base:
        for name in ("one.json", "two.json"):
            done = command(
                "explore", f"{base}/timers/", "--events", "15", "--seed", "5", "--model", name, cwd=tmp_path
            )  # fmt: skip
            assert done.returncode == 0, done.stdout + done.stderr
            models.append(read(tmp_path / name))
    assert models[0] == models[1]


@pytest.mark.browser
def test_an_application_that_is_not_there(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = command("explore", "http://127.0.0.1:9/", "--json", "out.json", "--model", "model.json", cwd=tmp_path)
    assert done.returncode == 3
    assert told(done, tmp_path) == snapshot
    assert read(tmp_path / "out.json")["stats"]["events"] == 0
    assert not (tmp_path / "model.json").exists()


@pytest.mark.browser
def test_an_application_that_dies_on_the_way(site: Site, tmp_path: Path) -> None:
    page = site.pages["/"]
    left = 6

    def dying(request: Request) -> Answer | None:
        nonlocal left
        left -= 1
        if left > 0:
            assert isinstance(page, str)
            return page
        request.close_connection = True
        return None  # hangs up

    site.pages["/"] = dying
    done = command("explore", f"{site.url}/", "--json", "out.json", "--model", "model.json", cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert site.url in done.stderr
    assert "Traceback" not in done.stderr
    document = read(tmp_path / "out.json")
    assert document["stats"]["events"] > 0
    assert read(tmp_path / "model.json")["states"]


@pytest.mark.browser
def test_an_interruption_keeps_and_tells_what_there_is(site: Site, tmp_path: Path) -> None:
    options = ("--events", "100000", "--json", "out.json", "--model", "model.json")
    exploring = subprocess.Popen(
        [*PROGRAM, "explore", f"{site.url}/", *options], cwd=tmp_path,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        until = time.monotonic() + 60
        while site.requests.count("/near") < 3:
            assert time.monotonic() < until and exploring.poll() is None
            time.sleep(0.05)
        exploring.send_signal(signal.SIGINT)
        _, said = exploring.communicate(timeout=30)
    finally:
        exploring.kill()
    assert exploring.returncode == 130, said
    assert "Traceback" not in said
    document = read(tmp_path / "out.json")
    assert document["stats"]["ended"] == "interrupted"
    assert document["stats"]["events"] >= 3
    model = read(tmp_path / "model.json")
    assert sum(state["starts"] for state in model["states"]) == 1
    assert [*(tmp_path / ".jostle" / "runs").glob("*/report.html")]
    assert {finding["confidence"] for finding in document["findings"]} <= {"predicted"}


@pytest.mark.browser
@pytest.mark.long
def test_the_budget_is_kept(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = STEPS.format(others=OTHERS, last="for (;;) null.box")
    options = ("--events", "100000", "--budget", "4s", "--json", "out.json")
    done = command("explore", f"{site.url}/", *options, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    document = read(tmp_path / "out.json")
    assert document["stats"]["ended"] == "the time was up"
    # A step that hangs, or the recording of a finding, is seen to its end.
    assert document["seconds"] < 30


@pytest.mark.browser
@pytest.mark.parametrize("words", [("explore",), ("races", "ajax"), ("slowdown",)], ids=" ".join)
@pytest.mark.sampled(1)
def test_a_page_on_which_nothing_can_be_done_is_not_green(site: Site, tmp_path: Path, words: tuple[str, ...]) -> None:
    site.serve({"/": "<!doctype html><title>notice</title><p>Closed today."})
    done = command(*words, f"{site.url}/", "--budget", "20s", cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "Nothing was tested, so this result means nothing" in done.stdout
