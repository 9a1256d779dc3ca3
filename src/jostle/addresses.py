"""Parsing addresses that a page, a script or a recording supplies: any text at all, and never an error.

The functions of `urllib.parse` that raise ValueError (`http://[`) are not to be used elsewhere; ruff looks.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urljoin, urlsplit


def split_url(url: str) -> SplitResult:
    """`urlsplit` for any string: what is no URL is all path."""
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def join_url(base: str, url: str) -> str:
    """`urljoin` for any strings: what cannot be joined stays as it is."""
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def explicit_port(parts: SplitResult) -> int | None:
    """The port; None where there is none, or none that can be."""
    try:
        return parts.port
    except ValueError:
        return None


def is_this_machine(host: str, *, addresses: bool = True) -> bool:
    """Whether nobody else can give this name of a host an address: `localhost`, names below it, loopback addresses.
    `addresses`: and any other address written as a number, which is no name at all."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return addresses or address.is_loopback
