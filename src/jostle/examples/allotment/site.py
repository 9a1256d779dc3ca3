"""Allotment's pages and the requests its scripts make."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from jostle.examples.endpoints import fresh_json
from jostle.examples.files import file_answer

_HERE = Path(__file__).parent
_ASSETS = _HERE / "assets"
_LONGEST = 200


class Allotment:
    """One instance of the application with notices and orders of its own, mounted at `root`.

    The buggy version differs only in the scripts of `assets/buggy`, which stand in for those of the same name.
    """

    def __init__(self, root: str, *, buggy: bool = False) -> None:
        self._root = root
        self._buggy = buggy
        self._notices: list[str] = []
        self._orders: dict[str, str] = {}
        self._forget()

    @property
    def mount(self) -> Mount:
        return Mount(
            self._root,
            routes=[
                Route("/api/notices", self._api_notices, methods=["GET", "POST"]),
                Route("/api/orders", self._api_orders, methods=["GET", "POST"]),
                Route("/api/user", self._api_user),
                Route("/api/cart", self._api_cart),
                Route("/api/forecast/{day}", self._api_forecast),
                Route("/reset", self._reset, methods=["POST"]),
                Route("/assets/{path:path}", self._asset),
                Route("/", self._home),
                Route("/{page}.html", self._page),
            ],
        )

    def _forget(self) -> None:
        self._notices[:] = ["The water is on again."]
        self._orders.clear()

    async def _home(self, request: Request) -> Response:
        return file_answer(_HERE / "pages", "index.html")

    async def _page(self, request: Request) -> Response:
        return file_answer(_HERE / "pages", f"{request.path_params['page']}.html")

    async def _asset(self, request: Request) -> Response:
        path = request.path_params["path"]
        if self._buggy and (_ASSETS / "buggy" / Path(path).name).is_file():
            return file_answer(_ASSETS / "buggy", Path(path).name)
        return file_answer(_ASSETS, path)

    async def _api_notices(self, request: Request) -> Response:
        if request.method == "POST":
            self._notices.append(str(await _said(request, "text")))
        return fresh_json(self._notices)

    async def _api_orders(self, request: Request) -> Response:
        """An order that is sent again under the same key is the same order."""
        if request.method == "POST":
            key = str(await _said(request, "key")) or f"order {len(self._orders) + 1}"
            self._orders.setdefault(key, str(await _said(request, "packets")))
        return fresh_json(list(self._orders.values()))

    async def _api_user(self, request: Request) -> Response:
        await asyncio.sleep(0.01)
        return fresh_json({"name": "Robin"})

    async def _api_cart(self, request: Request) -> Response:
        await asyncio.sleep(0.12)
        return fresh_json({"items": 2})

    async def _api_forecast(self, request: Request) -> Response:
        """Tomorrow takes longer than today, as it does."""
        day = request.path_params["day"]
        await asyncio.sleep(0.1 if day == "tomorrow" else 0.01)
        return fresh_json({"text": "Tomorrow: rain" if day == "tomorrow" else "Today: sun"})

    async def _reset(self, request: Request) -> Response:
        self._forget()
        return fresh_json({"reset": True})


async def _said(request: Request, name: str) -> Any:
    try:
        said = (await request.json()).get(name, "")
    except (ValueError, AttributeError):
        return ""
    return said[:_LONGEST] if isinstance(said, str) else said
