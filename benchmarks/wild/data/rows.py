"""The server behind AG Grid's page: its files, and rows that are sorted, filtered, cut into blocks and changed."""

from __future__ import annotations

import json
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

_SPORTS = ("rowing", "sailing", "judo", "archery", "tennis", "fencing")
_COUNTRIES = ("Denmark", "Ghana", "Japan", "Peru", "Kenya")
_ROWS: list[dict[str, Any]] = [
    {
        "id": n,
        "athlete": f"Athlete {n:04}",
        "country": _COUNTRIES[n % 5],
        "sport": _SPORTS[n % 6],
        "year": 2000 + n * 4 % 24,
        "gold": n * 7 % 4,
        "silver": n * 5 % 3,
        "trained": n % 3 > 0,
    }
    for n in range(1, 2001)
]


def _fits(row: dict[str, Any], field: str, wanted: dict[str, Any]) -> bool:
    value = row[field]
    if wanted["filterType"] == "number":
        limit = float(wanted.get("filter") or 0)
        return bool({"greaterThan": value > limit, "lessThan": value < limit}.get(wanted["type"], value == limit))
    text, found = str(wanted.get("filter") or "").lower(), str(value).lower()
    return text == found if wanted["type"] == "equals" else text in found


class _Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path != "/rows":
            super().do_GET()
            return
        query = json.loads(parse_qs(address.query)["query"][0])
        filters = {field: model for field, model in query["filterModel"].items() if "type" in model}
        rows = [row for row in _ROWS if all(_fits(row, field, model) for field, model in filters.items())]
        for order in reversed(query["sortModel"]):
            rows.sort(key=lambda row: row[order["colId"]], reverse=order["sort"] == "desc")
        self._answer({"rows": rows[query["startRow"] : query["endRow"]], "count": len(rows)})

    def do_PUT(self) -> None:
        number = int(self.path.rpartition("/")[2])
        changes = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        _ROWS[number - 1].update(changes)
        self._answer(_ROWS[number - 1])

    def _answer(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    folder, port = sys.argv[1:]
    ThreadingHTTPServer(("127.0.0.1", int(port)), partial(_Handler, directory=folder)).serve_forever()
