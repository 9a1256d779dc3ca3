"""Answers happen when we say so: fetch, XMLHttpRequest and the resources of a page."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import base64
import time
from collections.abc import Iterator

import pytest

from jostle.browser import draining
from jostle.browser.pending import PendingResponse
from jostle.browser.settings import Control, TabSettings
from jostle.events import Milestone
from tests.browser.driven import OpenApp
from tests.browser.live import Site

LOGGED = (
    "<p id=out></p><script>const log = (text) => { document.querySelector('#out').textContent += text + ' ' }</script>"
)


def test_answers_released_in_reverse_run_their_handlers_in_reverse(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": LOGGED
        + """<button onclick="
        for (const n of [1, 2]) fetch('/f' + n).then((r) => r.text()).then(log);
        for (const n of [3, 4]) { const x = new XMLHttpRequest(); x.onload = () => log(x.responseText); x.open('GET', '/f' + n); x.send(); }
        ">Go</button>""",
        **{f"/f{n}": f"answer{n}" for n in (1, 2, 3, 4)},
    }
    page = app()
    page.open()
    effect = page.act('click button "Go"')
    assert [event.what for event in effect.created] == ["GET /f1", "GET /f2", "GET /f3", "GET /f4"]
    assert [request.url for request in effect.requests] == [f"{site.url}/f{n}" for n in (1, 2, 3, 4)]
    for n in (4, 3, 2, 1):
        changes = page.let(f"GET /f{n}").changes
        assert [change.target for change in changes] == ["p#out"]
    assert page.text("#out") == "answer4 answer3 answer2 answer1 "
    assert page.waiting() == []


def test_an_aborted_request_is_no_longer_possible(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": LOGGED
        + """<button onclick="
        aborter = new AbortController();
        fetch('/f', {signal: aborter.signal}).then(() => log('fetched'), (e) => log(e.name));
        xhr = new XMLHttpRequest(); xhr.onload = () => log('loaded'); xhr.onabort = () => log('onabort'); xhr.open('GET', '/x'); xhr.send();
        ">Go</button><button onclick="aborter.abort()">Abort fetch</button><button onclick="xhr.abort()">Abort XHR</button>""",
        "/f": "f",
        "/x": "x",
    }
    page = app()
    page.open()
    page.act('click button "Go"')
    fetched, loaded = page.waiting()
    assert page.act('click button "Abort fetch"').removed == (fetched.key,)
    assert page.names() == ["GET /x"]
    assert page.act('click button "Abort XHR"').removed == (loaded.key,)
    assert page.waiting() == []
    assert page.text("#out") == "AbortError onabort "


def test_bodies_of_uploads_are_seen(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": LOGGED
        + """<button onclick="
        const form = new FormData(); form.set('name', 'Zoë'); form.set('file', new Blob(['inside']), 'a.txt');
        fetch('/multipart', {method: 'POST', body: form});
        fetch('/blob', {method: 'PUT', body: new Blob([new Uint8Array([1, 2, 255])])});
        fetch('/json', {method: 'POST', body: JSON.stringify({items: [1, 'ü']}), headers: {'content-type': 'application/json'}});
        ">Go</button>""",
        **{path: lambda asked: "ok" for path in ("/multipart", "/blob", "/json")},
    }
    exchanged: list[PendingResponse] = []
    page = app(on_exchange=exchanged.append)
    page.open()
    effect = page.act('click button "Go"')
    bodies = {request.url.rsplit("/", 1)[1]: request.body for request in effect.requests}
    assert bodies["json"] == '{"items":[1,"ü"]}'
    page.drain()
    sent = {answer.request.url.rsplit("/", 1)[1]: answer.request.body for answer in exchanged}
    seen = {asked.path[1:]: asked.body for asked in site.received}
    assert sent["json"] == seen["json"]
    assert b'name="name"' in sent["multipart"] and "Zoë".encode() in sent["multipart"]
    assert sent["blob"] == seen["blob"] == bytes([1, 2, 255])
    assert b"inside" in sent["multipart"]


def test_a_slow_answer_is_waited_for_and_delivered_whole(site: Site, app: OpenApp) -> None:
    def pieces() -> Iterator[bytes]:
        for n in range(5):
            time.sleep(0.05)
            yield b"%d," % n

    site.pages = {
        "/": LOGGED
        + """<button onclick="
        fetch('/slow').then(async (r) => {
          const reader = r.body.getReader(), decoder = new TextDecoder(); let text = '';
          for (;;) { const {done, value} = await reader.read(); if (done) break; text += decoder.decode(value); }
          log(text);
        })">Go</button>""",
        "/slow": lambda request: pieces(),
    }
    page = app()
    page.open()
    page.act('click button "Go"')
    page.let("GET /slow")
    assert page.text("#out") == "0,1,2,3,4, "


def test_an_endless_stream_does_not_stop_the_page(site: Site, app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draining, "STREAM_TIMEOUT", 0.7)

    def pieces() -> Iterator[bytes]:
        for _ in range(200):
            yield b"tick "
            time.sleep(0.1)

    site.pages = {
        "/": LOGGED
        + """<button onclick="fetch('/endless').then((r) => { log('begun'); return r.text() }).then((t) => log(t))">Go</button>
        <button onclick="fetch('/f').then((r) => r.text()).then(log)">Other</button>""",
        "/endless": lambda request: (200, {"Content-Type": "text/event-stream"}, pieces()),
        "/f": "other",
    }
    said: list[str] = []
    page = app(on_limit=said.append)
    page.open()
    page.act('click button "Go"')
    effect = page.let("GET /endless")
    assert any("/endless is a stream that did not end" in words for words in said)
    assert effect.hung == ""
    page.act('click button "Other"')
    page.let("GET /f")
    assert page.text("#out").startswith("begun tick tick tick")
    assert page.text("#out").endswith("other ")


def test_held_answers_do_not_keep_a_further_request_from_the_server(site: Site, app: OpenApp) -> None:
    size = 8 * 1024 * 1024
    site.pages = {
        "/": LOGGED
        + """<button onclick="for (let n = 0; n < 8; n++) fetch('/big?n=' + n).then((r) => r.text()).then((t) => log(t.length))">Big</button>
        <button onclick="fetch('/ninth').then((r) => r.text()).then(log)">Ninth</button>""",
        "/big": (200, {"Content-Type": "text/plain"}, b"x" * size),
        "/ninth": "ninth",
    }
    page = app()
    page.open()
    page.act('click button "Big"')
    page.act('click button "Ninth"')
    deadline = time.monotonic() + 45
    while "GET /ninth" not in page.names() and time.monotonic() < deadline:
        pass  # a busy machine takes its time for 64 MB
    page.let("GET /ninth")
    assert page.text("#out") == "ninth "
    page.drain()
    assert page.text("#out") == "ninth " + f"{size} " * 8


def test_a_synchronous_request_is_answered_at_once_and_noted(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": LOGGED
        + """<button onclick="const x = new XMLHttpRequest(); x.open('GET', '/sync', false); x.send(); log(x.responseText)">Go</button>""",
        "/sync": "at once",
    }
    page = app()
    page.open()
    effect = page.act('click button "Go"')
    assert page.text("#out") == "at once "
    assert effect.created == ()
    assert any("synchronous" in words and "/sync" in words for words in effect.limits)


def test_redirects_are_one_event(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": (302, {"Location": "/one"}, b""),
        "/one": (301, {"Location": "/two"}, b""),
        "/two": LOGGED
        + """<button onclick="fetch('/r1').then((r) => r.text().then((t) => log(r.url + t)))">Go</button>""",
        "/r1": (302, {"Location": "/r2"}, b""),
        "/r2": (307, {"Location": "/r3"}, b""),
        "/r3": "end",
    }
    page = app()
    page.reset()
    assert page.names() == ["GET /"]
    page.drain()
    assert page.ask("location.pathname") == "/two"
    effect = page.act('click button "Go"')
    assert page.names() == ["GET /r1"]
    assert [event.what for event in effect.created] == ["GET /r1"]
    page.let("GET /r1")
    assert page.text("#out") == f"{site.url}/r3end "


def test_error_statuses_and_refused_connections_reach_the_page(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": LOGGED
        + """<button onclick="
        fetch('/500').then((r) => log(r.status)); fetch('/404').then((r) => log(r.status));
        fetch('http://127.0.0.1:9/').catch((e) => log(e.name));
        ">Go</button>""",
        "/500": (500, {}, b"broken"),
    }
    page = app()
    page.open()
    page.act('click button "Go"')
    assert page.names() == ["GET /500", "GET /404", "GET http://127.0.0.1:9/"]
    page.let("GET http://127.0.0.1:9/")
    page.let("GET /404")
    page.let("GET /500")
    assert page.text("#out") == "TypeError 404 500 "


def test_a_preflight_belongs_to_its_request(site: Site, app: OpenApp) -> None:
    allowed = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "x-special",
        "Access-Control-Allow-Methods": "PUT",
    }
    site.pages = {
        "/": LOGGED
        + f"""<button onclick="fetch('{site.other_url}/api', {{method: 'PUT', headers: {{'x-special': '1'}}, body: 'b'}}).then((r) => r.text()).then(log)">Go</button>
        <button onclick="fetch('{site.other_url}/closed').catch((e) => log(e.name))">Closed</button>""",
        "/api": lambda request: (200, allowed, b"" if request.command == "OPTIONS" else b"put"),
        "/closed": "no",
    }
    page = app()
    page.open()
    page.act('click button "Go"')
    assert page.names() == [f"PUT {site.other_url}/api"]
    assert [request.command for request in site.received if request.path == "/api"] == ["OPTIONS", "PUT"]
    page.let("PUT")
    assert page.text("#out") == "put "
    page.act('click button "Closed"')
    page.drain()
    assert page.text("#out") == "put TypeError "


def test_every_resource_is_an_event_and_runs_within_its_step(site: Site, app: OpenApp) -> None:
    png = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    site.pages = {
        "/": f"""<head><script>var logged = []; const log = (text) => {{ logged.push(text) }}</script>
        <link rel=stylesheet href=/s.css><style>@font-face {{ font-family: F; src: url({site.url}/f.woff2) }} body {{ font-family: F }}</style></head><body>
        <img src="{site.other_url}/i.png" onload="log('image')">
        <script src=/async.js async></script><script src=/blocking.js></script>
        <script src=/defer1.js defer></script><script src=/defer2.js defer></script>
        <script type=module src=/m.mjs></script>
        <button onclick="import('/dynamic.mjs').then((m) => log(m.name))">Import</button>
        <button onclick="window.cb = (x) => log('jsonp' + x); const s = document.createElement('script'); s.src = '/jsonp.js?callback=cb'; document.head.append(s)">JSONP</button>
        """,
        "/s.css": "p { color: red }",
        "/f.woff2": b"no font",
        "/i.png": png,
        "/blocking.js": "log('blocking')",
        "/async.js": "log('async')",
        "/defer1.js": "log('defer1')",
        "/defer2.js": "log('defer2')",
        "/m.mjs": "import {name} from '/inner.mjs'; log('module ' + name)",
        "/inner.mjs": "export const name = 'inner'",
        "/dynamic.mjs": "export const name = 'dynamic'",
        "/jsonp.js": "cb(1)",
    }
    page = app()
    page.reset()
    page.let("GET /")
    names = page.names()
    assert set(names) >= {
        "GET /s.css",
        "GET /blocking.js",
        "GET /async.js",
        "GET /defer1.js",
        "GET /defer2.js",
        "GET /m.mjs",
    }
    assert not any("favicon" in name for name in names)
    page.let("GET /async.js")
    assert page.ask("logged.join(` `)").split() == ["async"]
    page.let("GET /s.css")
    page.let("GET /defer2.js")
    effect = page.let("GET /blocking.js")
    assert page.ask("logged.join(` `)").split() == ["async", "blocking"]
    page.let("GET /defer1.js")
    assert page.ask("logged.join(` `)").split() == ["async", "blocking", "defer1", "defer2"]
    effect = page.let("GET /m.mjs")
    assert [event.what for event in effect.created] == ["GET /inner.mjs"]
    effect = page.let("GET /inner.mjs")
    assert page.ask("logged.join(` `)").split()[-2:] == ["module", "inner"]
    assert Milestone("DOMContentLoaded") in effect.lifecycle
    page.let(f"GET {site.other_url}/i.png")
    assert page.ask("logged.join(` `)").split()[-1] == "image"
    page.let("GET /f.woff2")
    assert page.names() == []
    assert page.ask("document.readyState") == "complete"
    page.act('click button "Import"')
    page.let("GET /dynamic.mjs")
    assert page.ask("logged.join(` `)").split()[-1] == "dynamic"
    page.act('click button "JSONP"')
    page.let("GET /jsonp.js")
    assert page.ask("logged.join(` `)").split()[-1] == "jsonp1"


def test_a_script_that_awaits_its_turn_is_not_waited_for(site: Site, app: OpenApp) -> None:
    """Deferred scripts and modules run in the order of the page: this one after what the module before it imports."""
    site.pages = {
        "/": """<script>var logged = []; const log = (text) => { logged.push(text) }</script>
        <script type=module src=/m.mjs></script><script src=/defer.js defer></script><script src=/last.js defer></script>""",
        "/m.mjs": "import {name} from '/inner.mjs'; log('module ' + name)",
        "/inner.mjs": "export const name = 'inner'",
        "/defer.js": "log('defer')",
        "/last.js": "log('last')",
    }
    page = app()
    usual: list[float] = []
    seconds: list[float] = []
    others: list[float] = []
    for _ in range(3):  # other work on the machine may make it slow now and then
        page.reset()
        page.let("GET /")
        for name, took in (("GET /last.js", usual), ("GET /m.mjs", others), ("GET /defer.js", seconds)):
            began = time.monotonic()
            page.let(name)
            took.append(time.monotonic() - began)
        assert page.ask("logged.join(`, `)") == ""
        page.let("GET /inner.mjs")
        assert page.ask("logged.join(`, `)") == "module inner, defer, last"
        assert page.names() == []
    assert min(seconds) < min(usual) + 0.2


def test_preload_prefetch_data_and_blob(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": LOGGED
        + """<link rel=preload as=script href=/p.js><link rel=prefetch href=/later.html>
        <img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" onload="log('data')">
        <script src=/p.js></script>
        <script>fetch(URL.createObjectURL(new Blob(['blob']))).then((r) => r.text()).then(log);
        fetch('data:text/plain,inline').then((r) => r.text()).then(log)</script>""",
        "/p.js": "log('preloaded')",
        "/later.html": "later",
    }
    page = app()
    page.open()
    assert sorted(page.text("#out").split()) == ["blob", "data", "inline", "preloaded"]
    assert page.waiting() == []
    assert page.ask("document.readyState") == "complete"


def test_a_service_worker_is_refused_and_said_so(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": LOGGED
        + """<script>navigator.serviceWorker.register('/sw.js').then(() => log('ready'), (error) => log(error.name))</script>
        <button onclick="fetch('/f').then((r) => r.text()).then(log)">Go</button>""",
        "/sw.js": "onfetch = (e) => e.respondWith(new Response('from the worker')); onactivate = (e) => e.waitUntil(clients.claim())",
        "/f": "from the server",
    }
    said: list[str] = []
    page = app(on_limit=said.append)
    page.open()
    assert any("service worker" in words for words in said)
    page.act('click button "Go"')
    page.let("GET /f")
    assert page.text("#out") == "SecurityError from the server "
    assert "/sw.js" not in site.requests


def test_cookies_of_answers_and_of_the_page(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": (
            200,
            {"Set-Cookie": "who=me; Path=/"},
            "<p id=out></p><script>document.cookie = 'mine=1'</script>"
            "<button onclick=\"fetch('/set').then(() => fetch('/see'))\">Go</button>",
        ),
        "/set": (200, {"Set-Cookie": "later=2; HttpOnly"}, b""),
        "/see": "seen",
    }
    page = app(cookies=[{"name": "before", "value": "0", "url": site.url}])
    page.open()
    page.act('click button "Go"')
    page.drain()
    sent = {request.path: request.headers.get("Cookie") for request in site.received}
    assert sent["/"] == "before=0"
    assert sent["/see"] is not None
    assert set(sent["/see"].split("; ")) == {"before=0", "who=me", "mine=1", "later=2"}
    page.open()
    assert page.ask("document.cookie") == "before=0; who=me; mine=1"


def test_nothing_comes_from_a_cache(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": "<script src=/a.js></script><a href=/>again</a>",
        "/a.js": (200, {"Cache-Control": "max-age=3600", "Content-Type": "text/javascript"}, b"1"),
    }
    page = app()
    page.open()
    page.act('click link "again"')
    page.drain()
    assert [path for path in site.requests if path == "/a.js"] == ["/a.js"] * 2


def test_the_same_run_twice_gives_the_same_events_and_the_same_state(site: Site, app: OpenApp) -> None:
    site.pages = {
        "/": LOGGED
        + """<script src=/a.js async></script><script src=/b.js async></script>
        <button onclick="for (const n of [1, 2, 3]) fetch('/f?n=' + n).then((r) => r.text()).then((t) => { log(t + Math.random() + Date.now()); if (n == 2) setTimeout(() => log('later'), 100) })">Go</button>""",
        "/a.js": "log('a'); localStorage.a = 1",
        "/b.js": "log('b' + Math.random())",
        "/f": lambda request: request.path,
    }
    runs = []
    for _ in range(2):
        page = app()
        page.reset()
        page.let("GET /")
        page.let("GET /b.js")
        page.let("GET /a.js")
        page.act('click button "Go"')
        for n in (2, 3, 1):
            page.let(f"GET /f?n={n}")
        page.drain()
        runs.append((list(page.keys), page.text("#out"), page.state().digest))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("control", [Control.SCHEDULED, Control.FLOWING])
def test_requests_to_other_origins_fail_when_they_are_to_be_blocked(site: Site, app: OpenApp, control: Control) -> None:
    other = site.url.replace("127.0.0.1", "localhost")
    site.pages = {
        "/": LOGGED
        + f"""<button onclick="
        for (const u of ['/mine', '{other}/theirs']) fetch(u).then((r) => r.text()).then(log, (e) => log(e.name));
        ">Go</button>""",
        "/mine": "mine",
        "/theirs": "theirs",
    }
    page = app(block_third_party=True, settings=TabSettings(control=control))
    page.open()
    effects = [page.act('click button "Go"'), *page.drain()]
    assert sorted(page.text("#out").split()) == ["TypeError", "mine"]
    assert "/theirs" not in site.requests
    answers = {answer.url.rpartition("/")[2]: answer.error for each in effects for answer in each.answers}
    assert answers == {"mine": "", "theirs": "BlockedByClient"}
    assert f"requests to {other} are blocked, as configured" in [limit for each in effects for limit in each.limits]
