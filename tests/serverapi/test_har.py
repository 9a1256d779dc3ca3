"""HAR files of several tools, with what is peculiar to each."""

from __future__ import annotations

import base64
import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.recording.file import Recording
from jostle.serverapi.files import combined, read_source
from jostle.serverapi.har import UnreadableHar, har_recording, read_har
from jostle.serverapi.sample import Content, Sample
from jostle.serverapi.traffic import Traffic, read_traffic


def entry(
    url: str = "http://shop.test/api/items",
    method: str = "GET",
    status: Any = 200,
    content: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    request = {"method": method, "url": url, "headers": [], **more.pop("request", {})}
    shown = {"mimeType": "application/json", "size": 2, "text": "[]"} if content is None else content
    response = {"status": status, "statusText": "", "headers": [], "content": shown, **more.pop("response", {})}
    return {"request": request, "response": response, **more}


PAGE = {"mimeType": "text/html", "size": 3, "text": "<p>"}


def har(*entries: Any) -> bytes:
    return json.dumps({"log": {"version": "1.2", "entries": entries}}).encode()


def traffic(*entries: Any) -> Traffic:
    recording = har_recording(har(*entries), "x.har")
    return read_traffic(recording.exchanges, recording.body_of, page=recording.manifest.url)


def one(*entries: Any) -> Sample:
    (sample,) = traffic(*entries).samples
    return sample


def test_chromium() -> None:
    """Types of resources, headers with a colon, bodies that were not kept, WebSockets, failed requests."""
    found = traffic(
        entry("http://shop.test/", content=PAGE, _resourceType="document"),
        entry(_resourceType="fetch", request={"headers": [{"name": ":method", "value": "GET"}]}),
        entry("http://shop.test/api/gone", _resourceType="xhr", content={"mimeType": "application/json", "size": 900}),
        entry("http://shop.test/api/x", status=0, response={"_error": "net::ERR_ABORTED"}, _resourceType="xhr"),
        entry("wss://shop.test/live", status=101, _webSocketMessages=[{"data": "x"}]),
        entry("http://shop.test/api/items", method="OPTIONS", status=204, content={},
              request={"headers": [{"name": "Access-Control-Request-Method", "value": "PUT"}]}),
        entry("data:text/plain,x"),
        entry("http://cdn.test/font.json", _resourceType="fetch"),
        entry("http://shop.test/app.js", content={**PAGE, "mimeType": "text/javascript"}, _resourceType="script"),
    )  # fmt: skip
    assert [str(each.request) for each in found.samples] == ["GET /api/items"]
    assert found.base == "http://shop.test"
    assert found.files == [0, 8]
    assert found.left_out == {
        "responses whose body was not kept": 1,
        "requests that got no response": 1,
        "requests that are no HTTP (data:, blob:, WebSocket ...)": 2,
        "preflights": 1,
        "requests to http://cdn.test": 1,
    }


def test_firefox() -> None:
    """Forms as params without text, sizes of -1, no types of resources."""
    posted = {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "user", "value": "a b"}], "text": ""}
    found = traffic(
        entry("http://shop.test/", content={"mimeType": "text/html", "size": 4, "text": "<p>"}),
        entry(
            "http://shop.test/login", "POST", 302, {"mimeType": "", "size": 0, "text": ""}, request={"postData": posted}
        ),
        entry("http://shop.test/style.css", content={"mimeType": "text/css", "size": -1, "text": "p{}"}),
        entry("http://shop.test/void", "POST", 200, {"mimeType": "text/plain", "size": -1, "text": ""}),
    )
    assert [each.request.parameters for each in found.samples] == [(("user", "a b"),), ()]
    assert [each.response.content for each in found.samples] == [Content.EMPTY, Content.EMPTY]
    assert found.files == [0, 2]


def test_charles() -> None:
    """A byte order mark, bodies in base64 that are still packed, statuses as text, comments everywhere."""
    packed = base64.b64encode(gzip.compress(b'{"a": 1}')).decode()
    content = {
        "mimeType": "application/json; charset=utf-8",
        "size": 8,
        "text": packed,
        "encoding": "base64",
        "comment": "",
    }
    data = har(
        entry(content=content, status="200", response={"headers": [{"name": "Content-Encoding", "value": "gzip"}]})
    )
    recording = har_recording(b"\xef\xbb\xbf" + data, "charles.har")
    (found,) = read_traffic(recording.exchanges, recording.body_of).samples
    assert found.response.value == {"a": 1}
    utf16 = har_recording(data.decode().encode("utf-16"), "x.har")
    assert len(utf16.exchanges) == 1


def test_multipart_with_files() -> None:
    params = [{"name": "title", "value": "x"}, {"name": 'pic"ture', "fileName": "a.png", "contentType": "image/png"}]
    posted = {"mimeType": "multipart/form-data; boundary=--x", "params": params}
    found = one(entry(method="POST", request={"postData": posted}))
    assert found.request.parameters == (("title", "x"), ("pic%22ture", ""))
    assert found.request.files == {"pic%22ture"}


@pytest.mark.parametrize(
    ("kind", "body", "content"),
    [
        ("application/json", '{"a":', Content.OPAQUE),
        ("application/json", '{"a": NaN}', Content.OPAQUE),
        ("application/json", "[" * 100_000, Content.OPAQUE),
        ("application/json", "[" * 300 + "]" * 300, Content.OPAQUE),
        ("application/json", '[{"a": "\\ud800"}]', Content.JSON),
        ("application/json", ")]}',\n[1]", Content.JSON),
        ("text/plain", "[1]", Content.JSON),
        ("text/plain", "[not json", Content.OPAQUE),
        ("image/png", "\x00\x01", Content.OPAQUE),
        ("", "x", Content.OPAQUE),
    ],
)
def test_bodies_that_are_broken_deep_or_binary(kind: str, body: str, content: Content) -> None:
    text = base64.b64encode(body.encode()).decode()
    shown = {"mimeType": kind, "size": len(body), "text": text, "encoding": "base64"}
    assert one(entry(method="POST", content=shown)).response.content is content


def test_broken_json_is_told() -> None:
    found = traffic(entry(content={"mimeType": "application/json", "size": 1, "text": "{"}))
    assert found.notes == ["1 response says it is JSON and cannot be read as JSON"]


def test_large_bodies_are_not_taken_apart() -> None:
    text = "[" + "1," * (5 * 2**20) + "1]"
    found = one(entry(content={"mimeType": "application/json", "size": len(text), "text": text}))
    assert found.response.content is Content.OPAQUE


def test_not_modified_is_what_was_sent_before() -> None:
    found = traffic(
        entry(content={"mimeType": "application/json", "size": 3, "text": "[1]"}),
        entry(status=304, content={"size": 0, "mimeType": ""}),
        entry(
            "http://shop.test/api/other",
            status=304,
            content={"size": 0, "mimeType": "application/json"},
            _resourceType="xhr",
        ),
    )
    assert [each.response.value for each in found.samples] == [[1], [1]]
    assert found.left_out == {"304 responses whose body the browser had": 1}


def test_secrets_are_not_kept() -> None:
    secret = "s3cretS3ssion4711"
    recording = har_recording(
        har(
            entry(
                "http://shop.test/api/login?api_key=k3yK3yK3y99",
                "POST",
                request={
                    "headers": [
                        {"name": "Cookie", "value": f"session={secret}"},
                        {"name": "Authorization", "value": "Bearer abcdefgh12345678"},
                    ],
                    "postData": {"mimeType": "application/json", "text": '{"password": "hunter2hunter2"}'},
                },
                response={"headers": [{"name": "Set-Cookie", "value": f"session={secret}; HttpOnly"}]},
                content={
                    "mimeType": "application/json",
                    "size": 1,
                    "text": json.dumps({"token": "t0kent0kent0ken", "note": secret}),
                },
            )
        ),
        "x.har",
    )
    written = combined([recording])
    data = b"".join([json.dumps([str(each) for each in written.exchanges]).encode(), *written.bodies.values()])
    for word in (secret, "k3yK3yK3y99", "abcdefgh12345678", "hunter2hunter2", "t0kent0kent0ken"):
        assert word.encode() not in data
    assert written.manifest.redacted


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is not valid JSON"),
        (b'{"log": {"entries": [', "is not valid JSON"),
        (b"[]", r"is not a HAR file: it has no log\.entries"),
        (b'{"log": {}}', "is not a HAR file"),
        (b'{"log": {"entries": {}}}', "is not a HAR file"),
        (b"[" * 200_000, "is not valid JSON"),
    ],
)
def test_files_that_are_no_har(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableHar, match=said):
        har_recording(data, "x.har")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableHar, match="cannot be read"):
        read_har(tmp_path / "no.har")
    with pytest.raises(UnreadableHar, match="it is a directory"):
        read_har(tmp_path)


def test_sources_are_known_by_their_content(tmp_path: Path) -> None:
    file = tmp_path / "traffic.json"
    file.write_bytes(har(entry()))
    assert len(read_source(file).exchanges) == 1


def test_equal_exchanges_are_kept_once() -> None:
    recording = har_recording(har(entry(), entry(), entry("http://shop.test/api/other")), "x.har")
    assert [each.order for each in combined([recording, recording]).exchanges] == [1, 2]


def test_an_application_at_several_ports_is_one_server() -> None:
    page = {"mimeType": "text/html", "size": 3, "text": "<p>"}

    def visited(origin: str, path: str) -> Recording:
        return har_recording(har(entry(f"{origin}/", content=page), entry(f"{origin}/api/{path}")), "x.har")

    origins = ("http://localhost:1", "http://127.0.0.1:2", "http://shop.test:3")
    whole = combined([visited(origin, str(number)) for number, origin in enumerate(origins)])
    found = read_traffic(whole.exchanges, whole.body_of, page=whole.manifest.url)
    assert [str(each.request) for each in found.samples] == ["GET /api/0", "GET /api/1"]
    assert found.left_out == {"requests to http://shop.test:3": 1}


KEYS = [
    "request",
    "response",
    "url",
    "method",
    "status",
    "content",
    "text",
    "encoding",
    "headers",
    "name",
    "value",
    "postData",
    "params",
    "mimeType",
    "size",
]
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["http://x/y", "GET", "base64"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS, "_resourceType", "_webSocketMessages"]), inner, max_size=6)
    ),
    max_leaves=25,
)


@given(st.lists(ODD, max_size=4))
def test_any_entries_are_read(entries: list[Any]) -> None:
    traffic(*entries)


@pytest.mark.parametrize("number", [1, 20])
def test_a_file_whose_bodies_are_bombs(number: int) -> None:
    """In all no more than a recording of its size may hold."""
    bomb = base64.b64encode(gzip.compress(bytes(200 * 2**20 // number))).decode()
    content = {"mimeType": "application/json", "size": 9, "text": bomb, "encoding": "base64"}
    packed: dict[str, Any] = {
        "response": {"headers": [{"name": "content-encoding", "value": "gzip"}], "content": content}
    }
    data = har(*[entry(f"http://shop.test/{n}", **packed) for n in range(number)])
    tracemalloc.start()
    try:
        with pytest.raises(UnreadableHar, match=r"larger than a recording may be \(\d+ MB\)"):
            har_recording(data, "x.har")
        assert tracemalloc.get_traced_memory()[1] < 400 * 2**20
    finally:
        tracemalloc.stop()


def test_a_status_of_thousands_of_digits() -> None:
    assert [each.status for each in har_recording(har(entry(status="9" * 5000)), "x.har").exchanges] == [0]
