"""What differs from one instance of the application to the next, in its commands and addresses. Pure.

Only `{port}` and `{instance}` are replaced: all other braces belong to the shell, and so does `${port}`. Commands find
the same in the environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlunsplit

from jostle.addresses import explicit_port, split_url

PORT, INSTANCE = "port", "instance"
VARIABLES = {PORT: "JOSTLE_PORT", INSTANCE: "JOSTLE_INSTANCE"}
_PLACEHOLDER = re.compile(rf"(?<!\$)\{{({PORT}|{INSTANCE})\}}")
STAND_IN_HOST = "127.0.0.1"
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def names(text: str, *wanted: str) -> bool:
    """Whether a command or an address has one of these placeholders, or its variable."""
    return any(each in _PLACEHOLDER.findall(text) or VARIABLES[each] in text for each in wanted)


def filled(text: str, *, port: int | None, instance: int) -> str:
    """With the values of an instance. Without a port, `{port}` stays as it is."""
    values = {PORT: f"{{{PORT}}}" if port is None else str(port), INSTANCE: str(instance)}
    return _PLACEHOLDER.sub(lambda found: values[found[1]], text)


def effective_port(url: str) -> int:
    """The one it names, or the usual one of its scheme."""
    parts = split_url(url)
    return explicit_port(parts) or (443 if parts.scheme == "https" else 80)


def same_server(one: str, other: str) -> bool:
    """Whether two addresses lead to the same port of the same machine, as far as their names tell."""
    return effective_port(one) == effective_port(other) and _machine(one) == _machine(other)


def with_port(url: str, port: int) -> str:
    """The same address at another port."""
    parts = split_url(url)
    user, at, _ = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user}{at}{_host(url)}:{port}"))


def resolver_rules(url: str, port: int) -> str:
    """Rules of Chromium's `--host-resolver-rules`: what a page asks of the server at `url` goes to another port of the
    same machine. Pages go on seeing the address itself. All names of this machine are meant where `url` has one."""
    host, before = _host(url), effective_port(url)
    if _machine(url) != _LOOPBACK[0]:
        return f"MAP {host}:{before} {host}:{port}"
    pairs = [*((name, name) for name in _LOOPBACK), (f"*.{_LOOPBACK[0]}", _LOOPBACK[0])]
    return ", ".join(f"MAP {name}:{before} {reached}:{port}" for name, reached in pairs)


def stand_in_rules(urls: Iterable[str], port: int) -> str:
    """The same for something at a port of this machine that stands in for the servers at all these addresses."""
    places: dict[str, None] = {}
    for url in urls:
        here = _machine(url) == _LOOPBACK[0]
        for name in (*_LOOPBACK, f"*.{_LOOPBACK[0]}") if here else (_host(url),):
            places[f"{name}:{effective_port(url)}"] = None
    return ", ".join(f"MAP {place} {STAND_IN_HOST}:{port}" for place in places)


def at_stand_in(url: str, port: int) -> str:
    """Where a stand-in at a port of this machine has what an address names."""
    return urlunsplit(split_url(url)._replace(scheme="http", netloc=f"{STAND_IN_HOST}:{port}"))


def _host(url: str) -> str:
    """In brackets, if it is of IPv6."""
    name = split_url(url).hostname or ""
    return f"[{name}]" if ":" in name else name


def _machine(url: str) -> str:
    host = _host(url)
    return _LOOPBACK[0] if host in _LOOPBACK or host.endswith(f".{_LOOPBACK[0]}") else host
