"""Steps written for what a page offers are done by Playwright, and the page hears of the same things."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import indent

from jostle.browser.chromium_app import ChromiumApp
from jostle.events import Event, Settled
from jostle.export.playwright_steps import needs_touch, steps
from tests.browser.live import Browser, site_served
from tests.export.users_suite import run

PAGE = """<!doctype html><title>All kinds</title>
<style>#area { height: 60px; overflow: auto } #area p { margin: 60px 0 } #touch { padding: 60px }</style>
<button onclick="say('plain')">It's "quoted" \\\\ &amp; {braces}</button>
<div ondblclick="say('twice')" tabindex=-1>Twice</div>
<button oncontextmenu="say('menu'); return false">Right</button>
<div onmouseenter="say('over')">Over me</div>
<div id=touch>Touch me</div>
<label><input type=checkbox onchange="say('box ' + checked)"> Box</label>
<label>Word <input onkeyup="say('key ' + key(event))" onchange="say('word ' + value)" value=old></label>
<label>Secret <input type=password onchange="say('secret ' + value.length)"></label>
<label>Day <input type=date onchange="say('day ' + value)"></label>
<label>Kind <select onchange="say('kind ' + value)"><option>None<option disabled>Soup<option>Cake</select></label>
<label>File <input type=file onchange="say('file ' + files[0].name)"></label>
<ul>
  <li><b>Milk</b> <button onclick="say('no milk')">Remove</button>
  <li><b>Eggs</b> <button onclick="say('no eggs')">Remove</button>
</ul>
<button onclick="say('test id')" data-testid=by-id></button>
<p draggable=true ondragstart="event.dataTransfer.setData('text', 'x')">Drag me</p>
<div ondragover="event.preventDefault()" ondrop="event.preventDefault(); say('dropped')">Drop here</div>
<div id=area onscroll="once('scrolled')"><p>one<p>two<p>three</div>
<in-shadow></in-shadow>
<iframe srcdoc="<button onclick='parent.say(&quot;first inside&quot;)'>In</button>
  <button onclick='parent.say(&quot;second inside&quot;)'>In</button>"></iframe>
<a href="/other" target=_blank>Elsewhere</a>
<script>
  const said = window.said = [];
  const say = window.say = (what) => said.push(what);
  const once = (what) => said.includes(what) || say(what);
  const key = (event) => event.key;
  document.getElementById("touch").addEventListener("touchstart", () => say("touch"));
  customElements.define("in-shadow", class extends HTMLElement {
    connectedCallback() {
      this.attachShadow({ mode: "open" }).innerHTML = "<p><button>In the shadow</button><p><span tabindex=0>x</span>";
      this.shadowRoot.querySelector("button").onclick = () => say("shadow");
      this.shadowRoot.querySelector("span").onclick = () => say("in the span");
    }
  });
</script>"""

TEST = """import pytest
from playwright.sync_api import Page, expect

@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return {{**browser_context_args, "has_touch": True}}

def test_all(page: Page) -> None:
    page.goto({url!r})
    first = page
    first.set_default_timeout(5000)
{steps}
    expect(page).to_have_title("Other")
    page.close()
    page = first
    page.wait_for_function({scrolled!r})
    with open("said.json", "w") as file:
        file.write(page.evaluate("JSON.stringify(said)"))
"""

HEARD = [
    "plain", "twice", "menu", "over", "touch", "box true", "key", "word", "secret", "day", "kind Cake",
    "file sample.txt", "no milk", "no eggs", "test id", "dropped", "scrolled", "shadow", "in the span", "first inside",
    "second inside",
]  # fmt: skip


def test_every_kind_of_step(counting_browser: Browser, tmp_path: Path) -> None:
    with site_served() as site:
        site.serve({"/": PAGE, "/other": "<!doctype html><title>Other</title>"})
        events = counting_browser.run(_offered(counting_browser, f"{site.url}/"))
        actions = {event.action.type for event in events}
        assert actions == {
            "click", "dblclick", "rightclick", "hover", "tap", "check", "type", "fill", "press", "select", "upload",
            "drag", "scroll",
        }  # fmt: skip
        assert needs_touch(events)
        lines = [line for event in events for line in steps(event)]
        code = indent("\n".join(lines), "    ")
        scrolled = "said.includes('scrolled')"
        (tmp_path / "test_all.py").write_text(TEST.format(url=f"{site.url}/", steps=code, scrolled=scrolled))
        assert run(tmp_path) == {"test_all": ""}, code
    said = json.loads((tmp_path / "said.json").read_text())
    missing = [what for what in HEARD if not any(each.startswith(what) for each in said)]
    assert not missing, said
    typed = next(str(event.action.value) for event in events if "Word" in event.what and event.action.value)
    assert said[said.index(f"key {typed[0]}") :][: len(typed)] == [f"key {each}" for each in typed]


async def _offered(browser: Browser, url: str) -> list[Event]:
    """What can be done in the beginning, the links last: they leave the page."""
    app = ChromiumApp(browser.chromium, url)
    try:
        settled = Settled(app)
        await settled.reset()
        events = [event for event in await settled.enabled() if event.by_user]
        return sorted(events, key=lambda event: bool(event.action.href))
    finally:
        await app.close()
