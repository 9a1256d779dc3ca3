"""With a recording the gate answers in place of the server, which is not even asked."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

from jostle.browser.http import Response, SentRequest
from jostle.browser.pending import PendingResponse
from jostle.browser.responders import SERVER, Responder, Route, layered
from jostle.recording.answers import RecordedAnswers
from jostle.recording.file import Manifest
from jostle.recording.recorder import Recorder
from tests.browser.driven import Driven, OpenApp
from tests.browser.live import Site


class Memory(Responder):
    """All answers of a live run, by method and address."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], Response] = {}
        self.bodies: dict[str, bytes] = {}

    def note(self, answer: PendingResponse) -> None:
        assert answer.response is not None
        self.known[answer.request.method, answer.request.url] = answer.response

    async def respond(self, request: SentRequest) -> Response | Route | None:
        self.bodies[request.url] = request.body
        return self.known.get((request.method, request.url))


def walk(page: Driven) -> tuple[list[str], str, str]:
    page.reset()
    page.let("GET /")
    page.drain()
    page.act('click button "Go"')
    page.let("POST /form")
    page.drain()
    page.act('click link "Next"')
    page.drain()
    return list(page.keys), page.text("#out"), page.state().digest


def test_a_run_is_repeated_without_the_server(site: Site, app: OpenApp) -> None:
    opened = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "*",
        "Access-Control-Allow-Methods": "*",
    }
    site.pages = {
        "/": (302, {"Location": "/start"}, b""),
        "/start": f"""<link rel=stylesheet href=/s.css><script src=/a.js></script><p id=out>-</p>
        <button onclick="
        const form = new FormData(); form.set('file', new Blob(['inside']), 'a.txt');
        fetch('/moved').then((r) => r.text()).then((t) => {{ out.textContent += t }});
        fetch('{site.other_url}/api', {{method: 'PUT', headers: {{'x-special': '1'}}}}).then((r) => r.text()).then((t) => {{ out.textContent += t }});
        fetch('/form', {{method: 'POST', body: form}}).then((r) => r.text()).then((t) => {{ out.textContent += t + document.cookie }});
        fetch('http://127.0.0.1:9/').catch(() => {{ out.textContent += 'failed' }});
        ">Go</button><a href=/next>Next</a>""",
        "/s.css": "p { color: red }",
        "/a.js": "document.title = 'from a script'",
        "/moved": (307, {"Location": "/target"}, b""),
        "/target": "[target]",
        "/api": (200, opened, b"[api]"),
        "/form": (200, {"Set-Cookie": "c=1"}, b"[form]"),
        "/next": "<p id=out>next</p><script>out.textContent += document.cookie</script>",
    }
    memory = Memory()
    live = walk(app(on_exchange=memory.note))
    assert live[1] == "nextc=1"
    asked = len(site.requests)
    site.pages = {}
    for _ in range(2):
        assert walk(app(responder=memory)) == live
    assert len(site.requests) == asked
    assert b"inside" in memory.bodies[f"{site.url}/form"]


def test_what_the_recording_does_not_know_fails(site: Site, app: OpenApp) -> None:
    memory = Memory()
    html = (("Content-Type", "text/html"),)
    page_itself = b"<p id=out></p><script>fetch('/unknown').catch((e) => { out.textContent = e.name })</script>"
    memory.known["GET", f"{site.url}/"] = Response(headers=html, body=page_itself)
    page = app(responder=memory)
    page.open()
    assert page.text("#out") == "TypeError"
    assert site.requests == []


def test_in_another_order_each_event_delivers_what_it_delivered(site: Site, app: OpenApp) -> None:
    """Who leaves the page before its script is there asks for the number once less: it is that of the second page all
    the same, and it is kept so."""
    site.pages = {
        "/": "<a href='/?again'>Again</a><p id=out></p><script src=/late.js></script>",
        "/late.js": "fetch('/number').then((answer) => answer.text()).then((text) => { out.textContent = text })",
        "/number": "1",
    }
    recorder = Recorder(Manifest(url=site.url))
    page = app(on_exchange=recorder.exchanged)
    page.open()
    site.pages["/number"] = "2"
    page.act('click link "Again"')
    page.drain()
    assert page.text("#out") == "2"

    answers = RecordedAnswers(recorder.recording(), exact=True)
    kept = Recorder(Manifest(url=site.url))
    again = app(responder=layered([answers, SERVER]), on_exchange=kept.exchanged)
    again.reset()
    again.let("GET /")
    again.act('click link "Again"')
    again.drain()
    assert again.text("#out") == "2"
    recording = kept.recording()
    numbers = [recording.body_of(each) for each in recording.exchanges if each.url.endswith("/number")]
    assert numbers == [b"2"]
