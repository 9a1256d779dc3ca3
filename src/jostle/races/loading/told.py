"""A race while loading as a finding, with its evidence."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from jostle.addresses import split_url
from jostle.events import Kind, Step
from jostle.exploring.alike import kin
from jostle.findings import Confidence, Defect, Finding, FindingKind, Severity
from jostle.findings.evidence import (
    CodeExcerpt,
    LoadRaceEvidence,
    LoadRacePart,
    OrderedEvent,
    OrderedRun,
    Role,
)
from jostle.oracles.picture import differing
from jostle.oracles.problems import plain
from jostle.races.loading.judge import LASTING, Instead
from jostle.races.loading.loaded import PageLoad
from jostle.races.loading.observation import Element, FocusMove, Listening, Observation, Write
from jostle.races.loading.patterns import UPGRADE, LoadRaceCandidate
from jostle.races.loading.plan import without_data
from jostle.races.loading.probing import Race
from jostle.races.source import ordered_event
from jostle.races.told import RaceFiles, with_files
from jostle.recording.excerpt import excerpt
from jostle.recording.file import Recording
from jostle.report.doing import doing, sentence

NAME = "races init"
_MOST_ENTRIES = 80
_SOURCE_LINES = 8

_HINTS = {
    (
        FindingKind.FORM_INPUT_OVERWRITTEN,
        LoadRacePart.WRITE,
    ): "Set the value in the markup, or only while the field is as it was "
    "at first (value === defaultValue) and does not have the focus; or keep the field disabled until it is set.",
    (FindingKind.FORM_INPUT_OVERWRITTEN, LoadRacePart.FOCUS): "Move the focus only if nothing else has it: "
    "document.activeElement === document.body; or use autofocus in the markup.",
    (
        FindingKind.LATE_HANDLER,
        LoadRacePart.USER,
    ): "Register the handler before the element can be seen (an inline script right "
    "behind it, or one at the document that is there from the start and keeps events for later), let the element be "
    "disabled until then, or make what happens without the handler right.",
    (FindingKind.LATE_HANDLER, LoadRacePart.SYSTEM): "Ask whether it has loaded already (image.complete, "
    "document.readyState) when the handler is registered, or register it in the markup.",
    (
        FindingKind.ACCESS_BEFORE_DEFINITION,
        LoadRacePart.USER,
    ): "Load what the handler needs before the element can be "
    "seen, register the handler by the script that defines it, or keep calls in a queue until it has loaded.",
    (
        FindingKind.ACCESS_BEFORE_DEFINITION,
        LoadRacePart.SYSTEM,
    ): "Let it wait for what it needs: check, or begin it in the script that defines it.",
    (
        FindingKind.ATOMICITY_VIOLATION,
        LoadRacePart.USER,
    ): "Keep what scripts of the loading page share out of the reach of handlers until all of them have run.",
}


_INSTEAD = {
    Instead.NOTHING: "has no effect",
    Instead.LEAVES: "navigates away",
    Instead.SENDS: "submits the form natively",
    Instead.OTHER: "does something else",
}


def problem_of(race: Race, seen: Observation) -> Defect:
    """What a race is."""
    return Defect(
        kind=race.shown.kind,
        severity=race.shown.severity,
        title=_title(race, seen),
        cause=_cause(race, seen),
        evidence=_evidence(race, seen),
    )


def finding_of(problem: Defect, race: Race, *, files: RaceFiles, repeatable: bool) -> Finding:
    """The finding. `repeatable`: the recording of the bad order was replayed and showed the same."""
    evidence = problem.evidence
    assert isinstance(evidence, LoadRaceEvidence)
    return problem.finding(
        NAME,
        Confidence.WITNESSED if repeatable else Confidence.ADVERSE,
        events=tuple(str(step.event) for step in race.bad.steps),
        evidence=with_files(evidence, files),
        replay=files.bad.replay or None,
    )


def is_told_by(finding: Finding, problem: Defect) -> bool:
    """Whether it is the same, as the user meets it, on another page: what is done and what comes of it, because of the
    same script."""
    words = (finding.technique, finding.kind, finding.severity, plain(finding.title))
    return words == (NAME, problem.kind, problem.severity, plain(problem.title))


def predicted(kind: FindingKind, candidate: LoadRaceCandidate, seen: Observation) -> Finding:
    """What matches a pattern: not tried, or tried in vain."""
    element = seen.elements.get(candidate.target)
    name = element.name if element is not None else candidate.target
    probe = candidate.probes[0]
    held, first = seen.trace.steps[probe.position].event.what, probe.event.what
    problem = Defect(
        kind=kind,
        severity=Severity.LOW,
        title=f"{_PREDICTED[kind]}: {name}",
        cause="\0".join((candidate.part, "predicted", _place(element), _deed(candidate.deed))),
        evidence=LoadRaceEvidence(
            good=OrderedRun(),
            bad=OrderedRun(),
            differences=(),
            racing=(CodeExcerpt(event=held, source=candidate.deed.site, excerpt=_handler(candidate)),),
            shared=element.label if element is not None else "",
            held=(held,) if held else (),
            first=first if candidate.part is not LoadRacePart.SYSTEM else "",
        ),
    )
    return problem.finding(NAME, Confidence.PREDICTED)


_ENTERED = {"check": "The choice made", "select": "The choice made", "upload": "The file chosen"}
_PREDICTED = {
    FindingKind.FORM_INPUT_OVERWRITTEN: "A script may overwrite input made while the page loads",
    FindingKind.LATE_HANDLER: "A handler is attached late",
    FindingKind.ACCESS_BEFORE_DEFINITION: "A handler is attached before the page is ready",
}


def _title(race: Race, seen: Observation) -> str:
    element = seen.elements.get(race.target)
    name = element.name if element is not None else "the page"
    done = sentence(doing(race.event.action, race.event.what))
    held = f"{race.held.what} completes" if race.held.kind is Kind.NETWORK else race.held.what
    match race.shown.kind, race.part:
        case FindingKind.FORM_INPUT_OVERWRITTEN, LoadRacePart.FOCUS:
            deed = race.candidate.deed if race.candidate is not None else None
            other = seen.elements.get(deed.target) if isinstance(deed, FocusMove) else None
            to = f" to {other.name}" if other is not None else ""
            return f"Focus jumps from {name}{to} while the user types, when {held}"
        case FindingKind.FORM_INPUT_OVERWRITTEN, _:
            return f"{_ENTERED.get(race.event.action.type, 'Text typed')} in {name} is overwritten when {held}"
        case FindingKind.LATE_HANDLER, LoadRacePart.SYSTEM:
            return f"The {_type(race)} event of {name} is missed if it fires before {held}"
        case FindingKind.LATE_HANDLER, _:
            return f"{done} before {held} {_INSTEAD[race.shown.instead]}: no handler is attached yet"
        case FindingKind.ATOMICITY_VIOLATION, _:
            return f"{done} before {held} breaks a script of the page: {_message(race)}"
    return f"{done} before {held} throws: {_message(race)}"


def _cause(race: Race, seen: Observation) -> str:
    """What is the same whenever this goes wrong."""
    if race.shown.error is not None:
        return "\0".join((race.part, plain(_message(race)), race.shown.error.source))
    assert race.candidate is not None
    who = _place(seen.elements.get(race.target))
    if race.part is LoadRacePart.USER:  # it is the same for all entries of a list, on whatever page
        who = kin(race.event)
        if race.shown.instead in (Instead.LEAVES, Instead.SENDS):
            # Nobody prevents what the browser does, whichever of several scripts would have.
            return "\0".join((race.part, who, race.shown.instead))
        if race.shown.instead is Instead.NOTHING or race.event.action.type in LASTING:
            # The user meets a control that does nothing yet but what every box and list does, whichever of its handlers
            # that is for.
            return "\0".join((race.part, who, race.shown.instead, race.shown.severity))
    return "\0".join((race.part, who, without_data(_deed(race.candidate.deed))))


def _place(element: Element | None) -> str:
    locator = element.standing.locator if element is not None else None
    return locator.css if locator is not None else ""


def _deed(deed: Write | FocusMove | Listening) -> str:
    return f"{deed.type} {deed.source}" if isinstance(deed, Listening) else deed.site


def _type(race: Race) -> str:
    deed = race.candidate.deed if race.candidate is not None else None
    return deed.type if isinstance(deed, Listening) else ""


def _message(race: Race) -> str:
    return race.shown.error.message.strip().split("\n", 1)[0] if race.shown.error is not None else ""


def _evidence(race: Race, seen: Observation) -> LoadRaceEvidence:
    element, error = seen.elements.get(race.target), race.shown.error
    pictures = race.good.outcome.picture, race.bad.outcome.picture
    return LoadRaceEvidence(
        good=OrderedRun(_order(race.good, race)),
        bad=OrderedRun(_order(race.bad, race)),
        differences=race.shown.differences,
        boxes=tuple(differing(*pictures)) if all(pictures) else (),
        racing=tuple(_racing(race)),
        shared=element.label if element is not None else "",
        held=(race.held.what,),
        first=race.event.what if race.event.by_user else "",
        hint=_HINTS.get((race.shown.kind, race.part), ""),
        part=race.part,
        prevented=race.good.prevented,
        also=tuple(race.also),
        error=_message(race),
        stack=error.stack if error is not None else (),
    )


def _order(loaded: PageLoad, race: Race) -> tuple[OrderedEvent, ...]:
    entries = tuple(ordered_event(step, _role(step, race)) for step in loaded.steps)
    if len(entries) <= _MOST_ENTRIES:
        return entries
    middle = next((n for n, entry in enumerate(entries) if entry.role is not Role.LOAD), 0)
    start = max(0, min(middle - _MOST_ENTRIES // 2, len(entries) - _MOST_ENTRIES))
    return entries[start : start + _MOST_ENTRIES]


def _role(step: Step, race: Race) -> Role:
    if step.event.key == race.event.key:
        return Role.FIRST
    return Role.LATE if step.event.key == race.held.key else Role.LOAD


def _racing(race: Race) -> Iterator[CodeExcerpt]:
    """The script that comes late, and the handler or the place that fails."""
    recording, held = race.bad.recording, race.held.what
    if race.candidate is not None:
        deed = race.candidate.deed
        shown = CodeExcerpt(event=held)
        if deed.site:
            shown = excerpt(recording, _with_origin(deed.site, recording), held)
        yield shown if shown.excerpt else msgspec.structs.replace(shown, excerpt=_handler(race.candidate))
    if race.shown.error is not None and race.shown.error.source:
        yield excerpt(recording, race.shown.error.source, _message(race))


def _handler(candidate: LoadRaceCandidate) -> tuple[str, ...]:
    deed = candidate.deed
    if not isinstance(deed, Listening) or deed.type == UPGRADE:
        return ()
    return tuple(line[:160] for line in deed.source.split("\n")[:_SOURCE_LINES])


def _with_origin(site: str, recording: Recording) -> str:
    """`/app.js:1:2` with the address of the file that has that path."""
    path, _, rest = site.partition(":")
    for exchange in recording.exchanges:
        if split_url(exchange.url).path == path:
            return f"{exchange.url.partition('#')[0]}:{rest}"
    return site
