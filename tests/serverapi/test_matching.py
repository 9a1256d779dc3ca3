"""Which operation a request belongs to, whether patterns overlap, and whether a description is sound."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given

from jostle.serverapi.ail_parser import parse_description
from jostle.serverapi.checks import mistakes
from jostle.serverapi.description import Description, Pattern
from jostle.serverapi.disjoint import Overlap, covers, overlap
from jostle.serverapi.matching import Matcher
from jostle.serverapi.schemas import SchemaProblem, Schemas
from jostle.serverapi.traffic import api_request, api_response
from tests.serverapi.making import sample
from tests.serverapi.test_ail import DESCRIPTIONS

TOKEN = {"type": "object", "required": ["token"]}
SCHEMAS = Schemas({"token.json": TOKEN, "item.json": {"type": "object"}, "items.json": {"type": "array"}})
D1 = """URL http://www.example.org
GET news():@items.json
GET author(name:*):@author.json
GET comments(newsId:*):@comments.json
POST users/login(user:*, pwd:*):@token.json"""
D2 = """URL http://www.example.org
GET news/read():@items.json
GET author(name:*):@author.json
GET users/login(user:*,pwd:*):@token.json
POST news/send(token:@token.json, items:+@item.json):void
POST users/create(token:@token.json, user:*, pwd:*):void"""
D3 = """URL http://www.example.org
POST comment/delete/comment_id:*():@delete.json
POST project_id:*/issues/issue_id:*/set/title/value/value:*():@set_title.json
POST project_id:*/scrum/add/task/for/story/story_id:*/mode/issue(task_name:*):@add_task.json"""


def number(text: str, asked: str, form: str = "") -> int | None:
    method, _, path = asked.partition(" ")
    kind = [("content-type", "application/x-www-form-urlencoded")] if form else []
    request = api_request(method, f"http://www.example.org{path}", kind, form.encode())
    return Matcher(parse_description(text), SCHEMAS).number_for(request)


@pytest.mark.parametrize(
    ("text", "asked", "form", "expected"),
    [
        (D1, "GET /author/?name=JohnDoe", "", 1),
        (D1, "POST /author?name=x", "", None),
        (D1, "GET /author", "", None),
        (D1, "GET /author?name=x&y=1", "", None),
        (D1, "GET /author?name=x&name=y", "", None),
        (D1, "GET /author?name=x&_=1699999999999", "", 1),
        (D1, "GET /news", "", 0),
        (D1, "GET //news/#top", "", 0),
        (D1, "POST /users/login", "user=a&pwd=b", 3),
        (D2, "POST /news/send", 'token={"token":1}', 3),
        (D2, "POST /news/send", 'token={"token":1}&items={}', 3),
        (D2, "POST /news/send", 'token={"token":1}&items={}&items={}&items={}', 3),
        (D2, "POST /news/send", 'token={"token":1}&items=1', None),
        (D2, "POST /news/send", "items={}", None),
        (D2, "POST /news/send", "token={}", None),
        (D2, "POST /news/send", "token=broken", None),
        (D3, "POST /comment/delete/17", "", 0),
        (D3, "POST /3/issues/9/set/title/value/Hello", "", 1),
        (D3, "POST /3/scrum/add/task/for/story/4/mode/issue?task_name=x", "", 2),
        ("URL http://x/api\nGET a/id:int() : *", "GET /api/a/12", "", 0),
        ("URL http://x/api\nGET a/id:int() : *", "GET /a/12", "", None),
        ("URL http://x\nGET a/id:int() : *", "GET /a/twelve", "", None),
        ("URL http://x\nGET a/id:id() : *", "GET /a/0f8fad5b-d9cb-469f", "", 0),
        ("URL http://x\nGET a(q:?\"x\"|int) : *", "GET /a?q=y", "", None),
        ("URL http://x\nGET a(q:?\"x\"|int) : *", "GET /a?q=-3", "", 0),
        ("URL http://x\nGET a(q:?\"x\"|int) : *", "GET /a", "", 0),
    ],
)  # fmt: skip
def test_matching(text: str, asked: str, form: str, expected: int | None) -> None:
    assert number(text, asked, form) == expected


def test_bodies_properties_and_graphql() -> None:
    description = parse_description(
        "URL http://shop.test\n"
        'POST rpc(body.method:"list", body:@item.json) : *\n'
        'POST rpc(body.method:"drop", body:*) : *\n'
        'POST graphql(graphql:"Find", body:*) : *\n'
        "POST plain(x:?*) : *"
    )
    matcher = Matcher(description, SCHEMAS)
    asked = [
        sample("POST rpc", sent={"method": "list"}),
        sample("POST rpc", sent={"method": "drop"}),
        sample("POST graphql", sent={"query": "query Find { a }"}),
        sample("POST plain"),
        sample("POST rpc", sent={"method": "other"}),
        sample("POST rpc", sent=["list"]),
        sample("POST graphql", sent={"query": "query Other { a }"}),
        sample("POST plain", sent={"x": 1}),
    ]
    assert [matcher.number_for(each.request) for each in asked] == [0, 1, 2, 3, None, None, None, None]


def test_responses() -> None:
    description = parse_description("URL http://x\nPOST a() : @token.json | void | 404 text/html | 5xx *")
    matcher, operation = Matcher(description, SCHEMAS), description.operations[0]

    def told(status: int, kind: str = "", body: bytes = b"") -> list[str]:
        return [each.what for each in matcher.violations(operation, api_response(status, kind, body))]

    assert told(200) == told(201) == []
    assert told(200, "application/json", b'{"token": 1}') == []
    assert told(200, "application/json", b"{}") == ['"token" is a required property']
    assert told(200, "text/html", b"<p>") == ["text/html instead of JSON"]
    assert told(200, "application/json", b"{") == ["application/json instead of JSON"]
    assert told(404, "text/html", b"<p>") == []
    assert told(404) == ["no body instead of text/html"]
    assert told(503, "text/plain", b"x") == []
    assert told(418) == ["status 418 is not described"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("POST author?name=x", "its method is GET"),
        ("GET author", "it needs name"),
        ("GET author?name=x&y=1", "it has no parameter y"),
        ("GET author?name=x&name=y", "the parameter name is there 2 times"),
        ("GET authors?name=x", '"authors" stands where it has "author"'),
    ],
)
def test_the_nearest_operation(asked: str, why: str) -> None:
    nearest = Matcher(parse_description(D1), SCHEMAS).nearest(sample(asked).request)
    assert nearest is not None
    assert (nearest[0].pattern.path[0].text, nearest[1]) == ("author", why)


def pattern(text: str) -> Pattern:
    return parse_description(f"URL http://x\n{text} : *").operations[0].pattern


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("GET news/latest()", "GET news/oldest()", Overlap.NONE),
        ("GET news/latest()", "GET news/*()", Overlap.CERTAIN),
        ("GET news/latest()", "GET news/id:int()", Overlap.NONE),
        ("GET news/12()", "GET news/id:int()", Overlap.CERTAIN),
        ("GET news/x:int()", "GET news/x:id()", Overlap.NONE),
        ("GET a()", "POST a()", Overlap.NONE),
        ("GET a()", "GET a/b()", Overlap.NONE),
        ("GET a(x:*)", "GET a()", Overlap.NONE),
        ("GET a(x:?*)", "GET a()", Overlap.CERTAIN),
        ("GET a(x:+*)", "GET a(y:?*)", Overlap.CERTAIN),
        ('GET a(x:"1")', 'GET a(x:"2")', Overlap.NONE),
        ('GET a(x:?"1")', 'GET a(x:?"2")', Overlap.CERTAIN),
        ('GET a(x:"1"|"2")', 'GET a(x:"2"|"3")', Overlap.CERTAIN),
        ("GET a(x:@token.json)", "GET a(x:@item.json)", Overlap.POSSIBLE),
        ("GET a(x:@token.json)", "GET a(x:@items.json)", Overlap.NONE),
        ("GET a(x:@token.json)", "GET a(x:int)", Overlap.NONE),
        ('GET a(x:@token.json)', 'GET a(x:"text")', Overlap.NONE),
        ("GET a(x:@unknown.json)", "GET a(x:int)", Overlap.POSSIBLE),
        ('POST a(body.m:"x", body:*)', 'POST a(body.m:"y", body:*)', Overlap.NONE),
        ('POST a(body.m:"x", body:*)', "POST a(body:*)", Overlap.CERTAIN),
        ('POST a(body.m:"x", body:*)', "POST a()", Overlap.NONE),
    ],
)  # fmt: skip
def test_overlaps(one: str, other: str, expected: Overlap) -> None:
    assert overlap(pattern(one), pattern(other), SCHEMAS) is expected
    assert overlap(pattern(other), pattern(one), SCHEMAS) is expected


def test_covering() -> None:
    assert covers(pattern("GET news/*()"), pattern("GET news/latest()"))
    assert not covers(pattern("GET news/latest()"), pattern("GET news/*()"))
    assert covers(pattern("GET a(x:?*)"), pattern("GET a()"))
    assert covers(pattern("GET a(x:+*)"), pattern("GET a(x:int)"))
    assert not covers(pattern("GET a()"), pattern("GET a(x:?*)"))


@given(DESCRIPTIONS)
def test_what_matches_two_operations_shows_that_they_overlap(description: Description) -> None:
    """Requests made of the constants of each pattern."""
    matcher = Matcher(description)
    prefix = description.base.partition("://")[2].partition("/")[2]
    for operation in description.operations:
        path = "/".join(part.text or "12" for part in operation.pattern.path)
        request = api_request(operation.pattern.method, f"http://x/{prefix}/{path.replace('%', '%25')}")
        matching = [description.operations[each] for each in matcher.numbers_for(request)]
        for one, other in combinations(matching, 2):
            assert overlap(one.pattern, other.pattern) is not Overlap.NONE


# Whether a description is sound --------------------------------------------------------------------------------------


def told(text: str, folder: Path) -> list[str]:
    return [f"{each.operation}: {each.words}" for each in mistakes(parse_description(f"URL http://x\n{text}"), folder)]


def test_sound_descriptions(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "items.json").write_text('{"type": "array"}')
    assert told("GET news/latest() : @s/items.json\nGET news/oldest() : void\nGET news() : *", tmp_path) == []
    assert told("GET news/*() : *", tmp_path) == []


def test_overlapping_operations(tmp_path: Path) -> None:
    assert told("GET news/latest() : *\nGET news/oldest() : *\nGET news/*() : *", tmp_path) == [
        "GET news/*(): leaves nothing to GET news/latest(): every request for that matches this one too",
        "GET news/*(): leaves nothing to GET news/oldest(): every request for that matches this one too",
    ]
    assert told("GET *() : *\nGET a() : *", tmp_path) == [
        "GET a(): can never be reached: every request for it matches GET *() too"
    ]
    assert told("GET a() : *\nGET a() : void", tmp_path) == ["GET a(): is there twice"]
    assert told("GET a/*() : *\nGET */b() : *", tmp_path) == [
        "GET */b(): overlaps with GET a/*(): a request can match both"
    ]


def test_schemas_that_are_not_there_or_are_none(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "wrong.json").write_text('{"type": "strange"}')
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "away.json").write_text('{"$ref": "http://127.0.0.1:9/x.json"}')
    (tmp_path / "link.json").symlink_to("/etc/passwd")
    files = ("no", "broken", "wrong", "list", "away", "link", "../up", "/etc/x")
    found = told("\n".join(f"GET a{number}() : @{file}.json" for number, file in enumerate(files)), tmp_path)
    assert [each.partition(": ")[2][:55] for each in found] == [
        "The schema no.json cannot be read: there is no such fil",
        "The schema broken.json is not valid JSON: Input data wa",
        'wrong.json is not a JSON Schema at type: "strange" is n',
        "list.json is not a JSON Schema: it is neither an object",
        "away.json is not a JSON Schema: Resource 'http://127.0.",
        "The schema link.json cannot be read: it is a link",
        "The schema ../up.json cannot be read: '../up.json' is o",
        "The schema /etc/x.json cannot be read: '/etc/x.json' is",
    ]


def test_operations_that_make_no_sense(tmp_path: Path) -> None:
    assert told("GET a(body:*) : *", tmp_path) == [
        "GET a(body:*): can never be reached from a page: GET requests carry no body"
    ]
    assert told("GET a/x:*/x:*() : *", tmp_path) == ["GET a/x:*/x:*(): has two parts of the path called x"]
    assert told("GET a() : * | *", tmp_path) == ["GET a(): has the same response twice"]


def test_references_between_schemas(tmp_path: Path) -> None:
    schemas = Schemas({"a.json": {"$ref": "b.json"}, "b.json": {"type": "integer"}})
    assert schemas.valid("a.json", 1) and not schemas.valid("a.json", "x")
    with pytest.raises(SchemaProblem, match=r"There is no schema c\.json"):
        schemas.valid("c.json", 1)
    (tmp_path / "a.json").write_text(json.dumps({"type": "integer"}))
    assert Schemas.read(["a.json"], tmp_path).valid("a.json", 3)
