"""Where a user ends up, and what the server was given, however it was spelled."""

from __future__ import annotations

from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.events import Request
from jostle.races.loading.places import asks_for, delivered, place, same_places

HERE = "http://site/a?x=1&y=2"


@pytest.mark.parametrize(
    "url",
    [
        "http://SITE/a?x=1&y=2",
        "http://site:80/a?x=1&y=2",
        "http://site/a/?x=1&y=2",
        "http://site/a/index.html?x=1&y=2",
        "http://site/%61?x=1&y=2",
        "http://site/a?y=2&x=1",
        "http://site/a?x=%31&y=2",
        "http://site/a?x=1&y=2#part",
        "http://site/a?x=1&y=2&_=1699999999999",
    ],
)
def test_one_place_has_many_spellings(url: str) -> None:
    assert same_places([url], [HERE])


@pytest.mark.parametrize(
    "url",
    [
        "https://site/a?x=1&y=2",
        "http://other/a?x=1&y=2",
        "http://site:81/a?x=1&y=2",
        "http://site/A?x=1&y=2",
        "http://site/a/b?x=1&y=2",
        "http://site/a?x=1",
        "http://site/a?x=2&y=1",
        "http://site/a?x=1&y=2#/basket",
        "http://site/a?x=1&y=2#!/basket",
    ],
)
def test_another_place(url: str) -> None:
    assert not same_places([url], [HERE])
    assert not same_places([HERE, url], [HERE])


@given(st.text(max_size=40))
def test_any_text_has_a_place(text: str) -> None:
    assert place(text) == place(text)
    assert place(f"http://{text}") == place(f"http://{text}")


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4))
def test_how_a_path_is_escaped_does_not_matter(names: list[str]) -> None:
    paths = ("/".join(quote(name, safe=safe) for name in names) for safe in ("", "~-_.!*'()"))
    assert len({place(f"http://site/x/{path}") for path in paths}) == 1


def post(url: str, body: str) -> list[Request]:
    return [Request(method="POST", url=url, body=body)]


def test_the_same_values_by_form_and_by_script() -> None:
    form = delivered(post("http://site/join", "mail=a%40b&plan=free"))
    assert form == delivered(post("http://site/api/join", '{"user": {"plan": "free", "mail": "a@b"}}'))
    parts = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in (("mail", "a@b"), ("plan", "free"))
    )
    assert form == delivered(post("http://site/join", f"{parts}--x--\r\n"))
    assert form != delivered(post("http://site/join", "mail=&plan=free"))
    assert form != delivered([])
    assert delivered([Request(method="GET", url="http://site/")]) == delivered([])


_WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=6)


@given(st.dictionaries(_WORDS, _WORDS, min_size=1, max_size=4))
def test_the_order_of_fields_does_not_matter(fields: dict[str, str]) -> None:
    backwards = dict(reversed(fields.items()))
    assert delivered(post("/", urlencode(fields))) == delivered(post("/", urlencode(backwards)))


def test_a_script_that_asks_for_what_the_address_says_gives_the_server_nothing() -> None:
    [request] = post("http://site/ajax.php", "call=list&id=a%3Ab&ns=&tab=files&do=media")
    assert asks_for(request, "http://site/doku.php?id=a:b&do=media&tab=files&ns=")
    assert not asks_for(request, "http://site/doku.php?id=a:b&do=edit&tab=files&ns=")
    assert not asks_for(request, "http://site/a:b")
    [request] = post("http://site/delete", "id=3&token=9a8b")
    assert not asks_for(request, "http://site/confirm?id=3")
    [empty] = post("http://site/logout", "")
    assert not asks_for(empty, "http://site/logout")
