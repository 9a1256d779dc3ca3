"""Real traffic without a browser: requests to a server, kept in a HAR file as Chromium would write it."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

_RESOURCES = {"text/html": "document", "text/css": "stylesheet", "text/javascript": "script", "image/svg+xml": "image"}


class Visitor:
    """Sends requests to a server and remembers them."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.entries: list[dict[str, Any]] = []
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()), _NoRedirect())

    def get(self, path: str) -> Any:
        return self._send("GET", path, b"", "")

    def send_json(self, method: str, path: str, value: Any = None) -> Any:
        return self._send(method, path, b"" if value is None else json.dumps(value).encode(), "application/json")

    def send_form(self, path: str, **fields: str) -> Any:
        return self._send("POST", path, urllib.parse.urlencode(fields).encode(), "application/x-www-form-urlencoded")

    def _send(self, method: str, path: str, body: bytes, kind: str) -> Any:
        headers = {"Content-Type": kind} if body else {}
        request = urllib.request.Request(self.base + path, data=body or None, headers=headers, method=method)
        try:
            response = self._opener.open(request)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            data = response.read()
            media = response.headers.get_content_type() if data else ""
            entry: dict[str, Any] = {
                "_resourceType": _RESOURCES.get(media, "fetch") if method == "GET" else "fetch",
                "startedDateTime": "2026-01-01T00:00:00.000Z",
                "request": {
                    "method": method,
                    "url": self.base + path,
                    "headers": [{"name": name, "value": value} for name, value in request.header_items()],
                    "queryString": [],
                },
                "response": {
                    "status": response.status,
                    "statusText": response.reason,
                    "headers": [{"name": name, "value": value} for name, value in response.headers.items()],
                    "content": {"size": len(data), "mimeType": response.headers.get("Content-Type", "")},
                },
            }
        if body:
            entry["request"]["postData"] = {"mimeType": kind, "text": body.decode()}
        if data:
            entry["response"]["content"]["text"] = data.decode()
        self.entries.append(entry)
        return json.loads(data) if "json" in media else data.decode()

    def write(self, file: Path) -> Path:
        log = {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": self.entries}
        file.write_text(json.dumps({"log": log}))
        return file


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any) -> None:
        return None


def visit_larder(base: str, *, prefix: str = "/larder") -> Visitor:
    """What somebody does in the example application within a few minutes."""
    visitor = Visitor(base)
    visitor.get(f"{prefix}/")
    for word in ("s", "so", "soup", "bread", "zzz"):
        visitor.get(f"{prefix}/api/search?q={word}")
    for page in ("", "?page=2", "?page=3"):
        visitor.get(f"{prefix}/api/recipes{page}")
    for recipe in (1, 2, 3):
        visitor.get(f"{prefix}/api/recipes/{recipe}/comments")
        visitor.send_json("POST", f"{prefix}/api/recipes/{recipe}/like")
    visitor.send_json("POST", f"{prefix}/api/recipes/1/comments", {"text": "Lovely"})
    visitor.get(f"{prefix}/api/recipes/1/comments")
    visitor.send_json("POST", f"{prefix}/api/recipes/2/comments", {"text": ""})
    visitor.get(f"{prefix}/api/profile")
    visitor.send_form(f"{prefix}/login", name="demo", password="demo")
    visitor.get(f"{prefix}/api/profile")
    visitor.send_json("PUT", f"{prefix}/api/recipes/1/favourite")
    visitor.send_json("PUT", f"{prefix}/api/recipes/2/favourite")
    visitor.send_json("DELETE", f"{prefix}/api/recipes/2/favourite")
    visitor.send_json("PUT", f"{prefix}/api/profile", {"display": "Demo", "city": "Graz", "bio": ""})
    visitor.send_json("PUT", f"{prefix}/api/profile", {"display": "", "city": "", "bio": ""})
    return visitor
