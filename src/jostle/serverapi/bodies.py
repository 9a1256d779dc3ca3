"""Bodies of requests and responses, taken apart as far as they can be. Traffic is hostile input."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import msgspec

from jostle import untrusted
from jostle.events.request_pattern import operation_name
from jostle.serverapi.sample import Content, Pair

LARGEST_PARSED = 8 * 2**20
"""Bytes of a body that is taken apart."""
DEEPEST = 200
"""Levels of nesting in JSON that is taken apart. Deeper ones are attacks, or data that no schema describes."""
_MOST_FIELDS = 1000
_GUARD = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*(?:\)\]\}'?,?\s*\n|for\s*\(;;\);|while\s*\(1\);)?")
"""A byte order mark, and what some servers put before JSON so that no script can include it."""
_DISPOSITION = re.compile(
    rb'content-disposition:[^\r\n]{0,500}?\bname="([^"\r\n]{0,200})"(?:[^\r\n]{0,500}?\b(filename)\*?=)?', re.IGNORECASE
)


class NotJson(ValueError):
    """A body is no JSON that is taken apart."""


class RequestBody(NamedTuple):
    """What is in the body of a request."""

    content: Content
    fields: tuple[Pair, ...] = ()
    files: frozenset[str] = frozenset()
    value: Any = None
    graphql: str = ""


def media_type(content_type: str) -> str:
    """`text/html` of `Text/HTML; charset=utf-8`; empty for what is none."""
    name = content_type.partition(";")[0].strip().lower()
    return name if re.fullmatch(r"[\w.+-]{1,100}/[\w.+*-]{1,100}", name, re.ASCII) else ""


def json_value(body: bytes) -> Any:
    """Raises NotJson, also for what is too large or too deep."""
    if len(body) > LARGEST_PARSED:
        raise NotJson("too large")
    guard = _GUARD.match(body)
    try:
        value = untrusted.decoded(body[guard.end() :] if guard else body, object)
    except msgspec.DecodeError as error:
        raise NotJson(str(error)) from None
    if _too_deep(value):
        raise NotJson("nested too deep")
    return value


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        if not level:
            return False
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
            if isinstance(inner, dict | list)
        ]
    return bool(level)


def request_body(body: bytes, content_type: str) -> RequestBody:
    """What a request carries. A body whose type lies is taken for what it is."""
    if not body:
        return RequestBody(Content.EMPTY)
    kind = media_type(content_type)
    if kind == "multipart/form-data":
        return _multipart(body)
    start = body[:64].lstrip()[:1]
    if "json" in kind or "graphql" in kind or start in (b"{", b"["):
        try:
            value = json_value(body)
        except NotJson:
            pass
        else:
            named = graphql_name(value)
            return RequestBody(Content.GRAPHQL if named else Content.JSON, value=value, graphql=named)
    if kind == "application/graphql":
        text = body.decode("utf-8", "replace")
        return RequestBody(Content.GRAPHQL, value={"query": text}, graphql=graphql_name({"query": text}))
    if kind == "application/x-www-form-urlencoded" and len(body) <= LARGEST_PARSED:
        fields = form_fields(body.decode("utf-8", "replace"))
        if fields:
            return RequestBody(Content.FIELDS, fields)
    return RequestBody(Content.OPAQUE)


def form_fields(text: str) -> tuple[Pair, ...]:
    """The fields of a query or of a form, decoded."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        return ()
    return tuple((untrusted.well_formed(name), untrusted.well_formed(value)) for name, value in pairs)


def graphql_name(value: Any) -> str:
    """What GraphQL operations a body names; one without a name is called by its text. Empty for other JSON."""
    parts = value if isinstance(value, list) else [value]
    names = [_one_graphql_name(part) for part in parts[:50]]
    return "+".join(names) if names and all(names) else ""


def _one_graphql_name(part: Any) -> str:
    if not isinstance(part, dict):
        return ""
    if name := operation_name(part):
        return untrusted.well_formed(name)
    query = part.get("query")
    if not isinstance(query, str) or "{" not in query or "}" not in query:
        return ""
    words = " ".join(query.split())
    return f"anonymous-{sha256(words.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _multipart(body: bytes) -> RequestBody:
    boundary = body.lstrip().split(b"\r\n", 1)[0].rstrip()
    if not boundary.startswith(b"--") or len(body) > LARGEST_PARSED:
        return RequestBody(Content.OPAQUE)
    fields: list[Pair] = []
    files: set[str] = set()
    for part in body.split(boundary)[1 : _MOST_FIELDS + 1]:
        head, separator, content = part.partition(b"\r\n\r\n")
        if not separator or not (named := _DISPOSITION.search(head)):
            continue
        name = named[1].decode("utf-8", "replace")
        if named[2]:
            files.add(name)
            fields.append((name, ""))
        else:
            fields.append((name, content.removesuffix(b"\r\n").decode("utf-8", "replace")))
    return RequestBody(Content.FIELDS, tuple(fields), frozenset(files)) if fields else RequestBody(Content.OPAQUE)
