"""What goes wrong while an application is used, as the story of a report."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from jostle.findings import Confidence, Finding, FindingKind
from jostle.findings.contract import Contract
from jostle.findings.evidence import (
    CodeExcerpt,
    ErrorEvidence,
    HangEvidence,
    InvariantEvidence,
    RequestEvidence,
    SightedEvidence,
)
from jostle.model.machine import Machine
from jostle.plural import count
from jostle.report.generated_test import words_on_test
from jostle.report.kinds import KINDS
from jostle.report.model_section import state_after
from jostle.report.rows import shown

LAST_STEPS = 10
"""Of a long way to a problem, how many steps are shown at once: the last ones."""
LONGEST_STEP = 200
LONGEST_EVIDENCE = 4000
MOST_LINES = 60

_MEANINGS = {
    FindingKind.EXCEPTION: "A script fails and nothing handles it: what it was still to do is not done.",
    FindingKind.CONSOLE_ERROR: "The application itself reports an error on the console.",
    FindingKind.HTTP_ERROR: "The application asks its server for something and does not get it.",
    FindingKind.DEAD_LINK: "The link leads to a page that is not there.",
    FindingKind.HANG: "The page does not come to rest; a user would see it frozen.",
    FindingKind.BROKEN_INVARIANT: "What the configuration says must always hold does not hold.",
}


class DefectStory(msgspec.Struct, frozen=True, kw_only=True):
    """A finding as it is told."""

    title: str
    kind: str
    severity: str
    weak: bool
    """It was seen, but could not be brought about again."""
    contract: Contract | None
    earlier: tuple[str, ...]
    """Steps before `steps`, shown on demand."""
    steps: tuple[str, ...]
    happens: str
    evidence: tuple[tuple[str, str], ...]
    source: CodeExcerpt
    """Where it goes wrong, with the lines around it where they are known."""
    seen: str
    sure: str
    command: str
    state: int | None
    """The state it leaves the application in, where the model knows that for sure."""


def story(finding: Finding, url: str, machine: Machine, directory: Path) -> DefectStory:
    evidence = finding.evidence
    assert isinstance(evidence, SightedEvidence)
    # What happens is the last event; of what to do, the first thing goes without saying.
    done = finding.events[:-1] if finding.events[-1:] == (finding.title,) else finding.events
    steps = tuple(shown(each, LONGEST_STEP) for each in (f"open {url}", *done))
    weak = finding.confidence is Confidence.PREDICTED
    cut = max(0, len(steps) - LAST_STEPS) if len(steps) > LAST_STEPS + 2 else 0
    return DefectStory(
        title=shown(finding.title),
        kind=KINDS[finding.kind].name,
        severity=finding.severity.value,
        weak=weak,
        contract=finding.contract,
        earlier=steps[:cut],
        steps=steps[cut:],
        happens=_MEANINGS.get(finding.kind) or shown(finding.title),
        evidence=tuple((name, shown(text, LONGEST_EVIDENCE)) for name, text in _told(evidence) if text),
        source=_source(evidence),
        seen=_seen(evidence),
        sure=_sure(finding.confidence, evidence),
        command=_command(directory, finding.replay),
        state=state_after(machine, done),
    )


def _told(evidence: SightedEvidence) -> Iterator[tuple[str, str]]:
    """What is known of it, each with its name."""
    match evidence:
        case ErrorEvidence():
            yield "Message", evidence.message
            yield "Where", evidence.source
            yield "Stack", _lines(evidence.stack)
        case RequestEvidence():
            yield "Request", f"{evidence.method} {evidence.url}"
            yield "Answer", f"status {evidence.status}" if evidence.status else "none"
            yield "Asked for as", evidence.resource
            yield "Error", evidence.error
            yield "Link", evidence.link
        case HangEvidence():
            yield "On", evidence.event
            yield "What happens", evidence.reason
        case InvariantEvidence():
            yield "Must hold", evidence.invariant
            yield "Instead", evidence.said
            yield "Page", evidence.url
            yield "Javascript", evidence.javascript or ""
    yield "Test", f"{evidence.generated_test} {words_on_test(evidence)}".strip()


def _lines(texts: Sequence[str]) -> str:
    more = len(texts) - MOST_LINES
    return "\n".join([*texts[:MOST_LINES], *([f"… and {more:,} more"] if more > 0 else [])])


def _source(evidence: SightedEvidence) -> CodeExcerpt:
    if not isinstance(evidence, ErrorEvidence):
        return CodeExcerpt()
    return CodeExcerpt(source=evidence.source, first_line=evidence.first_line, excerpt=evidence.excerpt)


def _seen(evidence: SightedEvidence) -> str:
    times, first = evidence.count, evidence.first
    if not times:
        return ""
    often = "once" if times == 1 else f"{times:,} times"
    when = f", first after {count(first, 'event')}" if first else ", first right at the start"
    return f"Seen {often} while exploring{when if times > 1 else when.replace('first ', '')}."


def _sure(confidence: Confidence, evidence: SightedEvidence) -> str:
    replays = evidence.replays
    if confidence is Confidence.PREDICTED:
        if replays:
            return "Doing the same again did not bring it about: it may depend on chance, or on the server’s data."
        return "It was not tried again: there was no time left for that."
    if evidence.minimal:
        return f"Brought about again in a fresh run; none of these steps can be left out ({count(replays, 'replay')})."
    return "Brought about again in a fresh run; perhaps fewer steps would do."


def _command(directory: Path, replay: str | None) -> str:
    return shown(shlex.join(["jostle", "replay", str(directory / replay)]), LONGEST_EVIDENCE) if replay else ""
