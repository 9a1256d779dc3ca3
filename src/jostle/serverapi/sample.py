"""Samples of what a server was asked and what it said: what an interface is learned from.

Plain data. Samples are made of recordings and HAR files by `jostle.serverapi.traffic`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

Pair = tuple[str, str]


class Content(StrEnum):
    """How much is known of a body."""

    EMPTY = "empty"
    FIELDS = "fields"
    """A form or multipart: its fields are among the parameters of the request."""
    JSON = "json"
    GRAPHQL = "graphql"
    """JSON that names a GraphQL operation."""
    OPAQUE = "opaque"
    """Not taken apart: text, markup, binary, too large, or JSON that is broken."""


class ApiRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request, taken apart."""

    method: str
    origin: str
    """Scheme, host and port: `https://shop.test`."""
    path: tuple[str, ...]
    """Decoded fragments of the path; empty ones are left out, so `author/` is `author`."""
    parameters: tuple[Pair, ...] = ()
    """Query and form fields in their order; cache busters are left out."""
    in_body: frozenset[str] = frozenset()
    """Names of parameters that came in the body."""
    files: frozenset[str] = frozenset()
    """Names of parameters that are uploaded files; their values are empty."""
    content: Content = Content.EMPTY
    body: Any = None
    """The value of a JSON body."""
    graphql: str = ""
    """Names of the GraphQL operations, `+` between them where several came in one request."""
    headers: tuple[Pair, ...] = ()
    """Headers by which a server may choose another kind of response, names in small letters."""

    def named(self) -> dict[str, list[str]]:
        """Values of the parameters by name."""
        values: dict[str, list[str]] = {}
        for name, value in self.parameters:
            values.setdefault(name, []).append(value)
        return values

    def __str__(self) -> str:
        query = "&".join(f"{name}={value}" for name, value in self.parameters)
        operation = f" {self.graphql}" if self.graphql else ""
        return f"{self.method} /{'/'.join(self.path)}{'?' if query else ''}{query}{operation}"


class ApiResponse(msgspec.Struct, frozen=True, kw_only=True):
    """What the server said."""

    status: int = 200
    media_type: str = ""
    """Without parameters, in small letters; empty when there is no body or no type was told."""
    content: Content = Content.EMPTY
    """`EMPTY`, `JSON` or `OPAQUE`."""
    value: Any = None
    """The value of a JSON body."""

    @property
    def succeeded(self) -> bool:
        return self.status < 400


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One request with its response."""

    request: ApiRequest
    response: ApiResponse
    asked_by: str = ""
    """What the user did that led to the request, in words; empty where the recording does not tell it."""
    exchange: int = -1
    """Position among the exchanges of the traffic it was read from."""
