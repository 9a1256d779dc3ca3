"""A race of answers as a finding, with its evidence."""

from __future__ import annotations

from collections.abc import Sequence

from jostle.addresses import split_url
from jostle.browser.user import LEAVE
from jostle.events import Event, Kind
from jostle.exploring.family import shape
from jostle.findings import Confidence, Defect, Finding, FindingKind, Severity
from jostle.findings.evidence import (
    DifferenceKind,
    Dismissal,
    DismissedEvidence,
    OrderedEvent,
    OrderedRun,
    OutcomeDifference,
    ResponseRaceEvidence,
    Role,
)
from jostle.model.label import label
from jostle.oracles.outcome import severity
from jostle.oracles.picture import differing
from jostle.races.responses.conflict import Delayed
from jostle.races.responses.orders import RoledStep
from jostle.races.responses.verdict import ExaminedPair
from jostle.races.source import endpoint, one_of_each, ordered_event
from jostle.races.told import RaceFiles, with_files
from jostle.recording.excerpt import excerpt
from jostle.report.doing import doing
from jostle.report.rows import shown

NAME = "races ajax"
_MOST_RACING = 4
_LONGEST_WORDS = 60
_HINTS = {
    DifferenceKind.REQUEST: "Prevent a second submit while the request is pending (disable the button), and have the "
    "server reject duplicates.",
    DifferenceKind.ERROR: "By the time a response arrives, what it is for may be gone: check before using it, or abort "
    "the request.",
}
_HINT = (
    "When a response arrives, check that it is still wanted: number the requests and ignore all but the latest, abort "
    "the previous one (AbortController), or do not start a second request while one is pending."
)


def cause_of(examined: ExaminedPair) -> str:
    """What is the same for races that have one cause: the requests whose answers are late, and what they spoil."""
    late = sorted({_cause(event) for event in examined.late})
    kinds = sorted({each.what.value for each in examined.differences})
    return "\0".join((*late, *kinds))


def _cause(event: Event) -> str:
    """Responses to requests of one kind, whatever they are about, are one cause."""
    return f"{event.timer.function} {event.timer.site}" if event.kind is Kind.TIMER else shape(endpoint(event))


def problem_of(examined: ExaminedPair) -> Defect:
    """What a race is. In its evidence, `also` is for other pairs with the same cause."""
    return Defect(
        kind=_kind(examined),
        severity=severity(examined.differences),
        title=_title(examined),
        cause=cause_of(examined),
        evidence=_evidence(examined),
    )


def _kind(examined: ExaminedPair) -> FindingKind:
    if {each.what for each in examined.differences} == {DifferenceKind.ERROR}:
        return FindingKind.EXCEPTION
    return FindingKind.ORDER_VIOLATION if examined.candidate.delayed is Delayed.TIMERS else FindingKind.AJAX_RACE


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
    """What happens to the user first, then the cause."""
    pair, first = examined.candidate, min(examined.late, key=_decorates, default=None)
    late = _named(first) if first is not None else "response"
    when = f"if the {late} is slow"
    if pair.delayed is Delayed.TIMERS and pair.second is not None:
        when = f"if {_doing(pair.second.event)} comes before the {late}"
    kinds = {each.what for each in examined.differences}
    requests = [each for each in examined.differences if each.what is DifferenceKind.REQUEST]
    if endpoint := _sent_otherwise(requests):
        return f"{endpoint} sends different data {when}"
    if requests and requests[0].bad:
        sent = _request(requests[0].bad)
        if pair.repeats:
            return f"Double submit: {_doing(pair.first.event)} again before the {late} sends {sent} twice"
        return f"{sent} is sent one time too many {when}"
    if requests:
        return f"{_request(requests[0].good)} is not sent {when}"
    if kinds == {DifferenceKind.ERROR}:
        return f"A slow {late} causes an error"
    if pair.second is None and first is not None:
        return f"Stale response: responses to {first.what} that arrive out of order leave an old one on the page"
    if pair.delayed is Delayed.TIMERS or not _overwrites(examined):
        return f"{_ends(examined)} {when}"
    if first is not None and first.kind is not Kind.NETWORK:
        return f"A late {late} overwrites what the user did since"
    return f"Stale response: a slow {first.what if first is not None else 'response'} overwrites newer content"


def _sent_otherwise(requests: Sequence[OutcomeDifference]) -> str:
    """To where something else is sent in place of what should be; empty when there is none."""
    added = {_request(each.bad) for each in requests if each.bad}
    return next((to for each in requests if each.good and (to := _request(each.good)) in added), "")


def _overwrites(examined: ExaminedPair) -> bool:
    """Whether something else is there in the place of what should be, or what should be gone is back."""
    seen = [each for each in examined.differences if each.what is not DifferenceKind.SCREEN]
    return not seen or any(each.bad for each in seen if each.what is not DifferenceKind.DIALOG)


def _ends(examined: ExaminedPair) -> str:
    """What is wrong in the end, where something is missing or new."""
    told = next((each for each in examined.differences if each.what is not DifferenceKind.SCREEN), None)
    if told is None:
        return "The page looks different"
    what = shown(told.good or told.bad, _LONGEST_WORDS)
    if told.what is DifferenceKind.DIALOG and not told.good:
        return f"The user is told “{what}”"
    if told.good and told.bad:
        return f"“{what}” is replaced"
    return f"“{what}” is missing" if told.good else f"“{what}” is shown"


def _decorates(event: Event) -> bool:
    """Whether it only loads how something looks: a picture of a spinner is late together with what it announces."""
    return event.kind is Kind.NETWORK and event.request.resource in ("image", "font", "stylesheet", "media")


def _doing(event: Event) -> str:
    return doing(event.action, label(event))


def _named(event: Event) -> str:
    """What is late, in words."""
    if event.kind is Kind.TIMER:
        return f"timer of {(event.timer.delay or 0) / 1000:g} s"
    if not event.from_outside:
        return f"response to {event.what}"
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
        first=next((str(each.step.event) for each in bad.told if each.role is Role.FIRST), ""),
        second=next((str(each.step.event) for each in bad.told if each.role is Role.SECOND), ""),
        hint=_HINTS.get(kinds[0], _HINT) if kinds else _HINT,
        noise=tuple(examined.noise)[:20],
        served=examined.live,
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
    return [*before, *(each for each in told[first:] if each.step.event.action.type != LEAVE.action.type)]


def _request(sent: str) -> str:
    method, _, rest = sent.partition(" ")
    return f"{method} {split_url(rest.split(' ', 1)[0]).path}"
