"""Where a user ends up, and what the server was given, however it was spelled. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, quote, unquote

from jostle.addresses import explicit_port, split_url
from jostle.events import Request
from jostle.recording.normal_form import Pairs, normal_body, normal_pairs

_NEARLY = 0.8
"""A script may name what it asks for besides."""
_PORTS = {"http": 80, "https": 443}
_INDEX = re.compile(r"/index\.[a-z]{2,5}$", re.IGNORECASE)
_ROUTE = re.compile(r"^!?/")
"""A fragment that is the address of a view."""
_FORM = re.compile(r"^[^\s{}<>=]+=")
_NESTED = re.compile(r"[.\[]")
_FORM_TYPE = "application/x-www-form-urlencoded"


def place(url: str) -> tuple[object, ...]:
    """Equal for addresses of one place: `http://Site:80/a/index.html?y=1&x=%41#top` is `http://site/a?x=A&y=1`."""
    parts = split_url(url)
    host, port = (parts.hostname or "").lower(), explicit_port(parts) or _PORTS.get(parts.scheme)
    path = _INDEX.sub("/", quote(unquote(parts.path))).rstrip("/")
    query = normal_pairs(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return parts.scheme, host, port, path, query, parts.fragment if _ROUTE.match(parts.fragment) else ""


def same_places(some: Sequence[str], others: Sequence[str]) -> bool:
    return len(some) == len(others) and all(place(one) == place(other) for one, other in zip(some, others, strict=True))


def delivered(requests: Iterable[Request]) -> Counter[tuple[object, ...]]:
    """What requests gave the server: equal for a form that the browser sends and a script that sends the same values,
    to whichever address and in whatever encoding."""
    return Counter((request.method, _values(request.body)) for request in requests if not request.reads)


def asks_for(request: Request, url: str) -> bool:
    """Whether a request gives the server hardly anything but what the address says as well: it is asked for the same by
    a script, whatever its method."""
    given, said = set(_values(request.body)), set(normal_pairs(parse_qsl(split_url(url).query, keep_blank_values=True)))
    return bool(given) and len(given & said) >= _NEARLY * len(given)


def _values(body: str) -> Pairs:
    pairs = normal_body(body.encode(), _FORM_TYPE if _FORM.match(body) else "")
    # Where values lie in a JSON document does not matter: `user.mail` is the field `mail`.
    return tuple(sorted((_NESTED.split(name)[-1], _bare(value)) for name, value in pairs))


def _bare(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
