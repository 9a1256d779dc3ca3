"""What is wrong with a policy that is written as it should be: rules that cannot be enforced, that contradict each
other or that wait for each other. And what may go wrong with it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

import msgspec

from jostle.repair.decide import HOVER, address_matches
from jostle.repair.policy import (
    Absent,
    Action,
    Arrived,
    Do,
    EventKind,
    IsFunction,
    Listening,
    Never,
    On,
    Policy,
    Present,
    Rule,
)

GATED = (
    "pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "pointercancel", "dblclick", "click",
    "keypress", "keyup", "keydown", "beforeinput", "input", "compositionstart", "compositionupdate", "compositionend",
    "change", "submit", "reset", "paste", "cut",
)  # fmt: skip
"""Events of the user that the controller can keep from the page."""
OTHER_TYPES = ("fetch", "xhr", "timeout", "interval", "script", "load", "error", "message")
LONGEST_WATCHDOG = 600.0
_NAME = re.compile(r"[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*")
_INTERNAL = "numbers of events are given while a page runs: leave it out"


class Flaw(msgspec.Struct, frozen=True):
    """Something wrong with one field."""

    field: str
    """`rules[2].until`"""
    message: str
    advice: str = ""


def flaws(policy: Policy) -> Iterator[Flaw]:
    """Why the policy is refused."""
    if not policy.name.strip():
        yield Flaw("name", "is empty", "write a few words that tell it from other policies")
    if not 0 < policy.watchdog <= LONGEST_WATCHDOG:
        yield Flaw(
            "watchdog",
            f"is {policy.watchdog:g} seconds",
            f"write the longest time anything may wait, at most {LONGEST_WATCHDOG:g}",
        )
    for position, selector in enumerate(policy.protect):
        yield from _selector(f"protect[{position}]", selector)
    for position, rule in enumerate(policy.rules):
        place = f"rules[{position}]"
        yield from _actions(place, rule)
        yield from _match(place, rule)
        yield from _until(place, rule)
    yield from _contradictions(policy)
    yield from _circles(policy)


def warnings(policy: Policy) -> Iterator[Flaw]:
    """What may go wrong with a policy that is accepted."""
    limit = f"the watchdog ({policy.watchdog:g} s)"
    for position, rule in enumerate(policy.rules):
        place = f"rules[{position}]"
        if rule.action is not Action.DISPATCH and isinstance(rule.until, Never):
            yield Flaw(f"{place}.until", f"never expires: what matches is let through by {limit} only")
        if isinstance(rule.until, Arrived) and rule.until.url:
            yield Flaw(
                f"{place}.until",
                f"waits for {rule.until.url}: on a page that never requests it, what matches waits for {limit}",
            )
        if rule.action is Action.DISPATCH and not rule.then:
            yield Flaw(place, "does nothing: it dispatches, as happens without it, and adds no rules")
        waits = any(each.do in (Do.WAIT_FOR, Do.WAIT_RECURSIVELY) for each in rule.then)
        if waits and not rule.match.urls and not rule.match.selector:
            yield Flaw(
                f"{place}.match",
                "makes the user wait for every request: a page that polls is blocked most of the time; name `urls`",
            )
        if EventKind.TIMER in rule.match.kinds and rule.match.on is On.FORK and rule.match.longest is None:
            yield Flaw(f"{place}.match", "waits for timers of any length: name the `longest` in milliseconds")


def _actions(place: str, rule: Rule) -> Iterator[Flaw]:
    begins = rule.match.on is On.BEGIN
    if rule.action is Action.DISCARD and set(rule.match.kinds) != {EventKind.USER}:
        yield Flaw(
            f"{place}.action",
            "discards events of the system, which nobody would repeat",
            'write "postpone", or `kinds = ["user"]`; to drop overtaken responses, use the extension "abort_older"',
        )
    if not begins and rule.action is not Action.DISPATCH:
        yield Flaw(
            f"{place}.action",
            f'is "{rule.action}" for a fork, which can only be watched',
            'leave it out, or write `on = "begin"`',
        )
    if begins and rule.then and rule.action is not Action.DISPATCH:
        yield Flaw(
            f"{place}.then",
            f"extends a rule that says {rule.action}: it would be extended again each time the event is asked for",
            'write it for `on = "fork"`, or in a rule of its own that dispatches',
        )
    for number, extension in enumerate(rule.then):
        field = f"{place}.then[{number}]"
        if extension.do is Do.ORDER or extension.after:
            yield Flaw(field, "is made by `order_next` only", _INTERNAL)
        if extension.do is Do.ABORT_OLDER and (begins or set(rule.match.kinds) != {EventKind.RESPONSE}):
            yield Flaw(field, "aborts what is not a request", 'write `on = "fork"` and `kinds = ["response"]`')
        if extension.do is Do.WAIT_FOR and extension.selector:
            yield from _selector(f"{field}.selector", extension.selector)
    if rule.busy and not rule.match.selector:
        yield Flaw(f"{place}.busy", "shows no element as busy", "name a `selector` in `match`")


def _match(place: str, rule: Rule) -> Iterator[Flaw]:
    match = rule.match
    if match.events:
        yield Flaw(f"{place}.match.events", "cannot be written in a file", _INTERNAL)
    if match.selector:
        yield from _selector(f"{place}.match.selector", match.selector)
    for name, patterns in (("urls", match.urls), ("except_urls", match.except_urls)):
        for number, pattern in enumerate(patterns):
            yield from _pattern(f"{place}.match.{name}[{number}]", pattern)
    known = (*GATED, *OTHER_TYPES, *sorted(HOVER))
    for number, name in enumerate(match.types):
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            yield Flaw(
                f"{place}.match.types[{number}]",
                f'is "{name}", which cannot be kept from a page',
                f'did you mean "{near[0]}"?' if near else f"use one of {', '.join(GATED)}",
            )
    if match.longest is not None and match.longest < 0:
        yield Flaw(f"{place}.match.longest", "is negative", "write milliseconds")


def _until(place: str, rule: Rule) -> Iterator[Flaw]:
    field = f"{place}.until"
    match rule.until:
        case Arrived(event=event) if event:
            yield Flaw(field, "names an event by its number", _INTERNAL)
        case Arrived(url=url):
            yield from _pattern(f"{field}.url", url)
        case IsFunction(name=name) if not _NAME.fullmatch(name):
            yield Flaw(
                f"{field}.name", f'is "{name}", which is no name', "write it as in `app.menu.open`, without brackets"
            )
        case Present(selector=selector) | Absent(selector=selector) | Listening(selector=selector):
            yield from _selector(f"{field}.selector", selector)


def _pattern(field: str, pattern: str) -> Iterator[Flaw]:
    if not re.match(r"[/*]|[a-z][a-z0-9+.-]*://", pattern):
        yield Flaw(
            field, f'is "{pattern}", which matches no address', f'write "*/{pattern}", or a path from its "/" on'
        )


def _selector(field: str, selector: str) -> Iterator[Flaw]:
    if not selector.strip():
        yield Flaw(field, "is empty", "write a CSS selector")
        return
    open_brackets = []
    text = re.sub(r"\\.|\"[^\"]*\"|'[^']*'", "", selector)
    for letter in text:
        if letter in "([":
            open_brackets.append(letter)
        elif letter in ")]" and (not open_brackets or open_brackets.pop() != {")": "(", "]": "["}[letter]):
            open_brackets = ["?"]
            break
    if open_brackets or re.search("[\"'{}]", text):
        yield Flaw(field, f'is "{selector}", which is no CSS selector', "check its brackets and quotes")


def _contradictions(policy: Policy) -> Iterator[Flaw]:
    for second, rule in enumerate(policy.rules):
        for first, other in enumerate(policy.rules[:second]):
            if rule == other:
                yield Flaw(f"rules[{second}]", f"is the same as rules[{first}]", "delete one of them")
            elif _alike(rule, other) and rule.action is not other.action and not rule.then and not other.then:
                yield Flaw(
                    f"rules[{second}].action",
                    f"says {rule.action} where rules[{first}] says {other.action} of the same events, until the same",
                    "the stronger one would always win: delete the other",
                )


def _alike(one: Rule, other: Rule) -> bool:
    return (one.match, one.until, one.scope) == (other.match, other.until, other.scope)


def _circles(policy: Policy) -> Iterator[Flaw]:
    """Rules that wait for what they keep from happening."""
    waits = [
        (position, rule.match, rule.until.url)
        for position, rule in enumerate(policy.rules)
        if rule.action is Action.POSTPONE and isinstance(rule.until, Arrived) and rule.until.url and rule.match.urls
    ]
    follows = {
        one: [
            other
            for other, match, _ in waits
            if any(awaited == pattern or address_matches(pattern, awaited) or address_matches(awaited, pattern)
                   for pattern in match.urls)
        ]
        for one, _, awaited in waits
    }  # fmt: skip
    for start in follows:
        seen: set[int] = set()
        ahead = list(follows[start])
        while ahead:
            at = ahead.pop()
            if at == start:
                chain = (
                    f"rules[{start}]"
                    if start in follows[start]
                    else " and ".join(f"rules[{n}]" for n in sorted(seen | {start}))
                )
                yield Flaw(
                    f"rules[{start}].until",
                    f"waits for what is kept from happening: {chain} wait in a circle",
                    "let one of them go first",
                )
                return
            if at not in seen:
                seen.add(at)
                ahead += follows[at]
