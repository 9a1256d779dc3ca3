"""`jostle races orders` on example pages with known answers: real command, real Chromium."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from syrupy.assertion import SnapshotAssertion

from jostle.browser.find import sandbox_arguments
from jostle.examples import example
from jostle.examples.scenario import script
from jostle.races.schedules import reordering
from tests.cli.commands import command, interrupted
from tests.cli.told import told

pytestmark = pytest.mark.browser

Searches = Callable[..., tuple[subprocess.CompletedProcess[str], dict[str, Any]]]


def scenario(base: str, name: str, cwd: Path) -> str:
    """The scenario of an example page as a recording."""
    page = example(name)
    file = cwd / "scenario.py"
    file.write_text(script(page.scenario, f"{base}{page.path}", arguments=sandbox_arguments()))
    return str(file)


def searched(cwd: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    done = command("races", "orders", *options, "--budget", "90s", "--json", "out.json", cwd=cwd)
    return done, json.loads((cwd / "out.json").read_text())


def searched_as_if_large(cwd: Path, *options: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """As in an application in which to note what events read and write takes long."""
    with mock.patch.multiple(reordering, SLOW=0, MUCH_SLOWER=0):
        return searched(cwd, *options)


BOTH_WAYS = pytest.mark.parametrize("search", [searched, pytest.param(searched_as_if_large, marks=pytest.mark.long)])


@BOTH_WAYS
@pytest.mark.slow
def test_two_answers_in_another_order(base: str, tmp_path: Path, search: Searches) -> None:
    done, document = search(tmp_path, f"{base}/wave-b1/", "--scenario", scenario(base, "wave-b1", tmp_path))
    assert done.returncode == 1, done.stderr
    [finding] = document["findings"]
    assert (finding["kind"], finding["confidence"]) == ("order-violation", "witnessed")
    assert "basket.json comes before the answer to GET /wave-b1/rates.json" in finding["title"]
    evidence = finding["evidence"]
    assert evidence["shared"] == "rates"
    assert any("rates" in line for each in evidence["racing"] for line in each["excerpt"])
    assert {each["role"] for each in evidence["bad"]["order"]} == {"early", "late", "other"}
    directory = next((tmp_path / ".jostle/runs").glob("*-races-orders"))
    for file in (evidence["good"]["screen"], evidence["good"]["replay"], evidence["bad"]["screen"], evidence["test"]):
        assert (directory / file).is_file()
    compile((directory / evidence["test"]).read_text("utf-8"), "test", "exec")
    assert "comes before the answer to" in (directory / "report.html").read_text("utf-8")
    replayed = command("replay", directory / finding["replay"], cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@BOTH_WAYS
@pytest.mark.long
def test_the_twin_is_silent(base: str, tmp_path: Path, search: Searches, snapshot: SnapshotAssertion) -> None:
    name = "wave-b1-fixed"
    done, document = search(tmp_path, f"{base}/{name}/", "--scenario", scenario(base, name, tmp_path))
    assert done.returncode == 0, done.stderr
    assert document["findings"] == []
    assert told(done, tmp_path) == snapshot
    assert document["stats"]["orders"] >= len(document["suppressed"]) > 0
    assert {each["filter"] for each in document["suppressed"]} == {"harmless: it ends the same"}


@pytest.mark.long
def test_other_ways_to_choose_orders(base: str, tmp_path: Path) -> None:
    file = scenario(base, "paging", tmp_path)
    done, document = searched(
        tmp_path, f"{base}/paging/", "--scenario", file, "--strategy", "precedence", "--orders", "20"
    )
    assert done.returncode == 1, done.stderr
    [finding] = document["findings"]
    # What was shown is the smallest order: one answer after the other one.
    assert finding["events"][-2:] == [
        "let the answer to GET /api/rows?page=3 arrive",
        "let the answer to GET /api/rows?page=2 arrive",
    ]


@pytest.mark.long
def test_without_a_scenario(base: str, tmp_path: Path) -> None:
    done, document = searched(tmp_path, f"{base}/paging/", "--events", "8")
    assert done.returncode == 1, done.stderr
    assert document["stats"]["scenarios"] > 0


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "slideshow",
        "wave-b4",
        "wave-b8",
        "wave-wordpress",
        "two-images",
        "text-and-children",
        "early-timer",
        "early-response",
    ],
)
@pytest.mark.parametrize("twin", [False, True])
def test_examples(name: str, twin: bool, base: str, tmp_path: Path) -> None:
    name = f"{name}-fixed" if twin else name
    done, document = searched(tmp_path, f"{base}/{name}/", "--scenario", scenario(base, name, tmp_path))
    assert done.returncode == (0 if twin else 1), done.stderr
    assert bool(document["findings"]) is not twin


def test_a_scenario_of_another_page(base: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    walked = command("record", f"{base}/paging/", "--walk", "1", "--seed", "3", "-o", "walk.jostle", cwd=tmp_path)
    assert walked.returncode == 0, walked.stderr
    done = command("races", "orders", f"{base}/timers/", "--scenario", "walk.jostle", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert told(done, tmp_path) == snapshot


@pytest.mark.long
def test_interrupted(base: str, tmp_path: Path) -> None:
    options = ("--scenario", scenario(base, "paging", tmp_path))
    document = interrupted("races", "orders", f"{base}/paging/", *options, at="trying other orders", cwd=tmp_path)
    assert document["stats"]["scenarios"] == 1
    assert list((tmp_path / ".jostle/runs").glob("*-races-orders/report.html"))
