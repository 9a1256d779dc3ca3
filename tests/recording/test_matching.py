from __future__ import annotations

import asyncio
import json
from collections import defaultdict

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jostle.browser.http import Response, SentRequest
from jostle.events.volatile import volatile_value, volatility
from jostle.recording.answers import RecordedAnswers
from jostle.recording.exchange import Conversation, Exchange, interesting
from jostle.recording.file import Manifest, Recording
from jostle.recording.matching import EQUAL_URLS, ConversationMatcher, Matcher, url_pattern, url_score
from jostle.recording.normal_form import NormalForm, NormalRequest, normal_body

JSON = (("Content-Type", "application/json"),)
FORM = (("content-type", "application/x-www-form-urlencoded"),)


def exchanges(*requests: tuple[str, str] | tuple[str, str, bytes]) -> list[Exchange]:
    return [
        Exchange(order=n, method=method, url=f"http://a.test{url}", request_body=body[0] if body else b"")
        for n, (method, url, *body) in enumerate(requests, 1)
    ]


def order_of(match: object) -> int | None:
    answer = getattr(match, "answer", None)
    return answer.order if isinstance(answer, Exchange) else None


# Volatile values ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        "1699999999",
        "1699999999123",
        "1699999999.123",
        "2024-05-06T07:08:09.123Z",
        "0.7271638361",
        "3b241101-e2bb-4255-8caf-4136c566a962",
        "9f86d081884c7d65",
        "d41d8cd98f00b204e9800998ecf8427e",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
        "k3j9x0q2m1z",
        "jQuery36007312_1699999999999",
        "AbC123dEf456gHi789JkLmNo",
    ],
)
def test_values_that_change_from_run_to_run(value: str) -> None:
    assert volatile_value(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "milk",
        "42",
        "2024-05-06",
        "2024-05-06T00:00:00Z",
        "iphone13pro",
        "covid19cases2020",
        "my-long-article-title-2024",
        "user@example.com",
        "1.2.3",
        "hello world",
        "deadbeefdeadbeefcafe" * 300,
        "internationalization",
        "12345678901234567890",
    ],
)
def test_ordinary_values(value: str) -> None:
    assert volatile_value(value) is None


@pytest.mark.parametrize(
    ("name", "value", "volatile"),
    [
        ("_", "1", True),
        ("cb", "7", True),
        ("X-CSRF-Token", "abc", True),
        ("authenticity_token", "abc", True),
        ("t", "123456", True),
        ("t", "12.5", True),
        ("t", "2", False),
        ("v", "1.2.3", False),
        ("pageToken", "abc", False),
        ("nextPageToken", "abc", False),
        ("page", "2", False),
        ("csrf", "", False),
    ],
)
def test_names(name: str, value: str, volatile: bool) -> None:
    assert (volatility(name, value) is not None) is volatile


# Descriptors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://a.test/api/search?q=milk", "GET /api/search?q=milk"),
        ("http://a.test/api/search?q=milk&_=1699999999999#top", "GET /api/search?_=*&q=milk"),
        ("http://a.test/api/search?page=2&lang=en", "GET /api/search?lang=en&page=2"),
        ("http://a.test/s/9f86d081884c7d65/list;jsessionid=AB12", "GET /s/*/list"),
        ("http://a.test/app.9f86d081884c7d65.js", "GET /app.*.js"),
        ("http://a.test/lib/1.2.3/x.js?1699999999", "GET /lib/1.2.3/x.js?*"),
        ("http://a.test", "GET /"),
        ("http://a.test?a=b+c&d=%26", "GET /?a=b+c&d=%26"),
        ("blob:http://a.test/3b241101-e2bb-4255-8caf-4136c566a962", "GET blob:*"),
        ("data:text/plain,hello", "GET data:*"),
    ],
)
def test_patterns(url: str, pattern: str) -> None:
    assert url_pattern(url) == pattern


def test_pattern_of_another_host_and_of_graphql() -> None:
    assert url_pattern("http://b.test/x", origin="http://a.test") == "GET http://b.test/x"
    assert url_pattern("http://a.test/x", origin="http://a.test") == "GET /x"
    body = json.dumps({"query": "query Search($q: String) { items }", "variables": {"q": "milk"}}).encode()
    assert url_pattern("http://a.test/graphql", "POST", body=body) == "POST /graphql Search"
    assert url_pattern("http://a.test/x?day=3", ignored=["day"]) == "GET /x?day=*"


@given(st.text(), st.binary())
@settings(deadline=None)
@example("http://[", b"")
@example("//[x]y?a", b'{"query": 1}')
@example("\ud800?\ud800=\udfff", b"[" * 100_000 + b'"query"')
def test_any_text_has_a_pattern(url: str, body: bytes) -> None:
    assert url_pattern(url, body=body).startswith("GET ")
    assert url_pattern(url, origin=url)
    assert Matcher([]).take("GET", url, body).how == "none"


# The score of the specification ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "score"),
    [
        ("http://a/x/y?p=1&q=2", "http://a/x/y?p=1&q=2", EQUAL_URLS),
        ("http://a/x/y?p=1&q=2", "http://a/x/y?p=1&q=3", 1 + 1 + 3 * 2),
        ("http://a/x/y?p=1&q=2", "http://a/x/z?p=1&q=2", 1 + 2 + 3 * 1),
        ("http://a/x/y", "http://a/x/z", 1 + 0 + 1 * 1),
        ("http://a/x?p=1&p=2", "http://a/x?p=1", 0),
        ("http://a/x?p=1", "http://a/x?q=1", 0),
        ("http://a/x?p=1", "http://a/x", 0),
        ("http://a/x#f", "http://a/x", 0),
        ("http://a/x", "http://b/x", 0),
        ("http://a/x", "http://a/x/y", 0),
    ],
)
def test_url_score(one: str, other: str, score: int) -> None:
    assert url_score(one, other) == url_score(other, one) == score


# Matching ----------------------------------------------------------------------------------------------------------

few = st.tuples(
    st.sampled_from(["GET", "POST"]),
    st.sampled_from(["/a", "/b", "/a?x=1", "/a?x=2", "/a?_=1699999999001", "/a?_=1699999999002", "/items/1"]),
    st.sampled_from([b"", b'{"a": 1}', b'{"a": 2}']),
)


@given(st.lists(few, max_size=12), st.lists(few, max_size=12))
@settings(max_examples=300, deadline=None)
def test_exact_answers_come_in_order_and_no_answer_twice(
    recorded: list[tuple[str, str, bytes]], asked: list[tuple[str, str, bytes]]
) -> None:
    """Against the plainest thing that could be right, as long as nothing but exact answers were given."""
    all_exchanges = exchanges(*recorded)
    matcher = Matcher(all_exchanges)
    queues: dict[tuple[str, str, bytes], list[int]] = defaultdict(list)
    for exchange in all_exchanges:
        queues[exchange.method, exchange.url, exchange.request_body].append(exchange.order)
    everything = {key: list(queue) for key, queue in queues.items()}
    used: set[int] = set()
    for method, path, body in asked:
        match = matcher.take(method, f"http://a.test{path}", body)
        key = (method, f"http://a.test{path}", body)
        unused = [order for order in queues[key] if order not in used]
        order = order_of(match)
        if unused:
            assert (match.how, order) == ("exact", unused[0])
        elif key in everything and method == "GET":
            assert (match.how, order) == ("reused", everything[key][-1])
        else:
            assert match.how != "exact"
        assert (match.how == "none") == (order is None)
        assert match.why
        if order is not None and match.how != "reused":
            assert order not in used
            used.add(order)
    assert {each.order for each in matcher.unused()} == {each.order for each in all_exchanges} - used
    matcher.reset()
    assert len(matcher.unused()) == len(all_exchanges)


@given(st.lists(few, min_size=1, max_size=12), st.randoms())
@settings(max_examples=100, deadline=None)
def test_after_a_reset_everything_is_as_before(recorded: list[tuple[str, str, bytes]], random: object) -> None:
    matcher = Matcher(exchanges(*recorded))

    def run() -> list[tuple[str, int | None]]:
        matches = [matcher.take(method, f"http://a.test{url}", body) for method, url, body in reversed(recorded)]
        return [(match.how, order_of(match)) for match in matches]

    first = run()
    matcher.reset()
    assert run() == first
    assert {how for how, _ in first} == {"exact"}


def test_the_answer_of_the_same_event_is_preferred() -> None:
    one, two = (Exchange(order=n, method="GET", url="http://a.test/x", event=f"network:{n}") for n in (1, 2))
    matcher = Matcher([one, two])
    assert matcher.take("GET", "http://a.test/x", event="network:2").answer == two
    assert matcher.take("GET", "http://a.test/x", event="network:9").answer == one


def test_the_kind_of_answer_asked_for_matters_among_equals() -> None:
    page = Exchange(order=1, method="GET", url="http://a.test/x", request_headers=(("Accept", "text/html"),))
    data = Exchange(order=2, method="GET", url="http://a.test/x", request_headers=(("Accept", "application/json"),))
    matcher = Matcher([page, data])
    assert matcher.take("GET", "http://a.test/x", headers=[("accept", "application/json")]).answer == data
    assert matcher.take("GET", "http://a.test/x", headers=[("accept", "application/json")]).answer == page


@pytest.mark.parametrize(
    ("recorded", "asked", "why"),
    [
        ("/x?q=milk&_=1699999999001", "/x?q=milk&_=1699999999002", "query parameter _ differs (a cache buster)"),
        ("/x?q=milk&_=1699999999001", "/x?q=milk", "query parameter _ is missing now"),
        ("/x?a=1&b=2", "/x?b=2&a=1", "another order"),
        ("/x?csrf_token=abc", "/x?csrf_token=def", "(a token)"),
        ("/x?id=9f86d081884c7d65", "/x?id=0f86d081884c7d66", "(a hexadecimal id)"),
        ("/s/9f86d081884c7d65/x", "/s/0f86d081884c7d66/x", "its path is /s/9f86d081884c7d65/x"),
        ("/x;jsessionid=A1", "/x;jsessionid=B2", "its path is"),
        ("/x?v=20231115", "/x?v=20240101", "(a cache buster)"),
        ("/app.css?1699999999", "/app.css?1700000000", "is missing now"),
    ],
)
def test_volatile_parts_of_a_url(recorded: str, asked: str, why: str) -> None:
    match = Matcher(exchanges(("GET", recorded))).take("GET", f"http://a.test{asked}")
    assert (match.how, order_of(match)) == ("volatile", 1)
    assert why in match.why


@pytest.mark.parametrize(
    ("headers", "recorded", "asked"),
    [
        (JSON, b'{"a": 1, "b": [1, {"c": null}]}', b'{"b":[1,{"c":null}],"a":1}'),
        (JSON, b'{"a": 1, "csrf": "x"}', b'{"a": 1, "csrf": "y"}'),
        (JSON, b'{"at": 1699999999001}', b'{"at": 1699999999002}'),
        ((), b'{"at": "2024-05-06T07:08:09Z"}', b'{"at": "2024-05-06T07:08:10Z"}'),
        (FORM, b"name=Ann&_token=abc", b"_token=def&name=Ann"),
    ],
)
def test_volatile_parts_of_a_body(headers: tuple[tuple[str, str], ...], recorded: bytes, asked: bytes) -> None:
    exchange = Exchange(order=1, method="POST", url="http://a.test/x", request_headers=headers, request_body=recorded)
    match = Matcher([exchange], fuzzy=False).take("POST", "http://a.test/x", asked, headers)
    assert match.how == "volatile"


def multipart(boundary: str, **fields: str) -> bytes:
    parts = (f'--{boundary}\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in fields.items())
    return "".join([*parts, f"--{boundary}--\r\n"]).encode()


def test_multipart_boundaries_do_not_matter_but_fields_do() -> None:
    recorded = exchanges(("POST", "/x", multipart("XX", name="Ann")), ("POST", "/x", multipart("YY", name="Bob")))
    headers = [("content-type", "multipart/form-data; boundary=ZZ")]
    matcher = Matcher(recorded, fuzzy=False)
    match = matcher.take("POST", "http://a.test/x", multipart("ZZ", name="Bob"), headers)
    assert (match.how, order_of(match)) == ("volatile", 2)
    assert matcher.take("POST", "http://a.test/x", multipart("ZZ", name="Eve"), headers).how == "none"


def graphql(name: str, **variables: object) -> bytes:
    return json.dumps({"query": f"query {name} {{\n  items }}", "variables": variables}).encode()


def test_graphql_goes_by_operation_and_variables() -> None:
    recorded = exchanges(
        ("POST", "/graphql", graphql("Items", page=1)),
        ("POST", "/graphql", graphql("Items", page=2)),
        ("POST", "/graphql", graphql("Users", page=2)),
    )
    matcher = Matcher(recorded)
    spaced = graphql("Users", page=2).replace(b"\\n  ", b" ")
    match = matcher.take("POST", "http://a.test/graphql", spaced)
    assert (match.how, order_of(match)) == ("volatile", 3)
    match = matcher.take("POST", "http://a.test/graphql", graphql("Items", page=3))
    assert (match.how, order_of(match)) == ("fuzzy", 1)
    match = matcher.take("POST", "http://a.test/graphql", graphql("Other", page=3))
    assert match.how == "none"


def test_persisted_queries_differ_by_their_hash() -> None:
    def persisted(digest: str) -> bytes:
        return json.dumps(
            {"operationName": "Q", "extensions": {"persistedQuery": {"sha256Hash": digest}}, "variables": {"t": 1}}
        ).encode()

    recorded = exchanges(("POST", "/graphql", persisted("ab12" * 16)), ("POST", "/graphql", persisted("cd34" * 16)))
    asked = persisted("cd34" * 16).replace(b": ", b":")
    assert order_of(Matcher(recorded).take("POST", "http://a.test/graphql", asked)) == 2


def test_fuzzy_takes_the_best_by_url_then_by_body() -> None:
    recorded = exchanges(
        ("GET", "/items/17?view=full&lang=en"),
        ("GET", "/items/18?view=full&lang=de"),
        ("GET", "/users/18?view=x&lang=y"),
    )
    match = Matcher(recorded).take("GET", "http://a.test/items/19?view=full&lang=de")
    assert (match.how, order_of(match)) == ("fuzzy", 2)
    assert "its path is /items/18, not /items/19" in match.why
    saves = exchanges(("POST", "/save", b'{"id": 1, "text": "a"}'), ("POST", "/save", b'{"id": 2, "text": "b"}'))
    match = Matcher(saves).take("POST", "http://a.test/save", b'{"id": 2, "text": "c"}')
    assert (match.how, order_of(match)) == ("fuzzy", 2)
    assert Matcher(saves, fuzzy=False).take("POST", "http://a.test/save", b'{"id": 2, "text": "c"}').how == "none"


@pytest.mark.parametrize(
    ("recorded", "asked"),
    [("/app.js", "/other.js"), ("/static/chunk-1.js", "/static/chunk-2.js"), ("/a", "/b"), ("/x?a=1", "/x?b=1")],
)
def test_other_things_are_not_taken_for_each_other(recorded: str, asked: str) -> None:
    match = Matcher(exchanges(("GET", recorded))).take("GET", f"http://a.test{asked}")
    assert match.how == "none"
    assert match.nearest is not None


def test_a_hash_in_a_file_name_may_differ() -> None:
    assert Matcher(exchanges(("GET", "/app-3fa2bc91.js"))).take("GET", "http://a.test/app-9d8e7f6a.js").how == "fuzzy"


def test_an_id_asked_for_again_gets_its_own_answer() -> None:
    recorded = exchanges(("GET", "/face/9f86d081884c7d65"), ("GET", "/face/0f86d081884c7d66"))
    matcher = Matcher(recorded)
    url = "http://a.test/face/9f86d081884c7d65"
    assert [order_of(matcher.take("GET", url)) for _ in range(3)] == [1, 1, 1]
    assert [each.order for each in matcher.unused()] == [2]


def test_why_nothing_was_found() -> None:
    recorded = exchanges(("POST", "/save", b"a"), ("GET", "/list?page=1"))
    matcher = Matcher(recorded)
    assert matcher.take("POST", "http://a.test/save", b"a").how == "exact"
    again = matcher.take("POST", "http://a.test/save", b"a")
    assert (again.how, again.nearest) == ("none", recorded[0])
    assert "recorded once" in again.why
    assert "no request to http://b.test" in matcher.take("GET", "http://b.test/").why
    assert "query parameter sort is new" in matcher.take("GET", "http://a.test/list?page=1&sort=up").why
    assert "its method is GET, not DELETE" in matcher.take("DELETE", "http://a.test/list?page=1").why


def test_ignored_parameters() -> None:
    recorded = exchanges(("GET", "/x?day=mon&q=a"))
    assert Matcher(recorded, ignored=["day"]).take("GET", "http://a.test/x?q=a").how == "volatile"
    assert Matcher(recorded).take("GET", "http://a.test/x?q=a").how == "none"


def test_a_changed_jsonp_callback_is_to_be_edited_in_the_answer() -> None:
    recorded = exchanges(("GET", "/x?callback=jQuery36007312_1699999999001"))
    match = Matcher(recorded).take("GET", "http://a.test/x?callback=jQuery36001111_1699999999002")
    assert match.edits == (("jQuery36007312_1699999999001", "jQuery36001111_1699999999002"),)


def test_conversations() -> None:
    one = Conversation(order=1, kind="websocket", url="ws://a.test/live?session=a1")
    two = Conversation(order=2, kind="eventsource", url="http://a.test/feed")
    matcher = ConversationMatcher([one, two])
    assert matcher.take("websocket", "ws://a.test/live?session=b2").answer == one
    assert matcher.take("websocket", "ws://a.test/live?session=c3").answer is None
    assert matcher.unused() == [two]
    assert matcher.take("eventsource", "http://a.test/feed").how == "exact"


def test_interesting_headers() -> None:
    kept = interesting(
        [("Accept", "a"), ("User-Agent", "b"), ("X-CSRF-Token", "c"), ("sec-ch-ua", "d"), ("Cookie", "e")]
    )
    assert [name for name, _ in kept] == ["Accept", "X-CSRF-Token", "Cookie"]


def test_an_answer_to_a_request_that_was_given_up_can_be_had_again() -> None:
    recording = Recording(manifest=Manifest(url="http://localhost/"))
    recording.exchanges = [Exchange(order=1, method="POST", url="http://localhost/buy", status=201)]
    answers = RecordedAnswers(recording)
    asked = SentRequest(method="POST", url="http://localhost/buy")
    assert asyncio.run(answers.respond(asked)) is not None
    assert [match.how for match in answers.since()] == ["exact"]
    answers.abandoned(asked)
    assert answers.since() == []
    again = asyncio.run(answers.respond(SentRequest(method="POST", url="http://localhost/buy")))
    assert isinstance(again, Response) and again.status == 201


def test_what_was_given_up_was_not_missed() -> None:
    answers = RecordedAnswers(Recording(manifest=Manifest(url="http://localhost/")))
    mark = answers.mark
    asked = SentRequest(method="GET", url="http://localhost/more")
    assert asyncio.run(answers.respond(asked)) is None
    assert answers.missed == [asked]
    answers.abandoned(asked)
    assert answers.missed == [] and answers.since(mark) == []


EMPTY = b"------WebKitFormBoundary%s--\r\n"
ONE = b'------WebKitFormBoundary%s\r\nContent-Disposition: form-data; name="x"\r\n\r\n%s\r\n' + EMPTY


def _form(boundary: bytes, value: bytes | None = None) -> bytes:
    return EMPTY % boundary if value is None else ONE % (boundary, value, boundary)


def test_a_boundary_is_not_a_body() -> None:
    headers = (("Content-Type", "multipart/form-data; boundary=----x"),)
    recorded = (
        NormalForm(NormalRequest("POST", "http://x/", body, headers)).key
        for body in (_form(b"AAAAbbbb11112222"), _form(b"ZZZZyyyy99998888"))
    )
    assert len(set(recorded)) == 1
    assert normal_body(_form(b"AAAAbbbb11112222"), "multipart/form-data") == ()
    assert normal_body(_form(b"AAAAbbbb11112222", b"1"), "") == (("x", "1"),)
    assert normal_body(b"--not a form", "text/plain") != normal_body(b"--another text", "text/plain")


@pytest.mark.parametrize(
    ("recorded", "asked"),
    [(b"plain", b"other"), (b"", b"text"), (b"text", b""), (b"7", b"8"), (b"plain", _form(b"AAAAbbbb11112222", b"1"))],
)
def test_what_differs_always_has_a_name(recorded: bytes, asked: bytes) -> None:
    exchanges = [Exchange(order=1, method="PUT", url="http://x/a?=1", request_body=recorded, status=200)]
    match = Matcher(exchanges, fuzzy=False).take("PUT", "http://x/a?=2", asked)
    assert match.how == "none"
    assert "  " not in match.why and "field is" not in match.why and "parameter differs" not in match.why
    assert "body" in match.why
