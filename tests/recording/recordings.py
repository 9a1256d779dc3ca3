"""Recordings for the tests: one written by hand, and any at all."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from jostle.events import (
    Access,
    Effect,
    Event,
    Kind,
    Milestone,
    PageError,
    Request,
    State,
    Step,
    StorageWrite,
    Trace,
    event_of,
    located,
)
from jostle.recording.exchange import Conversation, Exchange, Happening, Message
from jostle.recording.file import Manifest, Recording


def search_page() -> Recording:
    """Opening a page, a click, and an answer that breaks it."""
    opened = event_of(kind=Kind.LIFECYCLE, what="open http://shop.test/", detail={"type": "open"})
    click = event_of(kind=Kind.USER, what='click button "Go"', detail={"action": "click", "tab": 1})
    answer = event_of(kind=Kind.NETWORK, what="GET /api/search?q=milk", creator=click.key, detail={"method": "GET"})
    recording = Recording(
        Manifest(url="http://shop.test/", seed=7, browser="Chromium 156", created="2024-01-02T03:04:05")
    )
    page = recording.add_body(b"<button>Go</button>")
    data = recording.add_body(b'{"items": []}')
    html = (("content-type", "text/html"), ("set-cookie", "a=1"), ("set-cookie", "b=2"))
    recording.exchanges = [
        Exchange(order=1, method="GET", url="http://shop.test/", status=200, headers=html, body=page, event=opened.key),
        Exchange(
            order=2, method="GET", url="http://shop.test/api/search?q=milk", status=200, body=data, event=answer.key
        ),
        Exchange(order=3, method="GET", url="http://shop.test/gone", error="ConnectionRefused"),
    ]
    recording.conversations = [
        Conversation(
            order=1,
            kind="websocket",
            url="ws://shop.test/live",
            messages=(
                Message(what=Happening.OPEN),
                Message(what=Happening.SENT, text="hello"),
                Message(what=Happening.RECEIVED, data=b"\x00\xff"),
                Message(what=Happening.CLOSE, code=1006),
            ),
        )
    ]
    recording.snapshots = {"s0": "html\n  body\n    button\n      Go", "s1": "html\n  body\n    p\n      None"}
    recording.trace = Trace(
        initial=(opened,),
        steps=(
            Step(event=opened, state=State("s0", "http://shop.test/"), effect=Effect(lifecycle=(Milestone("load"),))),
            Step(
                event=click,
                at=100,
                state=State("s0", "http://shop.test/"),
                effect=Effect(created=(answer,), requests=(Request("GET", "http://shop.test/api/search?q=milk"),)),
            ),
            Step(
                event=answer,
                at=250.5,
                state=State("s1", "http://shop.test/"),
                effect=Effect(
                    errors=(PageError("exception", "x is not defined", "app.js:1:2"),),
                    storage_writes=(StorageWrite("localStorage", "last", "milk"),),
                ),
            ),
        ),
    )
    return recording


def texts(max_size: int = 30) -> st.SearchStrategy[str]:
    """Any JavaScript string: halves of surrogate pairs and control characters too."""
    return st.text(st.characters(), max_size=max_size)


DETAILS: dict[Kind, st.SearchStrategy[dict[str, Any]]] = {
    Kind.USER: st.fixed_dictionaries(
        {},
        optional={
            "action": texts(8),
            "value": texts(),
            "locator": st.fixed_dictionaries({"words": texts(), "css": texts(), "nth": st.integers(1, 9)}),
            "field": st.fixed_dictionaries({}, optional={"type": texts(8), "required": st.booleans()}),
            "frame": st.lists(st.integers(1, 9), max_size=2),
        },
    ),
    Kind.NETWORK: st.fixed_dictionaries({"method": st.just("GET")}, optional={"url": texts(), "async": st.booleans()}),
    Kind.TIMER: st.fixed_dictionaries({"function": st.just("timeout")}, optional={"delay": st.floats(0, 1e9)}),
    Kind.LIFECYCLE: st.fixed_dictionaries({"type": st.just("load")}),
}


def _events(kind: Kind) -> st.SearchStrategy[Event]:
    detail = DETAILS.get(kind, st.fixed_dictionaries({}, optional={"document": texts(8), "due": st.floats(0, 1e9)}))
    occurrence = st.integers(1, 5)
    return st.builds(event_of, st.just(kind), texts(), creator=texts(8), occurrence=occurrence, detail=detail)


events = st.sampled_from(Kind).flatmap(_events)
effects = st.builds(
    Effect,
    created=st.lists(events, max_size=2).map(tuple),
    errors=st.lists(st.builds(PageError, kind=texts(5), message=texts()), max_size=2).map(tuple),
    requests=st.lists(st.builds(Request, method=texts(5), url=texts(), body=texts()), max_size=2).map(tuple),
    lifecycle=st.lists(texts().map(Milestone.parse), max_size=2).map(tuple),
    accesses=st.lists(st.builds(Access, location=texts().map(located), write=st.booleans()), max_size=2).map(tuple),
    hung=texts(),
)
steps = st.builds(
    Step,
    event=events,
    effect=effects,
    at=st.floats(0, 1e9),
    state=st.none() | st.builds(State, digest=st.text("abc123", min_size=1), url=texts()),
)
messages = st.builds(
    Message, what=st.sampled_from(Happening), text=st.none() | texts(), data=st.none() | st.binary(max_size=20)
)
conversations = st.builds(
    Conversation,
    order=st.integers(1, 9),
    kind=st.sampled_from(["websocket", "eventsource"]),
    url=texts(),
    messages=st.lists(messages, max_size=3).map(tuple),
)


@st.composite
def any_recording(draw: st.DrawFn) -> Recording:
    recording = Recording(Manifest(url=draw(texts()), seed=draw(st.integers(0, 2**31)), created="then"))
    recording.trace = Trace(
        steps=tuple(draw(st.lists(steps, max_size=3))), initial=tuple(draw(st.lists(events, max_size=2)))
    )
    headers = st.lists(st.tuples(texts(8), texts(8)), max_size=2).map(tuple)
    for n in range(draw(st.integers(0, 3))):
        recording.exchanges.append(
            Exchange(
                order=n + 1,
                method="POST",
                url=draw(texts()),
                request_headers=draw(headers),
                request_body=draw(st.binary(max_size=30)),
                status=draw(st.integers(0, 599)),
                headers=draw(headers),
                body=recording.add_body(draw(st.binary(max_size=200))),
            )
        )
    recording.conversations = draw(st.lists(conversations, max_size=2))
    recording.snapshots = draw(st.dictionaries(st.text("abcdef0123456789", min_size=1), texts(), max_size=3))
    recording.screens = draw(st.dictionaries(st.text("abc-1", min_size=1), st.binary(max_size=20), max_size=2))
    return recording
