"""Commands with a mock in place of the server, in a real browser. No server is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import jostle
from jostle.options import ExploreOptions
from jostle.recording.file import Recording
from jostle.serverapi.asking import with_words
from jostle.serverapi.har import har_recording
from jostle.serverapi.mock.faults import Fault
from tests.cli.commands import command
from tests.serverapi.mock.test_answering import BASE, mock_of
from tests.serverapi.mock.test_site import serving
from tests.serverapi.test_har import entry, har
from tests.serverapi.test_server import described

pytestmark = pytest.mark.browser
PAGE = """<!doctype html><title>Items</title><button>Load</button><p id="first">None</p><script>
document.querySelector("button").onclick = async () => {
  const loaded = await (await fetch("/api/items")).json()
  document.getElementById("first").textContent = %s
}
</script>"""
FRAGILE = PAGE % "loaded.items[0].name"
CAREFUL = PAGE % 'loaded.items.length ? loaded.items[0].name : "Nothing"'
OVERTAKEN = """<!doctype html><title>Tabs</title><button>First</button><button>Second</button><p id="shown">None</p>
<script>
for (const button of document.querySelectorAll("button")) button.onclick = async () => {
  const loaded = await (await fetch("/api/texts/" + button.textContent.toLowerCase())).json()
  document.getElementById("shown").textContent = loaded.text
}
</script>"""


def application(html: str, *responses: tuple[str, Any]) -> Recording:
    document = {"mimeType": "text/html; charset=utf-8", "size": 9, "text": html}
    return har_recording(
        har(
            entry(f"{BASE}/", content=document, _resourceType="document"),
            *(
                entry(
                    f"{BASE}/api/{path}",
                    content={"mimeType": "application/json", "size": 9, "text": json.dumps(value)},
                    _resourceType="fetch",
                )
                for path, value in responses
            ),
        ),
        "x.har",
    )


ITEMS = (("items", {"items": [{"name": "Bread"}]}), ("items", {"items": [{"name": "Milk"}, {"name": "Salt"}]}))


def explored(folder: Path, html: str, server: str = "mock:api.ail", *options: str) -> dict[str, Any]:
    described(folder, application(html, *ITEMS), page=f"{BASE}/")
    quick = ("--no-verify-tests", "--budget", "60s", "--json", "out.json")
    done = command("explore", "--server", server, "--events", "12", *quick, *options, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    document: dict[str, Any] = json.loads((folder / "out.json").read_text())
    return document


def test_data_that_the_server_did_not_have(tmp_path: Path) -> None:
    document = explored(tmp_path, FRAGILE, "mock:api.ail,responses=covering")
    assert document["url"] == f"{BASE}/"
    (finding,) = document["findings"]
    assert (finding["kind"], finding["confidence"]) == ("exception", "witnessed")
    assert finding["contract"] == {"description": "api.ail", "requests": 1, "outside": []}
    (run,) = (tmp_path / ".jostle/runs").iterdir()
    replayed = command("replay", run / finding["replay"], cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr  # with nobody to answer
    assert "Inside the contract" in (run / "report.html").read_text()


def test_a_page_that_is_prepared_for_it(tmp_path: Path) -> None:
    assert explored(tmp_path, CAREFUL, "mock:api.ail,responses=covering")["findings"] == []


def test_what_was_recorded_breaks_nothing(tmp_path: Path) -> None:
    assert explored(tmp_path, FRAGILE)["findings"] == []


def test_faults_are_outside_the_contract(tmp_path: Path) -> None:
    document = explored(tmp_path, CAREFUL, "mock:api.ail,fault=missing,fault-rate=1")
    outside = [each["contract"]["outside"][0] for each in document["findings"]]
    assert outside
    assert all(each["on_purpose"] for each in outside)
    (run,) = (tmp_path / ".jostle/runs").iterdir()
    assert "Outside the contract of api.ail" in (run / "report.html").read_text()


def test_the_same_seed_is_the_same_run(tmp_path: Path) -> None:
    runs = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        found = explored(tmp_path / name, FRAGILE, "mock:api.ail,responses=covering", "--seed", "3")["findings"]
        runs.append([(each["id"], each["events"]) for each in found])
    assert runs[0] == runs[1]


def test_races_of_responses(tmp_path: Path) -> None:
    texts = (("texts/first", {"text": "one"}), ("texts/second", {"text": "two"}))
    described(tmp_path, application(OVERTAKEN, *texts), page=f"{BASE}/")
    options = ("--no-verify-tests", "--budget", "90s", "--events", "12", "--json", "out.json")
    done = command("races", "ajax", "--server", "mock:api.ail", *options, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    findings = json.loads((tmp_path / "out.json").read_text())["findings"]
    assert {each["kind"] for each in findings} == {"ajax-race"}
    assert all(each["contract"]["outside"] == [] for each in findings)


def test_as_a_library(tmp_path: Path) -> None:
    file = described(tmp_path, application(FRAGILE, *ITEMS), page=f"{BASE}/")
    result = jostle.explore(
        f"{BASE}/",
        ExploreOptions(events=12),
        server=f"mock:{file},responses=covering",
        verify_tests=False,
        budget="60s",
    )
    (finding,) = result.findings
    assert finding.contract is not None
    assert finding.contract.kept


def test_traffic_of_an_exploration_that_lets_responses_flow(tmp_path: Path) -> None:
    explored(tmp_path, CAREFUL, "mock:api.ail,fault=missing,fault-rate=1", "--keep-traffic", "real.jostle")
    recording = Recording.read(tmp_path / "real.jostle")
    assert any(each.url == f"{BASE}/api/items" and recording.body_of(each) for each in recording.exchanges)
    (asked,) = {each.asked_by for each in with_words(recording).exchanges if "api/items" in each.url}
    assert asked == 'click button "Load"'
    done = command("api", "check", "api.ail", "--against", "real.jostle", cwd=tmp_path)
    assert done.returncode == 1
    assert "GET api/items(): response 200" in done.stdout


@pytest.mark.parametrize(("options", "code"), [({}, 0), ({"faults": (Fault.MISSING,), "fault_rate": 1.0}, 1)])
def test_a_description_and_the_running_application(tmp_path: Path, options: dict[str, Any], code: int) -> None:
    application_itself = application(CAREFUL, *ITEMS)
    described(tmp_path, application_itself, page=f"{BASE}/")
    with serving(mock_of(application_itself, **options)) as url:
        done = command("api", "check", "api.ail", "--against", url, "--budget", "100s", "--events", "6", cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("all as described" if code == 0 else "GET api/items(): response 200") in done.stdout
