"""A race of answers as a finding, with its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from jostle.events import Event
from jostle.findings import Confidence, Defect, Finding, FindingKind, Severity
from jostle.findings.evidence import (
    DifferenceKind,
    Dismissal,
    DismissedEvidence,
    OrderedEvent,
    OrderedRun,
    ResponseRaceEvidence,
    Role,
)
from jostle.oracles.outcome import severity
from jostle.oracles.picture import differing
from jostle.races.responses.orders import RoledStep
from jostle.races.responses.verdict import ExaminedPair
from jostle.races.source import endpoint, one_of_each, ordered_event
from jostle.races.told import RaceFiles, with_files
from jostle.recording.excerpt import excerpt

NAME = "races ajax"
_MOST_RACING = 4
_HINTS = {
    DifferenceKind.REQUEST: "Do not let it be sent again while the answer is awaited (disable the button), and let the "
    "server refuse what it has got already.",
    DifferenceKind.ERROR: "When an answer arrives, what it is for may be gone: check before using it, or abort the "
    "request.",
}
_HINT = (
    "When an answer arrives, check whether it is still wanted: number the requests and ignore all but the newest, or "
    "abort the one before (AbortController), or let no second one begin before the first is answered."
)


def cause_of(examined: ExaminedPair) -> str:
    """What is the same for races that have one cause: the requests whose answers are late, and what they spoil."""
    late = sorted({endpoint(event) for event in examined.late})
    kinds = sorted({each.what.value for each in examined.differences})
    return "\0".join((*late, *kinds))


def problem_of(examined: ExaminedPair) -> Defect:
    """What a race is. In its evidence, `also` is for other pairs with the same cause."""
    kinds = {each.what for each in examined.differences}
    return Defect(
        kind=FindingKind.EXCEPTION if kinds == {DifferenceKind.ERROR} else FindingKind.AJAX_RACE,
        severity=severity(examined.differences),
        title=_title(examined),
        cause=cause_of(examined),
        evidence=_evidence(examined),
    )


def finding_of(problem: Defect, examined: ExaminedPair, files: RaceFiles) -> Finding:
    """The finding; without a recording it is only predicted."""
    evidence = problem.evidence
    assert isinstance(evidence, ResponseRaceEvidence)
    return problem.finding(
        NAME,
        Confidence.WITNESSED if files.bad.replay else Confidence.PREDICTED,
        events=tuple(str(each.step.event) for each in _raced(examined.bad.told)) if examined.bad else (),
        evidence=with_files(evidence, files),
        replay=files.bad.replay or None,
    )


def dismissed(examined: ExaminedPair) -> Finding:
    """A pair that was tried and is no race, as far as is known."""
    pair = str(examined.candidate)
    problem = Defect(
        kind=FindingKind.AJAX_RACE,
        severity=Severity.LOW,
        title=pair,
        cause=f"{examined.candidate.first.before.url}\0{pair}",
        evidence=DismissedEvidence(
            outcome=Dismissal(examined.verdict.value),
            shared=", ".join(map(str, examined.candidate.shared)),
            held=tuple(event.what for event in examined.late),
            noise=tuple(examined.noise)[:20],
        ),
    )
    return problem.finding(NAME, Confidence.PREDICTED)


def _title(examined: ExaminedPair) -> str:
    first = examined.late[0] if examined.late else None
    late = _named(first) if first is not None else "answer"
    extra = [each for each in examined.differences if each.what is DifferenceKind.REQUEST]
    if extra and extra[0].bad:
        return f"{_request(extra[0].bad)} is sent once more when the {late} comes late"
    if extra:
        return f"{_request(extra[0].good)} is not sent when the {late} comes late"
    if {each.what for each in examined.differences} == {DifferenceKind.ERROR}:
        return f"A late {late} causes an error"
    if examined.candidate.second is None and first is not None:
        return f"Answers to {first.what} that arrive in another order leave an old one on the page"
    since = "since" if first is not None and first.from_outside else "after it was asked for"
    return f"A late {late} overwrites what the user did {since}"


def _named(event: Event) -> str:
    """What is late, in words."""
    if not event.from_outside:
        return f"answer to {event.what}"
    return f"message from {event.detail.channel or 'outside'}"


def _evidence(examined: ExaminedPair) -> ResponseRaceEvidence:
    candidate, good, bad = examined.candidate, examined.good, examined.bad
    assert good is not None and bad is not None
    shared = candidate.shared[0] if candidate.shared else None
    kinds = [each.what for each in examined.differences]
    happened = [step.event for step in bad.recording.trace.steps]
    pictures = good.outcome.picture, bad.outcome.picture
    return ResponseRaceEvidence(
        good=OrderedRun(_order(good.told, examined.late)),
        bad=OrderedRun(_order(bad.told, examined.late)),
        differences=tuple(examined.differences),
        boxes=tuple(differing(*pictures)) if all(pictures) else (),
        racing=tuple(
            excerpt(bad.recording, place, event.what)
            for event, place in one_of_each(examined.late, happened)[:_MOST_RACING]
        ),
        shared=str(shared) if shared is not None else "",
        held=tuple(event.what for event in examined.late),
        endpoints=tuple(dict.fromkeys(endpoint(event) for event in examined.late)),
        first=str(candidate.first.event),
        second=next((str(each.step.event) for each in bad.told if each.role is Role.SECOND), ""),
        hint=_HINTS.get(kinds[0], _HINT) if kinds else _HINT,
        noise=tuple(examined.noise)[:20],
    )


def _order(told: Sequence[RoledStep], late: Sequence[Event]) -> tuple[OrderedEvent, ...]:
    """From the first of the two events on; in the calm order, too, the responses that will be late are marked."""
    wanted = {(event.what, event.occurrence) for event in late}
    entries = []
    for each in _raced(told):
        event = each.step.event
        role = Role.LATE if not event.by_user and (event.what, event.occurrence) in wanted else each.role
        entries.append(ordered_event(each.step, role))
    return tuple(entries)


def _raced(told: Sequence[RoledStep]) -> Sequence[RoledStep]:
    first = next((number for number, each in enumerate(told) if each.role is Role.FIRST), 0)
    before = [each for each in told[:first] if each.step.event.by_user]
    return [*before, *told[first:]]


def _request(sent: str) -> str:
    method, _, rest = sent.partition(" ")
    return f"{method} {urlsplit(rest.split(' ', 1)[0]).path}"
