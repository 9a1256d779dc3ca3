"""The server of a report: the page, and what is new in its run. Reads only, and answers to this machine only."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jostle.errors import Problem
from jostle.listening import listening_socket
from jostle.report.check import page
from jostle.runs import RunDirectory, Status
from jostle.runs.report import reported
from jostle.search.registry import reported_techniques

LOOKS = 0.5
"""Seconds between two looks at the run."""
ALIVE = 15.0
"""Seconds after which a reader is told that nothing is new."""
_SHARE = 4.0
"""A report that took long to make is made anew only after so many times that time."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Going(msgspec.Struct, frozen=True, kw_only=True):
    """How a run goes on, as its page is told."""

    version: str
    status: str
    findings: int
    newest: str = ""
    now: str = ""
    """What is being done."""


class ServedReport:
    """The report of one run, made anew when there is something new. Raises Problem when there can be none."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._made: tuple[str, bytes] | None = None
        self._took = 0.0
        self._at = 0.0
        self.ending = False
        """The server is about to end: nobody is kept waiting."""
        self.html()

    def going(self) -> Going:
        """How the run goes on; what cannot be read just now is left out."""
        with RunDirectory.open(self._directory) as run:
            try:
                found = run.findings
            except msgspec.MsgspecError:
                found = []
            return Going(
                version=run.version,
                status=run.info.status.value,
                findings=len(found),
                newest=found[-1].title if found else "",
                now=run.doing if run.info.status is Status.RUNNING else "",
            )

    def html(self) -> bytes:
        """The page. While a run goes on, it may be some seconds old: who reads it hears of that."""
        with self._lock, RunDirectory.open(self._directory) as run:
            version = run.version
            recent = time.monotonic() < self._at + _SHARE * self._took
            if self._made is not None and (self._made[0] == version or recent):
                return self._made[1]
            began = time.monotonic()
            made = page(reported(run), reported_techniques(), live=version).encode("utf-8", "replace")
            self._at = time.monotonic()
            self._took = self._at - began
            self._made = (version, made)
            return made

    def alone(self) -> bytes:
        """The report as a file of its own."""
        with RunDirectory.open(self._directory) as run:
            return page(reported(run), reported_techniques()).encode("utf-8", "replace")


def application(report: ServedReport, port: int) -> ASGIApp:
    """What is served. `port`: the one it is reached at."""

    async def shown(request: Request) -> Response:
        return Response(await asyncio.to_thread(report.html), media_type="text/html; charset=utf-8")

    async def alone(request: Request) -> Response:
        name = {"Content-Disposition": 'attachment; filename="report.html"'}
        return Response(await asyncio.to_thread(report.alone), media_type="text/html; charset=utf-8", headers=name)

    async def events(request: Request) -> Response:
        return StreamingResponse(_news(report), media_type="text/event-stream")

    async def problem(request: Request, error: Exception) -> Response:
        return PlainTextResponse(str(error), status_code=503)

    routes = [Route("/", shown), Route("/report.html", alone), Route("/events", events)]
    app = Starlette(routes=routes, exception_handlers={Problem: problem})
    return _Local(app, port)


async def _news(report: ServedReport) -> AsyncIterator[str]:
    """Server-sent events: how the run goes on, whenever that has changed."""
    last: Going | None = None
    said = time.monotonic()
    while not report.ending:
        try:
            going: Going | None = await asyncio.to_thread(report.going)
        except Problem:  # being written just now, or gone
            going = last
        now = time.monotonic()
        if going is not None and going != last:
            yield f"data: {msgspec.json.encode(going).decode()}\n\n"
            last, said = going, now
        elif now > said + ALIVE:
            yield ": nothing new\n\n"
            said = now
        await asyncio.sleep(LOOKS)


class _Local:
    """Lets only those in who ask for this very server by its own name, to read.

    Any page in the browser can send requests here, and with a name of its own that leads to this machine it could also
    read the answers. It cannot choose what the browser says it was asked for.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._names = {f"{host}:{port}" for host in ("127.0.0.1", "localhost")}
        if port == 80:
            self._names |= {"127.0.0.1", "localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1").lower() for name, value in scope["headers"]}

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message["headers"]}
                more = [(key.lower().encode(), value.encode()) for key, value in _HEADERS.items()]
                message = {
                    **message,
                    "headers": [*message["headers"], *(each for each in more if each[0] not in known)],
                }
            await send(message)

        refused: Response | None = None
        if headers.get(b"host", "") not in self._names:
            refused = PlainTextResponse("This server answers only as 127.0.0.1 or localhost.\n", status_code=421)
        elif scope["method"] not in ("GET", "HEAD"):
            refused = PlainTextResponse(
                "Nothing can be changed here.\n", status_code=405, headers={"Allow": "GET, HEAD"}
            )
        elif (
            headers.get(b"sec-fetch-site") in ("cross-site", "same-site")
            and headers.get(b"sec-fetch-mode") != "navigate"
        ):
            refused = PlainTextResponse("Other sites have no business here.\n", status_code=403)
        await (refused or self._app)(scope, receive, guarded)


def server(report: ServedReport, port: int) -> uvicorn.Server:
    config = uvicorn.Config(
        application(report, port),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        ws="none",
    )
    return _Server(config, report)


class _Server(uvicorn.Server):
    """Tells those who wait for news that it ends."""

    def __init__(self, config: uvicorn.Config, report: ServedReport) -> None:
        super().__init__(config)
        self._report = report

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._report.ending = True
        await super().shutdown(sockets)


def listening(port: int) -> socket.socket:
    """A socket of this machine that nobody else can reach. Raises CannotListen."""
    return listening_socket("127.0.0.1", port)
