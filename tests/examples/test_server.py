from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from itertools import pairwise

import pytest
from websockets.sync.client import connect

from jostle.examples import CannotListen, running
from jostle.examples.endpoints import HEADLINES, PACKET_BYTES, PRICES
from jostle.examples.files import PAGES
from tests.examples.web import Client


def test_a_port_in_use_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=f"Port {port} of 127.0.0.1 is in use"), running(port):
            pass


def test_a_host_that_is_not_ours() -> None:
    with pytest.raises(CannotListen, match="no-such-host"), running(host="no-such-host.invalid"):
        pass


def test_stops_promptly_and_frees_its_port_with_connections_open() -> None:
    before = set(threading.enumerate())
    with running() as url:
        port = int(url.rsplit(":", 1)[1])
        with contextlib.ExitStack() as still_open:
            channel = still_open.enter_context(connect(f"ws://127.0.0.1:{port}/ws/chat"))
            channel.recv(timeout=5)
            left_open = still_open.pop_all()
        began = time.monotonic()
    assert time.monotonic() - began < 30  # against waiting for who does not go
    left_open.close()
    assert set(threading.enumerate()) <= before
    with running(port) as url:
        assert Client(url).get("/").status == 200


def test_two_servers_do_not_share_data() -> None:
    with running() as one, running() as other:
        Client(one).ask("POST", "/larder/api/recipes/1/like")
        assert Client(one).ask("POST", "/larder/api/recipes/1/like").json["likes"] == 59
        assert Client(other).ask("POST", "/larder/api/recipes/1/like").json["likes"] == 58


def test_delay_is_added_before_answers() -> None:
    with running(delay=120) as url:
        began = time.monotonic()
        Client(url).get("/slideshow/")
        assert time.monotonic() - began >= 0.12


def test_the_same_request_gets_the_same_answer(url: str) -> None:
    for path in ("/", "/slideshow/", "/larder/", "/larder/recipes/3", "/api/search?q=go", "/api/rows?page=2"):
        one, two = Client(url).get(path), Client(url).get(path)
        assert (one.body, one.headers.items()) == (two.body, two.headers.items())


def test_all_examples_are_listed_at_the_root(url: str) -> None:
    text = Client(url).get("/").text
    assert 'href="/slideshow/"' in text and 'href="/larder-buggy/"' in text


def test_a_folder_without_its_slash_is_redirected(url: str) -> None:
    answer = Client(url).get("/slideshow?x=1")
    assert (answer.status, answer.headers["location"].removeprefix(url)) == (307, "/slideshow/?x=1")


@pytest.mark.parametrize("path", ["/none/", "/slideshow/none.js", "/../server.py", "/%2e%2e/server.py", "/larder/x"])
def test_what_is_not_there_is_not_found(url: str, path: str) -> None:
    assert Client(url).get(path).status == 404


def test_policies_are_sent(url: str) -> None:
    page = Client(url).get("/csp-nonce/")
    policy = page.headers["content-security-policy"]
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert f'<script nonce="{nonce}">' in page.text and "unsafe" not in policy
    trusted = Client(url).get("/csp-trusted-types/").headers["content-security-policy"]
    assert "default-src 'self'" in trusted and "require-trusted-types-for 'script'" in trusted


def test_search_finds_parts_of_names(url: str) -> None:
    client = Client(url)
    assert client.get("/api/search?q=OWL").json == {"query": "OWL", "hits": ["Barn owl", "Long-eared owl"]}
    assert client.get("/api/search?q=").json["hits"] == []


def test_pages_of_rows_follow_each_other(url: str) -> None:
    pages = [Client(url).get(f"/api/rows?page={page}").json["rows"] for page in range(1, 6)]
    assert len({row for rows in pages for row in rows}) == 30
    assert Client(url).get("/api/rows?page=none").json["page"] == 1
    first = (PAGES / "paging" / "index.html").read_text(encoding="utf-8")
    assert all(f"<td>{row}</td>" in first for row in pages[0])


def test_prices_are_pushed_in_order_after_the_snapshot(url: str) -> None:
    snapshot = Client(url).get("/api/prices").json
    assert {name: entry["price"] for name, entry in snapshot.items()} == PRICES
    with connect(url.replace("http", "ws") + "/ws/prices") as channel:
        messages = [json.loads(channel.recv(timeout=5)) for _ in range(9)]
    assert messages[-1] == {"end": True}
    assert all(before["version"] < after["version"] for before, after in pairwise(messages[:-1]))
    last = {message["name"]: message["price"] for message in messages[:-1]}
    assert all(last[name] != PRICES[name] for name in PRICES), "a late snapshot must show"


def test_chat_answers_each_message(url: str) -> None:
    with connect(url.replace("http", "ws") + "/ws/chat") as channel:
        assert json.loads(channel.recv(timeout=5))["text"] == "Welcome"
        channel.send("hello")
        assert json.loads(channel.recv(timeout=5)) == {"from": "you", "text": "hello", "number": 1}
        assert json.loads(channel.recv(timeout=5))["text"] == "5 characters read"


def test_headlines_are_an_event_stream_with_an_end(url: str) -> None:
    answer = Client(url).get("/api/headlines")
    assert answer.headers.get_content_type() == "text/event-stream"
    assert answer.text.count("data: ") == len(HEADLINES) + 1
    assert answer.text.endswith("event: end\ndata: {}\n\n")


def test_small_answers(url: str) -> None:
    client = Client(url)
    assert client.get("/api/ping").json == {"ok": True}
    assert client.get("/api/progress?n=10").json == {"percent": 100, "done": True}
    assert client.get("/api/stream").text.splitlines()[-1] == "line 5"
    assert client.get("/api/jsonp?callback=show").text.startswith("show({")
    assert client.get("/api/jsonp?callback=alert(1)").status == 400
    assert client.ask("POST", "/api/upload", json_body="x" * 1000).json == {"received": 1002}


def test_too_many_articles_are_too_much(url: str) -> None:
    client = Client(url)
    fits = "x" * (PACKET_BYTES - 2)
    assert client.ask("PUT", "/api/articles", json_body=fits).json == {"saved": True}
    refused = client.ask("PUT", "/api/articles", json_body=f"{fits}x")
    assert (refused.status, list(refused.json)) == (500, ["error"])
    assert client.ask("PUT", "/api/articles", json_body=fits).status == 200, "nothing is kept"


def test_older_entries_of_the_log_take_longer(url: str) -> None:
    client = Client(url)
    began = time.monotonic()
    older = client.get("/api/log?offset=250").json
    assert time.monotonic() - began >= 0.25
    newest = client.get("/api/log").json
    assert (newest["offset"], older["offset"]) == (0, 250)
    assert len({*newest["entries"], *older["entries"]}) == 20


def test_answers_of_the_race_pages_come_from_the_request_alone(url: str) -> None:
    client = Client(url)
    assert client.get("/api/stations?with=car-wash&with=diesel").json == ["Bridge Street", "Old Mill"]
    assert client.get("/api/quote?n=6").json["text"] == client.get("/api/quote?n=1").json["text"]
    assert client.get("/api/birds.js?q=owl&callback=show").text == 'show(["Barn owl", "Long-eared owl"]);\n'
    assert client.get("/api/birds.js?q=owl&callback=alert(1)").status == 400
    assert client.get("/api/trees?sort=height&page=1").json[0] == "Hazel, 8 m"
    assert client.get("/api/trees?page=9").json == []
    assert client.get("/api/shops?kind=library").json == {"id": 2}
    assert client.get("/api/shops/2/hours").json["hours"] == "10 to 19"
    assert client.get("/api/shops/9/hours").status == 404
    assert client.ask("PUT", "/api/cart", json_body={"quantity": 3}).json == {"quantity": 3, "total": 12}
    assert client.ask("PUT", "/api/cart", json_body="many").json == {"quantity": 0, "total": 0}
    assert client.ask("POST", "/api/like", json_body={"liked": True}).json == {"liked": True, "likes": 58}
    assert client.ask("POST", "/api/orders").json == {"loaves": 0}


def test_departures_are_pushed_once(url: str) -> None:
    with connect(url.replace("http", "ws") + "/ws/departures") as channel:
        assert [entry["line"] for entry in json.loads(channel.recv(timeout=5))] == ["Coast", "Valley"] * 2
        with pytest.raises(TimeoutError):
            channel.recv(timeout=0.1)
