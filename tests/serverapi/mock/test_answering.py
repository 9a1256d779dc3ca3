"""The mock without a network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.errors import UsageProblem
from jostle.recording.file import Manifest, Recording
from jostle.serverapi.ail_parser import parse_description
from jostle.serverapi.har import har_recording
from jostle.serverapi.learning import learn
from jostle.serverapi.matching import Matcher
from jostle.serverapi.mock.answering import MockOptions, MockResponse, MockServer
from jostle.serverapi.mock.faults import Fault
from jostle.serverapi.mock.source import Source
from jostle.serverapi.schemas import Schemas
from jostle.serverapi.traffic import api_request, api_response, read_traffic
from tests.serverapi.test_har import entry, har

BASE = "http://shop.test"


def recorded(*exchanges: tuple[Any, ...]) -> Recording:
    """Each: `METHOD path`, what was sent (JSON or None), what came (JSON), perhaps the status."""
    entries = []
    for asked, sent, value, *status in exchanges:
        method, _, path = asked.partition(" ")
        content = {"mimeType": "application/json", "size": 1, "text": json.dumps(value)}
        posted = {} if sent is None else {"postData": {"mimeType": "application/json", "text": json.dumps(sent)}}
        code = status[0] if status else 200
        entries.append(entry(f"{BASE}/{path}", method, code, content, request=posted, _resourceType="fetch"))
    return har_recording(har(*entries), "x.har")


def mock_of(recording: Recording, **options: Any) -> MockServer:
    traffic = read_traffic(recording.exchanges, recording.body_of, base=BASE)
    learned = learn(traffic.samples, BASE)
    return MockServer(learned.description, Schemas(learned.schemas), recording, MockOptions(**options))


def ask(server: MockServer, asked: str, sent: Any = None) -> MockResponse:
    method, _, path = asked.partition(" ")
    body = b"" if sent is None else json.dumps(sent).encode()
    return server.respond(method, f"http://localhost:9/{path}", [("content-type", "application/json")], body)


def value(server: MockServer, asked: str, sent: Any = None) -> Any:
    return json.loads(ask(server, asked, sent).body)


COMMENTS = recorded(
    ("GET posts/1/comments", None, {"comments": [{"id": 1, "post": 1, "text": "first"}]}),
    ("GET posts/2/comments", None, {"comments": [{"id": 5, "post": 2, "text": "other"}]}),
    ("POST posts/2/comments", {"text": "second"}, {"comment": {"id": 6, "post": 2, "text": "second"}}, 201),
    ("POST posts/1/comments", {"text": "hello"}, {"comment": {"id": 2, "post": 1, "text": "hello"}}, 201),
    (
        "GET posts/1/comments",
        None,
        {"comments": [{"id": 1, "post": 1, "text": "first"}, {"id": 2, "post": 1, "text": "hello"}]},
    ),
    ("DELETE posts/1/comments/1", None, {"ok": True}),
    ("GET posts/1/comments", None, {"comments": [{"id": 2, "post": 1, "text": "hello"}]}),
    ("GET search?q=milk", None, {"query": "milk", "hits": [{"id": 9}]}),
    ("GET search?q=bread", None, {"query": "bread", "hits": []}),
    ("GET broken", None, {"error": "no"}, 500),
)


def test_what_was_recorded_comes_again() -> None:
    server = mock_of(COMMENTS)
    assert value(server, "GET search?q=milk") == {"query": "milk", "hits": [{"id": 9}]}
    response = ask(server, "GET search?q=milk")
    assert (response.status, response.made, response.operation) == (200, False, "GET search(q:*)")
    assert ask(server, "GET broken").status == 500


def test_values_of_the_request_come_back() -> None:
    server = mock_of(COMMENTS)
    response = ask(server, "GET search?q=cheese")
    assert response.made
    assert json.loads(response.body)["query"] == "cheese"
    for number in range(3, 9):
        assert all(each["post"] == number for each in value(server, f"GET posts/{number}/comments")["comments"])


def test_what_is_created_is_listed() -> None:
    server = mock_of(COMMENTS)
    before = value(server, "GET posts/2/comments")
    made = value(server, "POST posts/2/comments", {"text": "from a test"})
    assert made["comment"]["text"] == "from a test"
    assert made["comment"]["post"] == 2
    assert made["comment"]["id"] not in (1, 2)
    after = value(server, "GET posts/2/comments")["comments"]
    assert after == [*before["comments"], made["comment"]]
    again = value(server, "POST posts/2/comments", {"text": "another"})
    assert again["comment"]["id"] != made["comment"]["id"]
    assert again["comment"] not in value(server, "GET posts/1/comments")["comments"]
    server.reset()
    assert value(server, "GET posts/2/comments") == before


def test_what_is_removed_is_not_listed() -> None:
    server = mock_of(COMMENTS)
    assert [each["id"] for each in value(server, "GET posts/1/comments")["comments"]] == [1]
    assert value(server, "DELETE posts/1/comments/1") == {"ok": True}
    assert value(server, "GET posts/1/comments") == {"comments": []}


def test_the_same_request_gets_the_same_until_something_changes() -> None:
    server = mock_of(COMMENTS, source=Source.RANDOM)
    first = ask(server, "GET search?q=x")
    assert ask(server, "GET search?q=x") == first
    others = []
    for _ in range(8):
        ask(server, "DELETE posts/5/comments/5")
        others.append(ask(server, "GET search?q=x"))
    assert any(each != first for each in others)


def test_the_same_seed_gives_the_same_run() -> None:
    asked = [f"GET search?q={word}" for word in "abcdefgh"] + ["POST posts/3/comments"]

    def run(**options: Any) -> list[bytes]:
        server = mock_of(COMMENTS, **options)
        return [ask(server, each, {"text": "x"} if each.startswith("POST") else None).body for each in asked]

    assert run(seed=1) == run(seed=1)
    assert run(seed=1, source=Source.RANDOM) != run(seed=2, source=Source.RANDOM)


def test_covering_responses_show_every_option() -> None:
    server = mock_of(COMMENTS, source=Source.COVERING)
    lengths = {len(value(server, f"GET search?q={word}")["hits"]) for word in "abcdefgh"}
    assert {0, 1, 2} <= lengths


def test_unknown_requests_and_files() -> None:
    page = entry(
        f"{BASE}/shop/?x=1", content={"mimeType": "text/html", "size": 3, "text": "<p>"}, _resourceType="document"
    )
    recording = har_recording(har(page, entry(f"{BASE}/api", _resourceType="fetch")), "x.har")
    server = mock_of(recording)
    assert ask(server, "GET shop/?x=1").body == b"<p>"
    assert ask(server, "GET shop?y=2").body == b"<p>"
    assert ask(server, "HEAD shop").status == 200
    response = ask(server, "POST shop")
    assert (response.status, response.known) == (404, False)
    assert ask(server, "GET nothing").status == 404
    assert server.missed == ["POST /shop", "GET /nothing"]


def test_a_page_of_the_same_kind_stands_in() -> None:
    page = {"mimeType": "text/html", "size": 3, "text": "<p>"}
    visited = entry(f"{BASE}/items/3/edit", content=page, _resourceType="document")
    server = mock_of(har_recording(har(visited, entry(f"{BASE}/api", _resourceType="fetch")), "x.har"))
    assert ask(server, "GET items/3/edit").stands_in == ""
    other = ask(server, "GET items/14/edit")
    assert (other.body, other.stands_in) == (b"<p>", f"{BASE}/items/3/edit")
    assert not ask(server, "GET items/x/edit").known


def test_without_traffic_everything_is_made() -> None:
    description = parse_description(
        f'URL {BASE}\nGET a() : @s.json\nPOST b(body:*) : void\nGET c() : 302 void\nGET d() : text/plain\nGET e() : "x"'
    )
    server = MockServer(description, Schemas({"s.json": {"type": "object", "required": ["a"]}}))
    assert value(server, "GET a") == {"a": None}
    assert ask(server, "POST b", {}).status == 204
    assert ask(server, "GET c").status == 302
    assert ask(server, "GET d").headers == (("content-type", "text/plain"),)
    assert value(server, "GET e") == "x"


def test_a_schema_that_nobody_can_follow_is_told() -> None:
    description = parse_description(f"URL {BASE}\nGET a() : @s.json")
    server = MockServer(description, Schemas({"s.json": {"type": "string", "pattern": "^[0-9]{9}$"}}))
    with pytest.raises(UsageProblem, match=r"No value can be made by s\.json"):
        ask(server, "GET a")


def test_redirects_keep_their_place() -> None:
    login = entry(f"{BASE}/login", "POST", 303, {"size": 0, "mimeType": ""}, _resourceType="document",
                  request={"postData": {"mimeType": "application/x-www-form-urlencoded", "text": "user=a&pwd=b"}},
                  response={"headers": [{"name": "Location", "value": "/home"}]})  # fmt: skip
    server = mock_of(har_recording(har(login), "x.har"))
    form = [("content-type", "application/x-www-form-urlencoded")]
    response = server.respond("POST", f"{BASE}/login", form, b"user=x&pwd=y")
    assert (response.status, response.headers) == (303, (("Location", "/home"),))


@pytest.mark.parametrize("fault", list(Fault))
def test_faults_are_marked(fault: Fault) -> None:
    server = mock_of(COMMENTS, faults=(fault,), fault_rate=1.0)
    matcher = Matcher(server.description)
    response = ask(server, "GET posts/1/comments")
    assert response.fault is fault
    if fault is Fault.TIMEOUT:
        assert response.status == 0
    elif fault is Fault.ERROR:
        assert response.status == 500
    elif fault is Fault.MALFORMED:
        with pytest.raises(ValueError, match=r"."):
            json.loads(response.body)
    else:
        assert json.loads(response.body) != {"comments": [{"id": 1, "post": 1, "text": "first"}]}
    assert matcher.description.operations


def test_a_rate_of_faults() -> None:
    server = mock_of(COMMENTS, faults=(Fault.ERROR,), fault_rate=0.3, seed=2)
    wrong = [ask(server, f"GET search?q={number}").fault is not None for number in range(200)]
    assert 30 < sum(wrong) < 90
    assert mock_of(COMMENTS, faults=(Fault.ERROR,), fault_rate=0.0).respond("GET", f"{BASE}/broken").fault is None


WORDS = st.sampled_from(["1", "2", "77", "milk", "x y", "<b>"])


@settings(max_examples=60)
@given(
    st.lists(
        st.one_of(
            WORDS.map(lambda word: (f"GET search?q={word.replace(' ', '+')}", None)),
            st.integers(0, 5).map(lambda number: (f"GET posts/{number}/comments", None)),
            st.integers(0, 5).map(lambda number: (f"DELETE posts/{number}/comments/1", None)),
            st.tuples(
                st.integers(0, 5).map(lambda number: f"POST posts/{number}/comments"), WORDS.map(lambda t: {"text": t})
            ),
        ),
        max_size=12,
    ),
    st.sampled_from(list(Source)),
)
def test_every_response_keeps_to_the_description(asked: list[tuple[str, Any]], source: Source) -> None:
    server = mock_of(COMMENTS, source=source)
    matcher = Matcher(server.description, server._schemas, lenient=True)
    for each, sent in asked:
        method, _, path = each.partition(" ")
        response = ask(server, each, sent)
        body = b"" if sent is None else json.dumps(sent).encode()
        request = api_request(method, f"{BASE}/{path}", [("content-type", "application/json")], body)
        operation = matcher.operation_for(request)
        assert operation is not None
        seen = api_response(response.status, "application/json", response.body)
        assert matcher.violations(operation, seen) == []


def test_what_clients_compare_with_is_among_the_values() -> None:
    page = har_recording(
        har(
            entry(f"{BASE}/app.js", content={"mimeType": "text/javascript", "size": 1, "text": SCRIPT}),
            *(
                entry(f"{BASE}/items/{number}", content=json_content({"status": "open", "id": number}))
                for number in (1, 2)
            ),
        ),
        "x.har",
    )
    server = mock_of(page)
    seen = {value(server, f"GET items/{number}")["status"] for number in range(10, 20)}
    assert {"open", "sold out"} <= seen


SCRIPT = 'if (item.status === "sold out") warn(item); // item.status === "never"'


def json_content(body: Any) -> dict[str, Any]:
    return {"mimeType": "application/json", "size": 1, "text": json.dumps(body)}


def test_a_recording_without_traffic(tmp_path: Path) -> None:
    server = MockServer(parse_description(f"URL {BASE}\nGET a() : void"), Schemas({}), Recording(Manifest(url=BASE)))
    assert ask(server, "GET a").status == 204
