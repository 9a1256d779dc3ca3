"""A browser and a web server for tests of the controlled Chromium: pages are given as text, one browser serves all."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import http.server
import ssl
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from jostle.browser.app_options import AppListeners, InitialState, NetworkRules
from jostle.browser.chromium import Chromium
from jostle.browser.chromium_app import ChromiumApp
from jostle.browser.loop import new as new_loop

T = TypeVar("T")

Body = str | bytes | Iterable[bytes]
"""An iterable is sent piece by piece."""
Answer = Body | tuple[int, Mapping[str, str], Body]
"""A body, whose type follows from the path, or a whole answer: status, headers, body."""
Served = Answer | Callable[["Request"], Answer | None]
"""An answer, or a function that gives one; None when it has answered by itself."""

_TYPES = {
    "js": "text/javascript",
    "mjs": "text/javascript",
    "css": "text/css",
    "json": "application/json",
    "txt": "text/plain",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "bin": "application/octet-stream",
}


class Request(http.server.BaseHTTPRequestHandler):
    """A request as the server sees it."""

    protocol_version = "HTTP/1.1"
    body = b""

    def log_message(self, *arguments: object) -> None:
        pass


class Site:
    """A server on two origins: `url` and, for the same pages, `other_url`."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.other_url = f"http://localhost:{port}"
        self.pages: dict[str, Served] = {}
        self.requests: list[str] = []
        """Paths asked for so far, in order."""
        self.received: list[Request] = []
        """The same, whole."""

    def serve(self, pages: Mapping[str, Served] | str) -> str:
        """Replace what is served; a single text becomes the page at `/`. Returns the address of `/`."""
        self.pages = {"/": pages} if isinstance(pages, str) else dict(pages)
        self.requests = []
        self.received = []
        return f"{self.url}/"


_GROUPS: dict[str, tuple[type[msgspec.Struct], Mapping[str, str]]] = {
    "initial": (InitialState, {}),
    "network": (NetworkRules, {}),
    "listeners": (AppListeners, {f"on_{name}": name for name in AppListeners.__struct_fields__}),
}


def grouped(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an application as it takes them, of a flat list of them: `on_exchange` and the like too."""
    left = dict(arguments)
    for group, (kind, names) in _GROUPS.items():
        known = names or {name: name for name in kind.__struct_fields__}
        given = {known[name]: left.pop(name) for name in list(left) if name in known}
        if given:
            left[group] = kind(**given)
    return left


class Browser:
    """A Chromium whose event loop runs in a thread of its own, so that plain tests can use it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, chromium: Chromium) -> None:
        self._loop = loop
        self.chromium = chromium
        self._apps: list[ChromiumApp] = []

    def run(self, work: Coroutine[Any, Any, T], timeout: float = 90) -> T:
        """Wait for the result of a coroutine."""
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, timeout), self._loop).result(timeout + 5)

    def app(self, url: str, **arguments: Any) -> ChromiumApp:
        """An application at its start: reset, its first answer waiting. Closed after the test."""
        app = self.made(url, **arguments)
        self.run(app.reset())
        return app

    def made(self, url: str, **arguments: Any) -> ChromiumApp:
        """An application not reset yet. Closed after the test."""

        async def make() -> ChromiumApp:
            return ChromiumApp(self.chromium, url, **grouped(arguments))

        self._apps.append(self.run(make()))
        return self._apps[-1]

    def close_apps(self) -> None:
        while self._apps:
            self.run(self._apps.pop().close())


@contextlib.contextmanager
def site_served(certificate: tuple[str, str] | None = None) -> Iterator[Site]:
    """With the files of a certificate and its key the site speaks TLS."""

    class Handler(Request):
        def answer(self) -> None:
            self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            site.received.append(copy.copy(self))  # one handler answers all requests of a connection
            site.requests.append(self.path)
            found = site.pages.get(self.path, site.pages.get(self.path.split("?", 1)[0]))
            if callable(found):
                found = found(self)
                if found is None:
                    return
            with contextlib.suppress(OSError):
                self.say(found)

        def say(self, answer: Answer | None) -> None:
            ending = self.path.split("?", 1)[0].rpartition(".")[2]
            status, headers = 200, {"Content-Type": f"{_TYPES.get(ending, 'text/html')}; charset=utf-8"}
            body: Body = b""
            if answer is None:
                status, headers, body = 404, {"Content-Type": "text/plain"}, b"not here"
            elif isinstance(answer, tuple):
                status, headers, body = answer[0], {**headers, **answer[1]}, answer[2]
            else:
                body = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if isinstance(body, str | bytes):
                content = body.encode() if isinstance(body, str) else body
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
                return
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for piece in body:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")

        do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = answer  # noqa: N815

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

        def handle_error(self, request: object, client_address: object) -> None:
            pass  # the browser hung up

    server = Server(("127.0.0.1", 0), Handler)
    site = Site(server.server_port)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        site.url = site.url.replace("http:", "https:")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def browser_launched(**arguments: Any) -> Iterator[Browser]:
    loop = new_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    launch = Chromium.launch(**arguments)
    try:
        chromium = asyncio.run_coroutine_threadsafe(launch.__aenter__(), loop).result(60)
        try:
            yield Browser(loop, chromium)
        finally:
            asyncio.run_coroutine_threadsafe(launch.__aexit__(None, None, None), loop).result(60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
