"""Where something was read or written."""

from __future__ import annotations

import copy
import gc
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jostle.events.location import LocationKind, located, located_in, location_of_event


@pytest.mark.parametrize(
    ("text", "kind", "of", "name"),
    [
        ("global:queue", LocationKind.GLOBAL, "", "queue"),
        ("global:a:b", LocationKind.GLOBAL, "", "a:b"),
        ("closure:7.cache", LocationKind.CLOSURE, "7", "cache"),
        ("object:3.a.b", LocationKind.OBJECT, "3", "a.b"),
        ("object:3.[[state]]", LocationKind.OBJECT, "3", "[[state]]"),
        ("array:4[12]", LocationKind.ARRAY, "4", "[12]"),
        ("array:4.length", LocationKind.ARRAY, "4", "length"),
        ("dom:body>p@class", LocationKind.DOM, "body>p", "class"),
        ("dom:table", LocationKind.DOM, "table", ""),
        ("tree:<*>", LocationKind.TREE, "", "<*>"),
        ("form:input#q", LocationKind.FORM, "", "input#q"),
        ("handler:body>div p load", LocationKind.HANDLER, "body>div p", "load"),
        ("storage:localStorage.a.b", LocationKind.STORAGE, "localStorage", "a.b"),
        ("cookie:sid", LocationKind.COOKIE, "", "sid"),
        ("event:timer:5f0c3a9e12", LocationKind.EVENT, "", "timer:5f0c3a9e12"),
        ("something else", LocationKind.OTHER, "", "something else"),
    ],
)
def test_parts(text: str, kind: LocationKind, of: str, name: str) -> None:
    for document in ("", "0/1/2"):
        written = f"{text} in document {document}" if document else text
        found = located(written)
        assert (found.kind, found.of, found.name, found.document) == (kind, of, name, document)
        assert str(found) == written


@example(" in document ")
@given(st.text())
def test_any_text_is_a_location_and_stays_as_it_is(text: str) -> None:
    assert str(located(text)) == text
    assert located(text) is pickle.loads(pickle.dumps(located(text)))


def test_locations_are_values() -> None:
    one = located("global:x")
    assert one is located("global:x") is located_in("global:x", "", "0//2") is copy.deepcopy(one) is copy.copy(one)
    assert one != located_in("global:x", "0//2", "")
    assert location_of_event("timer:1") == located("event:timer:1")


def test_locations_that_nobody_has_any_more_are_forgotten_and_made_again() -> None:
    before = str(located("global:forgotten"))
    located.cache_clear()
    gc.collect()
    assert str(located("global:forgotten")) == before


def test_documents_that_reach_each_other_count_objects_together() -> None:
    assert located_in("object:3.a", "0/1/1", "0//2") == located("object:3.a in document 0//2")
    assert located_in("global:a", "0/1/1", "0//2") == located("global:a in document 0/1/1")
    assert located_in("cookie:a", "0/1/1", "0//2") == located("cookie:a")
    assert located_in("global:a", "", "") == located("global:a")


def test_what_a_user_can_see() -> None:
    seen = {kind for kind in LocationKind if kind.visible}
    assert seen == {LocationKind(kind) for kind in ("dom", "form", "tree", "handler", "storage", "cookie")}
