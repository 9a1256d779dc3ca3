"""The language: what is read, how it is written, and what is said of mistakes."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.errors import UsageProblem
from jostle.serverapi.ail_format import format_description, format_operation
from jostle.serverapi.ail_parser import AilProblem, parse_description, read_ail
from jostle.serverapi.description import (
    ANY,
    Alternative,
    Anything,
    Cardinality,
    Constant,
    Description,
    Fragment,
    Identifier,
    Integer,
    JsonSchema,
    Media,
    Operation,
    Parameter,
    Pattern,
    Place,
    RelaxNg,
    Void,
)


def only(text: str) -> Operation:
    (operation,) = parse_description(f"URL http://x.test\n{text}").operations
    return operation


def test_a_whole_description() -> None:
    text = """\
# The news
URL http://www.example.org

GET news() : @items.json
GET author(name:*) : @author.json

# Needs a token from users/login.
POST news/send(token:@token.json, items:+@item.json) : void

# end
"""
    description = parse_description(text)
    assert description.base == "http://www.example.org"
    assert description.comments == ("The news",)
    assert description.footer == ("end",)
    assert description.operations[2] == Operation(
        pattern=Pattern(
            method="POST",
            path=(Fragment(text="news"), Fragment(text="send")),
            parameters=(
                Parameter(name="token", datatype=(JsonSchema("token.json"),)),
                Parameter(name="items", cardinality=Cardinality.MANY, datatype=(JsonSchema("item.json"),)),
            ),
        ),
        responses=(Alternative(type=Void()),),
        comments=("Needs a token from users/login.",),
    )
    assert format_description(description) == text


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("GET news():@items.json", "GET news() : @items.json"),
        ("GET /news/ () : *", "GET news() : *"),
        ("GET /():*", "GET /() : *"),
        ("GET a(x:alice|bob):*", 'GET a(x:"alice"|"bob") : *'),
        ("POST a/\n  b/\n  c() : void", "POST a/b/c() : void"),
        ("GET news/*() : *", "GET news/*() : *"),
        ("GET a/id:*/lang:en|de() : *", 'GET a/id:*/lang:"en"|"de"() : *'),
        ("GET a%20b/c%2Fd():*", "GET a%20b/c%2Fd() : *"),
        ("GET feed() : @feed.rng#entry", "GET feed() : @feed.rng#entry"),
        ("GET a() : 200 @a.json | 404 @e.json|5xx text/html", "GET a() : 200 @a.json | 404 @e.json | 5xx text/html"),
        ('POST q("body":*, body:?@q.json, body.op:"x") : *', 'POST q("body":*, body:?@q.json, body.op:"x") : *'),
        ('POST q(body."a b":*) : *', 'POST q(body."a b":*) : *'),
        ('GET q("a \\"b\\"":*) : "\\u{1f600}\\n"', 'GET q("a \\"b\\"":*) : "😀\\n"'),
        ("GET a(items[]:+*, $x:?int) : *", "GET a(items[]:+*, $x:?int) : *"),
        ("M-SEARCH a() : *", "M-SEARCH a() : *"),
        ("GET a() : \n *", "GET a() : *"),
        ("GET a(x:*) : *   # why", "# why\nGET a(x:*) : *"),
        ("GET a(\n # inside\n x:*) : *", "# inside\nGET a(x:*) : *"),
    ],
)
def test_what_may_be_written_and_how_it_is_usually(written: str, usual: str) -> None:
    operation = only(written)
    comments = "".join(f"# {each}\n" for each in operation.comments)
    assert comments + format_operation(operation) == usual
    assert only(usual) == operation


def test_long_operations_take_several_lines() -> None:
    parameters = ", ".join(f"parameter_number_{number}:*" for number in range(8))
    operation = only(f"GET a({parameters}) : @a.json | 404 @b.json")
    shown = format_operation(operation)
    assert max(map(len, shown.splitlines())) < 110
    assert only(shown) == operation


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("", 1, 1, "expected the line URL with the address of the server, found the end of the file"),
        ("GET a() : *", 1, 1, 'expected the line URL with the address of the server, found "GET"'),
        ("URL ftp://x", 1, 5, 'expected an address like http://localhost:8000, found "ftp"'),
        ("URL http://", 1, 5, "expected an address like http://localhost:8000"),
        ("URL http://x:99999", 1, 5, "expected an address like http://localhost:8000"),
        (
            "URL http://x\n\nget a() : *",
            3,
            1,
            'expected an operation that begins with a method (GET, POST ...), found "get"',
        ),
        ("URL http://x\nGET a", 2, 6, "expected ( with the parameters after the path, found the end of the file"),
        ("URL http://x\nGET a(x:*", 2, 10, "expected , or ) after a parameter, found the end of the file"),
        ("URL http://x\nGET a(x) : *", 2, 8, 'expected : and a type after the name of the parameter, found ")"'),
        ("URL http://x\nGET a(x:) : *", 2, 9, 'expected a type: *, int, id, "text" or @file.json, found ")"'),
        ("URL http://x\nGET a(x:*, x:*) : *", 2, 12, "the parameter x is there twice"),
        ("URL http://x\nGET a() *", 2, 9, 'expected : and the response after the parameters, found "*"'),
        ("URL http://x\nGET a() : nothing", 2, 11, "expected a response: void, *"),
        ("URL http://x\nGET a() : @items", 2, 11, "expected a file name like @items.json or @feed.rng after @"),
        ("URL http://x\nGET a(x:void) : *", 2, 9, "void is for responses"),
        ("URL http://x\nGET x:?*() : *", 2, 7, "a part of the path is always there once: it has no ? or +"),
        ("URL http://x\nGET x:@a.json() : *", 2, 7, "a part of the path is text: use *, int, id or constants"),
        ('URL http://x\nGET a("x:*) : *', 2, 7, 'expected a closing " on the same line'),
        ('URL http://x\nGET a("\\x":*) : *', 2, 8, "\\x means nothing in a text"),
        ('URL http://x\nGET a("\\u{110000}":*) : *', 2, 8, "there is no such character"),
        ("URL http://x\nGET a|b() : *", 2, 6, 'expected ( with the parameters after the path, found "|"'),
        ("URL http://x\nGET a() : * extra", 2, 13, "expected an operation that begins with a method"),
        ("URL http://x\nGET", 2, 4, "expected a path after GET, found the end of the file"),
    ],
)
def test_mistakes_are_told_with_their_place(text: str, line: int, column: int, said: str) -> None:
    with pytest.raises(AilProblem) as caught:
        parse_description(text, "api.ail")
    problem = caught.value
    assert (problem.line, problem.column) == (line, column)
    assert problem.message.startswith(f"api.ail:{line}:{column}: {said}")
    excerpt, pointer = problem.message.split("\n")[1:]
    assert excerpt.strip() in text
    assert pointer.index("^") - 4 == column - 1


def test_mistakes_in_long_lines_show_the_place() -> None:
    with pytest.raises(AilProblem) as caught:
        parse_description(f"URL http://x\nGET {'a/' * 5000}x(y:*", "api.ail")
    assert all(len(line) < 120 for line in caught.value.message.splitlines())


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match=r"cannot be read: No such file"):
        read_ail(tmp_path / "no.ail")
    with pytest.raises(UsageProblem, match="cannot be read"):
        read_ail(tmp_path)
    (tmp_path / "binary.ail").write_bytes(b"URL http://x\n\xff\xfe")
    with pytest.raises(UsageProblem, match="is not UTF-8 text: line 2"):
        read_ail(tmp_path / "binary.ail")
    (tmp_path / "mark.ail").write_bytes(b"\xef\xbb\xbfURL http://x\r\nGET a() : *\r\n")
    assert len(read_ail(tmp_path / "mark.ail").operations) == 1


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NAMES = TEXTS | st.text(string.ascii_letters + "_.-[]$", min_size=1, max_size=6) | st.sampled_from(["body", "graphql"])
FILES = st.from_regex(r"[a-z][a-z0-9./-]{0,5}\.json", fullmatch=True).map(JsonSchema)
TEXT_TYPES = st.one_of(st.builds(Constant, TEXTS), st.just(Anything()), st.just(Integer()), st.just(Identifier()))
PATH_TYPES = st.lists(TEXT_TYPES, min_size=1, max_size=3).map(tuple)
FRAGMENTS = st.one_of(
    st.builds(Fragment, text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)),
    st.builds(Fragment, name=TEXTS, datatype=PATH_TYPES),
    st.just(Fragment(datatype=ANY)),
)
PARAMETERS = st.one_of(
    st.builds(
        Parameter,
        name=NAMES,
        place=st.sampled_from([Place.FIELD, Place.PROPERTY]),
        cardinality=st.sampled_from(Cardinality),
        datatype=st.lists(TEXT_TYPES | FILES, min_size=1, max_size=3).map(tuple),
    ),
    st.builds(
        Parameter,
        place=st.sampled_from([Place.BODY, Place.GRAPHQL]),
        datatype=st.lists(FILES, min_size=1, max_size=2).map(tuple),
    ),
)
RESPONSES = st.builds(
    Alternative,
    status=st.sampled_from(["", "200", "404", "5xx"]),
    type=st.one_of(
        TEXT_TYPES,
        FILES,
        st.just(Void()),
        st.just(Media("text/html")),
        st.builds(RelaxNg, st.just("a/b.rng"), st.sampled_from(["", "x"])),
    ),
)
COMMENTS = st.lists(st.text(string.ascii_letters + ' #"(:', max_size=10).map(str.strip), max_size=2).map(tuple)
OPERATIONS = st.builds(
    Operation,
    pattern=st.builds(
        Pattern,
        method=st.sampled_from(["GET", "POST", "M-SEARCH"]),
        path=st.lists(FRAGMENTS, max_size=4).map(tuple),
        parameters=st.lists(PARAMETERS, max_size=4, unique_by=lambda each: each.key).map(tuple),
    ),
    responses=st.lists(RESPONSES, min_size=1, max_size=3).map(tuple),
    comments=COMMENTS,
)
DESCRIPTIONS = st.builds(
    Description,
    base=st.sampled_from(["http://x.test", "https://[::1]:8443/api", "http://x.test:80/a/b"]),
    operations=st.lists(OPERATIONS, max_size=4).map(tuple),
    comments=COMMENTS,
    footer=COMMENTS,
)


@given(DESCRIPTIONS)
def test_what_is_written_is_read_as_it_was(description: Description) -> None:
    text = format_description(description)
    assert parse_description(text) == description
    assert format_description(parse_description(text)) == text


@given(st.text(st.sampled_from(list('GETURL http://x\n():*|,"@?+#/.json ab')), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        description = parse_description(f"URL http://x\n{text}")
    except AilProblem as problem:
        assert problem.line >= 1 and problem.column >= 1
    else:
        assert parse_description(format_description(description)) == description
