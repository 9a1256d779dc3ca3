"""Every example's finding as a Playwright test: it fails on the page with the mistake, and passes on its twin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jostle.browser.find import sandbox_arguments
from jostle.examples.catalogue import CATALOGUE
from jostle.examples.entry import Example
from jostle.examples.scenario import script
from jostle.runs import RunDirectory
from tests.cli.commands import command
from tests.export.users_suite import run

PAGES = {example.name: example for example in CATALOGUE}
SEARCHES = {
    "exception": "explore",
    "form-input-overwritten": "races init",
    "late-handler": "races init",
    "access-before-definition": "races init",
    "ajax-race": "races ajax",
    "order-violation": "races orders",
    "atomicity-violation": "races orders",
    "schedule-difference": "races orders",
    "slowdown": "slowdown",
    "http-error": "slowdown",
}
"""What finds it, the cheapest way first. What stops growing by itself has no test: it is no mistake."""
OTHER_PAGE = {"late-handler", "shadow-link", "larder-buggy", "like-optimistic"}
"""Pages whose twin has no such link or button any more, so that nobody can click it there."""
OTHERWISE = {
    "exception-only": ["races", "ajax"],
    "three-reversals": ["races", "orders", "--bound", "3"],
    "late-load-handler": ["races", "orders", "--strategy", "precedence"],
}
"""Pages whose mistake is found by another search than their kind of mistake, or not as it is by default."""
NO_TEST = {
    "wave-b6": "which Playwright cannot bring about",
    "wave-b7": "which Playwright cannot bring about",
    "early-navigation": "nothing comes late in this order that could be held back",
}
"""Pages with findings of which no Playwright test can be made, and what is said of it."""


def search_of(example: Example) -> str:
    if example.name in OTHERWISE:
        return " ".join(OTHERWISE[example.name][:2])
    return next((search for kind, search in SEARCHES.items() if kind in example.expected), "")


WRONG = [
    example.name
    for example in CATALOGUE
    if example.twin and search_of(example) and (example.scenario or search_of(example) != "races orders")
]


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", WRONG)
@pytest.mark.slow
def test_it_fails_on_the_page_and_passes_on_its_twin(name: str, base: str, tmp_path: Path) -> None:
    example = PAGES[name]
    assert example.twin
    kind = search_of(example)
    arguments = [*OTHERWISE.get(name, kind.split()), f"{base}{example.path}", "--seed", "1"]
    if kind == "explore":
        arguments += ["--events", "20"]
    if kind == "slowdown":
        arguments += ["--events", "200"]
    if kind == "races orders":
        file = tmp_path / "scenario.py"
        file.write_text(script(example.scenario, f"{base}{example.path}", arguments=sandbox_arguments()))
        arguments += ["--scenario", str(file)]
    done = command(*arguments, cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    [path] = (tmp_path / ".jostle" / "runs").glob(f"*-{kind.replace(' ', '-')}")
    with RunDirectory.open(path) as kept:
        everything = kept.findings
    found = [each for each in everything if each.kind.value in example.expected] or everything
    assert found, done.stderr
    suite = tmp_path / "suite"
    suite.mkdir()
    tested = []
    for number, finding in enumerate(found):
        file = suite / f"test_page_{number}.py"
        exported = command("export", finding.id, "-o", file, cwd=tmp_path)
        if exported.returncode == 3 and name in NO_TEST and NO_TEST[name] in exported.stderr:
            continue
        assert exported.returncode == 0, exported.stderr
        tested.append(finding)
        twin = file.read_text(encoding="utf-8").replace(f"{base}{example.path}", f"{base}{PAGES[example.twin].path}")
        (suite / f"test_twin_{number}.py").write_text(twin, encoding="utf-8")
    said = run(suite, timeout=250) if tested else {}
    assert len(said) == 2 * len(tested)
    assert tested or name in NO_TEST
    for test, words in said.items():
        if re.match("test_page", test):
            assert words, f"{test} passes on {name}: {[each.title for each in found]}"
            assert "Error: Locator" not in words and "Timeout" not in words, words
        elif name not in OTHER_PAGE:
            assert not words, f"{test} fails on the twin of {name}: {words}"
