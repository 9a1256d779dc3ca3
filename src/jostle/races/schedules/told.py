"""An order that breaks the application as a finding, with its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jostle.addresses import join_url
from jostle.events import Event, Kind, Step
from jostle.findings import Confidence, Defect, Finding, FindingKind, Severity
from jostle.findings.evidence import (
    CodeExcerpt,
    DifferenceKind,
    Dismissal,
    DismissedEvidence,
    OrderedEvent,
    OrderedRun,
    Role,
    ScheduleEvidence,
)
from jostle.oracles.outcome import severity
from jostle.oracles.picture import differing
from jostle.races.schedules.blame import Blame
from jostle.races.schedules.conflicts import Conflict
from jostle.races.schedules.reordering import BrokenOrder
from jostle.races.schedules.verdict import Enacted, Judged, events_of, named, words
from jostle.races.source import endpoint, ordered_event
from jostle.races.told import RaceFiles, with_files
from jostle.recording.excerpt import excerpt

NAME = "races orders"
_MOST_RACING = 4
_MOST_EVENTS = 30
_HINTS = {
    FindingKind.ORDER_VIOLATION: "Nothing makes the one wait for the other. Let the code that needs the other’s result "
    "wait for it (a promise, an event, a button that is disabled until then), or look whether it is there.",
    FindingKind.ATOMICITY_VIOLATION: "Two pieces of code belong together, and something else came in between. Do them "
    "in one go, or look again in the second whether what the first found still holds.",
    FindingKind.EXCEPTION: "Look whether it is there before using it, or wait for it.",
}


def cause_of(found: BrokenOrder) -> str:
    """What is the same for orders that break for one cause: what comes too late, and what the others need of it; where
    that is not known, which events meet."""
    early, late = (endpoint(event) for event in _pair(found))
    return "\0".join((late, found.blame.name) if found.blame.name else sorted((early, late)))


def problem_of(found: BrokenOrder) -> Defect:
    """What it is. In its evidence, `also` is for other orders with the same cause."""
    return Defect(
        kind=_kind(found),
        severity=severity(found.judged.differences),
        title=_title(found),
        cause=cause_of(found),
        evidence=_evidence(found),
    )


def finding_of(problem: Defect, found: BrokenOrder, files: RaceFiles) -> Finding:
    """The finding; without a recording it is only predicted."""
    evidence = problem.evidence
    assert isinstance(evidence, ScheduleEvidence)
    return problem.finding(
        NAME,
        Confidence.WITNESSED if files.bad.replay else Confidence.PREDICTED,
        events=tuple(_story(found)),
        evidence=with_files(evidence, files),
        replay=files.bad.replay or None,
    )


def dismissed(judged: Judged) -> Finding:
    """An order that was tried and does no harm, as far as is known."""
    title = words(judged)
    problem = Defect(
        kind=FindingKind.SCHEDULE_DIFFERENCE,
        severity=Severity.LOW,
        title=title,
        cause=f"{title}\0{judged.verdict.value}",
        evidence=DismissedEvidence(
            outcome=Dismissal(judged.verdict.value),
            shared=_shared(judged.conflict),
            differences=tuple(str(each) for each in judged.differences[:10]),
        ),
    )
    return problem.finding(NAME, Confidence.PREDICTED)


def _pair(found: BrokenOrder) -> tuple[Event, ...]:
    """The events to blame: the one that came too early, and the one it overtook."""
    known = events_of(found.judged.parent, found.judged.child)
    return tuple(known[key] for key in (found.blame.early, found.blame.late) if key in known)


def _kind(found: BrokenOrder) -> FindingKind:
    if {each.what for each in found.judged.differences} == {DifferenceKind.ERROR}:
        return FindingKind.EXCEPTION
    return FindingKind.ATOMICITY_VIOLATION if found.blame.between else FindingKind.ORDER_VIOLATION


def _title(found: BrokenOrder) -> str:
    early, late = (named(event) for event in _pair(found))
    happens = "A script fails" if _kind(found) is FindingKind.EXCEPTION else "The page ends otherwise"
    return f"{happens} when {early} comes before {late}"


def _story(found: BrokenOrder) -> list[str]:
    """What to do and what is to happen, in the bad order: the user's part, and what changed places."""
    moved = {found.blame.early, found.blame.late, found.blame.between or ""}
    moved |= {key for each in found.conflicts for key in (each.first, each.second)}
    told = []
    for step in found.judged.child.trace.steps:
        event = step.event
        if event.by_user:
            told.append(str(event))
        elif event.key in moved:
            told.append(f"let {named(event)} {'arrive' if event.kind is Kind.NETWORK else 'happen'}")
    return told[:_MOST_EVENTS]


def _evidence(found: BrokenOrder) -> ScheduleEvidence:
    judged, blame = found.judged, found.blame
    good, bad = judged.parent, judged.child
    assert good.recording is not None and bad.recording is not None
    pictures = good.outcome.picture, bad.outcome.picture
    return ScheduleEvidence(
        good=OrderedRun(_order(good, blame)),
        bad=OrderedRun(_order(bad, blame)),
        differences=tuple(judged.differences),
        boxes=tuple(differing(*pictures)) if all(pictures) else (),
        racing=_racing(found),
        shared=_shared(judged.conflict),
        reversed=len(found.conflicts),
        hint=_HINTS[_kind(found)],
        noise=tuple(found.noise)[:20],
    )


def _racing(found: BrokenOrder) -> tuple[CodeExcerpt, ...]:
    """The code that meets: where each of the events touched what both need."""
    conflict, good = found.judged.conflict, found.judged.parent
    if conflict is None or good.recording is None:
        return ()
    known = events_of(good, found.judged.child)
    told: dict[tuple[str, str], CodeExcerpt] = {}
    for each in conflict.racing:
        for key, access in ((conflict.first, each.first), (conflict.second, each.second)):
            event = known.get(key)
            if access.source and event is not None:
                place = join_url(good.recording.manifest.url, access.source)
                told.setdefault((key, place), excerpt(good.recording, place, str(event)))
    return tuple(told.values())[:_MOST_RACING]


def _shared(conflict: Conflict | None) -> str:
    return ", ".join(dict.fromkeys(each.name for each in conflict.racing[:3])) if conflict is not None else ""


def _order(run: Enacted, blame: Blame) -> tuple[OrderedEvent, ...]:
    roles = {blame.early: Role.EARLY, blame.late: Role.LATE}
    drained = run.drained.steps if run.drained is not None else ()
    return (*_entries(run.trace.steps, roles), *_entries(drained, {}))


def _entries(steps: Sequence[Step], roles: Mapping[str, Role]) -> list[OrderedEvent]:
    return [ordered_event(step, roles.get(step.event.key, Role.OTHER)) for step in steps]
