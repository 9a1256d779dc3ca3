"""Ctrl-C at any moment, on a page with rich-text editors: real command, real Chromium."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.browser.live import site_served
from tests.cli.commands import PROGRAM, command

pytestmark = pytest.mark.browser
EDITOR = """<!doctype html><title>Editor</title><link rel=icon href=data:,>
<button id=bold>Bold</button> <button id=clear>Clear</button> <div contenteditable>Some <b>rich</b> text</div>
<iframe id=area></iframe> <p id=said>-</p>
<script>
const written = area.contentDocument;
const say = (text) => { said.textContent = text; };
written.open();
written.write("<body>Write <i>here</i></body>"); // CLOSE
written.designMode = "on";
written.addEventListener("keydown", () => say("key"));
written.addEventListener("input", () => say(written.body.textContent));
bold.onclick = () => { written.execCommand("bold"); area.contentWindow.focus(); say(written.body.innerHTML); };
clear.onclick = () => { written.body.innerHTML = ""; say("cleared"); };
addEventListener("beforeunload", (event) => event.preventDefault());
</script>"""
MOMENTS = 6
SOON = 5.0
"""Seconds; the browsers of other tests are at work beside."""


@pytest.mark.parametrize("closing", ["", "written.close();"], ids=["left open", "closed"])
def test_a_document_that_a_script_writes_is_at_rest(closing: str, tmp_path: Path) -> None:
    with site_served() as site:
        url = site.serve(EDITOR.replace("// CLOSE", closing))
        began = time.monotonic()
        done = command("explore", url, "--events", "12", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "12 events" in done.stderr
    assert "still loading" not in done.stderr
    assert time.monotonic() - began < 60  # each event took ten seconds


@pytest.mark.long
@pytest.mark.timeout(200)
def test_ctrl_c_ends_it_at_any_moment(tmp_path: Path) -> None:
    chance = random.Random(23)
    with site_served() as site:
        url = site.serve(EDITOR)
        for _ in range(MOMENTS):
            process = subprocess.Popen([*PROGRAM, "explore", url], cwd=tmp_path, stderr=subprocess.DEVNULL)
            try:
                time.sleep(chance.uniform(0.8, 6))
                assert process.poll() is None
                pressed = time.monotonic()
                process.send_signal(signal.SIGINT)
                assert process.wait(30) == 130
                assert time.monotonic() - pressed < SOON
            finally:
                process.kill()
