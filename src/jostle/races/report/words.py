"""A race told in words: what to do, what comes late, what happens then and what should."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

import msgspec
from markupsafe import Markup

from jostle.events import Kind
from jostle.findings import Confidence, Finding, FindingKind
from jostle.findings.evidence import (
    DifferenceKind,
    LoadRaceEvidence,
    OutcomeDifference,
    RaceEvidence,
    ResponseRaceEvidence,
    Role,
    ScheduleEvidence,
)
from jostle.plural import count
from jostle.report.kinds import KINDS
from jostle.report.ranking import CONFIDENCES
from jostle.report.rows import shown
from jostle.report.values import Value, values
from jostle.report.words import once

LONGEST_WORDS = 200
LONGEST_VALUE = 160
MOST_TOLD = 2
"""Differences that are told in sentences; all are in the table."""
MOST_HELD = 3
"""Late events that are named."""
MOST_STEPS = 12
_REQUEST = re.compile(r"[A-Z]{3,8} \S")

SEEN_ONCE = "seen once, not again", "It was seen once, but could not be reproduced."
WHATS = {
    DifferenceKind.TEXT: "Text",
    DifferenceKind.FORM: "Form field",
    DifferenceKind.URL: "Address",
    DifferenceKind.STORAGE: "Stored data",
    DifferenceKind.DIALOG: "Dialog",
    DifferenceKind.ERROR: "Error",
    DifferenceKind.REQUEST: "Request",
    DifferenceKind.SCREEN: "Appearance",
    DifferenceKind.FOCUS: "Focus",
}

_COMES = {
    Kind.NETWORK: ("the response to {}", "the responses to {}", "arrives", "arrive"),
    Kind.TIMER: ("the timer {}", "the timers {}", "fires", "fire"),
    Kind.MESSAGE: ("the message {}", "the messages {}", "arrives", "arrive"),
}
"""What comes late: one, several, and what they do."""
_HAPPENS = ("{}", "{}", "happens", "happen")
_ENDS = {
    DifferenceKind.TEXT: (
        ("{where} shows {bad}", "It should show {good}."),
        "{where} shows {bad}, which it should not",
        "{where} does not show {good}, which it should",
    ),
    DifferenceKind.FORM: (
        ("{where} holds {bad}", "It should hold {good}."),
        "{where} holds {bad}, which it should not",
        "",
    ),
    DifferenceKind.STORAGE: (
        ("{bad} is stored", "It should be {good}."),
        "{bad} is stored, which it should not be",
        "{good} is not stored, which it should be",
    ),
    DifferenceKind.URL: (
        ("the address is {bad}", "It should be {good}."),
        "the page {bad} is open, which it should not be",
        "the page {good} is not open, which it should be",
    ),
    DifferenceKind.DIALOG: (
        ("a dialog says {bad}", "It should say {good}."),
        "a dialog says {bad}, which it should not",
        "no dialog says {good}, which it should",
    ),
    DifferenceKind.ERROR: (
        ("a script fails: {bad}", "It should say {good}."),
        "a script fails, which it should not: {bad}",
        "no script fails with {good}",
    ),
    DifferenceKind.REQUEST: (
        ("the server is sent {bad}", "It should be sent {good}."),
        "the server is sent {bad} once too often",
        "the server is sent {good} one time too few",
    ),
    DifferenceKind.FOCUS: (("the focus moves away from {where}", "It should stay there."), "", ""),
    DifferenceKind.SCREEN: (("{where} looks different", "It should look as in the good order."), "", ""),
}
"""What happens and what should, when there is something in both runs; what happens when there is something in the bad
one only; and in the good one only. Empty: as when there is something in both."""
_WHY = {
    FindingKind.AJAX_RACE: (
        "Both write {shared}: the last one wins, and nothing checks whether it is still wanted.",
        "The last one wins, and nothing checks whether it is still wanted.",
    ),
    FindingKind.FORM_INPUT_OVERWRITTEN: (
        "When the script runs it sets {shared} without checking whether the user has changed it already.",
        "When the script runs it sets the field without checking whether the user has changed it already.",
    ),
    FindingKind.LATE_HANDLER: (
        "{shared} can be seen and used before its event handler is attached.",
        "It can be seen and used before its event handler is attached.",
    ),
    FindingKind.ACCESS_BEFORE_DEFINITION: (
        "The handler is attached, but {shared}, which it needs, is defined only by code that loads later.",
        "The handler is attached, but what it needs is defined only by code that loads later.",
    ),
    FindingKind.ORDER_VIOLATION: (
        "Both use {shared}, and nothing makes one wait for the other.",
        "Nothing makes one wait for the other.",
    ),
    FindingKind.ATOMICITY_VIOLATION: (
        "Code that belongs together ran with something else in between; they share {shared}.",
        "Code that belongs together ran with something else in between.",
    ),
}
"""With and without the name of what is shared."""


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """A story without its pictures."""

    steps: tuple[Markup, ...]
    ends: tuple[tuple[Markup, Markup], ...]
    """What happens, and what should."""
    more: str
    why: Markup
    certainty: tuple[str, str]
    """How sure it is: a tag, and a sentence."""
    orders: tuple[str, str]
    """What the good and the bad order are."""


def kind_name(kind: FindingKind) -> str:
    return "Wrong order" if kind is FindingKind.ORDER_VIOLATION else KINDS[kind].name


def in_words(finding: Finding, evidence: RaceEvidence, differences: Sequence[OutcomeDifference]) -> Words:
    """`differences`: as people read them."""
    seen = finding.confidence is not Confidence.PREDICTED or bool(evidence.bad.order)
    sure = finding.confidence is not Confidence.PREDICTED or not seen
    told = sorted(differences, key=lambda each: each.what is DifferenceKind.SCREEN)[:MOST_TOLD]
    if len(told) > 1:
        told = [each for each in told if each.what is not DifferenceKind.SCREEN]
    left = len(differences) - len(told)
    return Words(
        steps=_steps(evidence, finding.events),
        ends=tuple(_end(each, "Then" if seen else "Then it may be that") for each in told),
        more=f"{count(left, 'more difference')} {'is' if left == 1 else 'are'} listed below." if left and told else "",
        why=_why(finding.kind, evidence),
        certainty=CONFIDENCES[finding.confidence] if sure else SEEN_ONCE,
        orders=_orders(evidence),
    )


def _orders(evidence: RaceEvidence) -> tuple[str, str]:
    """What the good and the bad order are."""
    match evidence:
        case LoadRaceEvidence():
            return "the page has loaded before the action", "the action comes while the page is loading"
        case ScheduleEvidence():
            return "the usual order", "the same events, in another order"
        case ResponseRaceEvidence(second=""):
            return "responses arrive in the order of their requests", "a response arrives too late"
    return "everything has arrived before the second action", "the second action comes in between"


# What to do --------------------------------------------------------------------------------------------------------


def _steps(evidence: RaceEvidence, events: Sequence[str]) -> tuple[Markup, ...]:
    loading, first = isinstance(evidence, LoadRaceEvidence), _begins(evidence)
    late, them, do = _late(evidence)
    if not first:
        if loading and late:
            return (Markup("Open the page; {} late.").format(late),)
        more = [Markup("… and so on")] if len(events) > MOST_STEPS else []
        return (*(_event(each) for each in events[:MOST_STEPS]), *more)
    earlier = takewhile(lambda each: each.role is not Role.FIRST, evidence.bad.order)
    steps = [Markup("Open the page.")] if loading else []
    steps += [Markup("Do this: {}.").format(_event(each.what)) for each in earlier if each.kind is Kind.USER][
        -MOST_STEPS:
    ]
    begin = Markup("{} {}.").format(_do(evidence, first), _event(first))
    last = [Markup("Let {} {}.").format(them, do)] if late else []
    if loading:
        in_time = Markup("Before {}, ").format(late or "it has loaded")
        return *steps, in_time + begin, *last
    steps.append(begin[:1].upper() + begin[1:])
    second = evidence.second if isinstance(evidence, ResponseRaceEvidence) else ""
    if not second:
        return *steps, Markup("Now {} only after everything else.").format(late or "a response arrives")
    in_time = Markup("Before {}, ").format(late or "all that it started is done")
    same = once(second) == once(first)
    again = "do the same again:" if same else _do(evidence, second)
    return *steps, Markup("{}{} {}.").format(in_time, again, _event(first if same else second)), *last


def _begins(evidence: RaceEvidence) -> str:
    """The first event of the race; not always the user's."""
    first = evidence.first if isinstance(evidence, LoadRaceEvidence | ResponseRaceEvidence) else ""
    return first or next((each.what for each in evidence.bad.order if each.role is Role.FIRST), "")


def _kind_of(what: str, evidence: RaceEvidence) -> Kind | None:
    """Of an event of either order."""
    orders = (*evidence.bad.order, *evidence.good.order)
    found = (each.kind for each in orders if once(each.what) == once(what))
    return next(found, Kind.NETWORK if _REQUEST.match(what) else None)


def _do(evidence: RaceEvidence, event: str) -> str:
    return "do this:" if _kind_of(event, evidence) in (Kind.USER, None) else "let this happen:"


def _late(evidence: RaceEvidence) -> tuple[Markup, str, str]:
    """`the answers to A and B arrive`, `them`, `arrive`"""
    late = evidence.held if isinstance(evidence, LoadRaceEvidence | ResponseRaceEvidence) else ()
    held = tuple(dict.fromkeys(late))
    if not held:
        return Markup(), "", ""
    kinds = {_kind_of(each, evidence) for each in held}
    kind = kinds.pop() if len(kinds) == 1 else None
    one, several, does, do = _COMES.get(kind, _HAPPENS) if kind is not None else _HAPPENS
    named = [_event(each) for each in held[:MOST_HELD]]
    if len(held) > MOST_HELD:
        named.append(Markup("{} more").format(len(held) - MOST_HELD))
    listed = Markup(", ").join(named[:-1]) + Markup(" and ") + named[-1] if len(named) > 1 else named[0]
    if len(held) > 1:
        return Markup("{} {}").format(_ours(several, listed), do), "them", do
    return Markup("{} {}").format(_ours(one, listed), does), "it", do


def _event(words: str) -> Markup:
    return Markup("<bdi>{}</bdi>").format(shown(words, LONGEST_WORDS))


# What happens ------------------------------------------------------------------------------------------------------


def _end(difference: OutcomeDifference, then: str) -> tuple[Markup, Markup]:
    both, extra, missing = _ENDS[difference.what]
    alone = extra if not difference.good else missing if not difference.bad else ""
    happens, should = (alone, "") if alone else both
    good, bad = values(difference.good, difference.bad, LONGEST_VALUE)
    told = {
        "where": _code(difference.where)
        if difference.where
        else "the field"
        if difference.what is DifferenceKind.FORM
        else "the page",
        "good": _value(good),
        "bad": _value(bad),
    }
    return Markup("{} {}.").format(then, _ours(happens, **told)), _ours(should, **told)


def _value(value: Value) -> Markup:
    if not value:
        return Markup("nothing")
    differs = _ours("<mark>{}</mark>" if value.marked else "{}", value.differs)
    return Markup("“<bdi>{}{}{}</bdi>”").format(value.before, differs, value.after)


def _code(text: str) -> Markup:
    return Markup("<code><bdi>{}</bdi></code>").format(shown(text, LONGEST_WORDS))


def _why(kind: FindingKind, evidence: RaceEvidence) -> Markup:
    named, unnamed = _WHY.get(kind, ("", ""))
    return _ours(named, shared=_code(evidence.shared)) if evidence.shared else _ours(unnamed)


def _ours(sentence: str, *parts: str, **named: str) -> Markup:
    """One of the sentences of this module; what is put into it is escaped."""
    return Markup(sentence).format(*parts, **named)  # noqa: S704
