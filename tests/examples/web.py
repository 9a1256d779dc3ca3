"""A plain client for the example server."""

from __future__ import annotations

import json
from email.message import Message
from http.client import HTTPMessage
from http.cookiejar import CookieJar
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, OpenerDirector, Request, build_opener


class Answer:
    def __init__(self, status: int, headers: Message, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class _Stay(HTTPRedirectHandler):
    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


class Client:
    """Keeps cookies, follows no redirects, waits at most five seconds."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()), _Stay)

    def ask(self, method: str, path: str, *, form: dict[str, str] | None = None, json_body: object = None) -> Answer:
        data = urlencode(form).encode() if form is not None else None
        if json_body is not None:
            data = json.dumps(json_body).encode()
        request = Request(self._base + path, data=data, method=method)
        try:
            with self._opener.open(request, timeout=5) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)
