"""The answers behind the pages whose orders of events matter. All but one depend on the request alone."""

from __future__ import annotations

import secrets
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from jostle.examples.files import FRESH, MEDIA_TYPES, PAGES

HUGE_BYTES = 10 * 2**20
CONDITIONS = 160
"""More than a parser takes in one go."""


def _script(source: str) -> Response:
    return Response(source, headers={**FRESH, "Content-Type": MEDIA_TYPES[".js"]})


async def conditions(request: Request) -> Response:
    """The page with a long list in it."""
    page = (PAGES / request.url.path.strip("/") / "index.html").read_text(encoding="utf-8")
    lines = [
        f"<li>Of every {number} loaves one may be smaller than the others, but none may be burnt.</li>"
        for number in range(2, CONDITIONS + 2)
    ]
    page = page.replace("<!-- conditions -->", "\n    ".join(lines))
    return Response(page, headers={**FRESH, "Content-Type": MEDIA_TYPES[".html"]})


async def visitors(request: Request) -> Response:
    """A script that is never twice the same."""
    return _script(f"const visitor = {1000 + secrets.randbelow(1_000_000)};\n")


@cache
def _huge() -> str:
    parts: list[str] = []
    size = 0
    while size < HUGE_BYTES:
        number = len(parts)
        parts.append(
            f"function part{number}(list, {{ step = {number % 7 + 1}, names = [] }} = {{}}) {{\n"
            f"  const total = list.reduce((sum, each) => sum + (each?.size ?? 0) * step, {number});\n"
            f"  return names.length ? `${{names.join()}}: ${{total}}` : {{ total, number: {number} }};\n}}\n"
        )
        size += len(parts[-1])
    parts.append(
        f"function greet() {{\n  const {{ number }} = part{len(parts) - 1}([]);\n"
        '  document.getElementById("greeting").textContent = `hello from function ${number}`;\n}\n'
    )
    return "".join(parts)


async def huge(request: Request) -> Response:
    """A script of ten megabytes; what a page needs of it is at its end."""
    return _script(_huge())


ORDER_ENDPOINTS: list[BaseRoute] = [
    Route("/wave-b6/", conditions),
    Route("/wave-b6-fixed/", conditions),
    Route("/api/visitors.js", visitors),
    Route("/api/huge.js", huge),
]
