"""HAR files of any tool as recordings: Chromium, Firefox, Safari, Charles, Fiddler, mitmproxy.

What tools do otherwise than the format says, and is taken all the same:

| what                                                         | who                       |
|--------------------------------------------------------------|---------------------------|
| a byte order mark before the file                            | Fiddler, Charles          |
| no `text`, although there was a body                         | Chromium (evicted), others|
| bodies in base64, or still packed by gzip or deflate inside  | Charles, mitmproxy        |
| `postData` with `params` and no `text`, or `text` in base64  | Firefox, Charles          |
| status 0 or -1, `_error`, `_charlesStatus`                   | Chromium, Charles         |
| WebSockets as entries, with status 101 or 0                  | Chromium, Firefox         |
| `:authority` and other headers with a colon                  | Chromium, HTTP/2          |
| `null`, numbers and missing keys where texts belong          | all of them               |
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jostle import untrusted
from jostle.errors import UsageProblem
from jostle.reading import read_file
from jostle.recording.exchange import Exchange, Header, interesting
from jostle.recording.file import MAX_RATIO, MAX_TOTAL, MIN_TOTAL, Manifest, Recording
from jostle.serverapi.traffic import BODY_NOT_KEPT

LARGEST = 512 * 2**20
_MB = 2**20
_BODILESS = frozenset((101, 204, 205, 304))
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class UnreadableHar(UsageProblem):
    """The file is no HAR file, or is damaged."""


class _Unpacking:
    """What packed bodies of one file may become together: as much as those of a recording of its size."""

    def __init__(self, packed: int) -> None:
        self._most = min(MAX_TOTAL, MIN_TOTAL + MAX_RATIO * packed)
        self._left = self._most

    def body(self, data: bytes) -> bytes:
        """A body that is still packed although the format says otherwise, unpacked. Raises OverflowError."""
        if data[:2] != b"\x1f\x8b" and not (
            data[:1] == b"\x78" and len(data) > 2 and (data[0] * 256 + data[1]) % 31 == 0
        ):
            return data
        try:
            plain = zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(data, self._left + 1)
        except zlib.error:
            return data
        self._left -= len(plain)
        if self._left < 0:
            raise OverflowError(
                f"unpacked, its bodies would be larger than a recording may be ({self._most // _MB} MB)"
            )
        return plain


def read_har(file: Path) -> Recording:
    """Raises UnreadableHar, with what is wrong."""
    try:
        data = read_file(file, LARGEST, follow=True)
    except OSError as error:
        raise UnreadableHar(f"{file} cannot be read: {error.strerror or error}.") from None
    return har_recording(data, str(file))


def har_recording(data: bytes, name: str) -> Recording:
    """`name` is what messages call it. Raises UnreadableHar. Secrets are still in it."""
    encoding = "utf-16" if data.startswith(_MARKS[1:]) else "utf-8-sig"
    try:
        document = untrusted.parsed(data.decode(encoding, "replace"))
    except ValueError as error:
        raise UnreadableHar(
            f"{name} is not valid JSON: {error}.", advice="Export the HAR file again; this one may have been cut short."
        ) from None
    log = _object(_object(document).get("log"))
    entries = log.get("entries")
    if not isinstance(entries, list):
        raise UnreadableHar(
            f"{name} is not a HAR file: it has no log.entries.",
            advice="Export one in the network panel of the developer tools: Save all as HAR with content.",
        )
    recording = Recording(manifest=Manifest(url=_page(log, entries), browser=_maker(log)))
    unpacking = _Unpacking(len(data))
    try:
        for entry in entries:
            if isinstance(entry, dict):
                _add(recording, entry, unpacking)
    except OverflowError as error:
        raise UnreadableHar(f"{name} is refused: {error}.") from None
    return recording


def _add(recording: Recording, entry: dict[str, Any], unpacking: _Unpacking) -> None:
    request, response = _object(entry.get("request")), _object(entry.get("response"))
    url = _text(request.get("url"))
    method = _text(request.get("method")).upper()
    if not url or not method:
        return
    status = _status(response.get("status"))
    error = _text(response.get("_error") or entry.get("_error"))
    content = _object(response.get("content"))
    headers = _headers(response.get("headers"))
    if not any(name.lower() == "content-type" for name, _ in headers) and (kind := _text(content.get("mimeType"))):
        headers = (*headers, ("content-type", kind))
    body, kept = _content(content, headers, _size(content, response), unpacking)
    expected = status not in _BODILESS and method != "HEAD" and not 300 <= status < 400
    if status and not kept and expected:
        error = error or BODY_NOT_KEPT
    sent, more = _post_data(_object(request.get("postData")))
    request_headers = _headers(request.get("headers"))
    if more and not any(name.lower() == "content-type" for name, _ in request_headers):
        request_headers = (*request_headers, ("content-type", more))
    preflight = method == "OPTIONS" and any(
        name.lower() == "access-control-request-method" for name, _ in request_headers
    )
    socket = bool(entry.get("_webSocketMessages")) or url.lower().startswith(("ws:", "wss:"))
    recording.exchanges.append(
        Exchange(
            order=len(recording.exchanges) + 1,
            method=method,
            url=url,
            resource="preflight" if preflight else _text(entry.get("_resourceType")),
            request_headers=interesting(request_headers),
            request_body=sent,
            status=101 if socket else status,
            status_text=_text(response.get("statusText")),
            headers=headers,
            body=recording.add_body(body),
            error=error,
            redirect=status in (301, 302, 303, 307, 308),
        )
    )


def _content(
    content: dict[str, Any], headers: Iterable[Header], size: int, unpacking: _Unpacking
) -> tuple[bytes, bool]:
    """The body of a response, and whether it was kept; `size` is what the file tells of its length."""
    text = content.get("text")
    if not isinstance(text, str) or not text:
        return b"", size == 0 or (text == "" and size < 0)
    data = _bytes(text, _text(content.get("encoding")))
    packed = any(name.lower() == "content-encoding" for name, _ in headers)
    return (unpacking.body(data) if packed else data), True


def _post_data(posted: dict[str, Any]) -> tuple[bytes, str]:
    """The body of a request, and its type."""
    kind = _text(posted.get("mimeType"))
    text = posted.get("text")
    if isinstance(text, str) and text:
        return _bytes(text, _text(posted.get("encoding") or posted.get("_encoding"))), kind
    params = posted.get("params")
    fields = [each for each in params if isinstance(each, dict)] if isinstance(params, list) else []
    if not fields:
        return b"", kind
    if kind.lower().startswith("multipart/"):
        return _multipart(fields), kind
    return urlencode([(_text(each.get("name")), _text(each.get("value"))) for each in fields]).encode(), kind


def _multipart(fields: Iterable[dict[str, Any]]) -> bytes:
    parts = []
    for each in fields:
        name, file = _text(each.get("name")), each.get("fileName")
        shown = f'; filename="{_quoted(_text(file))}"' if file else ""
        value = "" if file else _text(each.get("value"))
        parts.append(f'--har\r\nContent-Disposition: form-data; name="{_quoted(name)}"{shown}\r\n\r\n{value}\r\n')
    return "".join([*parts, "--har--\r\n"]).encode("utf-8", "replace")


def _quoted(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _bytes(text: str, encoding: str) -> bytes:
    if encoding.lower() == "base64":
        try:
            return base64.b64decode(text, validate=False)
        except (binascii.Error, ValueError):
            pass
    return text.encode("utf-8", "surrogatepass")


def _headers(headers: object) -> tuple[Header, ...]:
    if not isinstance(headers, list):
        return ()
    pairs = [(_text(each.get("name")), _text(each.get("value"))) for each in headers if isinstance(each, dict)]
    return tuple((name, value) for name, value in pairs if name and not name.startswith(":"))


def _size(content: dict[str, Any], response: dict[str, Any]) -> int:
    """How long the body was; -1 where nobody knows."""
    for told in (content.get("size"), response.get("bodySize")):
        if isinstance(told, int) and told >= 0:
            return told
    return -1


def _status(status: object) -> int:
    if isinstance(status, str) and status.isdecimal() and len(status) <= 3:
        status = int(status)
    return status if isinstance(status, int) and 100 <= status <= 599 else 0


def _page(log: dict[str, Any], entries: Iterable[object]) -> str:
    """Where the traffic began."""
    for entry in entries:
        if isinstance(entry, dict) and isinstance(request := entry.get("request"), dict):
            kind = _text(_object(_object(entry.get("response")).get("content")).get("mimeType"))
            if entry.get("_resourceType") == "document" or kind.startswith("text/html"):
                return _text(request.get("url"))
    pages = log.get("pages")
    titles = [_text(each.get("title")) for each in pages if isinstance(each, dict)] if isinstance(pages, list) else []
    return next((title for title in titles if title.startswith(("http://", "https://"))), "")


def _maker(log: dict[str, Any]) -> str:
    made = _object(log.get("browser")) or _object(log.get("creator"))
    return f"{_text(made.get('name'))} {_text(made.get('version'))}".strip()


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else ""
