"""The web server that shows the examples."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from jostle.examples.allotment.site import Allotment
from jostle.examples.endpoints import ENDPOINTS
from jostle.examples.files import page_routes
from jostle.examples.larder.site import Larder
from jostle.examples.order_endpoints import ORDER_ENDPOINTS
from jostle.examples.race_endpoints import RACE_ENDPOINTS
from jostle.listening import CannotListen, listening_socket

_START_SECONDS = 10
_STOP_SECONDS = 5


class _Delayed:
    """Every request waits a little before it is handled, as if the network were slow."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            await asyncio.sleep(self._seconds)
        await self._app(scope, receive, send)


def create_app(delay: float = 0) -> Starlette:
    """The application with all examples. `delay` is added before each answer, in milliseconds."""
    larders = [Larder("/larder"), Larder("/larder-buggy", buggy=True)]
    allotments = [Allotment("/allotment"), Allotment("/allotment-buggy", buggy=True)]

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        for larder in larders:
            larder.close()

    app = Starlette(
        routes=[
            *(larder.mount for larder in larders),
            *(allotment.mount for allotment in allotments),
            *ENDPOINTS,
            *RACE_ENDPOINTS,
            *ORDER_ENDPOINTS,
            *page_routes(),
        ],
        lifespan=lifespan,
    )
    if delay > 0:
        app.add_middleware(_Delayed, seconds=delay / 1000)
    return app


def serve(host: str, port: int, *, delay: float = 0, ready: Callable[[str], None] = lambda url: None) -> None:
    """Show the examples until interrupted. Port 0 picks a free one; `ready` is told the URL. Raises CannotListen."""
    with listening_socket(host, port) as listening, contextlib.suppress(KeyboardInterrupt):
        ready(_url(host, listening))
        _server(delay).run(sockets=[listening])


@contextlib.contextmanager
def running(port: int = 0, host: str = "127.0.0.1", delay: float = 0) -> Iterator[str]:
    """The examples on a background thread while the block runs; gives the base URL, without a slash at its end."""
    with listening_socket(host, port) as listening:
        server = _server(delay)
        thread = threading.Thread(
            target=server.run, kwargs={"sockets": [listening]}, name="jostle examples", daemon=True
        )
        thread.start()
        deadline = time.monotonic() + _START_SECONDS
        try:
            while not server.started:
                if not thread.is_alive() or time.monotonic() > deadline:
                    raise CannotListen(f"The example server did not start within {_START_SECONDS} seconds.")
                time.sleep(0.005)
            yield _url(host, listening).rstrip("/")
        finally:
            server.should_exit = True
            thread.join(_STOP_SECONDS)
            if thread.is_alive():
                server.force_exit = True
                thread.join(_STOP_SECONDS)


def _server(delay: float) -> uvicorn.Server:
    # No Date and Server headers: the same request gets the same answer, byte for byte.
    config = uvicorn.Config(
        create_app(delay),
        log_config=None,
        access_log=False,
        date_header=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


def _url(host: str, listening: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}/"
