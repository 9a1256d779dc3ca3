"""Serves the files beside it, and answers /api/books. Needs nothing but Python: python3 server.py [PORT]"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

BOOKS = (
    "A river in winter",
    "Bread and copper",
    "Garden of paper",
    "Lemon summer",
    "Milk for the window",
    "River without a name",
    "Tea at the window",
    "The copper garden",
    "The lemon trees",
    "Winter bread",
)


class Shelf(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments, directory=str(Path(__file__).parent))  # type: ignore[arg-type]

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path != "/api/books":
            return super().do_GET()
        words = parse_qs(asked.query).get("q", [""])[0].lower()
        found = [title for title in BOOKS if words in title.lower()]
        time.sleep(0.02 * len(found))  # the more there is to find, the longer it takes
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(found).encode())
        return None

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, *arguments: object) -> None:
        """Nothing is written for each request."""


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8300
    with ThreadingHTTPServer(("127.0.0.1", port), Shelf) as server:
        sys.stdout.write(f"The bookshelf is at http://127.0.0.1:{server.server_port}/ (Ctrl-C stops)\n")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
