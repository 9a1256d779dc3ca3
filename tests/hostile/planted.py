"""A site that hands out and takes secrets in all the ways that are known, and what of them is left in a folder."""

# Pages are written as they come.
# ruff: noqa: E501

from __future__ import annotations

import base64
import contextlib
import http.server
import io
import json
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.Qz7signatureXw81kLmPq0"
SECRETS = {
    "cookie": "c00kie-9f8a7b6c5d4e",
    "second cookie": "tr4cker-77aa88bb99cc",
    "csrf in a form": "csrf-5544332211ff",
    "csrf in a meta": "meta-8877665544aa",
    "JSON token": "tok-1a2b3c4d5e6f",
    "bearer": "bear-0f1e2d3c4b5a",
    "jwt signature": "Qz7signatureXw81kLmPq0",
    "key of a service": "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    "key in prose": "9f8e7d6c5b4a3210ffee",
    "key in a script": "AKIAQ7T4EXAMPLE0ABCD",
    "stored": "st0red-aabbccddeeff",
    "query": "qu3ry-112233445566",
    "custom header": "h3ader-665544332211",
    "typed": "Hunter2-typed-9911",
    "in the path": "p4th-reset-31415926",
    "named by configuration": "c0nfigured-27182818",
    "user info": "userinfo-16180339",
    "websafe": "w3b+safe/slash=77",
    "event text": "glpat-abcDEF1234567890ghij",
    "of a service in a text": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
}
CONFIGURATION = r"""
[redact]
names = ["houseCode"]
patterns = ["/reset/([^/?\"' <>]+)"]
"""
PAGE = f"""<!doctype html><title>planted</title><meta name=csrf-token content="{SECRETS["csrf in a meta"]}">
<p>Your API key is {SECRETS["key in prose"]}, keep it. <a href="/reset/{SECRETS["in the path"]}">Reset</a></p>
<form id=f action=/in method=post><input type=hidden name=csrf_token value="{SECRETS["csrf in a form"]}"><input type=password name=password aria-label=Password><button>Log in</button></form>
<p id=out></p><button id=go>Load</button>
<script>
const AWS = "{SECRETS["key in a script"]}";
localStorage.setItem("auth_token", "{SECRETS["stored"]}");
document.cookie = "tracker={SECRETS["second cookie"]}";
go.onclick = async () => {{
  const answer = await (await fetch("/api?access_token={SECRETS["query"]}", {{ method: "POST", body: JSON.stringify({{ houseCode: "{SECRETS["named by configuration"]}", password: {json.dumps(SECRETS["websafe"])} }}),
    headers: {{ "Content-Type": "application/json", "Authorization": "Bearer {SECRETS["bearer"]}", "X-Api-Key": "{SECRETS["custom header"]}" }} }})).json();
  out.textContent = answer.token + " " + answer.session + " " + answer.note;
  console.error("failed with {SECRETS["event text"]}");
  throw new Error("cannot use " + answer.note + " at http://ann:{SECRETS["user info"]}@example.org/");
}};
</script>"""
ANSWER = {
    "token": SECRETS["JSON token"],
    "session": JWT,
    "note": f"see {SECRETS['key of a service']} and {SECRETS['of a service in a text']}",
}


class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._say("text/html", PAGE.encode())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("/api"):
            self._say("application/json", json.dumps(ANSWER).encode())
        else:
            self._say("text/html", b"<title>in</title><p>in</p><script>null.x</script>")

    def _say(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", f"session={SECRETS['cookie']}; HttpOnly")
        with contextlib.suppress(OSError):  # the browser hung up
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def planted_site() -> Iterator[str]:
    """Its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Everything below a folder, with what is packed in it."""
    for file in sorted(folder.rglob("*")):
        if not file.is_file():
            continue
        data = file.read_bytes()
        yield str(file.relative_to(folder)), data
        if data[:4] == b"PK\3\4":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for name in archive.namelist():
                    yield f"{file.name}/{name}", archive.read(name)
        if file.suffix == ".db":
            with sqlite3.connect(file) as database:
                yield f"{file.name} as text", "\n".join(database.iterdump()).encode("utf-8", "replace")


def survivors(folder: Path, *, besides: tuple[str, ...] = ()) -> list[str]:
    found = []
    for name, data in contents(folder):
        if name.startswith(besides):
            continue
        for kind, secret in SECRETS.items():
            raw = secret.encode()
            forms = {
                raw,
                raw.hex().encode(),
                base64.b64encode(raw),
                quote(secret, safe="").encode(),
                json.dumps(secret).encode()[1:-1],
            }
            if any(form in data for form in forms):
                found.append(f"{kind} in {name}")
    return found
