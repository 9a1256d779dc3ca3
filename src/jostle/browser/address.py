"""Addresses: their origin, and why one cannot be opened, in words."""

from __future__ import annotations

from jostle.addresses import split_url
from jostle.errors import ApplicationProblem

_REASONS = {
    "ConnectionRefused": "nothing is listening there (connection refused)",
    "NameNotResolved": "there is no such host",
    "net::ERR_CONNECTION_REFUSED": "nothing is listening there (connection refused)",
    "net::ERR_NAME_NOT_RESOLVED": "there is no such host",
    "net::ERR_TOO_MANY_REDIRECTS": "it redirects for ever",
    "net::ERR_INVALID_URL": "this is not an address",
}
_PORTS = {"http": 80, "https": 443}


def origin(url: str) -> str:
    """`http://host:port` of an address, as browsers write it; a bare host is taken as http. Empty when it is none."""
    parts = split_url(url if "//" in url else f"http://{url}")
    try:
        host, port = parts.hostname or "", parts.port
    except ValueError:  # `about:blank` has no port
        return ""
    if not parts.scheme:
        return ""
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}" + (f":{port}" if port not in (None, _PORTS.get(parts.scheme)) else "")


def unreachable(url: str, reason: str) -> ApplicationProblem:
    """The error for an application that cannot be opened; `reason` is Chromium's name for it."""
    said = _REASONS.get(reason, reason)
    if "ERR_CERT" in reason or "ERR_SSL" in reason:
        said = f"its certificate or TLS set-up is not accepted ({reason})"
    return ApplicationProblem(
        f"{url} cannot be opened: {said}.", advice="Check the address, and that the application is running."
    )
