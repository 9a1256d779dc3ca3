"""Two ways to reach a Chromium: the pipe of one we started, the WebSocket of one that is running already."""

from __future__ import annotations

import asyncio
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from jostle.addresses import split_url
from jostle.browser.connection import Disconnected

_END = b"\0"
_GONE = "the browser has ended"


class PipeTransport(asyncio.Protocol):
    """`--remote-debugging-pipe`: no port that others could reach, and the browser ends when our end closes."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._receive: Callable[[bytes], None] | None = None
        self._ended: Callable[[str], None] = lambda reason: None
        self._early: list[bytes] = []
        self._reading: asyncio.BaseTransport | None = None
        self._writing: asyncio.WriteTransport | None = None
        self._outgoing: list[bytes] = []
        self._over = False

    @classmethod
    async def open(cls, read_fd: int, write_fd: int) -> PipeTransport:
        self = cls()
        loop = asyncio.get_running_loop()
        self._reading, _ = await loop.connect_read_pipe(lambda: self, os.fdopen(read_fd, "rb", 0))
        self._writing, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(write_fd, "wb", 0))
        return self

    def start(self, receive: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        self._receive, self._ended = receive, ended
        for message in self._early:
            receive(message)
        if self._over:
            ended(_GONE)

    def data_received(self, data: bytes) -> None:
        *ended, rest = data.split(_END)
        for part in ended:
            self._chunks.append(part)
            message = b"".join(self._chunks)
            self._chunks.clear()
            if self._receive is None:
                self._early.append(message)
            else:
                self._receive(message)
        if rest:
            self._chunks.append(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        self._over = True
        self._ended(_GONE)

    def write(self, message: bytes) -> None:
        """What is written in one turn of the event loop goes out at once: each write wakes the browser."""
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outgoing += (message, _END)

    def _flush(self) -> None:
        if self._writing is not None and not self._writing.is_closing():
            self._writing.write(b"".join(self._outgoing))
        self._outgoing.clear()

    async def close(self) -> None:
        self._flush()
        for end in (self._reading, self._writing):
            if end is not None:
                end.close()


class WebSocketTransport:
    """A browser that is running already, reached by its debugging port."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue()
        self._tasks = [asyncio.create_task(self._write())]

    @classmethod
    async def open(cls, url: str, timeout: float = 10.0) -> WebSocketTransport:
        """`url` is the http address of the debugging port or a ws address."""
        try:
            address = url if url.startswith(("ws:", "wss:")) else await asyncio.to_thread(_debugger_url, url, timeout)
            socket = await connect(address, max_size=None, compression=None, open_timeout=timeout, ping_interval=None)
        except (OSError, WebSocketException, ValueError) as error:
            raise Disconnected(
                f"no Chromium answers at {url} ({error}); start it with --remote-debugging-port, "
                "or forward the port of a phone with: adb forward tcp:9222 localabstract:chrome_devtools_remote"
            ) from error
        return cls(socket)

    def write(self, message: bytes) -> None:
        self._outgoing.put_nowait(message)

    async def _write(self) -> None:
        try:
            while True:
                await self._socket.send(await self._outgoing.get(), text=True)
        except ConnectionClosed:
            pass  # reading reports it

    def start(self, receive: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        self._tasks.append(asyncio.create_task(self._read(receive, ended)))

    async def _read(self, receive: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        try:
            while True:
                receive(await self._socket.recv(decode=False))
        except ConnectionClosed:
            ended("the connection to the browser ended")

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self._socket.close()


def _debugger_url(url: str, timeout: float) -> str:
    parts = split_url(url if "//" in url else f"http://{url}")
    if parts.scheme != "http" or not parts.hostname:
        raise ValueError("expected an address such as http://localhost:9222")
    # A forwarded phone refuses other Host headers than localhost, hence the rewriting of the answer's address.
    with urllib.request.urlopen(f"http://{parts.netloc}/json/version", timeout=timeout) as reply:
        target = str(json.load(reply)["webSocketDebuggerUrl"])
    return f"ws://{parts.netloc}{split_url(target).path}"
