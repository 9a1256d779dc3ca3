"""Where a run may lead: the application's own origins, and nowhere else.

What a page embeds or its scripts ask for (images, frames, `fetch`, sockets) belongs to the page and goes where the page
sends it, unless third parties are blocked; which origins it asks is told. What leaves the application does not: pages,
forms and links in any frame, and what is sent without anybody waiting for a response. Replays have no network at all.
"""

from __future__ import annotations

from collections.abc import Collection

from jostle.addresses import split_url
from jostle.browser.address import origin
from jostle.browser.connection import Params

UNANSWERED = ("Ping", "CSPViolationReport")
"""Types of requests whose responses nobody sees: beacons, pings of links, reports."""
_EMBEDS = frozenset({"initialFrameNavigation", "scriptInitiated", "reload", "metaTagRefresh", "httpHeaderRefresh"})
"""Reasons for which a frame gets another document without its user or a form asking for it."""
_NOWHERE = "http://127.0.0.1:9"
"""A proxy that is not there: the port is that of a service which throws everything away."""
_PORTS = {"http": 80, "https": 443}


def leaves(kind: str, method: str, *, main: bool, reason: str) -> bool:
    """Whether a request to an origin that is not allowed would leave the application.

    `kind` is the type of the request as the DevTools Protocol names it; `main`: it is for a tab's main frame; `reason`:
    why a frame is navigated, as the protocol names it, empty when nobody knows.
    """
    if kind != "Document":
        return kind in UNANSWERED
    return main or method != "GET" or reason not in _EMBEDS


def elsewhere(origin: str) -> str:
    """That a page itself asks another origin for something, in words."""
    return f"the page sends requests to {origin}: they go out, unless block_third_party is set"


def no_way_out(allowed: Collection[str]) -> Params:
    """Parameters of a browser context from which nothing but these origins can be reached, whoever tries: a page, a
    worker, a socket, or the browser itself."""
    hosts = []
    for each in sorted(allowed):
        parts = split_url(each)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        hosts.append(f"{host}:{parts.port or _PORTS.get(parts.scheme, 80)}")
    # Later rules win; by default, this machine would be reached without a proxy.
    return {"proxyServer": _NOWHERE, "proxyBypassList": ";".join(["<-loopback>", *hosts])}


def owner(url: str, told: str, parent: str) -> str:
    """The origin that a document belongs to; empty when it belongs to nobody who is known.

    `told`: its origin as the browser tells it, `://` for one of its own. `parent`: the owner of the document around it.
    A document without an address of its own (`about:blank`, `srcdoc`, a blob) belongs to who made it.
    """
    if url.startswith(("http:", "https:")):
        return origin(url)
    if told.startswith(("http:", "https:")):
        return origin(told)
    return parent if url.startswith("about:") or not url else ""
