"""The mock as a web server."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import socket
from collections.abc import Callable, Mapping
from urllib.parse import quote

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from jostle.addresses import is_this_machine, split_url
from jostle.errors import Problem
from jostle.listening import listening_socket
from jostle.serverapi.mock import told
from jostle.serverapi.mock.answering import MockResponse, MockServer
from jostle.serverapi.mock.latency import Latency
from jostle.serverapi.mock.origins import moved, stand_in_origin
from jostle.serverapi.mock.releasing import Order, Releasing
from jostle.serverapi.mock.told import OUTSIDE, STANDS_IN, UNKNOWN
from jostle.serverapi.traffic import origin_of

_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "PURGE", "REPORT", "UPDATE"]
_LONGEST_WAIT = 300.0
"""Seconds that a request without a response stays open."""
_LARGEST_REQUEST = 64 * 2**20
_READING = frozenset(("GET", "HEAD", "OPTIONS"))
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}")
_TEXT = ("text/", "application/json", "application/javascript", "application/manifest", "image/svg")


class MockSite:
    """An application (ASGI) in front of a mock."""

    def __init__(
        self,
        server: MockServer,
        *,
        latency: Latency = Latency(),  # noqa: B008 - it never changes
        releasing: Releasing | None = None,
        on_response: Callable[[str, str, MockResponse], None] = lambda method, path, response: None,
        host: str = "",
    ) -> None:
        """`host`: the name it listens at, besides those of this machine.

        `latency`: how long responses take; `releasing`: in which order they leave; `on_response` hears of each."""
        self._server = server
        self._listening = host.lower()
        self._latency = latency
        self._on_response = on_response
        self._releasing = releasing or Releasing(Order.SENT)
        self._waiting = random.Random(0)
        self._base = origin_of(server.description.base)
        places = {each: stand_in_origin(each) for each in server.origins}
        self._by_host = {split_url(place).netloc: each for each, place in places.items()}
        self._moved = {each: place for each, place in places.items() if each != place}
        self._near = frozenset(places.values())
        self.app = Starlette(routes=[Route("/{path:path}", self._handle, methods=_METHODS)])

    async def _handle(self, request: Request) -> Response:
        host, origin = request.headers.get("host", "").lower(), request.headers.get("origin", "")
        if not self._is_own(host):
            return Response("This mock answers only to names of this machine.\n", status_code=421)
        near = origin in self._near or _is_near(origin) or split_url(origin).netloc.lower() == host
        if origin and not near and (request.method not in _READING or request.url.path.startswith("/.jostle/")):
            return Response("Pages from elsewhere have no business here.\n", status_code=403)
        allowed = _cross_origin(request, origin) if origin and near else {}
        if request.method == "OPTIONS" and "access-control-request-method" in request.headers:
            return Response(status_code=204, headers=allowed)
        body = await _body(request)
        if body is None:
            return Response("The request is too large for a mock.", status_code=413)
        query = f"?{request.url.query}" if request.url.query else ""
        path = request.scope.get("raw_path", b"").decode("latin-1").partition("?")[0] or request.url.path
        if path.startswith("/.jostle/") and (own := self._own(request, path)) is not None:
            return own
        asked = self._by_host.get(host)
        seconds = self._latency.seconds(self._waiting)
        try:
            made = self._server.respond(
                request.method, f"{asked or self._base}{path}{query}", request.headers.items(), body
            )
        except Problem as problem:
            return Response(problem.message, status_code=501, headers={**allowed, UNKNOWN: "1"})
        self._on_response(request.method, f"{path}{query}", made)
        if seconds:
            await asyncio.sleep(seconds)
        if made.operation:
            await self._releasing.turn(f"{request.method} {path}{query}")
        if not made.status:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(_left(request), _LONGEST_WAIT)
            return Response(status_code=504, headers={OUTSIDE: "timeout"})
        places = self._moved
        if asked is None:  # the page is at home here
            places = {self._base: f"{request.url.scheme}://{request.headers.get('host', request.url.netloc)}"}
        return self._sent(request, made, allowed, places)

    def _is_own(self, host: str) -> bool:
        """Whether a request was meant for this server. A page from elsewhere can give a name of its own the address of
        this machine, and would then be of the same origin; it cannot choose what the browser says it asked for."""
        return (
            host in self._by_host
            or is_this_machine(name := split_url(f"http://{host}").hostname or "")
            or (name == self._listening)
        )

    def _own(self, request: Request, path: str) -> Response | None:
        """What the mock is asked for or told itself."""
        match request.method, path:
            case "POST", told.RESET:
                self._server.reset()
                return Response(status_code=204)
            case "GET", told.CHOICES:
                shown, known = self._server.covered
                return JSONResponse({"shown": shown, "known": known})
            case "GET", told.HELD:
                return JSONResponse([msgspec.to_builtins(each) for each in self._releasing.held])
            case "POST", told.RELEASE:
                number = request.query_params.get("number", "")
                if number and not number.isdigit():
                    return Response("number is not a number", status_code=400)
                there = self._releasing.release(int(number) if number else None)
                return Response(status_code=204 if there else 404)
        return None

    def _sent(
        self, request: Request, made: MockResponse, allowed: dict[str, str], places: Mapping[str, str]
    ) -> Response:
        data = made.body
        kind = next((value for name, value in made.headers if name.lower() == "content-type"), "")
        if kind.startswith(_TEXT) and any(each.encode() in data for each in places):
            data = moved(data.decode("utf-8", "surrogateescape"), places).encode("utf-8", "surrogateescape")
        response = Response(data if request.method != "HEAD" else b"", status_code=made.status)
        for name, value in made.headers:
            if _HEADER_NAME.fullmatch(name) and value.isprintable() and value.isascii():
                response.headers.append(name, moved(value, places))
        for name, value in allowed.items():
            response.headers[name] = value
        if made.fault:
            response.headers[OUTSIDE] = made.fault.value
        if made.stands_in:
            response.headers[STANDS_IN] = quote(made.stands_in, safe="/:?&=%#,;@[]")
        if not made.known:
            response.headers[UNKNOWN] = "1"
        return response


def serve(site: MockSite, host: str, port: int, *, ready: Callable[[str], None] = lambda url: None) -> None:
    """Serve until interrupted. Port 0 picks a free one; `ready` is told the URL. Raises CannotListen."""
    with listening_socket(host, port) as listening, contextlib.suppress(KeyboardInterrupt):
        ready(address(host, listening))
        server_for(site).run(sockets=[listening])


def server_for(site: MockSite) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            site.app,
            log_config=None,
            access_log=False,
            date_header=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )


def address(host: str, listening: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listening.getsockname()[1]}/"


async def _body(request: Request) -> bytes | None:
    """What was sent; None if it is too large."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > _LARGEST_REQUEST:
            return None
    return bytes(data)


async def _left(request: Request) -> None:
    """Until whoever asked has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _is_near(origin: str) -> bool:
    """Whether a page of this origin may read responses: one that is served on this machine. Others that somebody has
    open in a browser have no business with what was recorded."""
    return is_this_machine(split_url(origin).hostname or "", addresses=False)


def _cross_origin(request: Request, origin: str) -> dict[str, str]:
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Credentials": "true",
        "Access-Control-Allow-Methods": request.headers.get("access-control-request-method", "*"),
        "Access-Control-Allow-Headers": request.headers.get("access-control-request-headers", "*"),
        "Vary": "Origin",
    }
