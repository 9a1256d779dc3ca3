"""The answers behind the example pages. All of them depend on the request alone."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from jostle.examples.files import FRESH

BIRDS = (
    "Arctic tern", "Avocet", "Barn owl", "Bee-eater", "Bittern", "Blackbird", "Blackcap", "Blue tit", "Bullfinch",
    "Buzzard", "Chaffinch", "Coot", "Cormorant", "Crane", "Crossbill", "Cuckoo", "Curlew", "Dipper", "Dunlin",
    "Dunnock", "Eider", "Fieldfare", "Firecrest", "Gannet", "Goldcrest", "Goldfinch", "Goshawk", "Great tit",
    "Greenfinch", "Greylag goose", "Hawfinch", "Heron", "Hobby", "Hoopoe", "House sparrow", "Jackdaw", "Jay",
    "Kestrel", "Kingfisher", "Kittiwake", "Lapwing", "Linnet", "Long-eared owl", "Magpie", "Mallard", "Merlin",
    "Nightingale", "Nuthatch", "Oystercatcher", "Peregrine", "Puffin", "Raven", "Redstart", "Robin", "Rook",
)  # fmt: skip

PAGE_COUNT = 5
_ROWS_PER_PAGE = 6

PRICES = {"barley": 120, "oats": 95, "rye": 110}
"""The prices in the snapshot, all of version 0."""
_PRICE_CHANGES = (
    ("oats", 97), ("rye", 108), ("barley", 123), ("oats", 94),
    ("barley", 125), ("rye", 112), ("oats", 96), ("rye", 115),
)  # fmt: skip

PACKET_BYTES = 2048
_NEWEST_DELIVERY = 10**9
_LONGEST_SKIP = 2.0

HEADLINES = ("Rain in the west", "Oats in demand", "Mill reopens", "Harvest begins early", "Bakers meet in town")


def fresh_json(content: object, status: int = 200) -> Response:
    """The content as an answer that is always asked for again."""
    return JSONResponse(content, status, headers=FRESH)


def whole_number(text: str | None, default: int) -> int:
    """The number that the text says, or the default if it says none."""
    return int(text) if text and re.fullmatch(r"-?\d{1,9}", text) else default


async def search(request: Request) -> Response:
    """Birds whose name contains the query. Short queries have many hits and take longer, as they do in databases."""
    query = request.query_params.get("q", "").strip()
    hits = [bird for bird in BIRDS if query and query.casefold() in bird.casefold()]
    await asyncio.sleep((20 + 5 * len(hits)) / 1000)
    return fresh_json({"query": query, "hits": hits})


async def rows(request: Request) -> Response:
    """One page of the table."""
    page = min(max(whole_number(request.query_params.get("page"), 1), 1), PAGE_COUNT)
    first = (page - 1) * _ROWS_PER_PAGE
    await asyncio.sleep((110 - 15 * page) / 1000)
    return fresh_json({"page": page, "rows": BIRDS[first : first + _ROWS_PER_PAGE]})


async def ping(request: Request) -> Response:
    await asyncio.sleep(0.06)
    return fresh_json({"ok": True})


async def progress(request: Request) -> Response:
    """The state of a pretended job at the n-th time of asking."""
    asked = whole_number(request.query_params.get("n"), 1)
    return fresh_json({"percent": min(max(asked, 0) * 10, 100), "done": asked >= 10})


async def snapshot(request: Request) -> Response:
    """All prices, as they were before any change was pushed."""
    await asyncio.sleep(0.03)
    return fresh_json({name: {"price": price, "version": 0} for name, price in PRICES.items()})


async def prices(socket: WebSocket) -> None:
    """Pushes a fixed list of price changes, each with the number of the change, and then `end`."""
    await socket.accept()
    try:
        for version, (name, price) in enumerate(_PRICE_CHANGES, start=1):
            await asyncio.sleep(0.15)
            await socket.send_json({"name": name, "price": price, "version": version})
        await socket.send_json({"end": True})
        await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return


async def chat(socket: WebSocket) -> None:
    """Sends each message back with its number, and then an answer to it."""
    await socket.accept()
    try:
        await socket.send_json({"from": "room", "text": "Welcome"})
        number = 0
        async for text in socket.iter_text():
            number += 1
            await socket.send_json({"from": "you", "text": text[:200], "number": number})
            await asyncio.sleep(0.05)
            await socket.send_json({"from": "room", "text": f"{len(text)} characters read", "number": number})
    except (WebSocketDisconnect, RuntimeError):
        return


async def headlines(request: Request) -> Response:
    """An event stream of a few headlines; after the last one an `end` event asks the page to close it."""

    async def events() -> AsyncIterator[str]:
        for number, headline in enumerate(HEADLINES, start=1):
            await asyncio.sleep(0.2)
            yield f"id: {number}\ndata: {json.dumps({'number': number, 'text': headline})}\n\n"
        yield "event: end\ndata: {}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream", headers=FRESH)


async def stream(request: Request) -> Response:
    """Five lines of text, one after the other."""

    async def lines() -> AsyncIterator[str]:
        for number in range(1, 6):
            yield f"line {number}\n"
            await asyncio.sleep(0.04)

    return StreamingResponse(lines(), media_type="text/plain", headers=FRESH)


async def jsonp(request: Request) -> Response:
    """A script that calls the function named by `callback`."""
    callback = request.query_params.get("callback", "")
    if not re.fullmatch(r"[A-Za-z_$][\w$]{0,60}", callback):
        return PlainTextResponse("callback must be a JavaScript name", 400, headers=FRESH)
    await asyncio.sleep(0.04)
    script = f"{callback}({json.dumps({'answer': 'from a script'})});\n"
    return Response(script, headers={**FRESH, "Content-Type": "text/javascript; charset=utf-8"})


async def articles(request: Request) -> Response:
    """Saves what it is sent, in one packet to a pretended database."""
    if len(await request.body()) > PACKET_BYTES:
        return fresh_json({"error": f"The database takes no packet of more than {PACKET_BYTES} bytes."}, 500)
    return fresh_json({"saved": True})


async def log(request: Request) -> Response:
    """Ten entries, the newest first. To skip entries takes time, as it does in databases without an index."""
    offset = max(whole_number(request.query_params.get("offset"), 0), 0)
    await asyncio.sleep(min(0.01 + offset / 1000, _LONGEST_SKIP))
    entries = [f"Delivery {_NEWEST_DELIVERY - offset - place} arrived" for place in range(10)]
    return fresh_json({"offset": offset, "entries": entries})


async def upload(request: Request) -> Response:
    """Takes anything and says how many bytes came."""
    received = 0
    async for chunk in request.stream():
        received += len(chunk)
    await asyncio.sleep(0.15)
    return fresh_json({"received": received})


ENDPOINTS: list[BaseRoute] = [
    Route("/api/search", search),
    Route("/api/rows", rows),
    Route("/api/ping", ping, methods=["GET", "POST"]),
    Route("/api/progress", progress),
    Route("/api/prices", snapshot),
    Route("/api/headlines", headlines),
    Route("/api/stream", stream),
    Route("/api/jsonp", jsonp),
    Route("/api/articles", articles, methods=["PUT"]),
    Route("/api/log", log),
    Route("/api/upload", upload, methods=["POST"]),
    WebSocketRoute("/ws/prices", prices),
    WebSocketRoute("/ws/chat", chat),
]
