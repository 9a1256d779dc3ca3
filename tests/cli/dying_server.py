"""A web server that ends when it is asked to tidy up. Its first line says where it is."""

from __future__ import annotations

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"""<!doctype html><title>Desk</title><link rel=icon href=data:,>
<button id=look>Look</button> <button id=tidy>Tidy up</button> <p id=said></p>
<script>
const show = (text) => { said.textContent = text; };
const ask = (method, path) => fetch(path, {method}).then((answer) => answer.text()).then(show);
look.onclick = () => ask("GET", "/look");
tidy.onclick = () => ask("POST", "/tidy");
</script>"""


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGE if self.path == "/" else b"Nothing to be seen"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        os._exit(0)

    def log_message(self, *arguments: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
