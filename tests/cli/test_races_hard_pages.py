"""Races on pages that are hard to search: behind a log-in, or with more than there is time for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.browser.live import Request, site_served
from tests.cli.commands import command

pytestmark = pytest.mark.browser

BEHIND = """<!doctype html><title>Members</title><button>One</button><button>Two</button><p></p><script>
  for (const button of document.querySelectorAll("button")) button.onclick = async () => {
    document.querySelector("p").textContent = await (await fetch(`/${button.textContent}`)).text();
  };
</script>"""


def test_a_page_behind_a_log_in(tmp_path: Path) -> None:
    def members(request: Request) -> str:
        return BEHIND if "who=me" in request.headers.get("Cookie", "") else "<!doctype html><title>Who?</title>"

    with site_served() as site:
        url = site.serve({"/": members, "/One": "1", "/Two": "2"})
        cookie = {"name": "who", "value": "me", "domain": "127.0.0.1", "path": "/"}
        (tmp_path / "state.json").write_text(json.dumps({"cookies": [cookie], "origins": []}))
        (tmp_path / "jostle.toml").write_text('[login]\nstorage_state = "state.json"\n')
        done = command("races", "ajax", url, "--events", "10", "--json", "out.json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    [finding] = json.loads((tmp_path / "out.json").read_text())["findings"]
    assert finding["kind"] == "ajax-race"


@pytest.mark.long
def test_thousands_of_handlers(tmp_path: Path) -> None:
    links = "".join(f'<li><a href="/{n}.html">Part {n}</a></li>' for n in range(3000))
    late = (
        "for (const a of document.links) a.onclick = (event) => { event.preventDefault(); document.title = a.text; };"
    )
    with site_served() as site:
        page = f"<!doctype html><title>Parts</title><ul>{links}</ul><script src=/late.js></script>"
        url = site.serve({"/": page, "/late.js": late, **{f"/{n}.html": "<!doctype html>" for n in range(40)}})
        done = command("races", "init", url, "--budget", "25s", "--json", "out.json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    told = json.loads((tmp_path / "out.json").read_text())
    assert {finding["kind"] for finding in told["findings"]} == {"late-handler"}
    assert len(told["findings"]) < 5  # one cause, however many links
    assert told["stats"]["handlers"] + told["stats"]["handlers not noted"] >= 3000
    assert told["stats"]["seconds"] < 60
