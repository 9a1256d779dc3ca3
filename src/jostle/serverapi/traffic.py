"""Traffic as samples: which exchanges belong to the interface, which are files of the page, and which are left out.

A request belongs to the interface when a script made it (`XHR`, `Fetch`, `Ping` ...) or when it is no GET. Where nobody
tells who made a request, as in many HAR files, its response decides: documents, scripts, styles, pictures and fonts are
files of the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from urllib.parse import unquote

import msgspec

from jostle.addresses import split_url
from jostle.events.volatile import is_buster
from jostle.recording.exchange import Exchange, Header
from jostle.recording.normal_form import VARIANT_HEADERS
from jostle.serverapi.ail_parser import is_base, is_method
from jostle.serverapi.bodies import NotJson, form_fields, graphql_name, json_value, media_type, request_body
from jostle.serverapi.sample import ApiRequest, ApiResponse, Content, Sample
from jostle.untrusted import well_formed

BODY_NOT_KEPT = "BodyNotKept"
"""The `error` of an exchange whose response came, but without its body: many HAR files are like that."""

_BY_SCRIPTS = frozenset(("xhr", "fetch", "ping", "eventsource", "beacon", "xmlhttprequest"))
_OF_PAGES = frozenset(
    ("document", "script", "stylesheet", "image", "font", "media", "manifest", "texttrack", "prefetch", "other")
)
_FILE_TYPES = ("text/html", "text/css", "image/", "font/", "audio/", "video/", "application/wasm", "application/font")
_SCRIPT_TYPES = ("javascript", "ecmascript")
_REDIRECTS = frozenset((301, 302, 303, 307, 308))


class Traffic(msgspec.Struct, kw_only=True):
    """What came of reading exchanges."""

    base: str
    """Scheme, host and port of the server that is described."""
    samples: list[Sample] = []
    files: list[int] = []
    """Positions of exchanges that loaded the page and its files."""
    left_out: dict[str, int] = {}
    """How many exchanges were left out, by reason in words."""
    notes: list[str] = []


def api_request(
    method: str, url: str, headers: Iterable[Header] = (), body: bytes = b"", ignored: Iterable[str] = ()
) -> ApiRequest:
    """A request as it was sent, taken apart."""
    parts = split_url(url)
    kept = tuple((name.lower(), value) for name, value in headers)
    content_type = next((value for name, value in kept if name == "content-type"), "")
    query = form_fields(parts.query)
    carried = request_body(body, content_type)
    graphql = carried.graphql
    if not graphql and (asked := dict(query)).keys() & {"query", "operationName"}:
        graphql = graphql_name(dict(asked))
    names = tuple(ignored)
    pairs = tuple(pair for pair in (*query, *carried.fields) if not is_buster(*pair, names))
    return ApiRequest(
        method=method.upper(),
        origin=f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower(),
        path=path_fragments(parts.path),
        parameters=pairs,
        in_body=frozenset(name for name, _ in carried.fields),
        files=carried.files,
        content=carried.content,
        body=carried.value,
        graphql=graphql,
        headers=tuple(sorted(pair for pair in kept if pair[0] in VARIANT_HEADERS)),
    )


def path_fragments(path: str) -> tuple[str, ...]:
    """The decoded fragments of a path, without empty ones."""
    return tuple(well_formed(unquote(part)) for part in path.split("/") if part)


def api_response(status: int, content_type: str, body: bytes) -> ApiResponse:
    """A response as it came, taken apart."""
    kind = media_type(content_type)
    if not body:
        return ApiResponse(status=status, media_type="")
    if "json" in kind or (kind in ("", "text/plain", "text/javascript") and body[:256].lstrip()[:1] in (b"{", b"[")):
        try:
            return ApiResponse(status=status, media_type=kind, content=Content.JSON, value=json_value(body))
        except NotJson:
            pass
    return ApiResponse(status=status, media_type=kind or "application/octet-stream", content=Content.OPAQUE)


def read_traffic(
    exchanges: Iterable[Exchange],
    body_of: Callable[[Exchange], bytes],
    *,
    base: str = "",
    page: str = "",
    ignored: Iterable[str] = (),
) -> Traffic:
    """`base` is the origin of the server that is described; by default that of the page, if it was asked for anything,
    or the one that was asked most. `ignored`: names of parameters that mean nothing."""
    every = list(exchanges)
    names = tuple(ignored)
    left_out: Counter[str] = Counter()
    files: list[int] = []
    found: list[Sample] = []
    full: dict[str, Exchange] = {}
    broken = 0
    for position, exchange in enumerate(every):
        if reason := _not_http(exchange):
            left_out[reason] += 1
            continue
        answered = exchange
        if exchange.status == 304:
            cached = full.get(exchange.url)
            if cached is None:
                left_out["304 responses whose body the browser had"] += 1
                continue
            answered = cached
        elif exchange.method == "GET" and exchange.status == 200:
            full.setdefault(exchange.url, exchange)
        content_type = answered.header("content-type")
        if not _of_interface(exchange, media_type(content_type)):
            files.append(position)
            continue
        if answered.error == BODY_NOT_KEPT or answered.unkept:
            left_out["responses whose body was not kept"] += 1
            continue
        response = api_response(answered.status, content_type, b"" if exchange.method == "HEAD" else body_of(answered))
        broken += response.content is Content.OPAQUE and "json" in response.media_type
        request = api_request(exchange.method, exchange.url, exchange.request_headers, exchange.request_body, names)
        found.append(Sample(request=request, response=response, asked_by=exchange.asked_by, exchange=position))
    chosen = base or _base(found, page)
    samples = [sample for sample in found if sample.request.origin == chosen]
    for sample in found:
        if sample.request.origin != chosen:
            left_out[f"requests to {sample.request.origin}"] += 1
    notes = []
    if broken:
        says = "responses say they are" if broken > 1 else "response says it is"
        notes.append(f"{broken} {says} JSON and cannot be read as JSON")
    return Traffic(base=chosen, samples=samples, files=files, left_out=dict(left_out), notes=notes)


def origin_of(url: str) -> str:
    """Scheme, host and port of an address."""
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower() if parts.netloc else ""


def _base(samples: Iterable[Sample], page: str) -> str:
    asked = Counter(sample.request.origin for sample in samples)
    own = origin_of(page)
    if own in asked or not asked:
        return own
    most = max(asked.values())
    return min(origin for origin, number in asked.items() if number == most)


def _not_http(exchange: Exchange) -> str:
    """Why an exchange tells nothing of an interface, in words."""
    if not exchange.url.lower().startswith(("http://", "https://")):
        return "requests that are no HTTP (data:, blob:, WebSocket ...)"
    if exchange.status == 101:
        return "WebSocket connections"
    if not is_method(exchange.method.upper()) or not is_base(origin_of(exchange.url)):
        return "requests with a method or an address that no server knows"
    if exchange.error and exchange.error != BODY_NOT_KEPT:
        return "requests that got no response"
    if not exchange.status:
        return "requests that got no response"
    preflight = exchange.method == "OPTIONS" and any(
        name.lower() == "access-control-request-method" for name, _ in exchange.request_headers
    )
    return "preflights" if preflight or exchange.resource.lower() == "preflight" else ""


def _of_interface(exchange: Exchange, kind: str) -> bool:
    resource = exchange.resource.lower()
    if resource in _BY_SCRIPTS:
        return True
    if exchange.method not in ("GET", "HEAD"):
        return True
    if resource in _OF_PAGES:
        return False
    if exchange.status in _REDIRECTS:
        return False
    if kind.startswith(_FILE_TYPES) and "xml" not in kind.removeprefix("image/svg+"):
        return False
    if any(word in kind for word in _SCRIPT_TYPES):
        return False
    return "json" in kind or "xml" in kind or (kind == "text/plain" and resource == "")
