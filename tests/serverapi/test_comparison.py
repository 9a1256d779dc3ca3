"""What changed between two descriptions."""

from __future__ import annotations

from typing import Any

from jostle.serverapi.ail_parser import parse_description
from jostle.serverapi.comparison import Change, Difference, compare, schema_changes
from jostle.serverapi.schemas import Schemas


def differences(old: str, new: str, before: Any = None, after: Any = None) -> list[Difference]:
    one, other = (parse_description(f"URL http://x\n{text}") for text in (old, new))
    return compare(one, other, Schemas({"s.json": before}), Schemas({"s.json": after}))


def test_no_differences() -> None:
    assert differences("GET a() : @s.json", "GET a() : @s.json", {"type": "array"}, {"type": "array"}) == []


def test_added_and_removed() -> None:
    assert differences("GET a() : *\nGET b() : *", "GET a() : *\nGET c/d() : *") == [
        Difference(change=Change.REMOVED, operation="GET b()", breaking=True),
        Difference(change=Change.ADDED, operation="GET c/d()"),
    ]


def test_split_and_merged() -> None:
    one, several = "GET news/*() : *", "GET news/latest() : *\nGET news/oldest() : *"
    names = ("GET news/latest()", "GET news/oldest()")
    assert differences(one, several) == [
        Difference(change=Change.SPLIT, operation="GET news/*()", others=names, breaking=True)
    ]
    assert differences(several, one) == [Difference(change=Change.MERGED, operation="GET news/*()", others=names)]


def test_widened_and_narrowed_requests() -> None:
    (wider,) = differences("GET a(x:int) : *", "GET a(x:?int, y:?*) : *")
    assert (wider.change, wider.breaking) == (Change.WIDENED, False)
    assert wider.details == ("parameter x: int → ?int", "parameter y is new (optional)")
    (narrower,) = differences("GET a(x:?*) : *", "GET a(x:int) : *")
    assert (narrower.change, narrower.breaking) == (Change.NARROWED, True)
    (changed,) = differences("GET a/b:int() : *", "GET a/b:int(x:*) : *")
    assert (changed.change, changed.breaking) == (Change.CHANGED, True)


def test_responses() -> None:
    (found,) = differences("GET a() : * | 404 void", "GET a() : * | 500 text/html")
    assert found.details == ("response 404 (void) is gone", "response 500 (text/html) is new")
    assert found.breaking


def test_schemas() -> None:
    before = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "old": {"type": "string"},
                       "tags": {"type": "array", "items": {"type": "string"}}},
        "required": ["id", "name"],
    }  # fmt: skip
    after = {
        "type": "object",
        "properties": {"id": {"type": ["integer", "null"]}, "name": {"type": "string", "format": "email"}, "new": {},
                       "tags": {"type": "array", "items": {"type": "integer"}}},
        "required": ["id", "tags"],
    }  # fmt: skip
    assert list(schema_changes(before, after)) == [
        ("id: may be null now", True),
        ("name may be missing now", True),
        ("name: format any → email", False),
        ("old is gone", True),
        ("tags is always there now", False),
        ("tags[]: no longer string", False),
        ("tags[]: may be integer now", True),
        ("new is new", False),
    ]
    (found,) = differences("GET a() : @s.json", "GET a() : @s.json", before, after)
    assert found.breaking
    assert found.details[0] == "response 200: id: may be null now"


def test_examples_are_no_difference() -> None:
    one, other = {"type": "string", "examples": ["a"]}, {"type": "string", "examples": ["b"]}
    assert differences("GET a() : @s.json", "GET a() : @s.json", one, other) == []
