"""What a run found as a SARIF 2.1.0 log: rules for kinds of findings, places in the code, and both orders as flows.

Kept to what code scanning of GitHub takes, which refuses a whole file for one result without a place, with an empty
address or with one that is not relative: what has no place in the application's code is placed in the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

import msgspec

from jostle.events import Kind
from jostle.findings import Finding, FindingKind, Severity
from jostle.findings.evidence import OrderedEvent, Role
from jostle.findings.gating import Gated, Standing, gate
from jostle.report.kinds import KINDS
from jostle.report.places import SourcePlace, page, places
from jostle.report.run_outcome import RunOutcome, line, text
from jostle.report.story import story
from jostle.report.words import once

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MOST_STEPS = 200
LONGEST_STORY = 8000
_LEVELS = {Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}
_RANKS = {"witnessed": 100.0, "adverse": 60.0, "predicted": 30.0}
_FILES = "RUN"
_TEST = "A Playwright test that fails because of it"
_UNRUN_TEST = "A Playwright test for it, which has not been run yet"
"""Stands for the directory of the run."""


def log(run: RunOutcome, gated: Gated | None = None, *, directory: str = "", root: str = "") -> bytes:
    """The JSON. `directory`: of the run, for the commands; `root`: as for `places`."""
    decided = gated if gated is not None else gate(run.findings)
    kinds = [kind for kind in FindingKind if any(each.kind is kind for each in run.findings)]
    written = _Written(run, decided, kinds, directory, root)
    results = [written.result(each) for each in run.findings]
    told = {
        "tool": {
            "driver": {
                "name": "jostle",
                "version": line(run.jostle),
                "rules": [_rule(kind, run.findings) for kind in kinds],
            }
        },
        "invocations": [_invocation(run)],
        "automationDetails": {"id": f"jostle/{quote(line(run.command), safe='')}/"},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_FILES: {"description": {"text": "The directory of the run."}}},
        "artifacts": written.artifacts(),
        "results": results,
        "properties": {
            "url": line(run.url or ""),
            "seed": run.seed,
            "seconds": run.seconds,
            "gone": [line(each.id) for each in decided.gone],
        },
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [told]}
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"


class _Written:
    """The results, and the files they name."""

    def __init__(self, run: RunOutcome, gated: Gated, kinds: Sequence[FindingKind], directory: str, root: str) -> None:
        self._run = run
        self._gated = gated
        self._kinds = kinds
        self._directory = directory
        self._root = root
        self._page = page(run.url, root=root)
        self._files: dict[str, int] = {}

    def artifacts(self) -> list[dict[str, Any]]:
        return [{"location": {"uri": uri}, "roles": ["resultFile"]} for uri in self._files]

    def result(self, finding: Finding) -> dict[str, Any]:
        found = places(finding, self._run.url, root=self._root)
        own = [each for each in found if each.own] or [self._page]
        standing = self._gated.standing(finding)
        known = standing is Standing.KNOWN
        return {
            "ruleId": finding.kind.value,
            "ruleIndex": self._kinds.index(finding.kind),
            "kind": "fail",
            "level": _LEVELS[finding.severity],
            "rank": _RANKS[finding.confidence.value],
            "message": {"text": _plain(self._message(finding), LONGEST_STORY)},
            "locations": [self._located(own[0], [each for each in found if not each.own])],
            "relatedLocations": [
                {"id": number, **self._located(each), "message": {"text": _plain(each.event or each.file)}}
                for number, each in enumerate(own[1:], 1)
            ],
            # GitHub goes by the second alone; others by whatever is there.
            "partialFingerprints": {
                "jostleFinding/v1": line(finding.id),
                "primaryLocationLineHash": f"{line(finding.id)}:1",
            },
            "codeFlows": self._flows(finding, own),
            "attachments": _attachments(finding),
            "suppressions": [{"kind": "external", "justification": "It is in the baseline."}] if known else [],
            **({"baselineState": "unchanged" if known else "new"} if self._gated.known or self._gated.moved else {}),
            "properties": {
                "technique": line(finding.technique),
                "confidence": finding.confidence.value,
                "severity": finding.severity.value,
                "standing": standing.value,
                "story": text(story(finding, self._run.url, directory=self._directory, root=self._root), LONGEST_STORY),
            },
        }

    def _message(self, finding: Finding) -> str:
        events = [line(each) for each in finding.events[:MOST_STEPS]]
        steps = f"\nSteps: {' → '.join(events)}" if events else ""
        hint = finding.evidence.advice or KINDS[finding.kind].help
        return f"{line(finding.title)}{steps}\n{line(hint)}"

    def _located(self, place: SourcePlace, foreign: Iterable[SourcePlace] = ()) -> dict[str, Any]:
        uri = quote(line(place.file), safe="/!$&'()*+,;=@~")
        index = self._files.setdefault(uri, len(self._files))
        region = {"startLine": place.line or 1, **({"startColumn": place.column} if place.column else {})}
        physical = {"artifactLocation": {"uri": uri, "index": index}, "region": region, **_context(place)}
        # Files of others have addresses and no place in a repository.
        names = [{"fullyQualifiedName": line(each), "kind": "resource"} for each in foreign]
        return {"physicalLocation": physical, **({"logicalLocations": names} if names else {})}

    def _flows(self, finding: Finding, own: Sequence[SourcePlace]) -> list[dict[str, Any]]:
        works, breaks = finding.evidence.orders
        where = {once(each.event): each for each in own if each.event}
        orders = (("The order that works", works), ("The order that breaks", breaks))
        flows: list[tuple[str, Sequence[OrderedEvent]]] = [(words, order) for words, order in orders if order]
        if not flows and finding.events:
            flows = [("What to do", [OrderedEvent(each, Kind.USER) for each in finding.events])]
        return [self._flow(words, order, where) for words, order in flows]

    def _flow(self, words: str, order: Sequence[OrderedEvent], where: dict[str, SourcePlace]) -> dict[str, Any]:
        steps = [
            {
                "location": {
                    **self._located(where.get(once(each.what), self._page)),
                    "message": {"text": _plain(each.what + (" (late)" if each.role is Role.LATE else ""))},
                },
                "executionOrder": number,
                "importance": "essential" if each.kind is Kind.USER or each.role is Role.LATE else "important",
            }
            for number, each in enumerate(order[:MOST_STEPS], 1)
        ]
        return {"message": {"text": words}, "threadFlows": [{"locations": steps}]}


def _rule(kind: FindingKind, findings: Iterable[Finding]) -> dict[str, Any]:
    told = KINDS[kind]
    severities = [each.severity for each in findings if each.kind is kind]
    worst = next(severity for severity in _LEVELS if severity in severities)
    sure = any(each.confidence == "witnessed" for each in findings if each.kind is kind)
    return {
        "id": kind.value,
        "name": "".join(part.capitalize() for part in kind.value.split("-")),
        "shortDescription": {"text": told.what},
        "fullDescription": {"text": f"{told.what} {told.help}"},
        "help": {"text": f"{told.what}\n\n{told.help}", "markdown": f"{told.what}\n\n**What helps:** {told.help}"},
        "defaultConfiguration": {"level": _LEVELS[worst]},
        "properties": {"tags": ["jostle", "correctness"], "precision": "very-high" if sure else "medium"},
    }


def _invocation(run: RunOutcome) -> dict[str, Any]:
    notes = [{"level": "note", "message": {"text": _plain(each)}} for each in run.limits]
    if run.error:
        notes.insert(0, {"level": "error", "message": {"text": _plain(run.error)}})
    return {"executionSuccessful": run.status == "finished", "toolExecutionNotifications": notes}


def _context(place: SourcePlace) -> dict[str, Any]:
    """The lines around the place, where they are whole and it is among them."""
    last = place.first_line + len(place.excerpt) - 1
    if not place.first_line or not place.first_line <= place.line <= last or any("…" in each for each in place.excerpt):
        return {}
    shown = "\n".join(text(each) for each in place.excerpt)
    return {"contextRegion": {"startLine": place.first_line, "endLine": last, "snippet": {"text": shown}}}


def _attachments(finding: Finding) -> list[dict[str, Any]]:
    evidence = finding.evidence
    works, breaks = evidence.end_screens
    files = (
        ("The screen at the end of the order that works", works),
        ("The screen at the end of the order that breaks", breaks),
        ("The order that works, for `jostle replay`", evidence.good_replay),
        ("For `jostle replay`", finding.replay),
        (_TEST if evidence.test_verified else _UNRUN_TEST, evidence.generated_test),
    )
    return [
        {
            "description": {"text": words},
            "artifactLocation": {"uri": quote(line(file) or file, safe="", errors="replace"), "uriBaseId": _FILES},
        }
        for words, file in files
        if file
    ]


def _plain(words: str, longest: int = 2000) -> str:
    """`[words](address)` in a message would be a link: no page gets to make one."""
    return text(words, longest).replace("](", "] (")
