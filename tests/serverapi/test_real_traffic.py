"""What real servers send: packed, in pieces, broken, huge, binary, with secrets, from elsewhere; recorded, learned."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from jostle.browser.draining import LARGEST_BODY
from jostle.recording.file import Recording
from jostle.serverapi.ail_format import format_operation
from jostle.serverapi.files import read_api
from tests.cli.commands import command

pytestmark = pytest.mark.browser
SECRET = "tok-5f2a9c81d7e64b30a1"
PAGE = """<!doctype html><title>Traffic</title><button>Load</button><p>%s</p><script>
document.querySelector("button").onclick = async () => {
  for (const path of ["packed", "pieces", "broken", "huge", "picture", "login"]) await fetch("/api/" + path)
  await fetch("%s/elsewhere", {headers: {"X-Own": "1"}}).catch(() => 0)
  new WebSocket("ws://" + location.host + "/socket")
}
</script>"""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    page = ""

    def do_GET(self) -> None:
        match self.path:
            case "/":
                self.say("text/html", self.page.encode())
            case "/api/packed":
                self.say("application/json", gzip.compress(b'{"packed": true}'), **{"Content-Encoding": "gzip"})
            case "/api/pieces":
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for piece in (b'{"pieces"', b": 3}", b""):
                    self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            case "/api/broken":
                self.say("application/json", b'{"broken": ')
            case "/api/huge":
                self.say("application/json", b'"' + b"x" * (LARGEST_BODY + 1) + b'"')
            case "/api/picture":
                self.say("image/png", b"\x89PNG\r\n\x00\xff")
            case "/api/login":
                self.say("application/json", json.dumps({"token": SECRET}).encode(), **{"Set-Cookie": f"sid={SECRET}"})
            case _:
                self.say("application/json", b'{"elsewhere": 1}')

    def do_OPTIONS(self) -> None:
        self.say("", b"")

    def say(self, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(200)
        allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"}
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **allowed, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Silent."""


@contextmanager
def served(page: str = "") -> Iterator[str]:
    made = type("Made", (Handler,), {"page": page})
    with ThreadingHTTPServer(("127.0.0.1", 0), made) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.mark.parametrize("words", [("explore", "--events", "3", "--keep-traffic"), ("record", "--walk", "2", "-o")])
def test_what_real_servers_send(tmp_path: Path, words: tuple[str, ...]) -> None:
    name, *options = words
    with served() as other, served(PAGE % ("", other)) as url:
        made = command(name, f"{url}/", *options, "traffic.jostle", "--budget", "60s", cwd=tmp_path)
    assert made.returncode in (0, 1), made.stdout + made.stderr
    learned = command("api", "learn", "traffic.jostle", "-o", "api.ail", cwd=tmp_path)
    assert learned.returncode == 0, learned.stderr
    assert "Left out: 1 responses whose body was not kept" in learned.stderr
    assert f"requests to {other}" in learned.stderr
    assert "1 response says it is JSON and cannot be read as JSON" in learned.stderr
    files = read_api(tmp_path / "api.ail")
    assert [format_operation(each) for each in files.description.operations] == [
        "GET api/broken() : application/json",
        "GET api/login() : @api.schemas/get-api-login.json",
        "GET api/packed() : @api.schemas/get-api-packed.json",
        "GET api/picture() : image/png",
        "GET api/pieces() : @api.schemas/get-api-pieces.json",
    ]
    assert files.schemas.by_file["api.schemas/get-api-packed.json"]["required"] == ["packed"]
    for written in (tmp_path / "api.ail", *(tmp_path / "api.schemas").iterdir()):
        assert SECRET not in written.read_text()
    kept = Recording.read(tmp_path / "api.jostle")
    assert SECRET.encode() not in b"".join(kept.bodies.values())
    assert SECRET not in repr(kept.exchanges)
