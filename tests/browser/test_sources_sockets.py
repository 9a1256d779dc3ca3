"""WebSocket and EventSource: what arrives is held, live and from a recording."""

# ruff: noqa: E501 (pages stay readable in lines of their own length)
from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from websockets.sync.server import ServerConnection, serve

from jostle.browser.http import Response, SentRequest
from jostle.browser.responders import Responder, Route
from tests.browser.live import Browser, Request, Site
from tests.browser.story import LOG, Telling, tell

Params = dict[str, Any]


@pytest.fixture(scope="module")
def echo() -> Iterator[str]:
    """The address of a server that says everything back."""

    def talk(connection: ServerConnection) -> None:
        for message in connection:
            if message == "bye":
                connection.close(4001, "so long")
                return
            connection.send(message if isinstance(message, bytes) else f"re: {message}")

    with serve(talk, "127.0.0.1", 0, subprotocols=["chat"]) as server:  # type: ignore[list-item]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/echo"
        server.shutdown()


_SOCKET = """<button>Send</button><button>Close</button><script>
class Mine extends WebSocket { constructor(...args) { super(...args); this.own = 1; } }
const socket = new Mine("ADDRESS", "chat");
log(socket instanceof WebSocket, socket.own, socket.readyState, WebSocket.OPEN, socket.OPEN, String(socket), WebSocket.name);
socket.addEventListener("message", () => log("first"), { once: true });
socket.onopen = (event) => { log("open", socket.readyState, socket.protocol, event.target === socket); };
socket.onmessage = async ({ data, origin }) => log("message", data instanceof ArrayBuffer ? new Uint8Array(data) : data instanceof Blob ? await data.text() : data, origin === new URL("ADDRESS").origin);
socket.onclose = (event) => log("close", event instanceof CloseEvent, event.code, event.reason, event.wasClean, socket.readyState);
socket.onerror = () => log("error");
try { socket.send("too early"); } catch (error) { log(error.name); }
const [send, close] = document.querySelectorAll("button");
let n = 0;
send.onclick = () => {
  if (++n === 1) { socket.send("one"); socket.send("two"); }
  else if (n === 2) { socket.binaryType = "arraybuffer"; socket.send(new Uint8Array([9, 1, 2, 9]).subarray(1, 3)); }
  else socket.send("bye");
};
close.onclick = () => socket.close(1000, "enough");
</script>"""


def _begin(page: Telling) -> None:
    page.load()
    assert page.said == ["true 1 0 1 1 [object WebSocket] WebSocket", "InvalidStateError"]
    assert page.names() == ["open on socket /echo"]
    page.let("open on socket")
    assert page.said[2:] == ["open 1 chat true"]


def _until(page: Telling, *names: str) -> None:
    """A server takes its time to say something of its own accord."""
    there: list[str] = []
    for _ in range(100):
        there = [event.what for event in page.waiting()]
        if there == list(names):
            return
        time.sleep(0.03)
    raise AssertionError(there)


def _talk(page: Telling) -> None:
    _begin(page)
    page.act('click button "Send"')
    for text in ("one", "two"):
        _until(page, "message on socket /echo")
        page.let("message on socket")
        assert page.said[-1] == f"message re: {text} true"
    assert page.said.count("first") == 1
    page.act('click button "Send"')
    _until(page, "message on socket /echo")
    page.let("message on socket")
    assert page.said[-1] == "message 1,2 true"
    page.act('click button "Send"')
    _until(page, "close on socket /echo")
    page.let("close on socket")
    assert page.said[-1] == "close true 4001 so long true 3"
    assert page.names() == []


def test_a_conversation_with_a_server(browser: Browser, site: Site, echo: str) -> None:
    url = site.serve(LOG + _SOCKET.replace("ADDRESS", echo))
    tell(browser, url, _talk)


def test_the_page_closes_first(browser: Browser, site: Site, echo: str) -> None:
    url = site.serve(LOG + _SOCKET.replace("ADDRESS", echo))

    def story(page: Telling) -> None:
        _begin(page)
        page.act('click button "Send"')
        _until(page, "message on socket /echo")
        effect = page.act('click button "Close"')
        assert len(effect.removed) in (1, 2)  # what has arrived and was not delivered never will be
        assert page.ask("socket.readyState") == 2
        _until(page, "close on socket /echo")
        page.let("close on socket")
        assert page.said[3:] == ["close true 1000 enough true 3"]

    tell(browser, url, story)


def test_nobody_listens(browser: Browser, site: Site) -> None:
    url = site.serve(LOG + _SOCKET.replace("ADDRESS", "ws://127.0.0.1:9/echo"))

    def story(page: Telling) -> None:
        page.load()
        _until(page, "error on socket /echo")
        page.let("error on socket")
        assert page.ask("socket.readyState") == 3
        page.let("close on socket")
        assert page.said[2:] == ["error", "close true 1006  false 3"]

    tell(browser, url, story)


def test_wrong_arguments_of_a_socket(browser: Browser, site: Site, echo: str) -> None:
    url = site.serve(
        LOG
        + """<script>
        for (const make of [() => new WebSocket("ftp://x/"), () => new WebSocket("http://["), () => new WebSocket("ADDRESS", ["a", "a"]), () => WebSocket("ADDRESS")])
          try { make(); log("made"); } catch (error) { log(error.name); }
        log(new WebSocket("/relative").url === `ws://${location.host}/relative`);
        try { new WebSocket("ADDRESS").close(1001); } catch (error) { log(error.name); }
        log(Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage").enumerable, "onmessage" in WebSocket.prototype);
        log(/native code/.test(WebSocket) && /native code/.test(WebSocket.prototype.send), WebSocket.prototype.send.name);
        </script>""".replace("ADDRESS", echo)
    )
    page = Telling(browser, url)
    page.load()
    assert page.said == [
        "SyntaxError",
        "SyntaxError",
        "SyntaxError",
        "TypeError",
        "true",
        "InvalidAccessError",
        "true true",
        "true send",
    ]


class Recorded(Responder):
    """Answers with one page, and speaks for the servers of its sockets."""

    def __init__(self, html: str, said: Sequence[tuple[int, Params]]) -> None:
        self._html = html
        self._said = said
        self.asked: list[tuple[str, str, int]] = []

    async def respond(self, asked: SentRequest) -> Response | Route | None:
        if asked.resource != "document":
            return None
        return Response(headers=(("Content-Type", "text/html"),), body=self._html.encode())

    def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> Sequence[Params]:
        """Everything that was said once the page had sent so many messages."""
        self.asked.append((kind, url, number))
        return [item for after, item in self._said[fed:] if after <= sent]


def test_a_conversation_from_a_recording(browser: Browser) -> None:
    html = LOG + _SOCKET.replace("ADDRESS", "ws://127.0.0.1:9/echo")
    said: list[tuple[int, Params]] = [
        (0, {"type": "open", "data": "chat"}),
        (1, {"type": "message", "data": "re: one"}),
        (2, {"type": "message", "data": "re: two"}),
        (3, {"type": "message", "data": "AQI=", "binary": True}),
        (4, {"type": "close", "data": json.dumps({"code": 4001, "reason": "so long", "wasClean": True})}),
    ]
    recorded = Recorded(html, said)
    tell(browser, "http://127.0.0.1:9/", _talk, responder=recorded)
    assert set(recorded.asked) == {("socket", "ws://127.0.0.1:9/echo", 1)}


def test_closing_without_a_server(browser: Browser) -> None:
    html = LOG + _SOCKET.replace("ADDRESS", "ws://127.0.0.1:9/echo")

    def story(page: Telling) -> None:
        _begin(page)
        page.act('click button "Close"')
        page.let("close on socket")
        assert page.said[3:] == ["close true 1000 enough true 3"]
        assert page.names() == []

    tell(browser, "http://127.0.0.1:9/", story, responder=Recorded(html, [(0, {"type": "open", "data": "chat"})]))


_SOURCE = """<button>Close</button><script>
const source = new EventSource("/events");
log(source instanceof EventSource, source.readyState, EventSource.CLOSED, String(source), source.withCredentials);
source.onopen = () => log("open", source.readyState);
source.onmessage = ({ data, lastEventId }) => log("message", data, lastEventId);
source.addEventListener("price", (event) => log("price", event.data, event instanceof MessageEvent));
source.onerror = () => log("error", source.readyState);
document.querySelector("button").onclick = () => { source.close(); log("closed", source.readyState); };
</script>"""


def _read(page: Telling) -> None:
    page.load()
    assert page.said == ["true 0 2 [object EventSource] false"]
    _until(page, "open on event source /events")
    page.let("open on event source")
    for words in ("message hello 7", "price 42 true"):
        _until(page, "message on event source /events")
        page.let("message on event source")
        assert page.said[-1] == words


def test_an_event_source_and_its_next_connection(browser: Browser, site: Site) -> None:
    connections: list[str | None] = []

    def events(request: Request) -> None:
        connections.append(request.headers.get("Last-Event-ID"))
        request.send_response(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Connection", "close")
        request.end_headers()
        request.wfile.write(b"retry: 50\n\nid: 7\ndata: hello\n\nevent: price\ndata: 42\n\n")
        request.close_connection = True

    url = site.serve({"/": LOG + _SOURCE, "/events": events})

    def story(page: Telling) -> None:
        connections.clear()
        _read(page)
        _until(page, "error on event source /events")
        effect = page.let("error on event source")
        assert page.said[-1] == "error 0"
        _until(page, "open on event source /events")
        page.let("open on event source")
        assert connections[:2] == [None, "7"]
        page.act('click button "Close"')
        assert page.said[-1] == "closed 2"
        assert page.names() == []
        assert effect.errors == ()

    tell(browser, url, story)


def test_an_event_source_from_a_recording(browser: Browser) -> None:
    said = [
        (0, {"type": "open"}),
        (0, {"type": "message", "data": "hello", "name": "message", "last": "7"}),
        (0, {"type": "message", "data": "42", "name": "price", "last": "7"}),
        (0, {"type": "error", "data": "2"}),
    ]

    def story(page: Telling) -> None:
        _read(page)
        page.let("error on event source")
        assert page.said[-1] == "error 2"
        assert page.names() == []

    tell(browser, "http://127.0.0.1:9/", story, responder=Recorded(LOG + _SOURCE, said))


def test_an_event_source_that_does_not_exist(browser: Browser, site: Site) -> None:
    url = site.serve(LOG + _SOURCE)

    def story(page: Telling) -> None:
        page.load()
        _until(page, "error on event source /events")
        page.let("error on event source")
        assert page.said[1:] == ["error 2"]
        assert page.names() == []

    tell(browser, url, story)
