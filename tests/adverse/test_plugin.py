"""The plugin as users have it: their own suites, in a process of their own, in a real browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.adverse.suites import Done, run, suite

pytest_plugins = ["pytester"]

FORGETS = """<!doctype html><title>Rows</title><button id=tick>Tick</button><button id=drop>Drop</button><p id=out></p>
<script>
let ticked = false;
tick.onclick = () => { ticked = true };
drop.onclick = () => { out.textContent = ticked ? 'gone' : 'still here' };
addEventListener('blur', () => { ticked = false });
</script>"""
KEEPS = FORGETS.replace("addEventListener('blur', () => { ticked = false });", "")
TESTS = """
import pytest
from playwright.sync_api import expect

def rows(page, site, path):
    page.goto(site + path)
    page.get_by_role("button", name="Tick").click()
    page.get_by_role("button", name="Drop").click()
    expect(page.locator("#out")).to_have_text("gone", timeout=500)

@pytest.mark.parametrize("way", ["once"])
def test_forgets(page, site, way):
    page.goto(site + "/forgets")
    page.get_by_role("button", name="Tick").click()
    page.get_by_role("button", name="Drop").click()
    expect(page.locator("#out")).to_have_text("gone", timeout=500)

class TestKeeps:
    def test_keeps(self, page, site):
        rows(page, site, "/keeps")

def test_without_a_browser():
    pass

def test_fails_anyway(page, site):
    page.goto(site + "/keeps")
    raise ValueError("always")
"""


@pytest.fixture(scope="module")
def forgetting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = {"/forgets": ("text/html", FORGETS), "/keeps": ("text/html", KEEPS)}
    return suite(tmp_path_factory.mktemp("forgets"), pages, TESTS)


@pytest.fixture(scope="module")
def adverse(forgetting: Path) -> Done:
    return run(
        forgetting,
        "--jostle-adverse",
        "--jostle-conditions=whistle,unfocused",
        "--jostle-json=out.json",
        "--jostle-html=out.html",
        "--junitxml=out.xml",
        "--tracing=on",
        "--output=traces",
    )


@pytest.mark.browser
def test_what_is_to_blame_is_told(adverse: Done) -> None:
    assert adverse.code == 1, adverse.said
    (finding,) = adverse.document["findings"]
    assert (finding["kind"], finding["confidence"]) == ("adverse-failure", "adverse")
    assert finding["title"] == "test_forgets[chromium-once] fails when the window loses the focus for the page"
    evidence = finding["evidence"]
    (place,) = evidence["places"]
    assert (place["condition"], place["words"]) == ("unfocused", 'click button "Tick"')
    lines = TESTS.splitlines()
    assert 'name="Tick"' in lines[int(place["where"].rpartition(":")[2]) - 1]
    assert "to_have_text" in lines[int(evidence["failed_at"].rpartition(":")[2]) - 1]
    assert "to have text" in evidence["message"]
    assert f"{evidence['reproduce']}\n" in adverse.said
    assert 'after      test_it.py:14  click button "Tick"' in adverse.said


@pytest.mark.browser
def test_only_stable_tests_take_part(adverse: Done) -> None:
    stats = adverse.document["stats"]
    assert (stats["tests"], stats["examined"], stats["left_out"]) == (4, 2, 1)
    assert "test_fails_anyway[chromium] did not take part: it fails without any condition." in adverse.said
    assert stats["failures"] == 1


@pytest.mark.browser
def test_for_machines(adverse: Done) -> None:
    cases = {case.get("name"): case for case in ElementTree.parse(adverse.folder / "out.xml").iter("testcase")}
    assert set(cases) == {
        "test_forgets[chromium-once]",
        "test_forgets[chromium-once, adverse: unfocused after line 14]",
        "test_keeps[chromium]",
        "test_without_a_browser",
        "test_fails_anyway[chromium]",
    }
    failed = {name for name, case in cases.items() if case.find("failure") is not None}
    assert failed == {"test_forgets[chromium-once, adverse: unfocused after line 14]", "test_fails_anyway[chromium]"}
    assert "2 failed, 3 passed" in adverse.said


@pytest.mark.browser
def test_report(adverse: Done) -> None:
    report = (adverse.folder / "out.html").read_text()
    assert "fails when the window loses the focus for the page" in report
    assert "--jostle-repro" in report
    pictures = {name: each for name in ("good", "bad") if (each := adverse.document["findings"][0]["evidence"][name])}
    assert all((next(adverse.folder.glob(".jostle/runs/*")) / each["screen"]).is_file() for each in pictures.values())


@pytest.mark.browser
def test_traces_are_kept_as_ever(adverse: Done) -> None:
    """One for each test that has a page, though it ran several times."""
    assert len(list(adverse.folder.glob("traces/*/trace.zip"))) == 3


@pytest.mark.browser
@pytest.mark.long
def test_again(adverse: Done) -> None:
    (token,) = set(re.findall(r"--jostle-repro (\S+)", adverse.said))
    again = run(
        adverse.folder,
        "test_it.py::test_forgets",
        f"--jostle-repro={token}",
        "--tracing=retain-on-failure",
        "--output=failed",
    )
    assert again.code == 1, again.said
    assert len(list(adverse.folder.glob("failed/*/trace.zip"))) == 1
    assert "1 failed" in again.said
    assert 'jostle: After click button "Tick", the window loses the focus for the page.' in again.said


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.long
def test_an_interruption_leaves_what_was_found(forgetting: Path) -> None:
    """The first test has its failure already, and is stopped in the next pass."""
    done = run(
        forgetting, "--jostle-adverse", "--jostle-conditions=unfocused,enough", "--jostle-json=c.json", "-k", "forgets"
    )
    assert done.code == pytest.ExitCode.INTERRUPTED, done.said
    assert "test_forgets[chromium-once] fails when the window loses the focus for the page" in done.said
    [finding] = json.loads((forgetting / "c.json").read_text())["findings"]
    assert finding["evidence"]["places"][0]["condition"] == "unfocused"


@pytest.mark.browser
@pytest.mark.long
def test_workers_together(adverse: Done) -> None:
    done = run(adverse.folder, "-n2", "--jostle-adverse", "--jostle-conditions=unfocused", "--jostle-json=n.json")
    assert done.code == 1, done.said
    assert "[chromium-once, adverse: unfocused after line 14]" in done.said
    assert "2 failed, 3 passed" in done.said


SHOP = """<!doctype html><title>Shop</title><p id=sum></p><script>
let user;
fetch('/api/user').then((answer) => answer.json()).then((told) => { user = told });
fetch('/api/cart').then((answer) => answer.json()).then(({ total }) => { sum.textContent = total + (user?.in || '?') });
</script>"""
NOTES = """<!doctype html><title>Notes</title><input id=note aria-label=Note><button id=save>Save</button>
<button id=clear>Clear</button><p id=out></p><script>
save.onclick = async () => { await fetch('/api/save', { method: 'POST' }); out.textContent = 'saved ' + note.value };
clear.onclick = () => { note.value = '' };
</script>"""
ORDERED = """
from playwright.sync_api import expect

def test_sum(page, site):
    page.goto(site + "/shop")
    expect(page.locator("#sum")).to_have_text("12 EUR", timeout=2500)

def test_save(page, site):
    page.goto(site + "/notes")
    page.get_by_label("Note").fill("milk")
    page.get_by_role("button", name="Save").click()
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#out")).to_have_text("saved milk", timeout=2500)
"""


@pytest.fixture(scope="module")
def ordered(tmp_path_factory: pytest.TempPathFactory) -> Done:
    json = "application/json"
    pages = {
        "/shop": ("text/html", SHOP),
        "/notes": ("text/html", NOTES),
        "/api/user": (json, '{"in": " EUR"}'),
        "/api/cart": (json, '{"total": 12}'),
        "/api/save": (json, "{}"),
    }
    folder = suite(tmp_path_factory.mktemp("orders"), pages, ORDERED)
    return run(folder, "--jostle-orders", "--jostle-json=out.json")


@pytest.mark.browser
@pytest.mark.long
def test_answers_in_other_orders(ordered: Done) -> None:
    assert ordered.code == 1, ordered.said
    titles = {finding["title"] for finding in ordered.document["findings"]}
    assert titles == {
        "test_sum[chromium] fails when GET /api/user responds after GET /api/cart",
        'test_save[chromium] fails when POST /api/save responds only after the test has gone on: click button "Clear"',
    }
    assert "changes the server (POST /api/save) and nothing resets it between runs" in ordered.said


@pytest.mark.browser
@pytest.mark.long
def test_orders_again(ordered: Done) -> None:
    token = re.findall(r"test_sum\[chromium\]' --jostle-repro (\S+)", ordered.said)[0]
    again = run(ordered.folder, "test_it.py::test_sum", f"--jostle-repro={token}")
    assert again.code == 1, again.said
    assert "jostle: GET /api/user responds after GET /api/cart" in again.said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--jostle-adverse", "--jostle-conditions=hied"], "Did you mean `hide`?"),
        (["--jostle-adverse", "--jostle-budget=soon"], "--jostle-budget: 'soon' is not a duration"),
        (["--jostle-adverse", "--jostle-orders"], "cannot be together"),
        (["--jostle-adverse", "--jostle-update-baseline"], "needs --jostle-baseline FILE"),
        (["--jostle-adverse", "--jostle-baseline=none.json"], "The baseline none.json is not there."),
        (["--jostle-repro=hide"], "tells of no condition and action"),
        (["--jostle-repro=answers:nonsense"], "tells of no order of answers"),
    ],
)
def test_mistakes_are_told_in_one_line(pytester: pytest.Pytester, options: list[str], said: str) -> None:
    pytester.makepyfile("def test_it(): pass")
    done = pytester.runpytest_inprocess(*options)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    told = "\n".join((*done.outlines, *done.errlines))
    assert said in told
    assert "Traceback" not in told
    assert "INTERNALERROR" not in told


def test_list(pytester: pytest.Pytester) -> None:
    done = pytester.runpytest_inprocess("--jostle-conditions", "list")
    assert done.ret == pytest.ExitCode.OK
    said = "\n".join(done.outlines)
    assert "hide: the tab is hidden and shown again" in said
    for word in ("what ", "why ", "cost ", "[kept]", "[rebuilt]", "[environment]"):
        assert word in said


def test_inactive_it_costs_nothing() -> None:
    script = "import sys, jostle.pytest_plugin; print(sorted(n for n in sys.modules if n.split('.')[0] in " + (
        "('jostle', 'playwright', 'msgspec', 'click', 'asyncio')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['jostle', 'jostle.pytest_plugin', 'jostle.version']"
