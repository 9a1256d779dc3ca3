"""The mock as a web server, over a real socket."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from jostle.cli.main import run
from jostle.listening import listening_socket
from jostle.serverapi.har import har_recording
from jostle.serverapi.mock.answering import MockServer
from jostle.serverapi.mock.faults import Fault
from jostle.serverapi.mock.latency import Latency
from jostle.serverapi.mock.releasing import Order, Releasing
from jostle.serverapi.mock.site import MockSite, address, server_for
from jostle.serverapi.mock.source import Source
from tests.serverapi.mock.test_answering import BASE, COMMENTS, mock_of
from tests.serverapi.test_har import entry, har


@contextlib.contextmanager
def serving(server: MockServer, **options: Any) -> Iterator[str]:
    with listening_socket("127.0.0.1", 0) as listening:
        web = server_for(MockSite(server, **options))
        thread = threading.Thread(target=web.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield address("127.0.0.1", listening)
        finally:
            web.should_exit = True
            thread.join(10)


def asked(url: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, Message, bytes]:
    request = urllib.request.Request(url, data=body, method=method, headers=headers)
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        return response.status, response.headers, response.read()


def test_over_the_network() -> None:
    told: list[str] = []
    with serving(
        mock_of(COMMENTS), on_response=lambda method, path, made: told.append(f"{made.status} {method} {path}")
    ) as url:
        status, headers, body = asked(f"{url}search?q=milk")
        assert (status, headers["content-type"]) == (200, "application/json")
        assert json.loads(body) == {"query": "milk", "hits": [{"id": 9}]}
        sent = json.dumps({"text": "hi"}).encode()
        status, _, body = asked(f"{url}posts/1/comments", "POST", sent, **{"Content-Type": "application/json"})
        assert (status, json.loads(body)["comment"]["text"]) == (201, "hi")
        assert asked(f"{url}nothing")[0] == 404
        assert asked(f"{url}search?q=milk", "HEAD")[2] == b""
    assert told[0] == "200 GET /search?q=milk"


def test_what_was_created_can_be_forgotten() -> None:
    with serving(mock_of(COMMENTS)) as url:
        before = asked(f"{url}posts/1/comments")[2]
        asked(f"{url}posts/1/comments", "POST", b'{"text": "hi"}', **{"Content-Type": "application/json"})
        assert asked(f"{url}posts/1/comments")[2] != before
        assert asked(f"{url}.jostle/reset", "POST")[0] == 204
        assert asked(f"{url}posts/1/comments")[2] == before


def test_pages_of_this_machine_may_ask() -> None:
    with serving(mock_of(COMMENTS)) as url:
        preflight = {"Origin": "http://localhost:3000", "Access-Control-Request-Method": "PUT"}
        status, headers, _ = asked(f"{url}search", "OPTIONS", None, **preflight)
        assert (status, headers["Access-Control-Allow-Origin"]) == (204, "http://localhost:3000")
        assert headers["Access-Control-Allow-Methods"] == "PUT"
        assert (
            asked(f"{url}broken", Origin="http://localhost:3000")[1]["Access-Control-Allow-Origin"]
            == "http://localhost:3000"
        )
        assert "Access-Control-Allow-Origin" not in asked(f"{url}broken", Origin="http://page.test")[1]
        assert "Access-Control-Allow-Origin" not in asked(f"{url}broken", Origin="null")[1]


def test_the_page_is_at_home_at_the_mock() -> None:
    text = f'<script src="{BASE}/app.js"></script>'
    page = entry(f"{BASE}/", content={"mimeType": "text/html", "size": 9, "text": text}, _resourceType="document")
    recording = har_recording(har(page, entry(f"{BASE}/api", _resourceType="fetch")), "x.har")
    with serving(mock_of(recording)) as url:
        assert asked(url)[2].decode() == f'<script src="{url}app.js"></script>'


def test_faults_over_the_network() -> None:
    with serving(mock_of(COMMENTS, faults=(Fault.MALFORMED,), fault_rate=1.0)) as url:
        assert asked(f"{url}search?q=milk")[1]["X-Jostle-Outside-Contract"] == "malformed"
    with serving(mock_of(COMMENTS, faults=(Fault.TIMEOUT,), fault_rate=1.0)) as url:
        request = urllib.request.Request(f"{url}search?q=milk")
        with pytest.raises(TimeoutError):
            urllib.request.urlopen(request, timeout=0.5)


def together(url: str, paths: list[str]) -> list[str]:
    """What is asked for in this order, at the same time; in the order in which responses came."""
    came: list[str] = []

    def ask(path: str) -> None:
        asked(f"{url}{path}")
        came.append(path)

    threads = [threading.Thread(target=ask, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
        time.sleep(0.02)  # the order of requests
    for thread in threads:
        thread.join(30)
    return came


def test_responses_in_another_order() -> None:
    paths = ["search?q=milk", "posts/1/comments", "search?q=m"]
    with serving(mock_of(COMMENTS), releasing=Releasing(Order.REVERSED, gather=1.0)) as url:
        assert together(url, paths) == paths[::-1]


def test_responses_when_they_are_told_to_go() -> None:
    with serving(mock_of(COMMENTS), releasing=Releasing(Order.MANUAL)) as url:
        came: list[str] = []
        thread = threading.Thread(target=lambda: came.extend(together(url, ["search?q=milk", "posts/1/comments"])))
        thread.start()
        deadline = time.monotonic() + 20
        while len(held := json.loads(asked(f"{url}.jostle/held")[2])) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        by_request = {each["request"]: each["number"] for each in held}
        assert list(by_request) == ["GET /search?q=milk", "GET /posts/1/comments"]
        assert asked(f"{url}.jostle/release?number=77", "POST")[0] == 404
        assert asked(f"{url}.jostle/release?number={by_request['GET /posts/1/comments']}", "POST")[0] == 204
        while not came and len(json.loads(asked(f"{url}.jostle/held")[2])) > 1:
            time.sleep(0.01)
        assert asked(f"{url}.jostle/release", "POST")[0] == 204
        thread.join(30)
        assert came == ["posts/1/comments", "search?q=milk"]


def test_responses_go_in_the_end_though_nobody_releases_them() -> None:
    with serving(mock_of(COMMENTS), releasing=Releasing(Order.MANUAL, longest=0.1)) as url:
        assert asked(f"{url}search?q=milk")[0] == 200


def test_what_was_shown_is_told() -> None:
    with serving(mock_of(COMMENTS, source=Source.COVERING)) as url:
        assert json.loads(asked(f"{url}.jostle/choices")[2]) == {"shown": 0, "known": 0}
        for number in range(8):
            asked(f"{url}search?q={number}")
        told = json.loads(asked(f"{url}.jostle/choices")[2])
        assert 0 < told["shown"] == told["known"]


def test_each_server_that_was_recorded_is_found_by_its_name() -> None:
    page = {"mimeType": "text/html", "size": 9, "text": '<script src="https://cdn.test/lib.js"></script>'}
    script = {"mimeType": "text/javascript", "size": 9, "text": "1"}
    other = {"mimeType": "text/javascript", "size": 9, "text": "2"}
    recording = har_recording(
        har(
            entry("http://page.test/", content=page, _resourceType="document"),
            entry("https://cdn.test/lib.js", content=script, _resourceType="script"),
            entry(f"{BASE}/lib.js", content=other, _resourceType="script"),
            entry(f"{BASE}/api", _resourceType="fetch"),
        ),
        "x.har",
    )
    with serving(mock_of(recording)) as url:
        assert asked(url, Host="page.test")[2].decode() == '<script src="http://cdn.test.localhost/lib.js"></script>'
        assert asked(f"{url}lib.js", Host="cdn.test.localhost")[2] == b"1"
        assert asked(f"{url}lib.js", Host="shop.test")[2] == b"2"
        assert asked(f"{url}api", Host="cdn.test.localhost")[0] == 404
        assert asked(f"{url}api", Host="shop.test")[0] == 200
        allowed = asked(f"{url}api", Host="shop.test", Origin="http://page.test")[1]
        assert allowed["Access-Control-Allow-Origin"] == "http://page.test"


def test_latency() -> None:
    with serving(mock_of(COMMENTS), latency=Latency.parse("200")) as url:
        began = time.monotonic()
        asked(f"{url}search?q=milk")
        assert time.monotonic() - began >= 0.2


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--port", "PORT"], 3, "is in use"),
        (["--latency", "soon"], 2, "`soon` is not a latency in milliseconds"),
        (["--fault", "fire"], 2, "'fire' is not one of"),
    ],
)
def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int, said: str) -> None:
    file = tmp_path / "x.ail"
    file.write_text("URL http://x\nGET a() : void")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        words = [str(taken.getsockname()[1]) if each == "PORT" else each for each in options]
        assert run(["api", "mock", str(file), *words]) == code
    assert said in capsys.readouterr().err


def test_a_description_without_its_schemas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.ail"
    file.write_text("URL http://x\nGET a() : @s.json")
    assert run(["api", "mock", str(file)]) == 2
    assert "The schema s.json cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "a@b"])
def test_a_name_that_leads_here_is_refused(host: str) -> None:
    """A page from elsewhere whose name was given the address of this machine meanwhile."""
    with serving(mock_of(COMMENTS)) as url:
        assert asked(f"{url}search?q=milk", Host=host)[0] == 421
        assert asked(f"{url}.jostle/choices", Host=host)[0] == 421


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8", "192.168.0.7:80", "shop.localhost", "my-name"])
def test_names_that_nobody_else_can_have(host: str) -> None:
    with serving(mock_of(COMMENTS), host="my-name") as url:
        assert asked(f"{url}search?q=milk", Host=host)[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost.evil.example", "http://["])
def test_pages_from_elsewhere_change_nothing(origin: str) -> None:
    with serving(mock_of(COMMENTS)) as url:
        sent = {"Content-Type": "application/json", "Origin": origin}
        assert asked(f"{url}.jostle/reset", "POST", Origin=origin)[0] == 403
        assert asked(f"{url}.jostle/choices", Origin=origin)[0] == 403
        assert asked(f"{url}posts/1/comments", "POST", b'{"text": "hi"}', **sent)[0] == 403
        own = {**sent, "Origin": url.rstrip("/")}
        assert asked(f"{url}posts/1/comments", "POST", b'{"text": "hi"}', **own)[0] == 201


def test_who_might_read_what_was_recorded_may_not_read_the_mock() -> None:
    headers = [{"name": "Access-Control-Allow-Origin", "value": "*"}, {"name": "X-A\r\nX-B", "value": "1"}]
    with serving(mock_of(har_recording(har(entry(f"{BASE}/api", response={"headers": headers})), "x.har"))) as url:
        told = asked(f"{url}api", Origin="http://evil.example")[1]
    assert "Access-Control-Allow-Origin" not in told
    assert "X-B" not in told
