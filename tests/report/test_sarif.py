"""SARIF 2.1.0: what the standard asks for, what code scanning of GitHub takes, and hostile texts."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jostle.findings import FindingKind, Severity
from jostle.findings.baseline import Baseline
from jostle.findings.gating import gate
from jostle.report.sarif import log
from jostle.runs import Document, Status
from tests.report import race_findings
from tests.report.outcomes import ALL, OVERWRITTEN, PREDICTED, RACE, REFUSED, SLOW, THROWN, hostile, outcome
from tests.report.recordings import HOSTILE

REFERENCE = re.compile(r"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?#]|%[0-9A-Fa-f]{2})+")
"""Characters of a URI reference (RFC 3986)."""


def run_of(document: Document, **options: Any) -> dict[str, Any]:
    """The only run of the log, which is looked at for what the standard and code scanning ask for."""
    written = json.loads(log(document, **options))
    assert written["version"] == "2.1.0"
    assert written["$schema"].endswith("/sarif-schema-2.1.0.json")
    run: dict[str, Any]
    (run,) = written["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["shortDescription"]["text"] and rule["help"]["text"] and rule["help"]["markdown"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert isinstance(result["message"]["text"], str)
        assert len(result["locations"]) == 1, "code scanning takes the first and needs it"
        for location in locations(result):
            check_location(location, run["artifacts"])
        for flow in result["codeFlows"]:
            (thread,) = flow["threadFlows"]
            assert [each["executionOrder"] for each in thread["locations"]] == list(
                range(1, len(thread["locations"]) + 1)
            )
        for attachment in result["attachments"]:
            where = attachment["artifactLocation"]
            assert where["uriBaseId"] in run["originalUriBaseIds"]
            assert REFERENCE.fullmatch(where["uri"])
    for message in messages(run):
        assert "](" not in message, "a link"
    assert len(run["invocations"]) == 1
    return run


def locations(result: dict[str, Any]) -> list[dict[str, Any]]:
    steps = [step for flow in result["codeFlows"] for step in flow["threadFlows"][0]["locations"]]
    return [*result["locations"], *result["relatedLocations"], *(step["location"] for step in steps)]


def check_location(location: dict[str, Any], artifacts: list[dict[str, Any]]) -> None:
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    assert REFERENCE.fullmatch(uri), uri
    assert not urlsplit(uri).scheme and not uri.startswith("/"), f"code scanning refuses {uri}"
    assert ".." not in unquote(uri).split("/")
    assert artifacts[physical["artifactLocation"]["index"]]["location"]["uri"] == uri
    assert physical["region"]["startLine"] >= 1
    assert physical["region"].get("startColumn", 1) >= 1
    if context := physical.get("contextRegion"):
        assert context["startLine"] <= physical["region"]["startLine"] <= context["endLine"]
        assert len(context["snippet"]["text"].split("\n")) == context["endLine"] - context["startLine"] + 1


def messages(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["text"]] if isinstance(value.get("text"), str) and "startLine" not in value else []
        return own + [each for key, inner in value.items() if key != "snippet" for each in messages(inner)]
    return [each for inner in value for each in messages(inner)] if isinstance(value, list) else []


def test_a_run_with_all_sorts_of_findings() -> None:
    run = run_of(outcome(*ALL))
    assert [result["ruleId"] for result in run["results"]] == [each.kind.value for each in ALL]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == {each.kind.value for each in ALL}
    assert [result["level"] for result in run["results"]] == ["warning", "error", "error", "error", "note", "warning"]
    assert run["tool"]["driver"]["version"] == "0.1.0"
    assert run["automationDetails"]["id"] == "jostle/check/"
    assert run["properties"]["seed"] == 7


def test_every_kind_has_a_rule() -> None:
    findings = [race_findings.bare(kind, id=f"f-{kind.value}") for kind in FindingKind]
    run = run_of(outcome(*findings))
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == [kind.value for kind in FindingKind]
    assert run["tool"]["driver"]["rules"][0]["name"] == "Exception"


def place(result: dict[str, Any]) -> tuple[str, int]:
    physical = result["locations"][0]["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def test_places_are_files_of_the_application() -> None:
    run = run_of(outcome(*ALL), root="public")
    assert [place(result) for result in run["results"]] == [
        ("public/assets/search.js", 14),
        ("public/form.js", 1),
        ("public/menu.js", 3),
        ("public/basket.js", 41),
        ("public/search", 1),
        ("public/src/aliases.ts", 7),
    ]
    assert {each["location"]["uri"] for each in run["artifacts"]} >= {"public/form.js", "public/menus.js"}


def test_files_of_others_are_named_without_a_place() -> None:
    (result,) = run_of(outcome(THROWN))["results"]
    assert result["locations"][0]["logicalLocations"] == [
        {"fullyQualifiedName": "http://cdn.test/ui.js:3:9", "kind": "resource"}
    ]


def test_lines_around_the_place() -> None:
    race, long = run_of(outcome(RACE, OVERWRITTEN))["results"]
    context = race["locations"][0]["physicalLocation"]["contextRegion"]
    assert (context["startLine"], context["endLine"]) == (12, 15)
    assert "list.replaceChildren(" in context["snippet"]["text"]
    assert long["locations"][0]["physicalLocation"]["region"]["startColumn"] == 70


def test_both_orders_are_flows() -> None:
    (result,) = run_of(outcome(RACE))["results"]
    good, bad = result["codeFlows"]
    assert [flow["message"]["text"] for flow in (good, bad)] == ["The order that works", "The order that breaks"]
    steps = bad["threadFlows"][0]["locations"]
    told = [each["location"]["message"]["text"] for each in steps]
    assert told[-5:] == [
        'type "go" in searchbox "Search"',
        'type "gopher" in searchbox "Search"',
        "GET /api/search?q=gopher",
        "GET /api/search?q=go (late)",
        "GET /thumbs/board.png",
    ]
    asked = steps[-2]["location"]["physicalLocation"]
    assert (asked["artifactLocation"]["uri"], asked["region"]["startLine"]) == ("assets/search.js", 14)
    assert steps[-1]["location"]["physicalLocation"]["artifactLocation"]["uri"] == "search"
    assert [each["importance"] for each in steps[-5:]] == [
        "essential",
        "essential",
        "important",
        "essential",
        "important",
    ]


def test_steps_are_a_flow_where_no_orders_are_compared() -> None:
    thrown, slow, refused = run_of(outcome(THROWN, SLOW, REFUSED))["results"]
    assert [flow["message"]["text"] for flow in thrown["codeFlows"]] == ["What to do"]
    assert len(slow["codeFlows"][0]["threadFlows"][0]["locations"]) == 100
    assert refused["codeFlows"] == []


def test_fingerprints_are_those_of_the_finding() -> None:
    (result,) = run_of(outcome(RACE))["results"]
    assert result["partialFingerprints"] == {
        "jostleFinding/v1": "ajax-race-1",
        "primaryLocationLineHash": "ajax-race-1:1",
    }
    (elsewhere,) = run_of(outcome(RACE, url="http://127.0.0.1:9999/search"))["results"]
    assert elsewhere["partialFingerprints"] == result["partialFingerprints"]
    assert place(elsewhere) == place(result)


def test_the_message_tells_what_to_do() -> None:
    race, predicted = run_of(outcome(RACE, PREDICTED))["results"]
    title, steps, hint = race["message"]["text"].split("\n")
    assert title == RACE.title
    assert steps.startswith('Steps: type "go" in searchbox "Search" → type')
    assert hint.startswith("Abort the older request")
    assert "Attach the handler before the element can be seen" in predicted["message"]["text"]


def test_files_of_the_run_are_attached() -> None:
    (result,) = run_of(outcome(RACE))["results"]
    assert [each["artifactLocation"]["uri"] for each in result["attachments"]] == [
        "ajax-race-1-good.png",
        "ajax-race-1-bad.png",
        "ajax-race-1-good.jostle",
        "ajax-race-1-bad.jostle",
        "test_ajax_race_1.py",
    ]


def test_what_is_known_is_suppressed() -> None:
    gated = gate(ALL, None, Baseline().updated([RACE]))
    run = run_of(outcome(*ALL), gated=gated)
    assert [bool(result["suppressions"]) for result in run["results"]] == [True] + [False] * 5
    assert [result["baselineState"] for result in run["results"]] == ["unchanged"] + ["new"] * 5
    assert all("baselineState" not in result for result in run_of(outcome(*ALL))["results"])


def test_what_was_not_seen_is_no_result() -> None:
    gated = gate([RACE], None, Baseline().updated([RACE, THROWN]))
    run = run_of(outcome(RACE), gated=gated)
    assert len(run["results"]) == 1
    assert run["properties"]["gone"] == ["exception-1"]


def test_nothing_found_is_a_log_with_empty_results() -> None:
    run = run_of(outcome())
    assert run["results"] == run["artifacts"] == run["tool"]["driver"]["rules"] == []
    assert run["invocations"][0]["executionSuccessful"] is True
    assert run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"] == "a video could not be held"


@pytest.mark.parametrize("status", [Status.INTERRUPTED, Status.FAILED, Status.RUNNING])
def test_a_run_that_came_to_no_end(status: Status) -> None:
    run = run_of(outcome(RACE, status=status, error="No browser."))
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["level"] == "error"


def test_a_rule_has_the_level_of_its_worst_finding() -> None:
    low, high = (race_findings.bare(id=each.value, severity=each) for each in (Severity.LOW, Severity.HIGH))
    (rule,) = run_of(outcome(low, high))["tool"]["driver"]["rules"]
    assert rule["defaultConfiguration"]["level"] == "error"


EVIL = [
    "[click](http://evil.test)",
    "[a](1) {0}",
    "https://evil.test/x.js",
    "../../../etc/passwd",
    "%2e%2e/%00",
    "a b#?:\\",
]


@pytest.mark.parametrize("text", [*EVIL, HOSTILE, "", "🙂 עברית"], ids=repr)
def test_texts_of_pages_stay_texts(text: str) -> None:
    run = run_of(hostile(text))
    assert len(run["results"]) == len(hostile(text).findings)


@settings(max_examples=15, deadline=None)
@given(st.text(st.characters(exclude_categories=[]), min_size=1, max_size=12))
@example(" ")
def test_any_text(text: str) -> None:
    run_of(hostile(text), directory=text)
