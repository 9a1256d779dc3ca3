"""Repairs of example pages, one of each kind of race, found and tried in a real Chromium."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import jostle
from jostle.errors import Problem
from jostle.examples import running
from jostle.findings.evidence import Repair, RepairOutcome
from jostle.library import RepairResult, SearchResult
from jostle.recording.file import Recording
from jostle.repair import catalogue
from jostle.repair.policy_file import as_json
from jostle.repair.repairing import repair_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with running() as served:
        yield served


def searched(base: str, page: str, search: str) -> SearchResult:
    look: Callable[..., SearchResult] = getattr(jostle.races, search)
    found = look(f"{base}/{page}/", budget="60s", seed=1, verify_tests=False)
    assert found.findings, "there is nothing to repair"
    return found


def only(made: RepairResult) -> Repair:
    [finding] = made.findings
    repair = repair_of(finding)
    assert repair is not None
    return repair


@pytest.mark.parametrize(
    ("page", "search", "policy"),
    [
        ("station-filters", "ajax", "latest-only"),
        ("fill-and-clear", "ajax", "async-user"),
        ("form-overwrite", "init", "protect-field"),
        ("late-handler", "init", "early-click-queue"),
        ("wave-fig1", "init", "user-until"),
        pytest.param("cart-quantity", "ajax", "fifo", marks=pytest.mark.long),
        pytest.param("late-focus", "init", "protect-field", marks=pytest.mark.long),
        pytest.param("late-iframe-load", "init", "frame-until", marks=pytest.mark.long),
    ],
)
def test_the_least_intrusive_policy_that_works(base: str, page: str, search: str, policy: str) -> None:
    found = searched(base, page, search)
    repair = only(jostle.repair(found, verify_tests=False))
    assert repair.outcome is RepairOutcome.PREVENTED, repair.why
    assert repair.policy == policy and not repair.general
    bad, good, *others = repair.orders
    assert bad.before and not bad.after, "the effect was there, and is gone"
    assert not good.before and not good.after and good.cost.postponed == 0, "and nothing waits where all was well"
    assert not any(each.after for each in others)
    assert repair.fix is not None and repair.explanation and repair.test


def test_a_double_submit_is_sent_once(base: str) -> None:
    found = searched(base, "double-submit", "ajax")
    made = jostle.repair(found, verify_tests=False)
    repair = only(made)
    assert repair.prevents and repair.cost.dropped == 1 and repair.cost.postponed == 0
    [test] = [text.decode() for name, text in made.files.items() if name.endswith("_repaired.py")]
    assert "if late else page" in test, "the second click is ignored: so it must be in the calm order"


@pytest.mark.long
def test_what_a_server_sends_by_itself_cannot_be_waited_for(base: str) -> None:
    found = searched(base, "live-scores", "ajax")
    made = jostle.repair(found, verify_tests=False)
    repair = only(made)
    assert repair.outcome is RepairOutcome.NOT_FOUND and "in its own time" in repair.why
    assert repair.tried and all(each.why for each in repair.tried)
    assert not made.script and not repair.script
    assert "No race can be prevented at run time" in made.files["README.md"].decode()


@pytest.mark.long
def test_a_policy_of_one_s_own(base: str, tmp_path: Path) -> None:
    found = searched(base, "station-filters", "ajax")
    file = tmp_path / "policy.json"
    file.write_text(as_json(catalogue.fifo()), "utf-8")
    repair = only(jostle.repair(found, policy=file, verify_tests=False))
    assert repair.prevents and repair.policy == "fifo" and repair.general and not repair.tried
    file.write_text(as_json(catalogue.init_system()), "utf-8")
    repair = only(jostle.repair(found, policy=file, verify_tests=False))
    assert repair.outcome is RepairOutcome.NOT_FOUND and repair.why == "The policy does not prevent it."
    file.write_text('{"name": "x", "rules": [{"acton": "postpone"}]}', "utf-8")
    with pytest.raises(Problem, match="acton"):
        jostle.repair(found, policy=file)


@pytest.mark.long
def test_a_policy_that_waits_for_what_never_comes_is_no_repair(base: str, tmp_path: Path) -> None:
    found = searched(base, "fill-and-clear", "ajax")
    file = tmp_path / "policy.json"
    rule = {"match": {"kinds": ["user"]}, "until": {"is": "function", "name": "never"}, "action": "postpone"}
    file.write_text(json.dumps({"name": "for-ever", "rules": [rule]}), "utf-8")
    repair = only(jostle.repair(found, policy=file, verify_tests=False))
    assert repair.outcome is RepairOutcome.NOT_FOUND
    [tried] = repair.tried
    assert "let through" in tried.why or "still waiting" in tried.why


@pytest.mark.long
def test_the_recording_with_the_repair_is_replayed_with_it(base: str, tmp_path: Path) -> None:
    found = searched(base, "station-filters", "ajax")
    kept: dict[str, bytes] = {}

    def keep(event: object) -> None:
        if (data := getattr(event, "data", None)) is not None:
            kept[str(getattr(event, "name", ""))] = data

    repair = only(jostle.repair(found, verify_tests=False, on_event=keep))
    recording = Recording.from_bytes(kept[repair.replay], repair.replay)
    assert recording.manifest.options["scripts"] == [kept[repair.script].decode()]
    [replayed] = jostle.replay(recording)
    assert replayed.reproduced, replayed.verdict
    assert {repair.before, repair.after, repair.film} <= set(kept)


def test_nothing_to_repair(base: str) -> None:
    found = jostle.explore(f"{base}/paging-fixed/", budget="5s", verify_tests=False)
    made = jostle.repair(found)
    assert made.findings == () and "no race to repair" in str(made)
    with pytest.raises(Problem, match="no finding"):
        jostle.repair(found, "ajax-race-1")


@pytest.mark.verifying
def test_the_generated_test_fails_without_the_repair_and_passes_with_it(base: str) -> None:
    found = jostle.races.ajax(f"{base}/station-filters/", budget=None, seed=1)
    [finding] = found.findings
    assert finding.evidence.test_verified, "it fails without"
    assert only(jostle.repair(found, budget=None)).verified, "it passes with it"
