"""The descriptor of a network event: the request with everything removed that differs from run to run."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any
from urllib.parse import parse_qsl, quote

from jostle import untrusted
from jostle.addresses import split_url
from jostle.events.volatile import volatile_value, volatility

_SESSION_IN_PATH = re.compile(r";[^/=;]*=[^/;]*|\([A-Z]\([^)/]*\)\)")  # ;jsessionid=..., (S(...)) of ASP.NET
_OPERATION = re.compile(r"\b(?:query|mutation|subscription)\s+([A-Za-z_]\w*)")


def path_pattern(path: str) -> str:
    """The path with session ids and volatile segments starred: `/s/*/list`.

    A file name keeps its ending: `/app.9f86d081884c7d65.js` becomes `/app.*.js`.
    """
    segments = []
    for segment in _SESSION_IN_PATH.sub("", path).split("/"):
        whole = "." not in segment and volatile_value(segment)
        parts = ["*"] if whole else re.split(r"([._-])", segment)
        segments.append("".join("*" if volatile_value(part) else part for part in parts))
    return "/".join(segments)


def url_pattern(
    url: str,
    method: str = "GET",
    *,
    origin: str = "",
    body: bytes = b"",
    ignored: Collection[str] = (),
) -> str:
    """What a request is called in every run: `GET /api/search?q=milk&_=*`.

    - Query parameters are sorted by name; volatile values become `*` (rules: `jostle.events.volatile`).
    - Volatile path segments become `*`; the fragment is dropped.
    - The host is named only when `origin` (of the page) is given and the request goes elsewhere.
    - With a GraphQL `body` the names of the operations follow: `POST /graphql Search`.
    """
    if url.startswith(("data:", "blob:")):
        return f"{method} {url[:5]}*"
    parts, where = split_url(url), split_url(origin)
    same = not origin or (parts.scheme, parts.netloc) == (where.scheme, where.netloc)
    host = "" if same or not parts.netloc else f"{parts.scheme}://{parts.netloc}"
    items = sorted(parse_qsl(parts.query, keep_blank_values=True), key=lambda item: item[0])
    query = "&".join(
        f"{_shown(name)}={_starred(name, value, ignored)}" if value else "*" if volatile_value(name) else _shown(name)
        for name, value in items
    )
    operations = graphql_operations(body)
    return (
        f"{method} {host}{path_pattern(parts.path) or '/'}"
        + (f"?{query}" if query else "")
        + (f" {' '.join(operations)}" if operations else "")
    )


def graphql_operations(body: bytes) -> tuple[str, ...]:
    """Names of the GraphQL operations in a request body (several when batched); empty when it is something else."""
    if not body.lstrip().startswith((b"{", b"[")) or (b'"query"' not in body and b'"operationName"' not in body):
        return ()
    try:
        document = untrusted.parsed(body)
    except ValueError:
        return ()
    names = [operation_name(part) for part in (document if isinstance(document, list) else [document])]
    return tuple(name for name in names if name)


def operation_name(document: Any) -> str:
    """The name of one GraphQL operation in its JSON form, or an empty string."""
    if not isinstance(document, dict):
        return ""
    named, query = document.get("operationName"), document.get("query")
    if isinstance(named, str) and named and document.keys() & {"query", "extensions", "variables"}:
        return named
    found = _OPERATION.search(query) if isinstance(query, str) else None
    return found.group(1) if found else ""


def _starred(name: str, value: str, ignored: Collection[str]) -> str:
    return "*" if volatility(name, value, ignored) else _shown(value)


def _shown(text: str) -> str:
    return quote(text, safe="/:,;@!$'()*~|[]{}\" ", errors="surrogatepass").replace(" ", "+")
