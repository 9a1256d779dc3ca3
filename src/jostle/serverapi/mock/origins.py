"""Which servers a mock stands in for, and by which names pages find them there.

A mock speaks plain HTTP. A server that was recorded with https is found at a name of this machine
(`https://shop.test` at `http://shop.test.localhost`), where a browser grants pages what it grants to https.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jostle.addresses import explicit_port, split_url
from jostle.recording.exchange import Exchange
from jostle.serverapi.traffic import origin_of

_MOST = 50


def origins_in(base: str, page: str, exchanges: Iterable[Exchange]) -> tuple[str, ...]:
    """The origins of the described server, of the page, and of all else that was asked, in this order."""
    found = dict.fromkeys(origin for each in (base, page) if (origin := origin_of(each)).startswith("http"))
    for exchange in exchanges:
        if len(found) >= _MOST:
            break
        if exchange.url.lower().startswith(("http://", "https://")):
            found.setdefault(origin_of(exchange.url))
    return tuple(found)


def stand_in_origin(origin: str) -> str:
    """Where pages find what was recorded at an origin."""
    parts = split_url(origin)
    if parts.scheme != "https":
        return origin
    host = (parts.hostname or "").strip("[]").replace(":", "-")
    name = host if host == "localhost" or host.endswith(".localhost") else f"{host}.localhost"
    port = explicit_port(parts)
    return f"http://{name}:{port}" if port else f"http://{name}"


def stand_in_url(url: str) -> str:
    """The same address at the stand-in."""
    origin = origin_of(url)
    return stand_in_origin(origin) + url[len(origin) :] if url.lower().startswith(origin) else url


def moved(text: str, places: Mapping[str, str]) -> str:
    """A text with each origin replaced by another, the longest first."""
    for before, after in sorted(places.items(), key=lambda each: -len(each[0])):
        text = text.replace(before, after)
    return text
