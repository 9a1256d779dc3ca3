"""Why a race cannot be repaired, in words for people. Pure."""

from __future__ import annotations

from jostle.events import Event, Kind
from jostle.findings import FindingKind
from jostle.findings.evidence import DifferenceKind, LoadRaceEvidence, LoadRacePart
from jostle.repair.witness import Witness

_HOVERING = ("hover", "enter", "leave")


def hopeless(witness: Witness) -> str:
    """Why no order of events in the page can help, in words; empty when one may."""
    acts = [event for event in (witness.first, witness.second) if event is not None]
    if any(event.action.type in _HOVERING for event in acts):
        return (
            "It begins when the pointer is moved over an element. If that waited for the page, a menu would open after "
            "the pointer has left; if it were dropped, the menu would not open at all."
        )
    if any(event.kind is Kind.PARSE for event in witness.early) and any(
        event.kind is Kind.TIMER for event in witness.late
    ):
        return (
            "A script in the markup would have to wait for a timer. The parser waits for no timer, and a script that "
            "ran later would find another document."
        )
    if _misses_loading(witness):
        return (
            "The script comes after the page has loaded, and that event comes only once: to keep it back, the page "
            "itself would have to load more slowly."
        )
    return ""


def _misses_loading(witness: Witness) -> bool:
    """A script that is too late for DOMContentLoaded or load of the page itself."""
    evidence = witness.evidence
    if not isinstance(evidence, LoadRaceEvidence) or evidence.part is not LoadRacePart.SYSTEM:
        return False
    return witness.finding.kind is FindingKind.LATE_HANDLER and not evidence.shared


def why_none(witness: Witness) -> str:
    """Why nothing of what was tried helped, as far as that can be told."""
    if any(event.from_outside for event in witness.late):
        return (
            "A server or a worker sends the message that comes late in its own time. Nobody in the page knows that it "
            "is to come, so that nothing can wait for it."
        )
    if any(_in_markup(event) for event in (*witness.late, *witness.early)):
        return (
            "The script is in the markup of the page, where the browser decides when it runs. A script that runs first "
            "cannot change that."
        )
    if {each.what for each in witness.evidence.differences} == {DifferenceKind.REQUEST}:
        return (
            "The server is sent something else although every response is handled in order. It has to decide itself "
            "which change counts."
        )
    return "Every policy that could help was tried, and none kept the effect away without breaking something else."


def _in_markup(event: Event) -> bool:
    """A script that its document asked for, not another script."""
    return event.request.resource == "script" and not event.request.sources
