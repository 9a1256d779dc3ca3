"""The answers behind the pages with races. All but one depend on the request alone."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from jostle.examples.endpoints import BIRDS, fresh_json, whole_number
from jostle.examples.files import FRESH

STATIONS = {
    "Bridge Street": {"car-wash", "diesel"},
    "Harbour": {"diesel"},
    "Market": set[str](),
    "North Gate": {"car-wash"},
    "Old Mill": {"car-wash", "diesel"},
    "Ring Road": {"diesel"},
}
"""Petrol stations and what they have."""

QUOTES = (
    "Many hands make light work.",
    "Look before you leap.",
    "Rome was not built in a day.",
    "Still waters run deep.",
    "The early bird catches the worm.",
)

TREES = {
    "Alder": 25, "Ash": 35, "Beech": 40, "Birch": 22, "Elm": 30, "Hazel": 8, "Larch": 45, "Lime": 33, "Oak": 38,
    "Pine": 36, "Rowan": 15, "Yew": 20,
}  # fmt: skip
"""Their heights in metres."""
TREES_PER_PAGE = 4

WEATHER = {"Bergen": "Rain, 9 °C", "Oslo": "Sun, 14 °C", "Tromsø": "Snow, −2 °C"}
PRICES = {"apples": 3, "bread": 4, "cheese": 7}
SHOPS = {"bakery": (1, "6 to 14"), "library": (2, "10 to 19"), "pharmacy": (3, "8 to 18")}
"""Their numbers and opening hours."""

DEPARTURES = (
    {"time": "9:04", "line": "Coast", "to": "Harbour"},
    {"time": "9:10", "line": "Valley", "to": "Old Mill"},
    {"time": "9:19", "line": "Coast", "to": "Lighthouse"},
    {"time": "9:25", "line": "Valley", "to": "Waterfall"},
)

PHOTOS = {"dune": "#d9a860", "fjord": "#2f6f8f"}
"""Their colours."""
SCORES = {"north": "North 2 – 1 South", "east": "East 0 – 3 West"}
LIBRARIAN = {
    "hours": ("We are open ", "from 10 ", "to 19."),
    "lost": ("Ask for it ", "at the ", "front desk."),
}
"""Answers in the pieces in which they are given."""

TILE_BYTES = 200_000
LOAF_PRICE = 4
LIKES = 57


async def _sent(request: Request) -> dict[str, Any]:
    """The JSON object in the request; an empty one if there is none."""
    try:
        sent = json.loads(await request.body())
    except ValueError:
        return {}
    return sent if isinstance(sent, dict) else {}


async def stations(request: Request) -> Response:
    """The stations that have all that is wished for."""
    wishes = set(request.query_params.getlist("with"))
    return fresh_json([name for name, has in STATIONS.items() if wishes <= has])


async def greeting(request: Request) -> Response:
    return PlainTextResponse("The library is open today from 10 to 19.", headers=FRESH)


async def quote(request: Request) -> Response:
    """The n-th quote, from the first again after the last."""
    number = whole_number(request.query_params.get("n"), 1)
    return fresh_json({"number": number, "text": QUOTES[(number - 1) % len(QUOTES)]})


async def birds(request: Request) -> Response:
    """A script that calls the function named by `callback` with the birds whose name contains the query."""
    callback = request.query_params.get("callback", "")
    if not re.fullmatch(r"[A-Za-z_$][\w$]{0,60}", callback):
        return PlainTextResponse("callback must be a JavaScript name", 400, headers=FRESH)
    query = request.query_params.get("q", "").casefold()
    script = f"{callback}({json.dumps([bird for bird in BIRDS if query in bird.casefold()])});\n"
    return Response(script, headers={**FRESH, "Content-Type": "text/javascript; charset=utf-8"})


async def weather(request: Request) -> Response:
    town = request.query_params.get("town", "")
    return fresh_json({"town": town, "weather": WEATHER.get(town, "unknown")})


async def trees(request: Request) -> Response:
    """One page of the trees, by name or by height."""
    by_height = request.query_params.get("sort") == "height"
    ordered = sorted(TREES, key=TREES.__getitem__) if by_height else list(TREES)
    first = (max(whole_number(request.query_params.get("page"), 1), 1) - 1) * TREES_PER_PAGE
    return fresh_json([f"{name}, {TREES[name]} m" for name in ordered[first : first + TREES_PER_PAGE]])


async def tile(request: Request) -> Response:
    """A large answer, of letters that tell its number."""
    number = whole_number(request.query_params.get("n"), 1)
    return PlainTextResponse(chr(ord("a") + number % 26) * TILE_BYTES, headers=FRESH)


async def cart(request: Request) -> Response:
    """The cart with as many loaves as were sent."""
    quantity = whole_number(str((await _sent(request)).get("quantity")), 0)
    return fresh_json({"quantity": quantity, "total": quantity * LOAF_PRICE})


async def like(request: Request) -> Response:
    liked = (await _sent(request)).get("liked") is True
    return fresh_json({"liked": liked, "likes": LIKES + liked})


async def price(request: Request) -> Response:
    return fresh_json({"price": PRICES.get(request.query_params.get("of", ""), 0)})


async def shop(request: Request) -> Response:
    """The number of the shop of that kind."""
    number, _ = SHOPS.get(request.query_params.get("kind", ""), (0, ""))
    return fresh_json({"id": number})


async def hours(request: Request) -> Response:
    """When the shop of that number is open."""
    wanted = request.path_params["number"]
    found = next(((kind, opening) for kind, (number, opening) in SHOPS.items() if number == wanted), None)
    if found is None:
        return fresh_json({"error": f"There is no shop {wanted}."}, 404)
    kind, opening = found
    return fresh_json({"kind": kind, "hours": opening})


async def order(request: Request) -> Response:
    return fresh_json({"loaves": whole_number(str((await _sent(request)).get("loaves")), 0)})


async def draft(request: Request) -> Response:
    """The text as it was saved, which is as it was sent."""
    return fresh_json({"text": str((await _sent(request)).get("text", ""))[:1000]})


async def inbox(request: Request) -> Response:
    """What is in the inbox once all has been read or archived: nothing."""
    return fresh_json({"messages": []})


async def visitors(request: Request) -> Response:
    """How many others look at the page; never twice the same."""
    return fresh_json({"visitors": 1000 + secrets.randbelow(1_000_000)})


async def photo(request: Request) -> Response:
    colour = PHOTOS.get(request.query_params.get("of", ""), "#808080")
    area = 'width="300" height="200"'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" {area}><rect {area} fill="{colour}"/></svg>'
    return Response(picture, media_type="image/svg+xml", headers=FRESH)


async def scores(request: Request) -> Response:
    """A stream of one event. The browser is told not to come back for more."""
    score = SCORES.get(request.query_params.get("match", ""), "There is no such match")
    return Response(f"retry: 86400000\ndata: {score}\n\n", media_type="text/event-stream", headers=FRESH)


async def answer(request: Request) -> Response:
    """Some words, piece by piece."""
    pieces = LIBRARIAN.get(request.query_params.get("about", ""), ("I do not know.",))

    async def told() -> AsyncIterator[str]:
        for piece in pieces:
            yield piece
            await asyncio.sleep(0.01)

    return StreamingResponse(told(), media_type="text/plain; charset=utf-8", headers=FRESH)


async def departures(socket: WebSocket) -> None:
    """Pushes all departures once, and nothing more until the page hangs up."""
    await socket.accept()
    try:
        await socket.send_json(DEPARTURES)
        await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return


RACE_ENDPOINTS: list[BaseRoute] = [
    Route("/api/stations", stations),
    Route("/api/greeting", greeting),
    Route("/api/quote", quote),
    Route("/api/birds.js", birds),
    Route("/api/weather", weather),
    Route("/api/trees", trees),
    Route("/api/tile", tile),
    Route("/api/cart", cart, methods=["PUT"]),
    Route("/api/like", like, methods=["POST"]),
    Route("/api/price", price),
    Route("/api/shops", shop),
    Route("/api/shops/{number:int}/hours", hours),
    Route("/api/orders", order, methods=["POST"]),
    Route("/api/draft", draft, methods=["PUT"]),
    Route("/api/inbox", inbox, methods=["POST"]),
    Route("/api/visitors", visitors),
    Route("/api/photo.svg", photo),
    Route("/api/scores", scores),
    Route("/api/answer", answer),
    WebSocketRoute("/ws/departures", departures),
]
