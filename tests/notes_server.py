"""A small application with state and a way to reset it, for tests that start it: `notes_server.py PORT JOURNAL`.

Each request is a line of the journal: `POST /notes localhost:3000`, with the host that the browser names.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock

PAGE = b"""<!doctype html><title>Notes</title><link rel=icon href=data:,>
<button id=add>Add</button> <button id=count>Count</button> <ol id=list></ol> <p id=said></p>
<script>
const show = (notes) => { list.innerHTML = notes.map((note) => `<li>${note}</li>`).join(""); };
const ask = (method) => fetch("/notes", {method}).then((answer) => answer.json());
add.onclick = () => ask("POST").then(show);
count.onclick = () => ask("GET").then((notes) => {
  if (notes.length > 2) throw new Error("more than two notes");
  said.textContent = `${notes.length} notes`;
});
ask("GET").then(show);
</script>"""


class Notes(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, journal: Path) -> None:
        self.notes: list[str] = []
        self.journal = journal
        self.lock = Lock()
        super().__init__(("127.0.0.1", port), Handler)


class Handler(BaseHTTPRequestHandler):
    server: Notes

    def answer(self) -> None:
        server = self.server
        with server.lock, server.journal.open("a") as journal:
            journal.write(f"{self.command} {self.path} {self.headers['Host']}\n")
            if self.path == "/reset":
                server.notes.clear()
            elif self.command == "POST":
                server.notes.append(f"note {len(server.notes) + 1}")
            body = PAGE if self.path == "/" else json.dumps(server.notes).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path == "/" else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer  # noqa: N815

    def log_message(self, *arguments: object) -> None:
        pass


if __name__ == "__main__":
    Notes(int(sys.argv[1]), Path(sys.argv[2])).serve_forever()
