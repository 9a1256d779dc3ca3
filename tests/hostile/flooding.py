"""A server that says more than anybody can hear: what a flooding page is connected to."""

from __future__ import annotations

import base64
import contextlib
import hashlib
from collections.abc import Iterator

from tests.browser.live import Request, Served
from tests.hostile.pages import ALL

_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # of RFC 6455
_MOST = 2_000_000
"""Messages: endless for everybody who listens."""


def _socket(request: Request) -> None:
    """Sends short messages over a WebSocket as fast as they are taken."""
    key = request.headers.get("Sec-WebSocket-Key", "")
    digest = hashlib.sha1(f"{key}{_KEY}".encode()).digest()
    accepted = base64.b64encode(digest).decode()
    request.wfile.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accepted}\r\n\r\n".encode()
    )
    message = b"\x81\x05flood" * 100
    with contextlib.suppress(OSError):
        for _ in range(_MOST // 100):
            request.wfile.write(message)
    request.close_connection = True


def _endless() -> Iterator[bytes]:
    for _ in range(_MOST):
        yield b"data: flood\n\n"


def served(name: str) -> dict[str, Served]:
    """A hostile page by its name, with what it asks for."""
    return {
        "/": ALL[name],
        "/socket": _socket,
        "/events": lambda request: (200, {"Content-Type": "text/event-stream"}, _endless()),
        "/endless": lambda request: (200, {"Content-Type": "text/html"}, _endless()),
    }
