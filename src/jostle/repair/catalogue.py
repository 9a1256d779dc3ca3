"""The ready-made policies, from the least intrusive to those that block a user most."""

from __future__ import annotations

import json
from collections.abc import Callable

import msgspec

from jostle.repair.policy import (
    Action,
    Arrived,
    Do,
    EventKind,
    Extension,
    Listening,
    Match,
    On,
    Parsed,
    Policy,
    Rule,
    StatePredicate,
)

SHORT_TIMER = 1000.0
"""Milliseconds: of longer timers nobody waits for the end."""
REQUESTS = (EventKind.RESPONSE,)
NETWORK = (EventKind.RESPONSE, EventKind.SCRIPT)
CONTINUING = (EventKind.RESPONSE, EventKind.SCRIPT, EventKind.TIMER)
"""What a page goes on with after it has been parsed."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about a policy of the catalogue."""

    name: str
    title: str
    intrusiveness: int
    """A policy of a lower number changes less of what a user notices, and is to be tried first."""
    safe: bool
    """The bad order is impossible while it is enforced, up to the watchdog."""
    live: bool
    """Whatever it makes wait is certain to go on, on every page."""
    effect: str
    """What a user sees of it."""
    made: Callable[..., Policy]


def latest_only(*urls: str, lanes: bool = True, silent: bool = False) -> Policy:
    """A newer request aborts the older ones of its lane: method and path, with numbers left aside."""
    then = Extension(do=Do.ABORT_OLDER, lanes=lanes, silent=silent)
    return Policy(
        name="latest-only",
        explanation=f"Of several requests{_of(urls)}, only the newest counts; the older ones are aborted.",
        rules=(Rule(match=Match(on=On.FORK, kinds=REQUESTS, urls=urls), then=(then,)),),
    )


def fifo(
    *urls: str, kinds: tuple[EventKind, ...] = NETWORK, lanes: bool = False, except_urls: tuple[str, ...] = ()
) -> Policy:
    """Responses and inserted scripts come in the order in which they were requested."""
    match = Match(on=On.FORK, kinds=kinds, urls=urls, except_urls=except_urls)
    return Policy(
        name="fifo",
        explanation=f"Responses{_of(urls)} are handled in the order in which the requests were sent.",
        rules=(Rule(match=match, then=(Extension(do=Do.ORDER_NEXT, lanes=lanes),)),),
    )


def order(first: str, second: str) -> Policy:
    """An inserted script waits for another one. Both are given as patterns of addresses."""
    rule = Rule(
        match=Match(kinds=(EventKind.SCRIPT,), urls=(second,)), until=Arrived(url=first), action=Action.POSTPONE
    )
    return Policy(name="order", explanation=f"{second} does not run before {first}.", rules=(rule,))


def protect_field(selector: str) -> Policy:
    """What the user has entered is not overwritten by what began before that, and the focus stays in the field."""
    return Policy(
        name="protect-field",
        explanation=f"What a user has entered in {selector} is not overwritten by a script that began earlier.",
        protect=(selector,),
    )


def early_click_queue(selector: str, event: str = "click", at: str = "") -> Policy:
    """A click waits until somebody listens for it. `at`: where, if it is not the element itself."""
    return Policy(
        name="early-click-queue",
        explanation=f"A {event} on {selector} before its handler is attached is remembered, and handled then.",
        rules=(
            Rule(
                match=Match(kinds=(EventKind.USER,), types=(event,), selector=selector),
                until=Listening(at or selector, event),
                action=Action.POSTPONE,
            ),
        ),
    )


def user_until(selector: str, until: StatePredicate | Parsed, types: tuple[str, ...] = ()) -> Policy:
    """What the user does to an element waits until something is true."""
    match = Match(kinds=(EventKind.USER,), types=types, selector=selector)
    return Policy(
        name="user-until",
        explanation=f"What a user does to {selector} waits until the page is ready for it.",
        rules=(Rule(match=match, until=until, action=Action.POSTPONE),),
    )


def disable_until(selector: str, until: StatePredicate | Parsed) -> Policy:
    """An element is shown as busy, and takes no clicks, until something is true."""
    match = Match(kinds=(EventKind.USER,), selector=selector)
    return Policy(
        name="disable-until",
        explanation=f"{selector} is shown as busy until the page is ready for it.",
        rules=(Rule(match=match, until=until, action=Action.DISCARD, busy=True),),
    )


def atomic(selector: str, *urls: str) -> Policy:
    """No second activation until the responses to what the first one requested have arrived."""
    match = Match(on=On.FORK, kinds=REQUESTS, urls=urls, selector=selector)
    return Policy(
        name="atomic",
        explanation=f"A further click on {selector} is ignored until the response to the last one has arrived.",
        rules=(Rule(match=match, then=(Extension(do=Do.WAIT_FOR, selector=selector),)),),
    )


def init_system(kinds: tuple[EventKind, ...] = (EventKind.TIMER, EventKind.IMAGE, EventKind.FRAME)) -> Policy:
    """Timers, and images and frames that have loaded, wait for the end of parsing."""
    return Policy(
        name="init-system",
        explanation="Timers and the load events of images and frames wait until the page has been parsed.",
        rules=(Rule(match=Match(kinds=kinds), until=Parsed(), action=Action.POSTPONE),),
    )


def init_user(action: Action = Action.POSTPONE) -> Policy:
    """What the user does waits for the end of parsing."""
    return Policy(
        name="init-user",
        explanation="What a user does before the page has been parsed waits until then.",
        rules=(Rule(match=Match(kinds=(EventKind.USER,)), until=Parsed(), action=action),),
    )


def async_user(
    action: Action = Action.DISCARD, *urls: str, selector: str = "", kinds: tuple[EventKind, ...] = CONTINUING
) -> Policy:
    """What the user does while a request is under way is discarded, or waits."""
    match = Match(on=On.FORK, kinds=kinds, urls=urls, longest=SHORT_TIMER)
    what = "ignored" if action is Action.DISCARD else "postponed"
    return Policy(
        name="async-user",
        explanation=f"What a user does while a response{_of(urls)} is awaited is {what}.",
        rules=(Rule(match=match, then=(Extension(do=Do.WAIT_FOR, action=action, selector=selector),)),),
    )


def init_user_plus(action: Action = Action.DISCARD, *, timers: bool = True) -> Policy:
    """What the user does waits until the page has been parsed and nothing goes on any more that began before."""
    kinds = CONTINUING if timers else NETWORK
    match = Match(on=On.FORK, kinds=kinds, longest=SHORT_TIMER)
    then = tuple(Extension(do=do, action=action) for do in (Do.WAIT_FOR, Do.WAIT_RECURSIVELY))
    return Policy(
        name="init-user-plus",
        explanation="What a user does waits until the page has been parsed and has got all that it requested.",
        rules=(*init_user().rules, Rule(match=match, until=Parsed(), then=then)),
    )


def nothing() -> Policy:
    """No rules: a page with it behaves as without."""
    return Policy(name="nothing", explanation="Nothing is changed.", rules=(), watchdog=10)


CATALOGUE: tuple[Entry, ...] = (
    Entry(
        name="protect-field", title="Keep what the user has entered", intrusiveness=1, safe=True, live=True,
        effect="A field keeps what was entered; nothing waits.", made=protect_field,
    ),
    Entry(
        name="order", title="One script after another", intrusiveness=2, safe=True, live=False,
        effect="None, but that a script may run later.", made=order,
    ),
    Entry(
        name="latest-only", title="Only the newest response", intrusiveness=3, safe=True, live=True,
        effect="Overtaken responses are not shown.", made=latest_only,
    ),
    Entry(
        name="fifo", title="Responses in the order of their requests", intrusiveness=4, safe=True, live=True,
        effect="A response may be shown later, after a slower one.", made=fifo,
    ),
    Entry(
        name="early-click-queue", title="A click waits for its handler", intrusiveness=5, safe=True, live=False,
        effect="The element is busy from the click until its handler is attached.", made=early_click_queue,
    ),
    Entry(
        name="user-until", title="An element waits until it is ready", intrusiveness=6, safe=True, live=False,
        effect="The element is busy from the click until the page is ready.", made=user_until,
    ),
    Entry(
        name="disable-until", title="An element is busy until it is ready", intrusiveness=7, safe=True, live=False,
        effect="The element is visibly busy, and clicks on it are ignored.", made=disable_until,
    ),
    Entry(
        name="atomic", title="One activation at a time", intrusiveness=8, safe=True, live=True,
        effect="A second click on the element is ignored while a response is awaited.", made=atomic,
    ),
    Entry(
        name="init-system", title="Timers and loads after parsing", intrusiveness=9, safe=True, live=True,
        effect="None, but that a timer may run later.", made=init_system,
    ),
    Entry(
        name="init-user", title="The user after parsing", intrusiveness=10, safe=True, live=True,
        effect="All of the page is busy until it has been parsed.", made=init_user,
    ),
    Entry(
        name="async-user", title="Nothing while a response is awaited", intrusiveness=11, safe=True, live=True,
        effect="Clicks are ignored while any response is awaited.", made=async_user,
    ),
    Entry(
        name="init-user-plus", title="The user after everything", intrusiveness=12, safe=True, live=False,
        effect="All of the page is busy until it is at rest; a page that never is, until the watchdog lets go.",
        made=init_user_plus,
    ),
)  # fmt: skip
"""In the order in which they are to be tried."""

GENERAL = ("init-user", "init-system", "async-user", "fifo", "init-user-plus")
"""Those that need to know nothing of the application, as in the paper."""


def entry(name: str) -> Entry:
    """The entry of that name. Raises KeyError."""
    for each in CATALOGUE:
        if each.name == name:
            return each
    raise KeyError(name)


def general(name: str) -> Policy:
    """One of the five general policies. Raises KeyError."""
    if name not in GENERAL:
        raise KeyError(name)
    made: Policy = entry(name).made()
    return made


def _of(urls: tuple[str, ...]) -> str:
    return f" from {', '.join(map(json.dumps, urls))}" if urls else ""
