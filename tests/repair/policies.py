"""Policies and operations to test with."""

from __future__ import annotations

import msgspec
from hypothesis import strategies as st

from jostle.repair.catalogue import (
    async_user,
    atomic,
    disable_until,
    early_click_queue,
    fifo,
    init_system,
    init_user,
    init_user_plus,
    latest_only,
    order,
    protect_field,
    user_until,
)
from jostle.repair.decide import Begin, End, Fork, Operation, PageEvent, ParsingEnded
from jostle.repair.policy import (
    Absent,
    Action,
    Arrived,
    Do,
    EventKind,
    Extension,
    IsFunction,
    Listening,
    Match,
    Never,
    On,
    Parsed,
    Policy,
    Present,
    Rule,
    Scope,
    StatePredicate,
)

SELECTORS = ("#a", ".b")
PATTERNS = ("/api/*", "*/a.js", "/x?q=*", "http://h/*")
URLS = ("http://h/api/1", "http://h/api/2?q=1", "http://h/a.js", "http://h/x?q=2", "http://h/x", "http://g/b.js")
FACTS: tuple[StatePredicate, ...] = (IsFunction("f"), Present("#a"), Absent(".b"), Listening("#a"))


def catalogue_policies() -> list[Policy]:
    """One of each entry of the catalogue."""
    return [
        protect_field("#field"), order("*/a.js", "*/b.js"), latest_only("/api/*"), fifo("/api/*"),
        early_click_queue("#a"), user_until("#a", IsFunction("f")), disable_until("#a", Present("[ready]")),
        atomic("#a"), init_system(), init_user(), async_user(), init_user_plus(),
    ]  # fmt: skip


def some(values: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(values), max_size=2, unique=True).map(tuple)


matches = st.builds(
    Match,
    on=st.sampled_from(On),
    kinds=st.lists(st.sampled_from(EventKind), max_size=3, unique=True).map(tuple),
    types=some(("click", "keydown", "mouseover", "fetch", "timeout")),
    selector=st.sampled_from(("", "", *SELECTORS)),
    urls=some(PATTERNS),
    except_urls=st.just(()) | some(PATTERNS),
    longest=st.none() | st.sampled_from((0.0, 100.0)),
    lane=st.sampled_from(("", "", "GET /api")),
)
untils = st.one_of(
    st.builds(Parsed), st.builds(Never), st.builds(Arrived, url=st.sampled_from(PATTERNS)), st.sampled_from(FACTS)
)
extensions = st.builds(
    Extension,
    do=st.sampled_from([do for do in Do if do is not Do.ORDER]),
    action=st.sampled_from((Action.POSTPONE, Action.DISCARD)),
    selector=st.sampled_from(("", *SELECTORS)),
    lanes=st.booleans(),
    silent=st.booleans(),
)
rules = st.builds(
    Rule,
    match=matches,
    until=untils,
    scope=st.sampled_from(Scope),
    action=st.sampled_from(Action),
    then=st.lists(extensions, max_size=2, unique=True).map(tuple),
)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Random ones, and combinations of those of the catalogue."""
    made = draw(st.lists(rules, max_size=4, unique=True))
    policy = Policy(name="random", rules=tuple(made), watchdog=draw(st.sampled_from((0.1, 10.0))))
    for other in draw(st.lists(st.sampled_from(catalogue_policies()), max_size=2, unique_by=lambda each: each.name)):
        policy = policy | other
    return policy


events = st.builds(
    PageEvent,
    id=st.just(0),
    kind=st.sampled_from(EventKind),
    types=some(("click", "keydown", "mouseover", "fetch", "timeout")),
    selectors=some(SELECTORS),
    url=st.sampled_from(("", *URLS)),
    lane=st.sampled_from(("", "GET /api", "POST /x")),
    channel=st.sampled_from(("", "user", "socket 1")),
    delay=st.sampled_from((0.0, 100.0, 5000.0)),
    nested=st.booleans(),
    text=st.booleans(),
)


@st.composite
def operations(draw: st.DrawFn) -> list[Operation]:
    """A run of a page: events that come into being, begin (some of them several times) and end."""

    told = [
        msgspec.structs.replace(each, id=number)
        for number, each in enumerate(draw(st.lists(events, min_size=1, max_size=8)), 1)
    ]
    at = 0.0
    run: list[Operation] = []
    facts = st.lists(st.sampled_from(FACTS), max_size=2, unique=True).map(tuple)
    for _ in range(draw(st.integers(1, 25))):
        at += draw(st.sampled_from((0.0, 1.0, 60.0, 6000.0)))
        event = draw(st.sampled_from(told))
        match draw(st.integers(0, 7)):
            case 0 | 1:
                run.append(Fork(at=at, event=event, facts=draw(facts)))
            case 2:
                run.append(End(at=at, event=event))
            case 3:
                run.append(ParsingEnded(at=at))
            case _:
                run.append(Begin(at=at, event=event, facts=draw(facts)))
    return run
