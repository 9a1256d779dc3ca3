"""The normal form of a request: equal for two requests that differ only in what is volatile.

| part          | what is done                                                                                        |
|---------------|-----------------------------------------------------------------------------------------------------|
| fragment      | dropped                                                                                             |
| path          | session ids dropped, volatile segments starred (`jostle.events.request_pattern.path_pattern`)       |
| query         | sorted by name (repeated names keep their order); cache busters and ignored names dropped, other    |
|               | volatile values starred (`jostle.events.volatile`)                                                  |
| form body     | as the query                                                                                        |
| JSON body     | order of keys does not matter; values as in the query, a list's under the name of the list          |
| GraphQL body  | as JSON; white space in the query does not matter, hashes of persisted queries are kept             |
| multipart     | the boundary does not matter; fields as in the query, files by name and content                     |
| other bodies  | by content                                                                                          |
| headers       | only those by which servers choose another kind of answer (`VARIANT_HEADERS`)                       |
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from jostle import untrusted
from jostle.addresses import split_url
from jostle.events.request_pattern import operation_name, path_pattern
from jostle.events.volatile import is_buster, volatility
from jostle.recording.exchange import Header

VARIANT_HEADERS = frozenset(
    [
        "accept",
        "range",
        "x-requested-with",
        "hx-request",
        "hx-target",
        "turbo-frame",
        "rsc",
        "next-action",
        "x-inertia",
        "x-pjax",
        "x-livewire",
        "x-http-method-override",
    ]
)
"""Request headers by which one address gives different kinds of answer."""

WHOLE = "(whole body)"
"""The name of the only field of a body that is not taken apart."""
_LARGEST_PARSED = 2**20
_MULTIPART = re.compile(rb"\s*--(?:\S{1,70}[ \t]*\r\n[\w-]+:|\S{4,70}--\s*\Z)")
"""How a multipart body begins. With no field in it, its only line is the one that ends it."""
_DISPOSITION = re.compile(
    rb'content-disposition:[^\r\n]*?\bname="([^"\r\n]*)"(?:[^\r\n]*?\bfilename="([^"\r\n]*)")?', re.I
)

Pairs = tuple[tuple[str, str], ...]


class NormalRequest(NamedTuple):
    """A request as the page made it."""

    method: str
    url: str
    body: bytes = b""
    headers: tuple[Header, ...] = ()
    event: str = ""
    """Key of the event by which its answer would arrive, where known."""

    @property
    def exact(self) -> tuple[str, str, bytes]:
        """Equal for requests with the same method, URL (without fragment) and body."""
        return (self.method, self.url.partition("#")[0], self.body)

    @property
    def variant(self) -> Pairs:
        return tuple(sorted((n.lower(), v) for n, v in self.headers if n.lower() in VARIANT_HEADERS))

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")


class NormalForm:
    """A request taken apart, for comparing it with others."""

    def __init__(self, asked: NormalRequest, ignored: Collection[str] = ()) -> None:
        self.asked = asked
        self._ignored = ignored
        parts = split_url(asked.url)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        self.raw_path = parts.path
        self.path: tuple[str, ...] = tuple(path_pattern(parts.path).split("/"))
        self.raw_query = parse_qsl(parts.query, keep_blank_values=True)
        self.query = normal_pairs(self.raw_query, ignored)

    @cached_property
    def body(self) -> Pairs:
        """The body as (field, value), fields in order; empty without body."""
        return normal_body(self.asked.body, self.asked.header("content-type"), self._ignored)

    @property
    def key(self) -> tuple[str, str, tuple[str, ...], Pairs, Pairs]:
        return (self.asked.method, self.origin, self.path, self.query, self.body)

    @property
    def shape(self) -> tuple[str, str, int, tuple[str, ...]]:
        """Equal for all requests that may stand for each other at all (other than exactly)."""
        return (self.asked.method, self.origin, len(self.path), tuple(sorted({name for name, _ in self.query})))


def normal_pairs(pairs: Iterable[tuple[str, str]], ignored: Collection[str] = ()) -> Pairs:
    kept = [
        (name, "*" if volatility(name, value) else value)
        for name, value in pairs
        if not is_buster(name, value, ignored)
    ]
    return tuple(sorted(kept, key=lambda pair: pair[0]))


def normal_body(body: bytes, content_type: str, ignored: Collection[str] = ()) -> Pairs:
    if not body:
        return ()
    start = body[:64].lstrip()
    if len(body) <= _LARGEST_PARSED:
        if "json" in content_type or start[:1] in (b"{", b"["):
            try:
                return tuple(sorted(_leaves(untrusted.parsed(body), ignored)))
            except (ValueError, RecursionError):
                pass
        if content_type.startswith("application/x-www-form-urlencoded"):
            return normal_pairs(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True), ignored)
        if _MULTIPART.match(body):
            return _multipart(body, ignored)
    return ((WHOLE, sha256(body).hexdigest()),)


def similarity(one: Pairs, other: Pairs) -> float:
    """How alike two bodies are, 0 to 1: a field in both counts half, with an equal value wholly."""
    if one == other:
        return 1.0
    first, second = dict(one), dict(other)
    if not first or not second or (first.keys() == second.keys() == {WHOLE}):
        return 0.0
    if first.get(_OPERATION, "") != second.get(_OPERATION, ""):
        return 0.0
    common = first.keys() & second.keys()
    equal = sum(1 for name in common if first[name] == second[name])
    return (len(common) + equal) / (2 * len(first.keys() | second.keys()))


_OPERATION = "(operation)"


def _leaves(document: Any, ignored: Collection[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []

    def walk(value: Any, path: str, name: str, kept: bool) -> None:
        if isinstance(value, dict) and value:
            operation = operation_name(value)
            if operation:
                found.append((f"{path}{_OPERATION}" if path else _OPERATION, operation))
            for key, item in value.items():
                if operation and key == "query" and isinstance(item, str):
                    item = " ".join(item.split())
                whole = kept or bool(operation and key in ("extensions", "query"))
                walk(item, f"{path}.{key}" if path else key, key, whole)
        elif isinstance(value, list) and value:
            for n, item in enumerate(value):
                walk(item, f"{path}.{n}" if path else str(n), name, kept)
        else:
            text = value if isinstance(value, str) else json.dumps(value)
            if kept:
                found.append((path or WHOLE, text))
            elif not is_buster(name, text, ignored) or not name:
                found.append((path or WHOLE, "*" if volatility(name or "item", text) else json.dumps(value)))

    walk(document, "", "", False)
    return found


def _multipart(body: bytes, ignored: Collection[str]) -> Pairs:
    boundary = body.lstrip().split(b"\r\n", 1)[0].rstrip()
    fields: list[tuple[str, str]] = []
    for part in body.split(boundary)[1:]:
        head, separator, content = part.partition(b"\r\n\r\n")
        named = _DISPOSITION.search(head)
        if not separator or not named:
            continue
        content = content.removesuffix(b"\r\n")
        name = named[1].decode("utf-8", "replace")
        if named[2] is not None:
            fields.append((name, f"file {named[2].decode('utf-8', 'replace')} {sha256(content).hexdigest()}"))
        else:
            fields += normal_pairs([(name, content.decode("utf-8", "replace"))], ignored)
    return tuple(sorted(fields, key=lambda pair: pair[0]))
