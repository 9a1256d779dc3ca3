"""The example pages, which are plain files, and the list of them at the root."""

from __future__ import annotations

import asyncio
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from jostle.examples.catalogue import CATALOGUE
from jostle.examples.entry import Example

PAGES = Path(__file__).parent / "pages"

# Not mimetypes, whose answers depend on the machine.
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}

# Always asked for again, so that each load of a page makes the same requests.
FRESH = {"Cache-Control": "no-cache"}

_CSP = "Content-Security-Policy"
# A nonce that never changes protects nobody; here it keeps the answer the same each time.
_HEADERS = {
    "csp-nonce": {
        _CSP: "default-src 'none'; script-src 'nonce-c29tZXRoaW5nIGZpeGVk'; style-src 'self'; connect-src 'self'; "
        "img-src 'self'; base-uri 'none'; form-action 'self'"
    },
    "csp-trusted-types": {
        _CSP: "default-src 'self'; require-trusted-types-for 'script'; trusted-types notes; base-uri 'none'"
    },
}

# Milliseconds that a file takes, so that pages load in their usual order by themselves.
_DELAYS = {
    "slideshow/image2.png": 40,
    "slideshow/image3.png": 160,
    "wave-fig1/lib.js": 60,
    "wave-fig1/sub.html": 100,
    "wave-fig2/extn.js": 80,
    "wave-fig3/format.js": 60,
    "form-overwrite/search.js": 120,
    "form-overwrite-fixed/search.js": 120,
    "late-handler/menu.js": 120,
    "undefined-analytics/analytics.js": 120,
    "undefined-analytics-fixed/analytics.js": 120,
    "late-iframe-load/map.html": 50,
    "hover-menu/menu.js": 80,
    "inserted-scripts/offers.js": 80,
    "wave-b1/basket.json": 60,
    "wave-b3/stock.html": 80,
    "wave-b3/orders.html": 100,
    "minified-bundle/proverb.json": 60,
}


def file_answer(folder: Path, path: str) -> Response:
    """The file at `path` in `folder`. Raises HTTPException when there is none."""
    file = (folder / path).resolve()
    if not file.is_relative_to(folder.resolve()) or not file.is_file() or file.suffix not in MEDIA_TYPES:
        raise HTTPException(404, f"There is no {path} here.")
    return Response(file.read_bytes(), headers={**FRESH, "Content-Type": MEDIA_TYPES[file.suffix]})


async def _file(request: Request) -> Response:
    path: str = request.path_params["path"]
    if (PAGES / path).is_dir() and not path.endswith("/"):
        return RedirectResponse(request.url.replace(path=f"/{path}/"), headers=FRESH)
    if path.endswith("/"):
        path += "index.html"
    answer = file_answer(PAGES, path)
    answer.headers.update(_HEADERS.get(path.split("/")[0], {}))
    await asyncio.sleep(_DELAYS.get(path, 0) / 1000)
    return answer


def _row(entry: Example) -> str:
    if entry.expected:
        state = f'<span class="bug">{escape(", ".join(entry.expected))}</span>'
    else:
        state = '<span class="fine">nothing wrong</span>'
    return (
        f'<li><a href="{escape(entry.path)}">{escape(entry.title)}</a> {state}<br>'
        f"<small>{escape(entry.description)}</small></li>"
    )


async def _list(request: Request) -> Response:
    template = (PAGES / "list.html").read_text(encoding="utf-8")
    return HTMLResponse(template.replace("<!-- examples -->", "\n".join(map(_row, CATALOGUE))), headers=FRESH)


def page_routes() -> list[BaseRoute]:
    return [Route("/", _list), Route("/{path:path}", _file)]
