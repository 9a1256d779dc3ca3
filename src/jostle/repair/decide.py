"""What a policy does with an operation: a pure function, and the model that the controller in the page is tested
against.

`step` is given every operation of a page in the order in which they occur. It decides on the begin of an event;
whoever asks does what was decided, and asks again (`Begin` of the same event) when something has changed, the events
that wait in the order in which they were first seen.

Two things no policy can change: events of one channel (those of the user are one, the messages of a socket another)
keep their order, and so do timers of which one was set earlier and is not longer.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeAlias

import msgspec

from jostle.repair.policy import (
    Action,
    Arrived,
    Do,
    EventKind,
    Extension,
    Match,
    Never,
    On,
    Parsed,
    Policy,
    Rule,
    Scope,
    StatePredicate,
)

HOVER = frozenset(
    {"mouseover", "mouseout", "mouseenter", "mouseleave", "mousemove"}
    | {"pointerover", "pointerout", "pointerenter", "pointerleave", "pointermove"}
)


class PageEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event as rules see it. Numbers rise in the order in which events come into being."""

    id: int
    kind: EventKind
    types: tuple[str, ...] = ()
    selectors: tuple[str, ...] = ()
    """Those of the policy that match its element; of a request, timer or script: the element of the user's event it
    follows from."""
    url: str = ""
    lane: str = ""
    channel: str = ""
    delay: float = 0
    nested: bool = False
    """A timer that was set by a timer."""
    text: bool = False
    """It enters text, which is never lost: it can be postponed, but not discarded."""

    @property
    def hovering(self) -> bool:
        return self.kind is EventKind.USER and bool(self.types) and HOVER.issuperset(self.types)


class _Operation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="op"):
    at: float = 0
    """Milliseconds since the page began."""


class Fork(_Operation, frozen=True, kw_only=True, tag="fork"):
    """The event comes into being."""

    event: PageEvent
    facts: tuple[StatePredicate, ...] = ()
    """Those predicates of the policy that hold now."""


class Begin(_Operation, frozen=True, kw_only=True, tag="begin"):
    """The event is about to be dispatched."""

    event: PageEvent
    facts: tuple[StatePredicate, ...] = ()


class End(_Operation, frozen=True, kw_only=True, tag="end"):
    """Its handlers have finished, or it can no longer happen."""

    event: PageEvent


class ParsingEnded(_Operation, frozen=True, kw_only=True, tag="parsed"):
    """The handlers of DOMContentLoaded have finished."""


Operation: TypeAlias = Fork | Begin | End | ParsingEnded


class Decision(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    action: Action = Action.DISPATCH
    overdue: bool = False
    """It would have to wait longer than anything may: it is dispatched all the same."""
    aborted: tuple[int, ...] = ()
    """Requests that are overtaken by the event that was forked."""
    silent: bool = False
    """Nobody is told of that."""


class LiveRule(msgspec.Struct, frozen=True):
    rule: Rule
    since: float = 0
    added: bool = False
    """By an extension: it ends after the time of the watchdog, for what it waits for is taken for lost then."""


class Held(msgspec.Struct, frozen=True):
    """An event that waits."""

    event: PageEvent
    since: float


class Pending(msgspec.Struct, frozen=True):
    """A request that a newer one may overtake."""

    event: int
    lane: str
    by: Rule


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All that decisions depend on."""

    rules: tuple[LiveRule, ...] = ()
    watchdog: float = 10_000
    parsed: bool = False
    came: frozenset[str] = frozenset()
    """Patterns of addresses that rules wait for, and from which something has arrived."""
    held: tuple[Held, ...] = ()
    pending: tuple[Pending, ...] = ()


def start(policy: Policy) -> State:
    """The state in which a page begins."""
    return State(rules=tuple(LiveRule(rule) for rule in policy.rules), watchdog=policy.watchdog * 1000)


def step(operation: Operation, state: State) -> tuple[Decision, State]:
    """What is decided, and the state after it."""
    match operation:
        case ParsingEnded():
            return Decision(), msgspec.structs.replace(state, parsed=True)
        case End():
            return Decision(), _arrive(state, (operation.event.id,), operation.event.url)
        case Fork():
            return _fork(operation, state)
        case Begin():
            return _begin(operation, state)


def _fork(operation: Fork, state: State) -> tuple[Decision, State]:
    event = operation.event
    active = [each for each in state.rules if _activated(each, On.FORK, event, operation.facts, operation.at, state)]
    state = _updated(state, active, event, operation.at)
    aborted: list[int] = []
    silent = False
    for each in active:
        for extension in each.rule.then:
            if extension.do is Do.ABORT_OLDER:
                lane = event.lane if extension.lanes else ""
                older = [one.event for one in state.pending if (one.by, one.lane) == (each.rule, lane)]
                aborted += [one for one in older if one not in aborted]
                silent = silent or extension.silent
                kept = tuple(one for one in state.pending if one.event not in older)
                state = msgspec.structs.replace(state, pending=(*kept, Pending(event.id, lane, each.rule)))
    if aborted:
        state = _arrive(state, tuple(aborted))
    return Decision(aborted=tuple(aborted), silent=silent), state


def _begin(operation: Begin, state: State) -> tuple[Decision, State]:
    event = operation.event
    active = [each for each in state.rules if _activated(each, On.BEGIN, event, operation.facts, operation.at, state)]
    action = max((each.rule.action for each in active), key=lambda action: action.strength, default=Action.DISPATCH)
    if action is Action.DISCARD and (event.text or event.kind is not EventKind.USER):
        action = Action.POSTPONE
    waiting = next((each for each in state.held if each.event.id == event.id), None)
    overdue = False
    if action is Action.POSTPONE and waiting and operation.at - waiting.since >= state.watchdog:
        action, overdue = Action.DISPATCH, True
    if action is Action.DISPATCH and any(_precedes(each.event, event) for each in _ahead(state, event.id)):
        action, overdue = Action.POSTPONE, False
    if action is Action.POSTPONE:
        state = _updated(state, active, None, operation.at)
        if waiting is None:
            state = msgspec.structs.replace(state, held=(*state.held, Held(event, operation.at)))
        return Decision(action=action), state
    state = _updated(state, active, event if action is Action.DISPATCH else None, operation.at)
    if waiting:
        state = msgspec.structs.replace(state, held=tuple(each for each in state.held if each is not waiting))
    return Decision(action=action, overdue=overdue), state


def _ahead(state: State, event: int) -> tuple[Held, ...]:
    """What has waited for longer."""
    for position, each in enumerate(state.held):
        if each.event.id == event:
            return state.held[:position]
    return state.held


def _precedes(first: PageEvent, second: PageEvent) -> bool:
    """Whether the application itself relies on this order."""
    if first.channel and first.channel == second.channel:
        return True
    timers = first.kind is EventKind.TIMER and second.kind is EventKind.TIMER
    return timers and first.id < second.id and first.delay <= second.delay


def _arrive(state: State, events: tuple[int, ...], url: str = "") -> State:
    awaited = {each.rule.until.url for each in state.rules if isinstance(each.rule.until, Arrived)}
    return msgspec.structs.replace(
        state,
        came=state.came.union(pattern for pattern in awaited if pattern and address_matches(pattern, url)),
        # What has arrived stays so: rules that wait for it are over.
        rules=tuple(
            each
            for each in state.rules
            if not (isinstance(each.rule.until, Arrived) and each.rule.until.event in events)
        ),
        held=tuple(each for each in state.held if each.event.id not in events),
        pending=tuple(each for each in state.pending if each.event not in events),
    )


def _updated(state: State, active: list[LiveRule], event: PageEvent | None, at: float) -> State:
    """Without those of the rules that are meant for once, and with what their extensions add for the event."""
    kept = tuple(each for each in state.rules if each.rule.scope is Scope.ALWAYS or each not in active)
    there = {each.rule for each in kept}
    rules = [
        rule
        for each in active
        for extension in each.rule.then
        if event is not None
        for rule in extended(extension, each.rule, event)
    ]
    added = tuple(LiveRule(rule, at, True) for rule in dict.fromkeys(rules) if rule not in there)
    return msgspec.structs.replace(state, rules=kept + added)


def extended(extension: Extension, rule: Rule, event: PageEvent) -> tuple[Rule, ...]:
    """The rules that the extension adds, for the event of the operation that activated its rule."""
    until = Arrived(event=event.id)
    match extension.do:
        case Do.WAIT_FOR:
            match = Match(kinds=(EventKind.USER,), selector=extension.selector)
            return (Rule(match=match, until=until, action=extension.action),)
        case Do.WAIT_RECURSIVELY:
            both = (msgspec.structs.replace(extension, do=Do.WAIT_FOR), extension)
            return (Rule(match=rule.match, until=until, then=both),)
        case Do.ORDER_NEXT:
            match = msgspec.structs.replace(rule.match, lane=event.lane) if extension.lanes else rule.match
            order = Extension(do=Do.ORDER, after=event.id)
            return (Rule(match=match, until=until, scope=Scope.ONCE, then=(order,)),)
        case Do.ORDER:
            return (
                Rule(match=Match(events=(event.id,)), until=Arrived(event=extension.after), action=Action.POSTPONE),
            )
        case Do.ABORT_OLDER:
            return ()


def _activated(
    each: LiveRule, on: On, event: PageEvent, facts: tuple[StatePredicate, ...], at: float, state: State
) -> bool:
    if not matches(each.rule.match, on, event):
        return False
    lasting = each.added or each.rule.action is Action.DISCARD
    return not (lasting and at - each.since >= state.watchdog) and not _expired(each.rule, facts, state)


def matches(match: Match, on: On, event: PageEvent) -> bool:
    """Whether a rule is about this operation on the event."""
    if match.on is not on or (match.kinds and event.kind not in match.kinds):
        return False
    if match.types:
        if not set(match.types).intersection(event.types):
            return False
    elif event.hovering:
        return False
    if match.selector and match.selector not in event.selectors:
        return False
    if match.events and event.id not in match.events:
        return False
    if match.lane and match.lane != event.lane:
        return False
    if match.longest is not None and event.kind is EventKind.TIMER and (event.nested or event.delay > match.longest):
        return False
    if match.urls and not any(address_matches(pattern, event.url) for pattern in match.urls):
        return False
    return not any(address_matches(pattern, event.url) for pattern in match.except_urls)


def _expired(rule: Rule, facts: tuple[StatePredicate, ...], state: State) -> bool:
    match rule.until:
        case Never():
            return False
        case Parsed():
            return state.parsed
        case Arrived():
            return rule.until.url in state.came
        case predicate:
            return predicate in facts


def address_matches(pattern: str, url: str) -> bool:
    """Whether the address fits the pattern; see `Match.urls`."""
    if "?" not in pattern:
        url = url.partition("?")[0]
    if pattern.startswith("/"):
        url = re.sub(r"^[a-z][a-z0-9+.-]*://[^/?]*", "", url)
    return bool(url) and _expression(pattern).fullmatch(url) is not None


@lru_cache(maxsize=1024)
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
