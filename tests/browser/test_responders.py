"""Responders in layers: a mock before a recording before the server."""

from __future__ import annotations

import asyncio
from typing import Any

from jostle.browser.http import Response, SentRequest
from jostle.browser.pending import PendingResponse
from jostle.browser.responders import SERVER, Layered, Replaceable, Responder, Route, layered
from tests.browser.driven import OpenApp
from tests.browser.live import Site

PAGE = """<link rel=icon href="data:,"><p id=out></p><script>
const log = (text) => { out.textContent += `${text} `; };
const load = (path) => fetch(path).then((response) => response.text()).then(log, (error) => log(error.name));
</script><button onclick="for (const path of ['/mocked', '/recorded', '/served']) load(path)">Go</button>"""


OPENED = {"Access-Control-Allow-Origin": "*"}


class Known(Responder):
    """Knows some paths, and says what it was asked and told."""

    def __init__(self, **bodies: str) -> None:
        self.bodies = bodies
        self.asked: list[str] = []
        self.left: list[str] = []

    async def respond(self, request: SentRequest) -> Response | Route | None:
        path = request.url.rpartition("/")[2]
        self.asked.append(path)
        body = self.bodies.get(path or "index")
        kind = "text/html" if request.resource == "document" else "text/plain"
        return Response(headers=(("Content-Type", kind),), body=body.encode()) if body is not None else None

    def abandoned(self, request: SentRequest) -> None:
        self.left.append(request.url.rpartition("/")[2])


class Slow(Known):
    """The same, but it takes its time."""

    async def respond(self, request: SentRequest) -> Response | Route | None:
        given = await super().respond(request)
        await asyncio.sleep(0.2 if given else 0.05)
        return given


def test_the_first_layer_that_knows_answers_and_the_server_is_the_last(site: Site, app: OpenApp) -> None:
    site.pages = {"/": PAGE, "/mocked": "server", "/recorded": "server", "/served": "server"}
    mock, recording = Slow(mocked="mock"), Known(mocked="recording", recorded="recording")
    passed: list[PendingResponse] = []
    page = app(responder=layered([mock, recording, SERVER]), on_exchange=passed.append)
    page.open()
    page.act('click button "Go"')
    assert sorted(page.names()) == ["GET /mocked", "GET /recorded", "GET /served"], "each is held, whoever gave it"
    for path in ("/served", "/recorded", "/mocked"):
        page.let(f"GET {path}")
    assert page.text("#out") == "server recording mock "
    assert site.requests == ["/", "/served"]
    assert sorted(mock.asked) == ["", "mocked", "recorded", "served"]
    assert sorted(recording.asked) == ["", "recorded", "served"]
    bodies = [each.response.body for each in passed if each.response is not None]
    assert sorted(bodies[1:]) == [b"mock", b"recording", b"server"], "such a run is recorded itself"


def test_what_no_layer_knows_fails_where_there_is_no_server_below(site: Site, app: OpenApp) -> None:
    passed: list[PendingResponse] = []
    page = app(responder=layered([Slow(mocked="mock"), Known(index=PAGE)]), on_exchange=passed.append)
    page.open()
    page.act('click button "Go"')
    page.drain()
    assert sorted(page.text("#out").split()) == ["TypeError", "TypeError", "mock"]
    assert site.requests == [] and passed == []


def test_a_layer_may_send_a_request_past_the_others(site: Site, app: OpenApp) -> None:
    class Past(Responder):
        async def respond(self, request: SentRequest) -> Response | Route | None:
            return Route.SERVER if request.url.endswith("/recorded") else None

    site.pages = {"/recorded": "server"}
    page = app(responder=layered([Past(), Known(index=PAGE, mocked="known", recorded="known", served="known")]))
    page.open()
    page.act('click button "Go"')
    page.let("GET /recorded")
    assert page.text("#out") == "server "
    assert site.requests == ["/recorded"]


def test_blocked_origins_are_not_asked_for_what_no_layer_knows(site: Site, app: OpenApp) -> None:
    known = Known(index=PAGE.replace("/served", f"{site.other_url}/served"))
    site.pages = {
        "/served": (200, OPENED, "server"),
        "/mocked": "own",
        "/recorded": "own",
    }
    page = app(responder=layered([known, SERVER]), block_third_party=True)
    page.open()
    page.act('click button "Go"')
    page.drain()
    assert sorted(page.text("#out").split()) == ["TypeError", "own", "own"]
    assert "/served" not in site.requests


def test_a_request_that_is_aborted_while_a_layer_thinks_is_given_up(site: Site, app: OpenApp) -> None:
    thinking = asyncio.Event()

    class Thinking(Known):
        async def respond(self, request: SentRequest) -> Response | Route | None:
            if request.resource == "fetch":
                await thinking.wait()
            return await super().respond(request)

    html = """<p id=out></p><script>const abort = new AbortController();</script>
    <button onclick="fetch('/late', {signal: abort.signal}).catch((e) => { out.textContent = e.name })">Ask</button>
    <button onclick="abort.abort()">Abort</button>"""
    layer = Thinking(index=html, late="late")
    page = app(responder=layer)
    page.open()
    page.act('click button "Ask"')
    page.act('click button "Abort"')

    async def think_on() -> None:
        thinking.set()
        await asyncio.sleep(0.1)

    page.run(think_on())
    assert page.text("#out") == "AbortError"
    assert page.waiting() == [] and layer.left == ["late"]


def test_a_layer_that_fails_is_told_and_its_request_fails(site: Site, app: OpenApp) -> None:
    class Wrong(Responder):
        async def respond(self, request: SentRequest) -> Response | Route | None:
            if request.url.endswith("/mocked"):
                raise KeyError("mocked")
            return None

    page = app(responder=layered([Wrong(), Known(index=PAGE, recorded="known", served="known")]))
    page.open()
    effects = [page.act('click button "Go"'), *page.drain()]
    assert sorted(page.text("#out").split()) == ["TypeError", "known", "known"]
    limits = [words for each in effects for words in each.limits]
    assert limits == [f"GET {site.url}/mocked could not be answered: KeyError('mocked')"]


def test_layers_of_layers_are_one_pile() -> None:
    above, below = Known(a="1"), Known(b="2")
    pile = layered([layered([above]), Replaceable(below), layered([SERVER])])
    assert isinstance(pile, Layered) and pile.layers[0] is above and pile.layers[-1] is SERVER
    assert pile.reaches_server and not layered([above]).reaches_server

    def given(path: str) -> Response | Route | None:
        return asyncio.run(pile.respond(SentRequest(method="GET", url=f"http://a.test/{path}")))

    assert [given(path) for path in "abc"] == [
        Response(headers=(("Content-Type", "text/plain"),), body=b"1"),
        Response(headers=(("Content-Type", "text/plain"),), body=b"2"),
        Route.SERVER,
    ]
    pile.abandoned(SentRequest(method="GET", url="http://a.test/b"))
    assert above.left == below.left == ["b"]


def test_the_first_layer_that_speaks_for_a_socket_does_so() -> None:
    class Speaking(Responder):
        def __init__(self, *spoken_for: str) -> None:
            self._spoken_for = spoken_for

        async def respond(self, request: SentRequest) -> Response | Route | None:
            return None

        def messages(self, kind: str, url: str, number: int, sent: int, fed: int) -> list[dict[str, Any]] | None:
            return [{"type": "message", "data": url}][fed:] if url in self._spoken_for else None

    pile = layered([Speaking("/a"), Speaking("/a", "/b")])
    assert pile.messages("socket", "/b", 1, 0, 0) == [{"type": "message", "data": "/b"}]
    assert pile.messages("socket", "/a", 1, 0, 1) == [], "nothing more to say, and nobody else speaks for it"
    assert pile.messages("socket", "/c", 1, 0, 0) is None
