"""Requests and responses of a page, as whole values, and how the protocol spells them."""

from __future__ import annotations

import base64
from typing import Any

import msgspec

from jostle.browser.connection import Params

Header = tuple[str, str]

UNKNOWN_TO_MOCK = "X-Jostle-Unknown"
"""The header of a response by a mock that knows nothing of the request."""
_NOT_KEPT = {"content-encoding", "content-length", "transfer-encoding"}


class SentRequest(msgspec.Struct, kw_only=True, eq=False):
    """A request of the page, as it was sent. Two are the same only if they are one and the same."""

    method: str
    url: str
    headers: tuple[Header, ...] = ()
    body: bytes = b""
    resource: str = ""
    """document, script, stylesheet, image, font, xhr, fetch ..."""


class Response(msgspec.Struct, kw_only=True):
    """What comes back for a request: a response, or the reason why there is none."""

    status: int = 200
    status_text: str = ""
    headers: tuple[Header, ...] = ()
    body: bytes = b""
    error: str = ""
    """Chromium's error reason (`ConnectionRefused`, `Failed` ...) when there is no response."""
    passed_through: bool = False
    """It goes to the page as it is: an error, or a body too large to be looked at, which is not recorded."""

    @property
    def redirect(self) -> bool:
        return self.status in (301, 302, 303, 307, 308) and any(name.lower() == "location" for name, _ in self.headers)

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")


def sent_request(params: Params) -> SentRequest:
    """The request that `Network.requestWillBeSent` tells of."""
    request = params["request"]
    return SentRequest(
        method=request["method"],
        url=request["url"].split("#", 1)[0],
        headers=tuple((name, str(value)) for name, value in request["headers"].items()),
        body=_post_data(request),
        resource=str(params.get("type", "Other")).lower(),
    )


def is_preflight(request: Params) -> bool:
    return request["method"] == "OPTIONS" and any(
        name.lower() == "access-control-request-method" for name in request["headers"]
    )


def preflight_allowed(pause: str, request: Params) -> Params:
    """The parameters of `Fetch.fulfillRequest` that allow what a preflight asks for."""
    asked = {name.lower(): str(value) for name, value in request["headers"].items()}
    allowed = {
        "Access-Control-Allow-Origin": asked.get("origin", "*"),
        "Access-Control-Allow-Methods": asked.get("access-control-request-method", "*"),
        "Access-Control-Allow-Headers": asked.get("access-control-request-headers", "*"),
        "Access-Control-Allow-Credentials": "true",
    }
    return {"requestId": pause, "responseCode": 204, "responseHeaders": _header_list(tuple(allowed.items()))}


def fulfilment(pause: str, response: Response, more: tuple[Header, ...], *, live: bool) -> Params:
    """The parameters of `Fetch.fulfillRequest`. `live`: the server itself has answered. `more`: further headers."""
    headers = tuple(
        (name, value)
        for name, value in response.headers
        # Live, the cookie was set when the response arrived; setting it again could undo a newer one.
        if name.lower() not in _NOT_KEPT and not (live and name.lower() == "set-cookie")
    )
    parameters: dict[str, Any] = {
        "requestId": pause,
        "responseCode": response.status,
        "responseHeaders": _header_list((*headers, *more)),
    }
    if response.status_text:
        parameters["responsePhrase"] = response.status_text
    # Without a body, even an empty one, Chromium would take the one it has, which is no longer there.
    parameters["body"] = base64.b64encode(response.body).decode("ascii")
    return parameters


def decoded(text: str, base64_encoded: bool) -> bytes:
    """A body as the protocol gives it."""
    return base64.b64decode(text) if base64_encoded else text.encode("utf-8", "surrogatepass")


def _header_list(headers: tuple[Header, ...]) -> list[Params]:
    return [{"name": name, "value": value} for name, value in headers]


def _post_data(request: Params) -> bytes:
    entries = request.get("postDataEntries")
    if entries and all("bytes" in entry for entry in entries):
        return b"".join(base64.b64decode(entry["bytes"]) for entry in entries)
    return str(request.get("postData", "")).encode("utf-8", "surrogatepass")
