"""Reading the whole body of a stopped response: a held one would occupy one of the six sockets to its host."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.http import Response, decoded
from jostle.browser.pending import PendingResponse

LARGEST_BODY = 32 * 1024 * 1024
DRAIN_TIMEOUT = 15.0
STREAM_TIMEOUT = 2.0
STREAM_PIECE = 16
_STREAMS = (
    "text/event-stream",
    "application/x-ndjson",
    "application/ndjson",
    "application/stream+json",
    "application/grpc-web",
    "multipart/x-mixed-replace",
)


async def drained(pending: PendingResponse, params: Params, on_limit: Callable[[str], None]) -> Response:
    """The response that `Fetch.requestPaused` tells of, with its body. `on_limit` is told what was left out."""
    if reason := params.get("responseErrorReason"):
        return Response(status=0, error=str(reason), passed_through=True)
    headers = tuple((item["name"], item["value"]) for item in params.get("responseHeaders", ()))
    response = Response(
        status=params["responseStatusCode"], status_text=params.get("responseStatusText", ""), headers=headers
    )
    if response.redirect:
        response.passed_through = True
        return response
    if pending.flowing and response.header("content-type").startswith(_STREAMS):
        response.passed_through = True  # it may go on for as long as it likes
        return response
    length = response.header("content-length")
    if length.isdigit() and int(length) > LARGEST_BODY:
        response.passed_through = True
        on_limit(f"the answer to {_line(pending)} has {int(length) >> 20} MB: not recorded")
        return response
    pause = params["requestId"]
    try:
        if response.header("content-type").startswith(_STREAMS):
            response.body = await _stream(pending, pause, on_limit)
        else:
            response.body = await _whole(pending, pause)
            pending.drained = True
    except ProtocolError as error:
        if "Can only get response body" not in error.message and "No data" not in error.message:
            raise
    except NoAnswer:
        response.error = "TimedOut"
        on_limit(f"the answer to {_line(pending)} was begun but did not end within {DRAIN_TIMEOUT:g} s")
    return response


async def _whole(pending: PendingResponse, pause: str) -> bytes:
    body = await pending.session.send("Fetch.getResponseBody", {"requestId": pause}, timeout=DRAIN_TIMEOUT)
    return decoded(body["body"], body["base64Encoded"])


async def _stream(pending: PendingResponse, pause: str, on_limit: Callable[[str], None]) -> bytes:
    """A stream may never end: what has come in time is what the page gets, and then it ends for the page."""
    send, post = pending.session.send, pending.session.post
    handle = (await send("Fetch.takeResponseBodyAsStream", {"requestId": pause}))["stream"]
    received: list[bytes] = []
    ended = False

    async def read() -> None:
        nonlocal ended
        # A reading is answered when it is full: small ones, many at once.
        while not ended and len(received) < LARGEST_BODY // STREAM_PIECE:
            for piece in [post("IO.read", {"handle": handle, "size": STREAM_PIECE}) for _ in range(128)]:
                read = await piece
                received.append(decoded(read["data"], read.get("base64Encoded", False)))
                if ended := read["eof"]:
                    return

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STREAM_TIMEOUT):
            await read()
    post("IO.close", {"handle": handle})
    if not ended:
        on_limit(f"{_line(pending)} is a stream that did not end: the page gets what came within {STREAM_TIMEOUT:g} s")
    return b"".join(received)


def _line(pending: PendingResponse) -> str:
    return f"{pending.request.method} {pending.request.url}"
