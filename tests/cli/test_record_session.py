"""`jostle record` of a person at a (virtual) screen and of Playwright scripts: real command, real Chromium."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from jostle.browser.find import sandbox_arguments
from jostle.recording.file import Recording
from tests.browser.live import Site, site_served
from tests.cli.commands import PROGRAM, command
from tests.cli.told import told

PAGE = """<!doctype html><title>Desk</title>
<style>body { margin: 0 } #big { position: fixed; left: 100px; top: 100px; width: 500px; height: 300px }</style>
<button id=big onclick="show()">Big</button>
<script>const show = async () => { document.title = await (await fetch("/more")).text(); };</script>
<input aria-label=Name>
<select aria-label=Kind onclick="this.dispatchEvent(new Event('change'))"><option>Soup<option>Cake
</select>"""

SCRIPT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(args={arguments})
    page = browser.new_page()
    page.goto({url!r})
    page.fill("input", "Ada")
    page.select_option("select", label="Cake")
    page.click("#big")
    page.wait_for_function("document.title === 'More'")
    {end}
    browser.close()
"""

TEST = """
import pytest
from playwright.sync_api import Page, expect
@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {{**browser_type_launch_args, "args": {arguments}}}
def test_more(page: Page):
    page.goto({url!r})
    page.get_by_role("button", name="Big").click()
    expect(page).to_have_title("More")
"""


@pytest.fixture
def site() -> Iterator[Site]:
    with site_served() as served:
        served.serve({"/": PAGE, "/more": "More"})
        yield served


def recorded(script: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return command("record", "--script", script, "-o", "session.jostle", "--json", "out.json", cwd=cwd)


def done_by_user(file: Path) -> list[str]:
    return [step.event.what for step in Recording.read(file).trace.steps if step.event.by_user]


@pytest.mark.browser
def test_a_script(site: Site, tmp_path: Path) -> None:
    script = tmp_path / "buy.py"
    search = 'page.type("input", " L"); page.wait_for_timeout(1100); page.fill("input", "Grace")'  # and it is gone
    script.write_text(SCRIPT.format(url=f"{site.url}/", arguments=sandbox_arguments(), end=search))
    done = recorded(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done_by_user(tmp_path / "session.jostle") == [
        'type "Ada" in textbox "Name"', 'select "Cake" in combobox "Kind"', 'click button "Big"',
        'type " LAda" in textbox "Name"', 'type "Grace" in textbox "Name"',
    ]  # fmt: skip
    stats = json.loads((tmp_path / "out.json").read_text())["stats"]
    assert (stats["done"], stats["left out"], stats["replay"]) == (5, 0, "reproduced")


@pytest.mark.browser
@pytest.mark.long
def test_a_script_that_fails_is_recorded_as_far_as_it_went(
    site: Site, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    script = tmp_path / "buy.py"
    script.write_text(SCRIPT.format(url=f"{site.url}/", arguments=sandbox_arguments(), end="raise SystemExit(4)"))
    done = recorded(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert told(done, tmp_path) == snapshot
    assert len(done_by_user(tmp_path / "session.jostle")) == 3


@pytest.mark.browser
@pytest.mark.long
def test_a_pytest_file(site: Site, tmp_path: Path) -> None:
    script = tmp_path / "test_more.py"
    script.write_text(TEST.format(url=f"{site.url}/", arguments=sandbox_arguments()))
    done = recorded(script, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done_by_user(tmp_path / "session.jostle") == ['click button "Big"']


ASKING = """<!doctype html><title>Asking</title>
<button onclick="document.title = [confirm('Sure?'), prompt('Name?', 'nobody'), confirm('Sure?')]">Ask</button>"""

ANSWERING = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(args={arguments})
    page = browser.new_page()
    said = iter([None, "Ada", ""])
    def answer(dialog):
        words = next(said)
        dialog.dismiss() if words is None else dialog.accept(words)
    page.on("dialog", answer)
    page.goto({url!r})
    page.click("button")
    assert page.title() == "false,Ada,true"
    page.goto({elsewhere!r})
    page.click("#big")
    browser.close()
"""


@pytest.mark.browser
def test_a_session_with_dialogs_and_two_origins_replays(site: Site, tmp_path: Path) -> None:
    site.serve({"/": PAGE, "/more": "More", "/asking": ASKING})
    elsewhere = site.url.replace("127.0.0.1", "localhost")
    assert elsewhere != site.url
    script = tmp_path / "ask.py"
    script.write_text(
        ANSWERING.format(url=f"{site.url}/asking", elsewhere=f"{elsewhere}/", arguments=sandbox_arguments())
    )
    done = recorded(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "failed" not in done.stderr
    assert done_by_user(tmp_path / "session.jostle") == ['click button "Ask"', "visit /", 'click button "Big"']
    replayed = command("replay", "session.jostle", cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr
    assert "reproduced" in replayed.stdout


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "text", "code", "said"),
    [
        ("buy.ts", "", 2, "is not a Python file"),
        ("empty.py", "", 3, "ended without launching a Chromium"),
    ],
)
def test_what_is_no_script(
    name: str, text: str, code: int, said: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    (tmp_path / name).write_text(text)
    done = recorded(tmp_path / name, tmp_path)
    assert done.returncode == code
    assert said in done.stderr
    assert told(done, tmp_path) == snapshot


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a screen")
def test_without_a_screen_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    done = command("record", "http://localhost:1/", cwd=tmp_path)
    assert done.returncode == 3
    assert told(done, tmp_path) == snapshot


@pytest.fixture
def screen() -> Iterator[str]:
    """A virtual screen with a mouse and a keyboard."""
    if not shutil.which("Xvfb") or not shutil.which("xdotool"):
        pytest.skip("needs Xvfb and xdotool: apt-get install xvfb xdotool")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1000x24"],
        pass_fds=(write,), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


@pytest.mark.parametrize("how", ["Ctrl-C", "closing the window"])
def test_a_person_at_a_screen(how: str, screen: str, site: Site, tmp_path: Path) -> None:
    surroundings = {**os.environ, "DISPLAY": screen}
    recording = subprocess.Popen(
        [*PROGRAM, "record", f"{site.url}/", "-o", "session.jostle", "--budget", "80s"],
        cwd=tmp_path, env=surroundings, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 60
        while "/more" not in site.requests:
            assert time.monotonic() < deadline, "the click never arrived"
            subprocess.run(["xdotool", "mousemove", "350", "350", "click", "1"], env=surroundings, timeout=10)
            time.sleep(0.5)
        if how == "Ctrl-C":
            recording.send_signal(signal.SIGINT)
        else:
            subprocess.run(["xdotool", "key", "ctrl+w"], env=surroundings, timeout=10)
        _, told = recording.communicate(timeout=60)
    finally:
        recording.kill()
    assert recording.returncode == 0, told
    assert "Checked by replaying it: reproduced" in told
    assert set(done_by_user(tmp_path / "session.jostle")) == {'click button "Big"'}
