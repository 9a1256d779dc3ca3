"""`jostle check`: real command, real Chromium."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.browser.live import Answer, Request, Served, site_served
from tests.cli.commands import command, interrupted
from tests.cli.told import told


@pytest.mark.browser
def test_one_report_and_a_baseline(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    only = ("--only", "ajax", "--budget", "45s")
    done = command(
        "check", f"{base}/paging/", *only, "--json", "out.json", "--junit", "out.xml", "--sarif", "out.sarif",
        "--baseline", "known.json", "--update-baseline", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr  # what is in the baseline now does not fail
    document = json.loads((tmp_path / "out.json").read_text())
    assert [each["kind"] for each in document["findings"]] == ["ajax-race"]
    done.stderr = ""  # two browsers tell of their work as it goes
    assert told(done, tmp_path) == snapshot
    directory = next((tmp_path / ".jostle/runs").glob("*-check"))
    report = (directory / "report.html").read_text("utf-8")
    assert "still going on" not in report
    assert "Stale response: a slow GET /api/rows" in report and "Slow responses" in report
    assert document["findings"][0]["id"] in (tmp_path / "known.json").read_text()
    assert ET.parse(tmp_path / "out.xml").getroot().tag == "testsuites"
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"
    rebuilt = command("report", directory, "-o", "again.html", cwd=tmp_path)
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert "Stale response: a slow GET /api/rows" in (tmp_path / "again.html").read_text("utf-8")


LOGIN = """<!doctype html><title>Log in</title><form method=post action=/login>
<label>Name <input name=name required></label><label>Password <input name=password type=password required></label>
<p>For a look around: ada, secret</p><button>Log in</button></form>"""
HOME = "<!doctype html><title>Home</title><a href=/profile>Profile</a>"
PROFILE = """<!doctype html><title>Profile</title><label>City <input id=city></label>
<script>
fetch("/city.json").then((answer) => answer.json()).then((city) => { document.getElementById("city").value = city; });
</script>"""


def _for_members(page: str) -> Callable[[Request], Answer]:
    def answer(request: Request) -> Answer:
        known = "member=yes" in (request.headers.get("Cookie") or "")
        return page if known else (303, {"Location": "/"}, "")

    return answer


def _log_in(request: Request) -> Answer:
    right = request.body == b"name=ada&password=secret"
    return (303, {"Location": "/home", "Set-Cookie": "member=yes; Path=/"}, "") if right else LOGIN


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.timeout(400)
def test_a_page_behind_a_log_in(tmp_path: Path) -> None:
    """Nobody told how to get in but the page itself. What is behind is loaded again as who got in."""
    with site_served() as site:
        pages: dict[str, Served] = {"/": LOGIN, "/login": _log_in, "/city.json": '"Graz"', "/favicon.ico": ""}
        url = site.serve({**pages, "/home": _for_members(HOME), "/profile": _for_members(PROFILE)})
        done = command("check", url, "--only", "init", "--budget", "300s", "--json", "out.json", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    [finding] = json.loads((tmp_path / "out.json").read_text())["findings"]
    assert finding["kind"] == "form-input-overwritten" and "City" in finding["title"]
    [test] = (tmp_path / ".jostle/runs").glob("*/test_form_input_overwritten_*.py")
    state = re.search(r'with_name\("([^"]+)"\)', test.read_text("utf-8"))
    assert state is not None
    assert json.loads(test.with_name(state[1]).read_text())["cookies"][0]["name"] == "member"


@pytest.mark.browser
def test_interrupted(base: str, tmp_path: Path) -> None:
    document = interrupted("check", f"{base}/larder/", at="explore: exploring", cwd=tmp_path)
    assert document["status"] == "interrupted"
    [report] = (tmp_path / ".jostle/runs").glob("*-check/report.html")
    assert "interrupted" in report.read_text("utf-8")
