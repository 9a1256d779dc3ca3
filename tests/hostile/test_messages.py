"""A browser that says anything: one bad message costs that message, and the connection goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from jostle.addresses import explicit_port, join_url, split_url
from jostle.browser.address import origin
from jostle.browser.connection import Connection, ProtocolError
from jostle.browser.gate import Gate
from jostle.browser.journal import Journal
from jostle.browser.open_requests import NetworkListener
from jostle.browser.settings import Control, TabSettings
from jostle.browser.tab import _REACTIONS, Tab, TabLinks
from jostle.events.request_pattern import path_pattern, url_pattern
from jostle.model.abstraction import address
from jostle.races.loading.places import place
from jostle.untrusted import well_formed

T = TypeVar("T")
SESSION, TARGET = "A1B2", "T1"
REQUEST = {"url": "http://a/", "method": "GET", "headers": {}}
DETAILS = {
    "text": "Uncaught",
    "exception": {"description": "Error: x\n    at f (http://a/:1:2)"},
    "stackTrace": {"callFrames": [{"url": "http://a/x.js", "lineNumber": 1, "columnNumber": 2}]},
}
USUAL: dict[str, dict[str, Any]] = {
    "Page.frameAttached": {"frameId": "F2", "parentFrameId": TARGET},
    "Page.frameNavigated": {"frame": {"id": TARGET, "url": "http://a/", "loaderId": "L1"}},
    "Page.navigatedWithinDocument": {"frameId": TARGET, "url": "http://a/#b"},
    "Page.frameRequestedNavigation": {"frameId": TARGET, "url": "http://a/b", "disposition": "currentTab"},
    "Page.javascriptDialogOpening": {"type": "prompt", "message": "m", "defaultPrompt": "d"},
    "Runtime.executionContextCreated": {
        "context": {"id": 1, "uniqueId": "U", "auxData": {"isDefault": True, "frameId": TARGET}}
    },
    "Runtime.exceptionThrown": {"exceptionDetails": DETAILS},
    "Runtime.consoleAPICalled": {"type": "error", "args": [{"value": "x"}], "stackTrace": DETAILS["stackTrace"]},
    "Runtime.bindingCalled": {"name": "__jostle_tell", "payload": '{"type": "parting", "report": {}}'},
    "Network.requestWillBeSent": {"requestId": "R", "type": "Fetch", "request": REQUEST, "initiator": {}},
    "Network.responseReceived": {"requestId": "R", "response": {"status": 200}},
    "Fetch.requestPaused": {"requestId": "P", "networkId": "R", "request": REQUEST, "resourceType": "Fetch"},
}
"""What a browser says of an ordinary page, for mutations to begin with."""

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.sampled_from(
        ["http://[", "http://a:99999999/", "//[", "\ud83d", "\ude42\ud83d", "javascript:", "\0", "-1", "NaN"]
    ),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**65), 2**65), st.floats(), TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


class Wire:
    """In place of a browser: says what a test says, and keeps what it is told."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []
        self.say: Callable[[bytes], None] = lambda raw: None

    def start(self, receive: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        self.say = receive

    def write(self, message: bytes) -> None:
        self.written.append(json.loads(message))

    async def close(self) -> None:
        pass


class Talk:
    """A connection with one tab, and what is told of trouble."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.limits: list[str] = []
        self.connection = Connection(self.wire)
        journal = Journal()
        journal.on_limit = self.limits.append
        gate = Gate(Control.SCHEDULED, NetworkListener(limit=journal.limit), may_open=lambda url: True)
        links = TabLinks(
            gate=gate,
            journal=journal,
            settings=TabSettings(),
            changed=lambda: None,
            on_dialog=lambda kind, message, default: (True, default),
            turn=dict,
        )
        Tab(self.connection, TARGET, SESSION, number=0, links=links)

    async def ask(self, answer: bytes) -> Any:
        """What comes of a question to which the browser says this; `%d` is the number of the question."""
        posted = self.connection.post("Runtime.evaluate")
        self.wire.say(answer.replace(b"%d", b"%d" % self.wire.written[-1]["id"]))
        async with asyncio.timeout(5):
            return await posted


def talk(work: Callable[[Talk], Awaitable[T]]) -> T:
    async def talked() -> T:
        talk = Talk()
        try:
            return await work(talk)
        finally:
            for _ in range(5):
                await asyncio.sleep(0)  # what was begun in the background begins
            background = list(talk.connection._background)
            await talk.connection.close()
            await asyncio.gather(*background, return_exceptions=True)

    return asyncio.run(talked())


def _mutated(draw: st.DrawFn, value: Any) -> Any:
    """The value with something in it replaced, left out or added."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(value)))
        if not draw(st.integers(0, 5)):
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: _mutated(draw, value[key])}
    if isinstance(value, list) and value and draw(st.booleans()):
        return [_mutated(draw, value[0]), *value[1:]]
    return draw(VALUES)


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    method = draw(st.sampled_from(sorted(_REACTIONS)))
    params = _mutated(draw, USUAL.get(method, {"frameId": TARGET, "requestId": "R", "sessionId": "S2"}))
    message: dict[str, Any] = {"method": method, "params": params, "sessionId": SESSION}
    raw = json.dumps(message, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    if not draw(st.integers(0, 9)):
        at = draw(st.integers(0, len(raw) - 1))
        raw = raw[:at] + draw(st.binary(max_size=3)) + raw[at + 1 :]
    return raw


def _said(method: str, **params: Any) -> bytes:
    return json.dumps({"method": method, "params": params, "sessionId": SESSION}).encode()


@given(st.lists(messages(), max_size=8))
@example([b"\xff\xfe", b"{}", b"null", b"[" * 100_000, b'{"id":' + b"9" * 5000 + b"}"])
@example([_said("Network.requestWillBeSent", requestId="R", request={**REQUEST, "url": "http://["})])
@example([_said("Page.frameNavigated", frame={"id": TARGET, "url": "http://[", "loaderId": "L"})])
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_browser_says_the_next_answer_is_heard(said: list[bytes]) -> None:
    async def work(talk: Talk) -> None:
        for each in said:
            talk.wire.say(each)
            await asyncio.sleep(0)
        assert await talk.ask(b'{"id":%d,"result":{"product":"it"}}') == {"product": "it"}
        assert talk.connection.gone.done() is False

    talk(work)


def test_what_cannot_be_handled_is_told() -> None:
    async def work(talk: Talk) -> list[str]:
        talk.wire.say(_said("Runtime.exceptionThrown", exceptionDetails=7))
        talk.wire.say(b'{"method":"Page.x","params":{"a":' + b"[" * 5000 + b"]" * 5000 + b'},"sessionId":"A1B2"}')
        return talk.limits

    first, second = talk(work)
    assert "a message of the browser was skipped, as Runtime.exceptionThrown could not be handled" in first
    assert "nested too deep" in second


def test_an_answer_that_cannot_be_read_is_not_waited_for() -> None:
    async def work(talk: Talk) -> None:
        with pytest.raises(ProtocolError, match="nested too deep"):
            await talk.ask(b'{"id":%d,"result":{"a":' + b"[" * 5000 + b"]" * 5000 + b"}}")
        assert talk.limits == []

    talk(work)


def test_half_an_emoji_is_replaced_where_it_comes_in() -> None:
    async def work(talk: Talk) -> None:
        for said, heard in {
            rb"so \ud83d": "so \ufffd",
            rb"\ude42\ud83d\ude42": "\ufffd🙂",
            rb"\\ud83d": r"\ud83d",
            b"\xed\xa0\xbd": "\ufffd\ufffd\ufffd",
            "🙂".encode(): "🙂",
        }.items():
            assert await talk.ask(b'{"id":%d,"result":{"value":"' + said + b'"}}') == {"value": heard}

    talk(work)


def test_a_request_that_cannot_be_handled_fails_for_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would wait for ever, and a server must not get what a replay was to answer."""

    async def fails(*arguments: object) -> None:
        raise ValueError("a mistake")

    async def work(talk: Talk) -> Talk:
        talk.wire.say(_said("Fetch.requestPaused", **USUAL["Fetch.requestPaused"]))
        return talk

    monkeypatch.setattr(Gate, "_decide", fails)
    talked = talk(work)
    assert [each["params"] for each in talked.wire.written if each["method"] == "Fetch.failRequest"] == [
        {"requestId": "P", "errorReason": "Failed"}
    ]
    assert "ValueError: a mistake" in talked.limits[0]


ANY_TEXT = st.one_of(TEXTS, st.text("[]:/@?#%.", max_size=8).map("http://".__add__))


@given(ANY_TEXT, ANY_TEXT)
def test_any_text_is_an_address(one: str, other: str) -> None:
    explicit_port(split_url(one))
    split_url(join_url(one, other))
    one, other = well_formed(one), well_formed(other)  # as it comes from the browser
    one.encode()
    origin(one)
    path_pattern(one)
    url_pattern(one, origin=other)
    address(one, other)
    place(one)
    Journal().exception({"exception": {"description": one}, "url": other, "stackTrace": {"callFrames": [{"url": one}]}})
