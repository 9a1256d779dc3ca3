"""Which policies may keep a race from happening, from the least intrusive to the most general. Pure.

They are made of what a witness knows: the element that the user acts on, the requests that are answered late, the
script that is missing, the name that is not defined. None is made for an application, and none is known to help before
it has been tried (`jostle.repair.search`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from jostle.addresses import split_url
from jostle.events import Event, Kind
from jostle.events.volatile import volatile_value
from jostle.findings import FindingKind
from jostle.findings.evidence import DifferenceKind, LoadRaceEvidence, OutcomeDifference, ResponseRaceEvidence
from jostle.repair import catalogue
from jostle.repair.policy import (
    Action,
    Arrived,
    Defined,
    Do,
    EventKind,
    Extension,
    IsFunction,
    Match,
    On,
    Parsed,
    Policy,
    Rule,
    Until,
)
from jostle.repair.witness import Witness

LONGEST_TIMER = 10_000.0
"""Milliseconds. No user is kept waiting for a longer timer."""
_POSITION = re.compile(r"\b(li|tr|article|tbody|dd|option):nth-of-type\(\d+\)")
_NOT_DEFINED = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*) is not defined")
_NOT_A_FUNCTION = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*) is not a function")
_HEARD = {
    "click": "click",
    "dblclick": "dblclick",
    "rightclick": "contextmenu",
    "type": "input",
    "fill": "input",
    "select": "change",
    "check": "change",
    "upload": "change",
    "press": "keydown",
}
"""The event that a handler listens for, by what the user does."""
_OF_REQUESTS = ("xhr", "fetch", "script", "image", "eventsource", "other", "")
_ORDERED = (EventKind.RESPONSE, EventKind.SCRIPT)
_ADDRESSED = (EventKind.RESPONSE, EventKind.SCRIPT, EventKind.IMAGE, EventKind.FRAME)
_NAMES = {
    EventKind.RESPONSE: "response",
    EventKind.SCRIPT: "script",
    EventKind.IMAGE: "image",
    EventKind.FRAME: "frame",
    EventKind.TIMER: "timer",
    EventKind.MESSAGE: "message",
}


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A policy that may help."""

    policy: Policy
    general: bool = False
    """It is about the whole page, not about what races."""


def candidates(witness: Witness) -> list[Candidate]:
    """What to try, in this order."""
    found: dict[tuple[object, ...], Candidate] = {}
    for each in (*_specific(witness), *_general(witness)):
        found.setdefault((each.policy.rules, each.policy.protect), each)
    return list(found.values())


# Policies about nothing but what races.


def _specific(witness: Witness) -> Iterator[Candidate]:
    evidence = witness.evidence
    if isinstance(evidence, ResponseRaceEvidence):
        yield from _for_responses(witness)
    elif isinstance(evidence, LoadRaceEvidence):
        yield from _for_loading(witness)
    else:
        yield from _for_order(witness)


def _for_responses(witness: Witness) -> Iterator[Candidate]:
    late, following = _addresses(witness.late), _addresses(witness.followed)
    second = witness.second
    sent_twice = witness.repeats and _is_sent_twice(witness.evidence.differences)
    if sent_twice:
        yield from _waiting(witness, late, Action.DISCARD)
    if second is not None and second.action.enters_text:
        yield Candidate(policy=catalogue.protect_field(selector_of(second)))
    # What is sent to be kept must not be aborted: whether the server has it by then, nobody knows.
    if late and _reads(witness.late) and (second is None or set(late) & set(following)):
        yield Candidate(policy=catalogue.latest_only(*dict.fromkeys((*late, *following))))
    if late and (second is None or following):
        kinds = _requested((*witness.late, *witness.followed))
        yield Candidate(policy=catalogue.fifo(*dict.fromkeys((*late, *following)), kinds=kinds))
    yield from _waiting(witness, late, Action.POSTPONE)
    if not sent_twice:
        yield from _waiting(witness, late, Action.DISCARD)


def _is_sent_twice(differences: Iterable[OutcomeDifference]) -> bool:
    """Whether the server is sent something once too often: then doing it later does not help."""
    return any(each.what is DifferenceKind.REQUEST and each.bad and not each.good for each in differences)


def _requested(events: Iterable[Event]) -> tuple[EventKind, ...]:
    """The kinds of what these requests bring."""
    return tuple(dict.fromkeys((*_ORDERED, *_kinds(events))))


def _reads(events: Iterable[Event]) -> bool:
    """Whether all of these requests only ask."""
    return all(event.request.method in ("GET", "HEAD", "") for event in events)


def _waiting(witness: Witness, late: Sequence[str], action: Action) -> Iterator[Candidate]:
    """The second action waits for what the first has begun, or is not done meanwhile."""
    if witness.second is None:
        return
    whom = selector_of(witness.second)
    yield from _after_timers(witness, whom, action)
    if late:
        kinds = _requested(witness.late)
        yield Candidate(policy=catalogue.async_user(action, *late, selector=whom, kinds=kinds))
        recursive = catalogue.async_user(action, selector=whom, kinds=kinds)
        if witness.first is not None:  # whatever the first action requests, and what is requested then
            yield Candidate(policy=_of_element(recursive, selector_of(witness.first)))


def _after_timers(witness: Witness, whom: str, action: Action) -> Iterator[Candidate]:
    delays = [event.timer.delay or 0.0 for event in witness.late if event.kind is Kind.TIMER]
    if not delays or max(delays) > LONGEST_TIMER:
        return
    cause = selector_of(witness.first) if witness.first is not None and witness.second is not None else ""
    match = Match(on=On.FORK, kinds=(EventKind.TIMER,), longest=max(delays), selector=cause)
    what = "is ignored" if action is Action.DISCARD else "waits"
    yield Candidate(
        policy=Policy(
            name="after-timer",
            explanation=f"What a user does to {whom} {what} while a timer of up to {max(delays):g} ms is running"
            + (f" that was set by {cause}." if cause else "."),
            rules=(Rule(match=match, then=(Extension(do=Do.WAIT_FOR, action=action, selector=whom),)),),
        )
    )


def _of_element(policy: Policy, selector: str) -> Policy:
    """Only what follows from the user's acting on this element."""
    rules = tuple(
        msgspec.structs.replace(rule, match=msgspec.structs.replace(rule.match, selector=selector))
        for rule in policy.rules
    )
    explanation = f"{policy.explanation} Only what {selector} requests counts."
    return msgspec.structs.replace(policy, rules=rules, explanation=explanation)


def _for_loading(witness: Witness) -> Iterator[Candidate]:
    evidence, first, kind = witness.evidence, witness.first, witness.finding.kind
    assert isinstance(evidence, LoadRaceEvidence)
    if first is None:
        yield from _for_order(witness)
        return
    selector = selector_of(first)
    if kind is FindingKind.FORM_INPUT_OVERWRITTEN:
        yield Candidate(policy=catalogue.protect_field(selector))
    if kind is FindingKind.LATE_HANDLER:
        for target, heard in _handlers(first):
            yield Candidate(policy=catalogue.early_click_queue(target, heard))
        if "-" in (tag := _tag(first)):
            yield Candidate(policy=catalogue.user_until(selector, Defined(tag)))
    yield from _until_there(witness, selector)
    yield Candidate(policy=catalogue.user_until(selector, Parsed()))


def _until_there(witness: Witness, selector: str) -> Iterator[Candidate]:
    """What the user does to the element waits for the name that it needs, or for what defines it."""
    for name in _missing(witness):
        yield Candidate(policy=catalogue.user_until(selector, IsFunction(name)))
    for address in _addresses(witness.late, scripts=True):
        rule = Rule(
            match=Match(kinds=(EventKind.USER,), selector=selector),
            until=Arrived(url=address),
            action=Action.POSTPONE,
        )
        explanation = f"What a user does to {selector} waits until {address} has arrived."
        yield Candidate(policy=Policy(name="user-until-arrived", explanation=explanation, rules=(rule,)))


def _handlers(event: Event) -> Iterator[tuple[str, str]]:
    """Whose handler may be missed, and for what: that of the element, or of its form."""
    action = event.action
    if action.form and (action.sends_to or action.submits or (action.type == "press" and action.value == "Enter")):
        yield "form", "submit"
    heard = _HEARD.get(action.type)
    if heard:
        yield selector_of(event), heard


def _missing(witness: Witness) -> list[str]:
    """Global names that were not there."""
    found: dict[str, None] = {}
    for error in witness.errors:
        for pattern in (_NOT_DEFINED, _NOT_A_FUNCTION):
            found.update(dict.fromkeys(pattern.findall(error.message)))
    return list(found)


def _for_order(witness: Witness) -> Iterator[Candidate]:
    """What comes too early waits for what comes too late."""
    late, early = _addresses(witness.late, scripts=True), _addresses(witness.early, scripts=True)
    if witness.first is not None:
        whom = selector_of(witness.first)
        yield from _until_there(witness, whom)
        asked = _addresses(witness.late)
        if asked:
            yield Candidate(policy=catalogue.async_user(Action.POSTPONE, *asked, selector=whom, kinds=_ORDERED))
        yield from _after_timers(witness, whom, Action.POSTPONE)
        return
    for one in late:
        for other in early:
            if one != other:
                yield Candidate(policy=catalogue.order(one, other))
    if late and early:
        kinds = _requested((*witness.late, *witness.early))
        yield Candidate(policy=catalogue.fifo(*dict.fromkeys((*late, *early)), kinds=kinds))
    if _kinds((*witness.late, *witness.early)) == [EventKind.TIMER]:
        in_order = catalogue.fifo(kinds=(EventKind.TIMER,))
        explanation = "Timers fire in the order in which they were set."
        yield Candidate(policy=msgspec.structs.replace(in_order, name="timers-in-order", explanation=explanation))
    untils: list[tuple[Until, str]] = [
        *((IsFunction(name), f"{name} is defined") for name in _missing(witness)),
        *((Arrived(url=address), f"{address} has arrived") for address in late),
        (Parsed(), "the page has been parsed"),
    ]
    for kind in _kinds(witness.early):
        for until, words in untils:
            urls = tuple(early) if kind in _ADDRESSED else ()
            yield Candidate(policy=_held(kind, urls, until, words))


def _held(kind: EventKind, urls: tuple[str, ...], until: Until, words: str) -> Policy:
    what = f"The {_NAMES[kind]} from {', '.join(urls)}" if urls else f"Every {_NAMES[kind]}"
    rule = Rule(match=Match(kinds=(kind,), urls=urls), until=until, action=Action.POSTPONE)
    return Policy(name=f"{kind.value}-until", explanation=f"{what} waits until {words}.", rules=(rule,))


def _kinds(events: Iterable[Event]) -> list[EventKind]:
    """As policies call them."""
    return list(dict.fromkeys(kind for event in events if (kind := _kind(event)) is not None))


def _kind(event: Event) -> EventKind | None:
    if event.kind is Kind.TIMER:
        return EventKind.TIMER
    if event.kind is Kind.MESSAGE:
        return EventKind.MESSAGE
    if event.kind is not Kind.NETWORK:
        return None
    match event.request.resource:
        case "script":
            return EventKind.SCRIPT
        case "image":
            return EventKind.IMAGE
        case "document":
            return EventKind.FRAME if event.request.in_frame else None
        case _:
            return EventKind.RESPONSE


# Policies about the whole page.


def _general(witness: Witness) -> Iterator[Candidate]:
    """In rising order of what a user notices of them."""
    loading = isinstance(witness.evidence, LoadRaceEvidence)
    by_user = witness.first is not None or witness.second is not None
    names = []
    if not (loading and by_user):
        names.append("fifo")
    if loading or not by_user:
        names.append("init-system")
    if by_user:
        names.append("init-user")
    for name in names:
        yield Candidate(policy=catalogue.general(name), general=True)
    if by_user and not loading:
        for action in (Action.POSTPONE, Action.DISCARD):
            yield Candidate(policy=catalogue.async_user(action), general=True)
    if by_user:
        for action in (Action.POSTPONE, Action.DISCARD):
            yield Candidate(policy=catalogue.init_user_plus(action), general=True)


# What is concerned.


def selector_of(event: Event) -> str:
    """A CSS selector for what the user acts on; of entries of a list, for all of them. In a shadow root: its host."""
    locator = event.action.locator
    css = locator.css if locator is not None else ""
    return _POSITION.sub(r"\1", css.partition(" >>> ")[0])


def _tag(event: Event) -> str:
    locator = event.action.locator
    host = locator.css.partition(" >>> ")[0] if locator is not None and " >>> " in locator.css else ""
    return (re.split(r"[> ]", host)[-1].partition(":")[0] if host else event.action.element).partition(":")[0]


def _addresses(events: Iterable[Event], *, scripts: bool = False) -> list[str]:
    """Patterns of the addresses of requests, each once, without what differs from one to the next."""
    found: dict[str, None] = {}
    for event in events:
        request = event.request
        if request.url and (scripts or request.resource in _OF_REQUESTS):
            found[address_pattern(request.url)] = None
    return list(found)


def address_pattern(url: str) -> str:
    """The path of an address, with `*` for its segments that are data: numbers, identifiers, tokens. The query is left
    out, so that any fits."""
    path = split_url(url).path or "/"
    return "/".join("*" if each.isdigit() or volatile_value(each) else each for each in path.split("/"))
