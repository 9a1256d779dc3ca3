"""Where functions are written: file, line and the lines around it."""

from __future__ import annotations

import asyncio
import base64
import binascii
import time
import urllib.request
from collections.abc import Collection, Iterable
from http.client import HTTPException
from typing import IO, Any
from urllib.parse import unquote

import msgspec

from jostle import untrusted
from jostle.addresses import join_url, split_url
from jostle.browser.address import origin
from jostle.browser.connection import NoAnswer, Params, ProtocolError
from jostle.browser.coverage import ScriptFunction
from jostle.browser.source_map import SourceMap
from jostle.browser.tab import Tab

EXCERPT = 8
LONGEST_LINE = 160
LARGEST_MAP = 50 * 2**20
_MAP_SECONDS = 10.0


class SourceExcerpt(msgspec.Struct, frozen=True, kw_only=True):
    """Where a function begins."""

    file: str
    """The path in its address; with a source map, the file it was made from."""
    line: int
    """From 1."""
    excerpt: tuple[str, ...] = ()
    """The lines from there on."""


async def places(
    tab: Tab, functions: Iterable[ScriptFunction], origins: Collection[str]
) -> dict[ScriptFunction, SourceExcerpt]:
    """The places of those functions whose scripts are in the tab now. Maps are fetched from allowed origins only."""
    wanted = list(functions)
    scripts = await _scripts(tab, {function.url for function in wanted})
    maps: dict[str, SourceMap | None] = {}
    found = {}
    for function in wanted:
        for script, text in scripts:
            if script["url"] == function.url and _holds(text, function):
                found[function] = await _place(function, script, text, maps, origins)
                break
    return found


async def _scripts(tab: Tab, urls: Collection[str]) -> list[tuple[Params, str]]:
    tab.parsed.clear()
    scripts = []
    try:
        await tab.session.send("Debugger.enable", timeout=5)  # it tells of every script there is
        for script in tab.parsed:
            if script["url"] in urls:
                found = await tab.session.send("Debugger.getScriptSource", {"scriptId": script["scriptId"]}, timeout=5)
                scripts.append((script, str(found["scriptSource"])))
        await tab.session.send("Debugger.disable", timeout=5)
    except (ProtocolError, NoAnswer):
        pass  # then the names must do
    tab.parsed.clear()
    return scripts


def _holds(text: str, function: ScriptFunction) -> bool:
    """The scripts within a page share its address: the name must be where the function begins."""
    return function.start < len(text) and (not function.name or function.name in text[max(0, function.start - 80) :])


async def _place(
    function: ScriptFunction, script: Params, text: str, maps: dict[str, SourceMap | None], origins: Collection[str]
) -> SourceExcerpt:
    line = text.count("\n", 0, function.start)
    column = function.start - (text.rfind("\n", 0, function.start) + 1)
    if address := script.get("sourceMapURL"):
        if address not in maps:
            maps[address] = await asyncio.to_thread(_map, join_url(function.url, address), origins)
        known = maps[address]
        if known is not None and (original := known.original(line, column)) is not None:
            file, at = original
            return SourceExcerpt(file=file, line=at + 1, excerpt=_excerpt(known.text(file), at))
    first = int(script.get("startLine", 0))
    return SourceExcerpt(file=split_url(function.url).path, line=first + line + 1, excerpt=_excerpt(text, line))


def _excerpt(text: str, line: int) -> tuple[str, ...]:
    return tuple(each[:LONGEST_LINE] for each in text.splitlines()[line : line + EXCERPT])


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follows redirects to these origins only."""

    def __init__(self, origins: Collection[str]) -> None:
        self._origins = origins

    def redirect_request(self, request: Any, file: Any, code: int, text: str, headers: Any, url: str) -> Any:
        if origin(url) not in self._origins:
            return None  # the redirect itself is then the answer, and no source map
        return super().redirect_request(request, file, code, text, headers, url)


def _opener(origins: Collection[str]) -> urllib.request.OpenerDirector:
    """Speaks HTTP with these origins, and with nobody in between."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
        _StayHere(origins),
    ):
        opener.add_handler(handler)
    return opener


def _read(answer: IO[bytes], deadline: float) -> bytes:
    """A whole answer. Raises ValueError for one that is too large or too slow."""
    parts, size = [], 0
    while part := answer.read(2**16):
        size += len(part)
        if size > LARGEST_MAP or time.monotonic() > deadline:
            raise ValueError("too large or too slow for a source map")
        parts.append(part)
    return b"".join(parts)


def _map(address: str, origins: Collection[str]) -> SourceMap | None:
    """None when there is none that can be read: then the script that runs must do."""
    try:
        if address.startswith("data:"):
            head, _, body = address.partition(",")
            raw = base64.b64decode(unquote(body)) if head.endswith(";base64") else unquote(body).encode()
        elif origin(address) in origins:
            with _opener(origins).open(address, timeout=5) as answer:
                raw = _read(answer, time.monotonic() + _MAP_SECONDS)
        else:
            return None
        return SourceMap(untrusted.parsed(raw))
    except (OSError, HTTPException, ValueError, binascii.Error):
        return None
